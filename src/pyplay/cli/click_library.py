"""Loading click without what a run needs nothing of: `inspect`, translations, and the patterns of `platform`."""

from __future__ import annotations

import importlib
import sys
from contextlib import contextmanager
from types import ModuleType
from typing import TYPE_CHECKING

from pyplay.diagnostics.late_modules import late_modules
from pyplay.diagnostics.patterns import late_patterns

if TYPE_CHECKING:
    from collections.abc import Generator


class _Gettext(ModuleType):
    """Stands for `gettext`, of which click takes two functions: the first call loads it."""

    def gettext(self, message: str) -> str:
        """Give a message in the user's language."""
        return _real_gettext().gettext(message)

    def ngettext(self, one: str, many: str, number: int) -> str:
        """Give a message about `number` things in the user's language."""
        return _real_gettext().ngettext(one, many, number)


def _real_gettext() -> ModuleType:
    _give_way()
    return importlib.import_module("gettext")


def _give_way() -> None:
    if isinstance(sys.modules.get("gettext"), _Gettext):
        del sys.modules["gettext"]


@contextmanager
def _late_gettext() -> Generator[None]:
    sys.modules.setdefault("gettext", _Gettext("gettext"))
    try:
        yield
    finally:
        _give_way()


with late_modules("inspect"), _late_gettext(), late_patterns():
    import click

__all__ = ["click"]
