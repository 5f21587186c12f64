"""Where tasks run, remembered: most tasks of a host go where the one before went, and reading that takes fifty looks.

A destination is what variables, keywords, options and settings make of it. It is remembered under the variables and
keywords, raw, that it was read from, so nothing has to be told when one of them changes. Templates are read anew each
time: what they give may have changed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.source.text import Trusted
from pyplay.templating.atoms import ATOMS
from pyplay.templating.syntax import is_template

if TYPE_CHECKING:
    from collections.abc import Hashable

    from pyplay.workers.connection_options import Destination, OptionReader
    from pyplay.workers.option_words import OptionWords

_KEYWORDS = (
    "become", "become_exe", "become_flags", "become_method", "become_user", "connection", "port", "remote_user",
)  # fmt: skip
_KEPT = 20_000


class Destinations:
    """The destinations that one worker has read, all with the same options and settings."""

    def __init__(self) -> None:
        self._known: dict[Hashable, Destination] = {}

    def read(self, reader: OptionReader) -> Destination:
        """Give what `reader` reads. Raises as it does."""
        key = _key(reader.words, delegated=reader.delegated)
        found = None if key is None else self._known.get(key)
        if found is not None:
            return found
        found = reader.destination()
        if key is not None and not reader.reads_more:
            if len(self._known) > _KEPT:
                self._known.clear()
            self._known[key] = found
        return found


def _key(words: OptionWords, *, delegated: bool) -> Hashable:
    """Give what decides where a task goes, None if templates do."""
    templar, names = words.templar, sorted(words.defined)
    keywords = [getattr(words.task, name) for name in _KEYWORDS]
    values = [templar.scope.get(name) for name in names]
    if not all(map(_is_plain, keywords)) or not all(map(_is_plain, values)):
        return None
    return words.host, templar.basedir, delegated, *keywords, *names, *values


def _is_plain(value: Any) -> bool:
    return value.__class__ in ATOMS or (value.__class__ is Trusted and not is_template(value))
