"""Hosts' Pythons: none at all, old, new; and users' own modules on them."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hosts import PYTHONS

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.lab
LIBRARY = Path(__file__).parents[2] / "examples" / "library"
VERSIONS = [f"3.{minor}" for minor in range(6, 16)]


def interpreter(lab, version: str) -> str:
    """Give the path of a Python on h1: one that is there, else one of this machine's that is put there."""
    found = lab.exec("h1", f"ls -d /opt/pythons/{version}.*/bin/python{version}").split()
    if found:
        return found[-1]
    for path in PYTHONS:
        if path.parts[-3] == version:
            put_tree(lab, path.parents[1])
            return str(path)
    return pytest.skip(f"neither the lab's hosts nor this machine have a Python {version}")


def put_tree(lab, top: Path) -> None:
    """Lay a directory out on h1 under the same name, open to every user."""
    pack = ["tar", "-C", "/", "--exclude", "gconv", "--exclude", "__pycache__", "-c", str(top).lstrip("/")]
    packed = subprocess.run(pack, capture_output=True, check=True).stdout
    subprocess.run([lab.command, "exec", "h1", "--", "tar", "-C", "/", "-x"], input=packed, check=True)
    opened = " ".join(str(parent) for parent in top.parents if parent != Path("/"))
    lab.exec("h1", f"chmod a+rx {opened}")


@pytest.fixture
def python(lab, version: str) -> Iterator[str]:
    path = interpreter(lab, version)
    yield path
    if not path.startswith("/opt/pythons"):
        top = Path(path).parents[1]
        lab.exec("h1", f"rm -rf {top}; rmdir -p --ignore-fail-on-non-empty {top.parent}")


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
def test_modules_run_on_every_python(lab, version: str, python: str) -> None:
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
""", "-e", f"ansible_python_interpreter={python}", "-e", f"version={version}")  # fmt: skip
    assert run.code == 0, run.out + run.err
    assert "12 12 True ['hello', 'world', 'from shell']" in run.out
