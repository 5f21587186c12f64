"""Outputs below their result."""

from __future__ import annotations

from typing import Any

import pytest

from pyplay.report.sections import with_sections


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        ({"msg": "text"}, "{}\n\nMSG:\n\ntext"),
        ({"msg": {"a": 1}}, "{}\n\nMSG:\n\n{'a': 1}"),
        ({"rc": 0, "msg": "", "stderr": ""}, '{\n    "rc": 0\n}'),
        (
            {"msg": "bad", "rc": 3, "stderr": "e\n", "stdout": "o", "stdout_lines": ["o"]},
            '{\n    "rc": 3\n}\n\nSTDOUT:\n\no\n\n\nSTDERR:\n\ne\n\n\nMSG:\n\nbad',
        ),
    ],
)
def test_outputs_and_message_stand_as_text(shown: dict[str, Any], expected: str) -> None:
    assert with_sections(shown, 4) == expected
