"""Hosts' Pythons: none at all, old, new; and users' own modules on them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

pytestmark = pytest.mark.lab
LIBRARY = Path(__file__).parents[2] / "examples" / "library"
VERSIONS = [f"3.{minor}" for minor in range(6, 14)]


def interpreter(lab, version: str) -> str:
    found = lab.exec("h1", f"ls -d /opt/pythons/{version}.*/bin/python{version}").split()
    if not found:
        pytest.skip(f"the lab's hosts have no Python {version}")
    return found[-1]


def test_raw_needs_no_python(lab) -> None:
    run = lab.play("- hosts: h1\n  gather_facts: false\n  tasks:\n    - raw: echo $((6 * 7))\n      register: r\n    - debug: {msg: 'got {{ r.stdout | trim }}'}\n",
                   "-e", "ansible_python_interpreter=/nowhere/python")  # fmt: skip
    assert '"msg": "got 42"' in run.out, run.out + run.err


def test_a_missing_interpreter_is_named(lab) -> None:
    run = lab.play(
        "- hosts: h1\n  gather_facts: false\n  tasks: [ping: ]\n", "-e", "ansible_python_interpreter=/nowhere/python"
    )
    assert run.code in (2, 4)
    assert "/nowhere/python" in run.out


@pytest.mark.parametrize("version", VERSIONS)
def test_modules_run_on_every_python(lab, version: str) -> None:
    shutil.copytree(LIBRARY, lab.directory / "library")
    run = lab.play("""
- hosts: h1
  tasks:
    - assert: {that: "ansible_facts.python_version.startswith(version)"}
    - tempfile: {state: directory}
      register: t
    - copy: {content: "hello\\n", dest: "{{ t.path }}/f", mode: "0600"}
    - lineinfile: {path: "{{ t.path }}/f", line: world}
    - stat: {path: "{{ t.path }}/f"}
      register: s
    - page_size: {path: "{{ t.path }}/f"}
      register: p
    - ensure_line: {path: "{{ t.path }}/f", line: from shell}
      register: e
    - command: cat {{ t.path }}/f
      register: c
    - file: {path: "{{ t.path }}", state: absent}
    - debug: {msg: "{{ s.stat.size }} {{ p.size }} {{ e.changed }} {{ c.stdout_lines }}"}
""", "-e", f"ansible_python_interpreter={interpreter(lab, version)}", "-e", f"version={version}")  # fmt: skip
    assert run.code == 0, run.out + run.err
    assert "12 12 True ['hello', 'world', 'from shell']" in run.out
