"""On a terminal: colours, a progress line that makes room for everything else, and a cursor that comes back."""

from __future__ import annotations

import os
import pty
import re
import sys
from typing import TYPE_CHECKING

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

    `answers` are pairs of the end of a question, and what is typed where the output ends so.
    """
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
            os.write(terminal, left.pop(0)[1].encode() + b"\n")
    os.close(terminal)
    os.waitpid(pid, 0)
    return written.decode().replace("\r\n", "\n")


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
