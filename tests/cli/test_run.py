"""Whole runs: files in, exit code and output out."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from conftest import CommandLine


def test_a_built_in_that_is_not_there_is_missed_when_it_is_reached(pyplay: CommandLine) -> None:
    done = pyplay.play("""
        - ansible.builtin.dnf5: {name: x}
          when: false
        - ansible.posix.seboolean: {name: x}
          ignore_errors: true
          register: missed
        - assert: {that: missed is failed}
    """)
    assert (done.code, "skipped=1" in done.out, "ignored=1" in done.out) == (0, True, True)


def test_adhoc_arguments_may_be_json_for_every_module(pyplay: CommandLine) -> None:
    done = pyplay("adhoc", "localhost", "-m", "command", "-a", '{"cmd": "echo a b", "stdin": "x"}')
    assert (done.code, "a b" in done.out) == (0, True)
    done = pyplay("adhoc", "localhost", "-m", "shell", "-a", "{ echo c; echo d; }")
    assert (done.code, "c\nd" in done.out) == (0, True)
