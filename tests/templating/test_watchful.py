"""Templates in text that is data: told of where a run asks for it."""

from __future__ import annotations

from typing import Any

import pytest

from pyplay.diagnostics.errors import TemplateError
from pyplay.source.settings import load_settings
from pyplay.source.text import Trusted
from pyplay.templating.plugins import standard_environment
from pyplay.templating.scope import MapScope
from pyplay.templating.templar import Templar
from pyplay.templating.watchful import templar_class

VARIABLES = {
    "answer": {"lines": ["a", "{{ x }}"]},
    "plain": "text",
    "mine": Trusted("{{ 1 + 1 }}"),
    "far": Trusted("{{ answer }}"),
}


def templar(behaviour: str) -> Templar:
    environment = standard_environment(load_settings({}, "/"))
    return templar_class(behaviour)(environment, MapScope(VARIABLES))


@pytest.mark.parametrize(
    ("text", "value", "told"),
    [
        ("{{ answer.lines[1] }}", "{{ x }}", True),
        ("{{ far.lines | length }}", 2, True),
        ("{{ plain }}{{ mine }}", "text2", False),
        ("{{ nowhere | default(3) }}", 3, False),
    ],
)
def test_who_asks_is_told(text: str, value: Any, told: bool) -> None:  # noqa: FBT001  # a case
    watchful = templar("warning").with_vars({"y": 1})
    assert watchful.resolve(Trusted(text)) == value
    notices = [notice.message for notice in watchful.take_notices()]
    assert notices == ["Encountered untrusted template in variable 'answer': {{ x }}"] * told


def test_it_may_be_an_error() -> None:
    with pytest.raises(TemplateError, match="Encountered untrusted template in variable 'answer'"):
        templar("error").resolve(Trusted("{{ answer }}"))


def test_nobody_else_pays() -> None:
    assert templar_class("ignore") is Templar
