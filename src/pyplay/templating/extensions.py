"""Extensions of Jinja that the settings name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jinja2.ext import Extension
from jinja2.utils import import_string

from pyplay.diagnostics.errors import OptionsError

if TYPE_CHECKING:
    from collections.abc import Iterable


def check_extensions(names: Iterable[str]) -> None:
    """Raise OptionsError for the first of `names` (`package.module.Class`) that is no extension or cannot be loaded."""
    for name in names:
        reason = _fault(name)
        if reason:
            message = f"jinja2_extensions names {name}, which cannot be loaded: {reason}"
            mend = "install it for the Python of pyplay, or take it out"
            raise OptionsError.of("jinja-extension", message, help=mend)


def _fault(name: str) -> str:
    try:
        found: object = import_string(name)
    except Exception as error:  # noqa: BLE001  # the code of others
        return f"{type(error).__name__}: {error}"
    return "" if isinstance(found, type) and issubclass(found, Extension) else "it is no extension of Jinja"
