"""copy, template, fetch, script, assemble: with real modules over the local connection."""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from bench import Bench

LONG = 3000
"""Seconds, and so many times a job is asked for: the bench does not wait in between."""


@pytest.fixture
def there(tmp_path: Path) -> Path:
    """The directory that plays the host's part."""
    path = tmp_path / "there"
    path.mkdir()
    return path


def test_content_is_written_once(bench: Bench, there: Path) -> None:
    text = f'copy: {{content: "a\\n", dest: {there}/f, mode: "0640"}}'
    found = bench.run_all(f"- {text}\n- {text}")
    assert [result.changed for result in found] == [True, False]
    assert (there / "f").read_text() == "a\n"
    assert stat.S_IMODE((there / "f").stat().st_mode) == 0o640
    assert found[0].result["checksum"] == hashlib.sha1(b"a\n").hexdigest()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("dest: /x", "src (or content) is required"),
        ("src: a, content: b, dest: /x", "src and content are mutually exclusive"),
        ("content: b, dest: /tmp/", "can not use content with a dir as dest"),
        ("src: nowhere, dest: /x", "Could not find or access 'nowhere'\nSearched in:\n\t"),
        ("src: a", "dest is required"),
    ],
)
def test_copy_says_what_is_wrong(bench: Bench, options: str, said: str) -> None:
    assert said in bench.run(f"copy: {{{options}}}").result["msg"]


def test_structures_become_json_and_all_else_is_text(bench: Bench, there: Path) -> None:
    bench.run(f"copy: {{content: {{a: [1, é]}}, dest: {there}/f}}")
    assert (there / "f").read_text() == '{"a": [1, "\\u00e9"]}'
    bench.run(f"copy: {{content: true, dest: {there}/f}}")
    assert (there / "f").read_text() == "True"
    bench.run(f"copy: {{content: '{{\"a\":1}}', dest: {there}/f}}")
    assert (there / "f").read_text() == '{"a":1}'


def test_a_file_is_found_in_files_and_may_keep_its_mode(bench: Bench, tmp_path: Path, there: Path) -> None:
    (tmp_path / "files").mkdir()
    source = tmp_path / "files" / "s.sh"
    source.write_text("x")
    source.chmod(0o750)
    result = bench.run(f"copy: {{src: s.sh, dest: {there}/, mode: preserve}}\ndiff: true")
    assert result.result["dest"] == f"{there}/s.sh"
    assert stat.S_IMODE((there / "s.sh").stat().st_mode) == 0o750
    (diff,) = result.result["diff"]
    assert (diff["after"], diff["after_header"]) == ("x", str(source))


def test_content_has_no_mode_to_keep_but_that_of_a_temporary_file(bench: Bench, there: Path) -> None:
    for _ in range(2):
        assert bench.run(f"copy: {{content: x, dest: {there}/f, mode: preserve}}").changed
        assert stat.S_IMODE((there / "f").stat().st_mode) == 0o600
        (there / "f").chmod(0o644)


def test_a_large_file_is_streamed(bench: Bench, tmp_path: Path, there: Path) -> None:
    data = bytes(range(256)) * 20_000
    (tmp_path / "big").write_bytes(data)
    assert bench.run(f"copy: {{src: big, dest: {there}/big}}").changed
    assert (there / "big").read_bytes() == data


@pytest.mark.parametrize(("slash", "base"), [("", "tree/"), ("/", "")])
def test_a_directory_is_copied_with_all_below(bench: Bench, tmp_path: Path, there: Path, slash: str, base: str) -> None:
    tree = tmp_path / "tree"
    (tree / "sub" / "empty").mkdir(parents=True)
    (tree / "a").write_text("A")
    (tree / "sub" / "b").write_text("B")
    (tree / "link").symlink_to("a")
    text = f"copy: {{src: tree{slash}, dest: {there}/, directory_mode: '0711', local_follow: false}}"
    found = bench.run_all(f"- {text}\n- {text}")
    assert [result.changed for result in found] == [True, False]
    assert (there / base / "sub" / "b").read_text() == "B"
    assert (there / base / "sub" / "empty").is_dir()
    assert (there / base / "link").readlink().name == "a"
    assert stat.S_IMODE((there / base / "sub").stat().st_mode) == 0o711


def test_check_mode_foretells_and_touches_nothing(bench: Bench, there: Path) -> None:
    result = bench.run(f"copy: {{content: a, dest: {there}/f}}\ncheck_mode: true\ndiff: true")
    assert result.changed
    assert result.result["diff"][0]["after"] == "a"
    assert not (there / "f").exists()


def test_template_sees_its_own_variables(bench: Bench, tmp_path: Path, there: Path) -> None:
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / "t.j2").write_text(
        "# {{ ansible_managed }}\n{% if v %}\n{{ v }} {{ template_path }}\n{% endif %}\n"
    )
    result = bench.run(f"template: {{src: t.j2, dest: {there}/}}\nvars: {{v: 5}}")
    assert result.result["dest"] == f"{there}/t.j2"
    assert (there / "t.j2").read_text() == "# Ansible managed\n5 t.j2\n"


@pytest.mark.parametrize(
    ("options", "source", "expected"),
    [
        pytest.param(
            "variable_start_string: '[[', variable_end_string: ']]'", "[[ v ]] {{ v }}", b"5 {{ v }}", id="delimiters"
        ),
        pytest.param("trim_blocks: false", "{% if v %}\nx\n{% endif %}\n", b"\nx\n", id="trim_blocks"),
        pytest.param("lstrip_blocks: true", "  {% if v %}\nx\n  {% endif %}\n", b"x\n", id="lstrip_blocks"),
        pytest.param("newline_sequence: '\\r\\n'", "a\nb\n", b"a\r\nb\r\n", id="newline_sequence"),
        pytest.param("output_encoding: latin-1", "é", b"\xe9", id="output_encoding"),
    ],
)
def test_template_options(
    bench: Bench, tmp_path: Path, there: Path, options: str, source: str, expected: bytes
) -> None:
    (tmp_path / "t.j2").write_text(source)
    result = bench.run(f"template: {{src: t.j2, dest: {there}/f, {options}}}\nvars: {{v: 5}}")
    assert not result.failed, result.result["msg"]
    assert (there / "f").read_bytes() == expected


def test_a_fault_in_a_template_names_its_file_and_line(bench: Bench, tmp_path: Path, there: Path) -> None:
    (tmp_path / "t.j2").write_text("a\n{{ nowhere }}\n")
    said = bench.run(f"template: {{src: t.j2, dest: {there}/f}}").result["msg"]
    assert "'nowhere' is undefined" in said
    assert "t.j2:2" in said


def test_fetch_brings_only_what_differs(bench: Bench, tmp_path: Path, there: Path) -> None:
    (there / "f").write_text("content")
    text = f"fetch: {{src: {there}/f, dest: got/}}"
    found = bench.run_all(f"- {text}\n- {text}")
    assert [result.changed for result in found] == [True, False]
    place = tmp_path / "got" / "h1" / str(there / "f").lstrip("/")
    assert place.read_text() == "content"
    assert found[0].result["md5sum"] == hashlib.md5(b"content").hexdigest()
    assert found[1].result["dest"] == str(place)


def test_fetch_flat_and_missing(bench: Bench, tmp_path: Path, there: Path) -> None:
    (there / "f").write_bytes(b"")
    bench.run(f"fetch: {{src: {there}/f, dest: flat/, flat: true}}")
    assert (tmp_path / "flat" / "f").read_bytes() == b""
    assert bench.run(f"fetch: {{src: {there}/gone, dest: x/}}").failed
    result = bench.run(f"fetch: {{src: {there}/gone, dest: x/, fail_on_missing: false}}")
    assert not result.failed
    assert not (tmp_path / "x").exists()


def test_script_runs_and_leaves_nothing(bench: Bench, tmp_path: Path) -> None:
    (tmp_path / "s.sh").write_text('#!/bin/sh\necho "$0|$1|$2|$A"; cat; exit $3\n')
    result = bench.run("script: s.sh 'a b' c 4\nenvironment: {A: env}")
    assert (result.result["rc"], result.failed, result.changed) == (4, True, True)
    name, *rest = result.result["stdout"].rstrip("\n").split("|")
    assert rest == ["a b", "c", "env"]
    assert not Path(name).parent.exists()


def test_what_a_script_writes_others_may_read(bench: Bench, there: Path, tmp_path: Path) -> None:
    (tmp_path / "s.sh").write_text("#!/bin/sh\numask; touch made\n")
    mask = os.umask(0o027)
    try:
        result = bench.run(f"script: s.sh\nargs: {{chdir: {there}}}").result
    finally:
        os.umask(mask)
    assert int(result["stdout"], 8) == 0o027
    assert (there / "made").stat().st_mode & 0o777 == 0o640


def test_where_a_script_cannot_run(bench: Bench, tmp_path: Path) -> None:
    (tmp_path / "s.sh").write_text("#!/bin/sh\n")
    relative = bench.run("script: s.sh\nargs: {chdir: some/where}").result
    assert relative["msg"] == "option 'chdir' must be an absolute path of the host, not some/where"
    gone = bench.run("script: s.sh\nargs: {chdir: /nowhere}").result
    assert (gone["failed"], gone["rc"]) == (True, 2)


def test_raw_with_a_shell_that_is_not_there(bench: Bench) -> None:
    result = bench.run("raw: echo\nargs: {executable: /no/shell}").result
    assert (result["failed"], result["changed"], result["rc"]) == (True, True, 127)
    assert "/no/shell" in result["stderr"]


def test_script_options(bench: Bench, tmp_path: Path) -> None:
    (tmp_path / "s").write_text("pwd")
    assert bench.run(f"script: {{cmd: s, executable: sh, chdir: {tmp_path}}}").result["stdout_lines"] == [str(tmp_path)]
    assert bench.run(f"script: {{cmd: s, creates: {tmp_path}}}").skipped
    assert bench.run(f"script: {{cmd: s, removes: {tmp_path}/gone}}").skipped
    assert bench.run("script: s\ncheck_mode: true").skipped


def test_assemble_puts_local_fragments_together(bench: Bench, tmp_path: Path, there: Path) -> None:
    parts = tmp_path / "parts"
    parts.mkdir()
    for name, text in {"2": "two", "1": "one\n", ".hid": "hidden\n"}.items():
        (parts / name).write_text(text)
    result = bench.run(
        f"assemble: {{src: parts, dest: {there}/f, remote_src: false, delimiter: '--', ignore_hidden: true}}"
    )
    assert result.changed
    assert (there / "f").read_text() == "one\n--\ntwo"


def test_a_task_in_the_background(bench: Bench, tmp_path: Path) -> None:
    bench.variables["ansible_async_dir"] = str(tmp_path / "jobs")
    result = bench.run(f"command: echo hi\nasync: {LONG}\npoll: 1")
    assert (result.result["stdout"], result.result["finished"], result.result["started"]) == ("hi", True, True)
    assert list((tmp_path / "jobs").iterdir()) == []
    result = bench.run("command: echo hi\nasync: 20\npoll: 0")
    assert (result.result["finished"], result.changed) == (False, True)
    assert result.result["results_file"].startswith(str(tmp_path / "jobs"))
    assert "does not support async" in bench.run("debug:\nasync: 5").result["msg"]


def test_a_background_job_is_told_of_check_mode(bench: Bench, tmp_path: Path) -> None:
    bench.variables["ansible_async_dir"] = str(tmp_path / "jobs")
    touched = tmp_path / "touched"
    result = bench.run(f"file: {{path: {touched}, state: touch}}\nasync: {LONG}\npoll: 1\ncheck_mode: true")
    assert (result.changed, result.result["finished"], touched.exists()) == (True, True, False)
    assert bench.run(f"tempfile:\nasync: {LONG}\npoll: 1\ncheck_mode: true").skipped


def test_wait_for_connection(bench: Bench) -> None:
    assert bench.run("wait_for_connection: {timeout: 5}").result["elapsed"] == 0


def test_a_program_or_directory_that_is_not_there_fails_with_rc(bench: Bench) -> None:
    result = bench.run("command: no-such-program-here").result
    assert (result["failed"], result["rc"], result["cmd"]) == (True, 2, "no-such-program-here")
    result = bench.run("command: pwd\nargs: {chdir: /no/such/place}").result
    assert (result["failed"], result["rc"]) == (True, 257)


def test_a_users_ansible_managed_wins(bench: Bench, tmp_path: Path, there: Path) -> None:
    (tmp_path / "t.j2").write_text("{{ ansible_managed }} {{ template_path }}\n")
    variables = "vars: {ansible_managed: mine, template_path: mine}"
    bench.run(f"template: {{src: t.j2, dest: {there}/f}}\n{variables}")
    assert (there / "f").read_text() == "mine t.j2\n"


def test_bytes_that_are_no_text_pass_through_a_template(bench: Bench, tmp_path: Path, there: Path) -> None:
    (tmp_path / "t.j2").write_text("{{ 'Y2Fm6Q==' | b64decode }}\n")
    bench.run(f"template: {{src: t.j2, dest: {there}/f}}")
    assert (there / "f").read_bytes() == b"caf\xe9\n"


def test_the_diff_of_local_fragments_is_one_mapping(bench: Bench, tmp_path: Path, there: Path) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "a").write_text("one\n")
    found = bench.run(f"assemble: {{src: parts, dest: {there}/f, remote_src: false}}\ndiff: true")
    assert (found.result["diff"]["before"], found.result["diff"]["after"]) == ("", "one\n")


def test_async_status_looks_where_the_variable_says_that_jobs_are(bench: Bench, tmp_path: Path) -> None:
    jobs = tmp_path / "jobs"
    jobs.mkdir()
    (jobs / "j1").write_text('{"finished": true, "rc": 0}')
    assert bench.run("async_status: {jid: j1}").result["msg"] == "could not find job"
    assert bench.run("async_status: {jid: j1, mode: cleanup}").result["erased"].endswith("/.ansible_async/j1")
    bench.variables["ansible_async_dir"] = str(jobs)
    result = bench.run("async_status: {jid: j1}").result
    assert (result["failed"], result["rc"], result["results_file"]) == (False, 0, str(jobs / "j1"))


def test_a_shell_cannot_leave_variables_alone(bench: Bench) -> None:
    found = bench.run("shell: echo hi\nargs: {expand_argument_vars: false}")
    assert found.failed
    assert "expand_argument_vars" in found.result["msg"]
