"""What templates look at beside their variables is told before."""

from __future__ import annotations

import pytest

from pyplay.source.settings import load_settings
from pyplay.source.text import Trusted
from pyplay.templating.marks import CLOCK, DISK
from pyplay.templating.plugins import standard_environment
from pyplay.templating.scope import MapScope
from pyplay.templating.templar import Templar


def of_the_user(value: str) -> str:
    """Stand for a user's filter."""
    return value


@pytest.mark.parametrize(("expression", "expected"), [
    ("now()", CLOCK),
    ("'%Y' | strftime", CLOCK),
    ("'/' is exists", DISK),
    ("'/' is ansible.builtin.directory", DISK),
    ("'/' | realpath", DISK),
    ("'a' | of_the_user", DISK),
    ("'a' | upper | string | length > 0 and 1 is odd and 'b' is match('b')", ""),
    ("'a' | basename | to_json | from_json", ""),
])  # fmt: skip
def test_it_is_told_before(expression: str, expected: str) -> None:
    told: list[str] = []
    of_the_user.__module__ = "plugin"
    environment = standard_environment(load_settings({}, "/"), filters={"of_the_user": of_the_user})
    environment.outside = told.append
    Templar(environment, MapScope({})).render(Trusted("{{ " + expression + " }}"))
    assert told == [expected] * bool(expected)
