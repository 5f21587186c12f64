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
    assert "validate" in result["msg"]
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
