"""`register` as a mapping."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.cli.conftest import CommandLine

TASKS = """
- command: echo {{ item }}
  loop: [x, y]
  register: {last: _task.result.stdout, every: "_task.loop_result.results | map(attribute='stdout') | list"}
  changed_when: last == 'x'
- assert:
    that:
      - last == 'y'
      - every == ['x', 'y']
- command: 'false'
  register: {rc: _task.result.rc}
  failed_when: rc > 1
- debug: {var: rc}
- command: echo
  register: {nothing: _task.result.nope}
  ignore_errors: true
- assert: {that: [nothing is undefined]}
"""


def test_values_are_made_of_the_result(pyplay: CommandLine) -> None:
    done = pyplay.play(TASKS)
    assert done.code == 0, done.out
    assert "...ignoring" in done.out
