"""Modules that look into text files or edit them: character sets, commands that judge, time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pyplay.remote.module_utils.options import validate

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import RunModule


@pytest.mark.parametrize("encoding", ["utf-8", "cp273", "utf-16-le", "latin-1"])
def test_lines_are_edited_in_the_files_character_set(module: RunModule, tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "f"
    path.write_bytes("erste Zeile\nzweite Zeile\n".encode(encoding))
    options: dict[str, Any] = {"path": path, "encoding": encoding}
    for _ in range(2):
        module("lineinfile", line="größer", insertbefore="^zweite .*$", **options)
    assert path.read_bytes().decode(encoding) == "erste Zeile\ngrößer\nzweite Zeile\n"
    assert module("lineinfile", regexp="^gr..er$", state="absent", **options)["found"] == 1
    module("blockinfile", block="b", marker="# {mark}", insertafter="^erste", **options)
    assert module("blockinfile", block="b", marker="# {mark}", insertafter="^erste", **options)["changed"] is False
    assert path.read_bytes().decode(encoding) == "erste Zeile\n# BEGIN\nb\n# END\nzweite Zeile\n"


@pytest.mark.parametrize(
    ("options", "after"),
    [
        pytest.param({"line": "end\n"}, "a=1\nb=2\nend\n", id="the newline of a block scalar"),
        pytest.param({"line": "q\nr"}, "a=1\nb=2\nq\nr\n", id="two lines"),
        pytest.param({"line": "q\nr\n", "insertbefore": "^b"}, "a=1\nq\nr\nb=2\n", id="two lines before another"),
        pytest.param({"line": "a=1\nx", "regexp": "^a="}, "a=1\nx\nb=2\n", id="two lines for one that matches"),
        pytest.param({"line": "x\na=1", "regexp": "^a="}, "x\na=1\nb=2\n", id="the second line matches"),
        pytest.param({"line": "a=1\nb=2", "state": "absent"}, "", id="two lines go"),
        pytest.param({"line": "x\r"}, "a=1\nb=2\nx\r\n", id="a carriage return"),
        pytest.param({"line": "x\r\ny\r\n"}, "a=1\nb=2\nx\r\ny\r\n", id="lines that Windows ends"),
        pytest.param({"line": "b=2\r", "state": "absent"}, "a=1\n", id="the line goes whatever ends it"),
        pytest.param({"line": "b=2\na=1", "state": "absent"}, "a=1\nb=2\n", id="lines in another order stay"),
    ],
)
def test_lines_with_a_newline_in_them_are_found_again(
    module: RunModule, tmp_path: Path, options: dict[str, Any], after: str
) -> None:
    path = tmp_path / "f"
    path.write_text("a=1\nb=2\n")
    module("lineinfile", path=path, **options)
    assert path.read_bytes().decode() == after
    assert module("lineinfile", path=path, **options)["changed"] is False
    assert path.read_bytes().decode() == after


def test_a_marker_with_a_carriage_return_is_found_again(module: RunModule, tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"a\r\n")
    options = {"path": path, "block": "b\r\n", "marker": "# {mark}\r"}
    module("blockinfile", **options)
    assert path.read_bytes() == b"a\r\n# BEGIN\r\nb\r\n# END\r\n"
    assert module("blockinfile", **options)["changed"] is False


def test_bytes_that_are_no_text_survive_an_edit(module: RunModule, tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"\xff\xfe\r\nlast")
    module("lineinfile", path=path, line="more")
    assert path.read_bytes() == b"\xff\xfe\r\nlast\nmore\n"


@pytest.mark.parametrize(("name", "options"), [
    ("lineinfile", {"line": "x"}),
    ("blockinfile", {"block": "x"}),
])  # fmt: skip
def test_an_unknown_character_set_is_a_failure(
    module: RunModule, tmp_path: Path, name: str, options: dict[str, Any]
) -> None:
    (tmp_path / "f").write_text("a\n")
    result = module(name, path=tmp_path / "f", encoding="nope", **options)
    assert result["failed"] is True
    assert "nope" in result["msg"]


def test_a_validate_that_is_no_command_is_a_failure(module: RunModule, tmp_path: Path) -> None:
    (tmp_path / "f").write_text("a\n")
    result = module("lineinfile", path=tmp_path / "f", line="b", validate="echo 'open %s")
    assert result["failed"] is True
    assert "Invalid command syntax in validate" in result["msg"]
    assert (tmp_path / "f").read_text() == "a\n"


def test_files_of_another_character_set_are_named_and_left_out(module: RunModule, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "gbk").write_bytes("你好\nabc\n".encode("gbk"))
    (tmp_path / "plain").write_text("abc\n")
    found = module("find", paths=tmp_path, recurse=True, contains="a.c", encoding="utf-8")
    assert [entry["path"] for entry in found["files"]] == [str(tmp_path / "plain")]
    assert str(tmp_path / "sub" / "gbk") in found["skipped_paths"][str(tmp_path)]
    assert len(found["warnings"]) == 1
    assert module("find", paths=tmp_path, recurse=True, contains="你", encoding="gbk")["matched"] == 1


def test_waiting_for_nothing_takes_delay_and_timeout(module: RunModule) -> None:
    assert module("wait_for", delay=1, timeout=1)["elapsed"] == 2


def test_unsafe_writes_come_from_the_environment_too(monkeypatch: pytest.MonkeyPatch, load: Any) -> None:
    monkeypatch.setenv("ANSIBLE_UNSAFE_WRITES", "1")
    table = load("copy").OPTIONS
    assert validate(table, {"dest": "/x", "content": ""}).args["unsafe_writes"] is True
    assert validate(table, {"dest": "/x", "content": "", "unsafe_writes": False}).args["unsafe_writes"] is False


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("lineinfile", {"path": "no", "line": "a"}, "does not exist"),
        ("lineinfile", {"path": ".", "line": "a"}, "is a directory"),
        ("lineinfile", {"path": "f", "line": "b", "validate": "true"}, "validate must contain %s"),
        ("lineinfile", {"path": "f", "line": "b", "validate": "false %s"}, "failed to validate: rc:1"),
        ("lineinfile", {"path": "f", "line": "b", "backrefs": True}, "regexp is required with backrefs"),
        ("lineinfile", {"path": "f", "state": "absent"}, "is required with state=absent"),
        ("replace", {"path": "no", "regexp": "a"}, "does not exist"),
        ("replace", {"path": ".", "regexp": "a"}, "is a directory"),
        ("replace", {"path": "f", "regexp": "a", "encoding": "nope"}, "unknown encoding: nope"),
        ("replace", {"path": "f", "regexp": "a", "replace": "你", "encoding": "ascii"}, "as ascii"),
        ("blockinfile", {"path": "no", "block": "a"}, "does not exist"),
        ("blockinfile", {"path": ".", "block": "a"}, "is a directory"),
        ("assemble", {"src": "no", "dest": "x"}, "does not exist"),
        ("assemble", {"src": "f", "dest": "x"}, "is not a directory"),
        ("assemble", {"src": ".", "dest": "x", "regexp": "*["}, "Invalid Regexp"),
        ("assemble", {"src": ".", "dest": "no/x"}, "Destination directory"),
        ("slurp", {"src": "no"}, "File not found"),
        ("slurp", {"src": "."}, "Source is a directory"),
        ("slurp", {"src": "f/g"}, "Unable to slurp file"),
        ("command", {"cmd": "true", "chdir": "no"}, "Unable to change directory"),
        ("command", {"cmd": "./no"}, "Error executing command"),
        ("wait_for", {"path": "no", "timeout": 0}, "Timeout when waiting for file "),
        ("wait_for", {"path": "f", "state": "absent", "timeout": 0}, " to be absent"),
        ("wait_for", {"path": "f", "search_regex": "zz", "timeout": 0}, "search string zz in "),
        ("wait_for", {"path": "f", "search_regex": "*["}, "Invalid regular expression"),
        ("wait_for", {"port": 1, "active_connection_states": ["A"]}, "unknown active_connection_state (A)"),
        ("wait_for", {"port": 1, "exclude_hosts": ["::1"], "timeout": 0}, "exclude_hosts"),
    ],
)
def test_a_fault_is_called_by_the_name_that_playbooks_look_for(
    module: RunModule, tmp_path: Path, name: str, options: dict[str, Any], words: str
) -> None:
    (tmp_path / "f").write_text("a\n")
    (tmp_path / "f").chmod(0o755)
    places = {key: tmp_path / options[key] for key in ("path", "src", "dest", "chdir") if key in options}
    result = module(name, **{**options, **places})
    assert result["failed"] is True
    assert words in result["msg"]
