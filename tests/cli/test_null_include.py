"""An include of a file that is null: skipped where `when` asks for text, a failure otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import CommandLine


@pytest.mark.parametrize(
    ("when", "code"), [('wanted != ""', 0), ("wanted != ''", 0), ("wanted is none", 2), ("true", 2)]
)
def test_include_of_nothing(pyplay: CommandLine, when: str, code: int) -> None:
    done = pyplay.play(f"- include_tasks: '{{{{ wanted }}}}'\n  when: {when}\n  vars: {{wanted: null}}")
    assert done.code == code, done.out
    assert ("skipping" in done.out) is (code == 0)
