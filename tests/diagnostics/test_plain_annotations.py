"""Types whose brackets are left unread."""

from __future__ import annotations

from typing import Any

import pytest

from pyplay.diagnostics.plain_annotations import plain_annotations


@pytest.mark.parametrize(
    "holds",
    [
        pytest.param("Dict[str, int] is Dict", id="as an annotation"),
        pytest.param("str | Dict is Dict and Dict | None is Dict", id="in a union"),
        pytest.param("Own.__mro__[1] is dict", id="as a base"),
        pytest.param("isinstance({}, Dict) and not isinstance([], Dict)", id="asked about"),
        pytest.param("Dict.__origin__ is dict", id="looked at"),
        pytest.param("pairs == {1: 2}", id="cast to"),
    ],
)
def test_a_type_whose_brackets_are_left_unread_is_else_the_real_one(holds: str) -> None:
    names: dict[str, Any] = {}
    with plain_annotations():
        exec("from typing import Dict, Sequence, cast", names)
        exec("class Own(Dict[str, int], Sequence[str]): pass\npairs = cast(Dict[int, int], {1: 2})", names)
    assert eval(holds, names)
