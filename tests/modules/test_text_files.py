"""Modules that edit text files: what their results hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import RunModule


def test_replace_tells_its_difference_only_where_it_is_asked_for(module: RunModule, tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_text("foo\n")
    asked = {"path": path, "regexp": "foo", "replace": "bar"}
    expected = {"before": "foo\n", "after": "bar\n", "before_header": str(path), "after_header": str(path)}
    assert "diff" not in module("replace", check=True, **asked)
    assert module("replace", diff=True, **asked)["diff"] == expected
    assert "diff" not in module("replace", diff=True, **asked)


def test_a_job_that_crashed_tells_why(load: Any) -> None:
    read_result = load("async_wrapper").read_result
    crash = b"Traceback (most recent call last):\n  File ...\nValueError: no such thing\n"
    found = read_result(b"", crash, 1)
    assert found["msg"] == "the module crashed: ValueError: no such thing"
    assert found["exception"] == crash.decode()
    assert read_result(b"", b"said this\n", 3)["msg"] == "the job gave no result"
    noisy = read_result(b'noise {"a": 1, "warnings": ["w"]} more', b"said\n", 0)
    assert noisy == {
        "a": 1,
        "warnings": ["w", "the module wrote more than its result: noise  more"],
        "stderr": "said\n",
    }
    assert read_result(b'{"a": 1}\n', b"", 0) == {"a": 1}
