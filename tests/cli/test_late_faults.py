"""Faults that show when a play or an include is reached: who pays for them, and the exit code."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from pyplay.cli.extra_vars import parse_extra_vars

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import CommandLine

RESCUED = """
    - block:
        - include_tasks: other.yml
      rescue:
        - debug: {msg: 'saved: {{ ansible_failed_result.msg }}'}
"""


@pytest.mark.parametrize(
    ("play", "other", "code", "said"),
    [
        pytest.param("- hosts: '{{ nope }}'\n  tasks: []\n", "", 4, "site.yml:1:14", id="a play's hosts"),
        pytest.param("- hosts: all\n  order: '{{ 5 }}'\n  tasks: []\n", "", 4, "site.yml:1:3", id="a play's order"),
        pytest.param(
            f"- hosts: all\n  gather_facts: false\n  tasks:{RESCUED}", "a: 1\n", 0, "saved: ", id="no list of tasks"
        ),
        pytest.param(
            f"- hosts: all\n  gather_facts: false\n  tasks:{RESCUED}", "- a: 'b\n", 4, "other.yml:1:", id="no YAML"
        ),
    ],
)
def test_late_faults(tmp_path: Path, play: str, other: str, code: int, said: str) -> None:
    (tmp_path / "site.yml").write_text(play)
    (tmp_path / "other.yml").write_text(other)
    command = [sys.executable, "-m", "pyplay", "-i", "localhost,", "-c", "local", "site.yml"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert run.returncode == code, run.stdout + run.stderr
    assert said in run.stdout + run.stderr


@pytest.mark.parametrize("word", ["", " ", "\n"])
def test_extra_vars_may_be_empty(word: str) -> None:
    assert parse_extra_vars([word, "a=1"]) == {"a": "1"}


@pytest.mark.parametrize(
    ("files", "circle"),
    [
        pytest.param({"x.yml": "- include_tasks: x.yml\n"}, "x.yml → x.yml", id="a file"),
        pytest.param(
            {"x.yml": "- include_tasks: y.yml\n", "y.yml": "- include_tasks: x.yml\n"},
            "y.yml → x.yml → y.yml",
            id="files",
        ),
        pytest.param(
            {"x.yml": "- include_role: {name: r}\n", "roles/r/tasks/main.yml": "- include_role: {name: r}\n"},
            "main.yml → main.yml",
            id="a role",
        ),
    ],
)
def test_includes_without_end_are_shown_as_the_cycle(pyplay: CommandLine, files: dict[str, str], circle: str) -> None:
    pyplay.write(files)
    done = pyplay.play("- include_tasks: x.yml")
    assert done.code == 4
    assert f"error[include-cycle]: these files include each other without end: {circle}\n" in done.err


def test_an_include_inside_of_itself_may_end(pyplay: CommandLine) -> None:
    pyplay.write({"x.yml": "- set_fact: {n: '{{ n | int + 1 }}'}\n- include_tasks: x.yml\n  when: n | int < 60\n"})
    done = pyplay.play("- set_fact: {n: 0}\n- include_tasks: x.yml\n- debug: {var: n}")
    assert done.code == 0, done.err
    assert '"n": "60"' in done.out or '"n": 60' in done.out
