"""Reading the variables that pyplay itself reads; `source.reads` says which these are, and who may set each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.source.reads import check_words
from pyplay.source.text import origin_of
from pyplay.templating.omit import OMIT
from pyplay.templating.scope import MISSING

if TYPE_CHECKING:
    from pyplay.templating.templar import Templar


def read_option(templar: Templar, name: str) -> Any:
    """Return the rendered value of the variable `name`, None if it is not defined, null or rendered to `omit`.

    Raises OptionsError where its value is data and must be what a user wrote, and what rendering raises.
    """
    raw = templar.scope.get(name)
    if raw is MISSING or raw is None:
        return None
    check_words(name, raw, origin_of(raw))
    value = templar.resolve(raw)
    return None if value is OMIT else value
