"""On a terminal: colours, a progress line that makes room for everything else, and a cursor that comes back."""

from __future__ import annotations

import os
import pty
import re
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

PLAY = """
- hosts: one,two
  gather_facts: false
  tasks:
    - name: take a while
      ansible.builtin.command: sleep 0.3
    - name: wait
      ansible.builtin.pause: {seconds: 1}
    - name: beware
      ansible.builtin.debug: {msg: done}
"""


QUESTIONS = """
- hosts: localhost
  gather_facts: false
  vars_prompt:
    - {name: who, prompt: Which user, private: false, default: bob}
    - {name: secret, prompt: Password, confirm: true}
    - {name: hashed, prompt: Hash of, encrypt: sha512_crypt, salt: abcdefgh}
    - {name: braces, prompt: Braces, private: false, unsafe: true}
  tasks:
    - ansible.builtin.debug: {msg: "{{ who }}, {{ secret | length }}, {{ hashed }}, {{ braces }}"}
"""


def on_a_terminal(directory: Path, *words: str, answers: Sequence[tuple[str, str]] = ()) -> str:
    """Run pyplay with a terminal as its three streams and give all that it wrote there.

    `answers` are pairs of the end of a question, and what is typed where the output ends so: a line, or control
    characters alone.
    """
    return ended_on_a_terminal(directory, *words, answers=answers)[1]


def ended_on_a_terminal(directory: Path, *words: str, answers: Sequence[tuple[str, str]] = ()) -> tuple[int, str]:
    """Run pyplay as `on_a_terminal` does; return its exit code and all that it wrote."""
    left = list(answers)
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(directory)
        plain = {k: v for k, v in os.environ.items() if not k.startswith(("ANSIBLE_", "PYPLAY_", "NO_COLOR"))}
        os.execve(sys.executable, [sys.executable, "-m", "pyplay", *words], plain | {"TERM": "xterm"})
    written = b""
    while True:
        try:
            data = os.read(terminal, 1 << 16)
        except OSError:  # the terminal's other end is closed
            break
        if not data:
            break
        written += data
        if left and written.endswith(left[0][0].encode()):
            typed = left.pop(0)[1]
            os.write(terminal, typed.encode() if typed and not typed.isprintable() else typed.encode() + b"\n")
    os.close(terminal)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    return code, written.decode().replace("\r\n", "\n")


def test_the_progress_line_makes_room(tmp_path: Path) -> None:
    (tmp_path / "site.yml").write_text(PLAY)
    (tmp_path / "hosts").write_text("one ansible_connection=local\ntwo ansible_connection=local\n")
    written = on_a_terminal(tmp_path, "-i", "hosts", "site.yml")
    assert "\033[0;33mchanged: [one]\033[0m" in written
    assert "waiting for" in written
    before_prompt = written.split("Pausing for 1 seconds")[0]
    assert before_prompt.endswith("\033[2K"), "the line is not taken away before the prompt"
    assert written.rindex("\033[?25h") > written.rindex("\033[?25l"), "the cursor is left hidden"
    assert re.sub(r"\033\[[0-9;?]*[A-Za-z]", "", written).count("PLAY RECAP") == 1


def test_an_error_leaves_the_terminal_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "bad.yml").write_text("- debug: {msg: 1}\n  nope: 2\n")
    (tmp_path / "site.yml").write_text(
        "- hosts: localhost\n  gather_facts: false\n  tasks:\n    - include_tasks: bad.yml\n"
    )
    written = on_a_terminal(tmp_path, "site.yml")
    assert "bad.yml:2:3" in written
    assert written.rindex("\033[?25h") > written.rindex("\033[?25l"), "the cursor is left hidden"


def test_answers_are_typed_behind_the_questions_of_a_play(tmp_path: Path) -> None:
    (tmp_path / "site.yml").write_text(QUESTIONS)
    answers = [
        ("Which user [bob]: ", ""),
        ("\x1b[2KPassword: ", "hidden"),
        ("confirm Password: ", "slipped"),
        ("\x1b[2KPassword: ", "hidden"),
        ("confirm Password: ", "hidden"),
        ("Hash of: ", "word"),
        ("Braces: ", "{{ 1 + 1 }}"),
    ]
    written = on_a_terminal(tmp_path, "-i", "localhost,", "-c", "local", "site.yml", answers=answers)
    assert re.search(r"bob, 6, \$6\$\S*abcdefgh\$\S+, \{\{ 1 \+ 1 \}\}", written)
    assert "the two answers differ" in written
    assert "hidden" not in written
    assert "slipped" not in written
    assert "Braces: {{ 1 + 1 }}" in written, "what may be seen is not shown where it is typed"


THREE = """
- hosts: localhost
  gather_facts: false
  tasks:
    - ansible.builtin.debug: {msg: first}
    - ansible.builtin.debug: {msg: second}
    - ansible.builtin.debug: {msg: third}
"""
STEP = "(N)o/(y)es/(c)ontinue/(q)uit: "
INTERRUPTING = {
    "step": (THREE, ["--step"], STEP),
    "vars_prompt": (QUESTIONS, [], "Which user [bob]: "),
    "debugger": (
        "- hosts: localhost\n  gather_facts: false\n  debugger: always\n  tasks: [{debug: {msg: first}}]\n",
        [],
        "(debug)> ",
    ),
}


@pytest.mark.parametrize("case", INTERRUPTING)
@pytest.mark.parametrize("key", ["\x03"])
def test_an_interrupted_question_ends_the_run(tmp_path: Path, case: str, key: str) -> None:
    text, words, question = INTERRUPTING[case]
    (tmp_path / "site.yml").write_text(text)
    code, written = ended_on_a_terminal(tmp_path, "site.yml", *words, answers=[(question, key)])
    assert (code, "the run was interrupted" in written) == (99, True), written
    assert "PLAY RECAP" in written


@pytest.mark.parametrize(
    ("key", "code", "message"),
    [("\x03c", 0, "Paused for"), ("\x03a", 2, "user requested abort"), ("typed\n", 0, "typed")],
)
@pytest.mark.parametrize("options", ["{prompt: P}", "{prompt: P, seconds: 20}"])
def test_a_pause_is_gone_on_with_or_aborted(tmp_path: Path, key: str, code: int, message: str, options: str) -> None:
    (tmp_path / "site.yml").write_text(f"- hosts: localhost\n  gather_facts: false\n  tasks: [{{pause: {options}}}]\n")
    ended, written = ended_on_a_terminal(tmp_path, "site.yml", "-v", answers=[("P:\r\n", key)])
    assert (ended, message in written) == (code, True), written
    assert ("Pausing for 20 seconds" in written) is ("seconds" in options)


def test_what_was_begun_when_the_time_of_a_pause_is_up_is_no_answer(tmp_path: Path) -> None:
    (tmp_path / "site.yml").write_text(
        "- hosts: localhost\n  gather_facts: false\n  tasks: [{pause: {prompt: P, seconds: 1}}]\n"
    )
    written = on_a_terminal(tmp_path, "site.yml", "-v", answers=[("P:\r\n", "ab\b\t")])
    assert '"user_input": ""' in written


def test_step_asks_before_each_task(tmp_path: Path) -> None:
    (tmp_path / "site.yml").write_text(THREE)
    answers = [(STEP, "y"), (STEP, ""), (STEP, "q")]
    code, written = ended_on_a_terminal(tmp_path, "site.yml", "--step", answers=answers)
    assert (code, "first" in written, "second" in written) == (99, True, False), written
