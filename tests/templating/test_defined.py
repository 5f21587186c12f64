"""What is left of values without their undefined members."""

from __future__ import annotations

from typing import Any

import pytest

from pyplay.diagnostics.errors import UndefinedError
from pyplay.source.settings import Settings
from pyplay.source.text import Trusted
from pyplay.templating.environment import TemplateEnvironment
from pyplay.templating.scope import MapScope
from pyplay.templating.templar import Templar

T = Trusted
SCOPE = MapScope({"a": 1, "mixed": [T("{{ nope }}"), T("{{ a }}"), {"k": T("{{ nope.deep }}"), "l": "m"}]})


@pytest.mark.parametrize(("value", "expected"), [
    ([T("{{ nope }}.x"), "y"], ["y"]),
    ([[T("{{ nope }}")], T("{{ a }}")], [[], 1]),
    ({"k": T("{{ nope.x.y }}"), "l": [T("{{ undef('no') }}"), 2]}, {"l": [2]}),
    (T("{{ mixed }}"), [1, {"l": "m"}]),
    ([T("{{ mixed }}")], [[1, {"l": "m"}]]),
    (T("{{ a }}"), 1),
])  # fmt: skip
def test_undefined_members_are_left_out(value: Any, expected: Any) -> None:
    assert Templar(TemplateEnvironment(Settings()), SCOPE).resolve_defined(value) == expected


def test_a_value_undefined_itself_is_an_error() -> None:
    with pytest.raises(UndefinedError):
        Templar(TemplateEnvironment(Settings()), SCOPE).resolve_defined(T("{{ nope }}"))
