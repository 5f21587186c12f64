"""Standard streams that are closed, full or gone: the run goes on, or ends with a word and no traceback."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

PROGRAM = f"'{sys.executable}' -m pyplay -i localhost, -c local site.yml"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    (tmp_path / "site.yml").write_text(
        "- hosts: all\n  gather_facts: false\n  tasks:\n    - ping:\n    - command: echo hi\n      register: r\n"
        "    - copy: {content: '{{ r.stdout }}', dest: '{{ playbook_dir }}/done'}\n"
    )
    return tmp_path


@pytest.mark.parametrize(
    ("redirections", "code", "finished"),
    [
        pytest.param("<&-", 0, True, id="no stdin"),
        pytest.param(">&-", 0, True, id="no stdout"),
        pytest.param("2>&-", 0, True, id="no stderr"),
        pytest.param("<&- >&- 2>&-", 0, True, id="none at all"),
        pytest.param(">/dev/full", 1, False, id="full"),
        pytest.param("2>/dev/full", 0, True, id="stderr full"),
    ],
)
def test_a_run_with_odd_streams(site: Path, redirections: str, code: int, *, finished: bool) -> None:
    run = subprocess.run(
        ["sh", "-c", f"{PROGRAM} {redirections}"], cwd=site, capture_output=True, text=True, timeout=60, check=False
    )
    assert run.returncode == code
    assert "Traceback" not in run.stdout + run.stderr
    assert "bug" not in run.stderr
    if finished:
        assert (site / "done").read_text() == "hi"
    else:
        assert "cannot write the output" in run.stderr


@pytest.mark.parametrize("buffered", ["", "1"])
@pytest.mark.parametrize(
    ("words", "redirections", "code"),
    [
        ("nowhere.yml", "2>/dev/full", 1),
        ("site.yml --nonsense", "2>/dev/full", 2),
        ("wrong.yml", "2>/dev/full", 4),
        ("failing.yml -i h, -c local", "2>/dev/full", 2),
        ("warned.yml -i h, -c local", "2>/dev/full", 1),
        ("failing.yml -i h, -c local", ">/dev/full 2>&1", 1),
        ("nowhere.yml", "2>&1 >/dev/null | exit 0", 1),
    ],
)
def test_the_exit_code_is_ours_where_faults_cannot_be_told(
    site: Path, words: str, redirections: str, code: int, buffered: str
) -> None:
    (site / "failing.yml").write_text("- hosts: all\n  gather_facts: false\n  tasks:\n    - fail:\n")
    (site / "warned.yml").write_text(
        "- hosts: all\n  gather_facts: false\n  tasks:\n    - debug: {msg: '{{ vars.x }}'}\n"
    )
    (site / "wrong.yml").write_text("- hosts: all\n  tusks: []\n")
    line = f"set -o pipefail; '{sys.executable}' -m pyplay {words} {redirections}"
    environ = {**os.environ, "PYTHONUNBUFFERED": buffered}
    run = subprocess.run(["bash", "-c", line], cwd=site, env=environ, capture_output=True, timeout=60, check=False)
    assert run.returncode == code


@pytest.mark.parametrize("words", ["{site}", "inventory -i h, --list", "doc ping", "config dump", "vault view {site}"])
def test_a_current_directory_that_is_gone_is_told(site: Path, words: str) -> None:
    (site / "gone").mkdir()
    line = f"cd gone; rmdir ../gone; '{sys.executable}' -m pyplay {words.format(site=site / 'site.yml')}"
    run = subprocess.run(["sh", "-c", line], cwd=site, capture_output=True, text=True, timeout=60, check=False)
    assert run.returncode == 1
    assert run.stderr.startswith("[ERROR]: the current directory is gone: ")


def test_output_that_nobody_reads_ends_the_run(site: Path) -> None:
    run = subprocess.run(
        ["sh", "-c", f"{PROGRAM} | true"], cwd=site, capture_output=True, text=True, timeout=60, check=False
    )
    assert run.stderr == ""


@pytest.mark.parametrize(
    "encoding", [{"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, {"PYTHONIOENCODING": "latin-1"}]
)
def test_characters_that_a_stream_does_not_have_are_written_out(encoding: dict[str, str]) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "pyplay", "doc", "getent"],
        env={**os.environ, **encoding},
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert run.returncode == 0
    assert b"\\u2026" in run.stdout


@pytest.mark.parametrize("words", ["/dev/stdin", "pipe", "site.yml --vault-password-file /dev/stdin"])
def test_playbooks_and_passwords_may_come_through_a_pipe(site: Path, words: str) -> None:
    os.mkfifo(site / "pipe")
    (site / "site.yml").write_text("- hosts: all\n  gather_facts: false\n  tasks: [{debug: {msg: it came}}]\n")
    end = "> pipe &" if words == "pipe" else "|"
    program = PROGRAM.replace("site.yml", words)
    line = f"cat site.yml {end} {program}"
    run = subprocess.run(["sh", "-c", line], cwd=site, capture_output=True, text=True, timeout=60, check=False)
    assert (run.returncode, run.stderr, "it came" in run.stdout) == (0, "", True)


def test_a_fault_in_a_pipe_is_told_without_its_line(site: Path) -> None:
    os.mkfifo(site / "pipe")
    program = PROGRAM.replace("site.yml", "pipe")
    line = f"echo '- hosts: [' > pipe & {program}"
    run = subprocess.run(["sh", "-c", line], cwd=site, capture_output=True, text=True, timeout=60, check=False)
    assert (run.returncode, "pipe:" in run.stderr) == (4, True), run.stderr


def test_nothing_is_lost_where_the_output_was_left_not_to_block(site: Path) -> None:
    (site / "site.yml").write_text(
        "- hosts: all\n  gather_facts: false\n  tasks: [{debug: {msg: \"{{ 'x' * 300000 }}\"}}, {debug: {msg: the end}}]\n"
    )
    ours, theirs = os.pipe()
    os.set_blocking(theirs, False)
    run = subprocess.Popen(["sh", "-c", PROGRAM], cwd=site, stdout=theirs, stderr=subprocess.PIPE)
    os.close(theirs)
    time.sleep(0.5)  # meanwhile the pipe is full
    with os.fdopen(ours) as stream:
        out = stream.read()
    assert (run.communicate(timeout=60)[1], run.returncode) == (b"", 0)
    assert len(out) > 300000
    assert "the end" in out


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_what_is_there_at_once_is_written_at_once(tmp_path: Path, unbuffered: str) -> None:
    entries = "".join(f"    - debug: {{msg: {number}}}\n      when: {number} > 30\n" for number in range(40))
    (tmp_path / "site.yml").write_text(f"- hosts: all\n  gather_facts: false\n  tasks:\n{entries}")
    reading, writing = os.pipe2(os.O_DIRECT)  # keeps what is written at once apart from the rest
    command = [sys.executable, "-m", "pyplay", "-i", "localhost,", "-c", "local", "site.yml"]
    environment = os.environ | {"PYTHONUNBUFFERED": unbuffered, "ANSIBLE_HOME": str(tmp_path)}
    with subprocess.Popen(command, cwd=tmp_path, stdout=writing, env=environment) as run:
        os.close(writing)
        with os.fdopen(reading, "rb", buffering=0) as stream:
            written = list(iter(lambda: stream.read(1 << 16), b""))
    assert run.returncode == 0
    assert b"".join(written).count(b"skipping: ") == 31
    assert len(written) < 15


def test_what_was_said_is_written_before_anything_is_waited_for(tmp_path: Path) -> None:
    (tmp_path / "site.yml").write_text(
        "- hosts: all\n  gather_facts: false\n  tasks:\n    - debug: {msg: first}\n    - command: cat gate\n"
    )
    os.mkfifo(tmp_path / "gate")
    command = [sys.executable, "-m", "pyplay", "-i", "localhost,", "-c", "local", "site.yml"]
    environment = os.environ | {"PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True, env=environment) as run:
        assert run.stdout is not None
        seen = "".join(iter(run.stdout.readline, "TASK [command] " + "*" * 65 + "\n"))
        assert '"msg": "first"' in seen
        (tmp_path / "gate").write_text("open")  # until now the task could not end
        assert "changed: [localhost]" in run.stdout.read()
    assert run.returncode == 0


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_both_names_of_standard_output_are_the_same(unbuffered: str) -> None:
    code = "import sys; from pyplay.cli.streams import open_missing; open_missing(); "
    code += "print('a'); print('b', file=sys.__stdout__); print('c')"
    environment = os.environ | {"PYTHONUNBUFFERED": unbuffered}
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False)
    assert (run.stdout, run.stderr) == ("a\nb\nc\n", "")
