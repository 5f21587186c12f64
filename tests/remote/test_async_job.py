"""How a background job's outcome is read from what its module wrote."""

from __future__ import annotations

from typing import Any

import pytest

from pyplay.remote.async_job import outcome

CRASH = "Traceback (most recent call last):\n  File ...\nValueError: no such thing\n"
MORE = "the module wrote more than its result: "


@pytest.mark.parametrize(
    ("ended", "out", "err", "expected"),
    [
        pytest.param(0, '{"a": 1}\n', "", {"a": 1}, id="a result"),
        pytest.param(0, '{"a": 1}', "said\n", {"a": 1, "stderr": "said\n"}, id="standard error is kept"),
        pytest.param(0, '{"stderr": "own"}', "said\n", {"stderr": "own"}, id="the result's own goes first"),
        pytest.param(
            0,
            'noise {}\n{"a": 1, "warnings": ["w"]} more',
            "",
            {"a": 1, "warnings": ["w", MORE + "noise {}\n more"]},
            id="text around it is told",
        ),
        pytest.param(
            1 << 8,
            "",
            CRASH,
            {
                "failed": True,
                "rc": 1,
                "msg": "Task failed: Module failed: no such thing (ValueError)",
                "exception": CRASH,
            },
            id="a crash",
        ),
        pytest.param(
            3 << 8,
            "[1]",
            "why",
            {"failed": True, "rc": 3, "msg": "the module ended with status 3 and gave no result"},
            id="no result",
        ),
        pytest.param(9, "", "", {"failed": True, "rc": -9}, id="ended by a signal"),
    ],
)
def test_the_outcome_of_a_job(ended: int, out: str, err: str, expected: dict[str, Any]) -> None:
    found = outcome(ended, out, err)
    silent = {"module_stdout": out, "module_stderr": err, "msg": found.get("msg")} if "failed" in expected else {}
    assert found == {**silent, **expected}
