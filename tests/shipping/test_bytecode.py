"""Code for hosts with our bytecode: its lines are those of the source."""

from __future__ import annotations

import sys
from types import CodeType
from typing import TYPE_CHECKING

import pytest

import pyplay.remote
from pyplay.shipping.bytecode import BYTECODE, code_of, without_columns
from pyplay.shipping.search import builtin_directory

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SAMPLES = [builtin_directory() / "copy.py", *builtin_directory().glob("u*.py")]
FAR_APART = "x = 1\n" + "\n" * 5000 + "y = [\n 1 / 0\n for _ in\n [0]]\n"


def every(code: CodeType) -> Iterator[CodeType]:
    """Give a code and those inside it."""
    yield code
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from every(each)


def places(code: CodeType) -> list[tuple[int, int | None]]:
    """Give the line of each instruction."""
    return [(at, line) for start, end, line in code.co_lines() for at in range(start, end, 2)]


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_lines_stay_where_they_are_without_columns(path: Path) -> None:
    whole = compile(path.read_bytes(), "x.py", "exec")
    for before, after in zip(every(whole), every(without_columns(whole)), strict=True):
        assert places(after) == places(before)
        assert after.co_code == before.co_code
        assert len(after.co_linetable) <= len(before.co_linetable)


def test_a_traceback_names_file_and_line() -> None:
    with pytest.raises(ZeroDivisionError) as caught:
        exec(code_of(FAR_APART.encode(), "a/b.py"), {})
    last = caught.traceback[-1]
    assert (last.frame.code.raw.co_filename, last.lineno + 1) == ("a/b.py", 5003)


def test_the_name_of_our_bytecode_is_what_the_bootstrap_says() -> None:
    magic = sys.modules["_frozen_importlib_external"].MAGIC_NUMBER
    assert f"{sys.implementation.cache_tag}-{magic.hex()}" == BYTECODE


def test_the_runner_is_made_of_sources_that_compile_the_same_under_optimization() -> None:
    source = b"assert False, 'kept'\n"
    with pytest.raises(AssertionError):
        exec(code_of(source, pyplay.remote.__name__), {})
