"""What reporters write is, line by line, what ansible-core's callbacks write.

Left out: messages (each has its own words), and where ansible-core writes a loop of commands or a result under no_log as
if a command had ended with -1.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ORACLE = os.environ.get("PYPLAY_ORACLE")

pytestmark = [
    pytest.mark.parity,
    pytest.mark.skipif(not ORACLE, reason="PYPLAY_ORACLE names no directory with ansible-playbook"),
]

PLAYBOOK = r"""
- name: Shown
  hosts: all
  gather_facts: false
  tasks:
    - command: printf 'a\nb\n'
    - debug: {msg: {a: 1, b: [x, "y z", true, null, {k: []}], c: "l1 \n\tl2\n", d: "xxxxxxxxxxxxxxxx yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy zzzzzzzzzzzzzzzz vv"}}
    - debug: msg=text
    - ping:
    - ping:
      when: false
    - fail: {msg: "no"}
      ignore_errors: true
    - shell: echo out; echo err >&2
      changed_when: false
    - stat: {path: /nonexistent}
"""
LOOP = """
    - ping:
      loop: [1, two, {a: b}]
"""
TIMES = re.compile(r"\d{4}-\d\d-\d\d [\d:.]+|\d:\d\d:\d\d\.\d+")


@pytest.mark.parametrize(
    ("settings", "options", "playbook"),
    [
        pytest.param({"CALLBACK_RESULT_FORMAT": "yaml"}, ["-v"], PLAYBOOK + LOOP, id="yaml"),
        pytest.param({"CALLBACK_RESULT_FORMAT": "yaml", "CALLBACK_FORMAT_PRETTY": "0"}, ["-v"], PLAYBOOK + LOOP, id="exact yaml"),
        pytest.param({"CALLBACK_RESULT_INDENTATION": "2", "CALLBACK_FORMAT_PRETTY": "1"}, ["-v"], PLAYBOOK + LOOP, id="pretty"),
        pytest.param({"CALLBACK_FORMAT_PRETTY": "0"}, ["-v"], PLAYBOOK + LOOP, id="flat"),
        pytest.param({"CHECK_MODE_MARKERS": "1", "DISPLAY_ARGS_TO_STDOUT": "1"}, ["--check"], PLAYBOOK, id="marked"),
        pytest.param({"SHOW_PER_HOST_START": "1", "SHOW_TASK_PATH_ON_FAILURE": "1"}, [], PLAYBOOK + LOOP, id="told more"),
        pytest.param({"DISPLAY_FAILED_STDERR": "1", "DISPLAY_OK_HOSTS": "0"}, [], PLAYBOOK + LOOP, id="told less"),
        pytest.param({"STDOUT_CALLBACK": "minimal"}, [], PLAYBOOK, id="minimal"),
        pytest.param({"STDOUT_CALLBACK": "oneline"}, [], PLAYBOOK, id="oneline"),
    ],
)  # fmt: skip
def test_lines(tmp_path: Path, settings: dict[str, str], options: list[str], playbook: str) -> None:
    (tmp_path / "site.yml").write_text(playbook)
    expected = lines([f"{ORACLE}/ansible-playbook"], tmp_path, settings, options)
    assert len(expected) >= 5
    assert lines([sys.executable, "-m", "pyplay"], tmp_path, settings, options) == expected


def lines(command: list[str], directory: Path, settings: dict[str, str], options: list[str]) -> list[str]:
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("ANSIBLE_", "PYPLAY_"))}
    environment |= {f"ANSIBLE_{name}": value for name, value in settings.items()}
    environment |= {"HOME": str(directory), "ANSIBLE_NOCOLOR": "1", "LC_ALL": "C.UTF-8"}
    environment["ANSIBLE_PYTHON_INTERPRETER"] = (
        "/usr/bin/python3" if Path("/usr/bin/python3").exists() else sys.executable
    )
    done = subprocess.run(
        [*command, "-i", "h1,", "-c", "local", *options, "site.yml"],
        cwd=directory, env=environment, capture_output=True, text=True, timeout=120, check=False, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    return list(told(done.stdout, oneline=settings.get("STDOUT_CALLBACK") == "oneline"))


def told(text: str, *, oneline: bool) -> list[str]:
    """Give the lines that are compared: no excerpts of failing tasks, no times; of `oneline` no blanks, no debug."""
    kept: list[str] = []
    excerpt = False
    for line in text.splitlines():
        excerpt = line.startswith("[ERROR]") or (
            excerpt and not line.startswith(("h1 |", "fatal:", "failed:", "ok:", "...ignoring", "task path:", "TASK"))
        )
        if excerpt or line.startswith(("No config file", "An exception occurred", "Using ")):
            continue
        if oneline and ("msg" in line or '"a":' in line):
            continue
        kept.append(TIMES.sub("TIME", line))
    return kept
