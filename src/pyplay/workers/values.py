"""Small readings of keyword values that may come from templates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.errors import AuthorError, PlaybookError
from pyplay.diagnostics.model import Severity
from pyplay.source.booleans import read_boolean
from pyplay.source.text import origin_of
from pyplay.templating.own_variables import read_option
from pyplay.workers import outcome

if TYPE_CHECKING:
    from pyplay.diagnostics.model import Diagnostic, Origin
    from pyplay.templating.templar import Templar


KEYWORD = "Error processing keyword '{}':"
"""What stands before the fault of a keyword's value; scripts look for it."""


def resolve_keyword(templar: Templar, raw: Any, keyword: str) -> Any:
    """Give a keyword's value rendered. Raises AuthorError, its message led by the keyword."""
    try:
        return templar.resolve(raw)
    except AuthorError as error:
        raise error.led(KEYWORD.format(keyword)) from error


def truth(value: Any, keyword: str, origin: Origin | None = None) -> bool:
    """Read a boolean keyword's rendered value; null and empty text are false.

    Raises PlaybookError naming `keyword` for what is no boolean; `origin` is where it stands if `value` does not know.
    """
    meant = False if value is None or value == "" else read_boolean(value)
    if meant is None:
        message = f"{keyword} is not a boolean: {value!r}"
        raise PlaybookError.of("not-boolean", message, origin_of(value) or origin)
    return meant


def number(value: Any, keyword: str, origin: Origin | None = None) -> float:
    """Read a numeric keyword's rendered value. Raises PlaybookError, as `truth`."""
    try:
        return float(value)
    except (TypeError, ValueError):
        message = f"{keyword} is not a number: {value!r}"
        raise PlaybookError.of("not-number", message, origin_of(value) or origin) from None


def author_failure(error: AuthorError) -> dict[str, Any]:
    """Give the result of a task whose author's fault came up on a host; `_ansible_origin` is where it stands."""
    origins = [d.origin.shown for d in error.diagnostics if d.origin is not None and d.origin.shown]
    place = {"_ansible_origin": origins[0]} if origins else {}
    return outcome.failure(f"Task failed: {explain(error)}", **place)


def explain(error: AuthorError) -> str:
    """Give an author's fault as one line: what is wrong, where, and the mend where one is known."""
    return "; ".join(explain_diagnostic(d) for d in error.diagnostics)


def explain_diagnostic(diagnostic: Diagnostic) -> str:
    """Give `message (file:line:column); help` of one diagnostic."""
    text = diagnostic.message
    if diagnostic.origin is not None and diagnostic.origin.shown:
        text += f" ({diagnostic.origin})"
    return f"{text}; {diagnostic.help}" if diagnostic.help else text


def variable(templar: Templar, name: str) -> Any:
    """Return the rendered value of the variable `name` that pyplay reads itself; see `variables.reads`."""
    return read_option(templar, name)


def add_notices(result: dict[str, Any], notices: list[Diagnostic]) -> None:
    """Add what was noticed while rendering to the warnings and deprecations of a result. Works in place.

    A deprecation tells its `code`, its `origin` and what to write instead (`help`) beside its message.
    """
    if not notices:
        return
    warnings = [explain_diagnostic(d) for d in notices if d.severity is not Severity.DEPRECATION]
    deprecations = [
        {"msg": d.message, "help": d.help, "code": d.code, "origin": str(d.origin or "")}
        for d in notices
        if d.severity is Severity.DEPRECATION
    ]
    if warnings:
        result["warnings"] = list(dict.fromkeys([*(result.get("warnings") or ()), *warnings]))
    if deprecations:
        result["deprecations"] = [*(result.get("deprecations") or ()), *deprecations]
