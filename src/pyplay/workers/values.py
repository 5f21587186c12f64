"""Small readings of keyword values that may come from templates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.errors import AuthorError, PlaybookError
from pyplay.diagnostics.model import Severity
from pyplay.source.text import origin_of
from pyplay.templating.scope import MISSING
from pyplay.workers import outcome

if TYPE_CHECKING:
    from pyplay.diagnostics.model import Diagnostic
    from pyplay.templating.templar import Templar

_TRUE = frozenset({"y", "yes", "on", "1", "true", "t"})
_FALSE = frozenset({"n", "no", "off", "0", "false", "f", ""})


def truth(value: Any, keyword: str) -> bool:
    """Read a boolean keyword's rendered value: booleans, 0/1, and the words YAML 1.1 knows.

    Raises PlaybookError naming `keyword` for anything else.
    """
    if value is None:
        return False
    if isinstance(value, bool):
        return value
    text = str(value).strip().lower()
    if text in _TRUE or value == 1:
        return True
    if text in _FALSE or value == 0:
        return False
    raise PlaybookError.of("not-boolean", f"{keyword} is not a boolean: {value!r}", origin_of(value))


def number(value: Any, keyword: str) -> float:
    """Read a numeric keyword's rendered value. Raises PlaybookError naming `keyword`."""
    try:
        return float(value)
    except (TypeError, ValueError):
        raise PlaybookError.of("not-number", f"{keyword} is not a number: {value!r}", origin_of(value)) from None


def author_failure(error: AuthorError) -> dict[str, Any]:
    """Give the result of a task whose author's fault came up on a host; `_ansible_origin` is where it stands."""
    origins = [str(d.origin) for d in error.diagnostics if d.origin is not None]
    place = {"_ansible_origin": origins[0]} if origins else {}
    return outcome.failure(f"Task failed: {explain(error)}", **place)


def explain(error: AuthorError) -> str:
    """Give an author's fault as one line: what is wrong, where, and the mend where one is known."""
    return "; ".join(explain_diagnostic(d) for d in error.diagnostics)


def explain_diagnostic(diagnostic: Diagnostic) -> str:
    """Give `message (file:line:column); help` of one diagnostic."""
    text = diagnostic.message
    if diagnostic.origin is not None:
        text += f" ({diagnostic.origin})"
    return f"{text}; {diagnostic.help}" if diagnostic.help else text


def variable(templar: Templar, name: str) -> Any:
    """Give the rendered value of variable `name`, None if it is not defined or null."""
    raw = templar.scope.get(name)
    return None if raw is MISSING or raw is None else templar.resolve(raw)


def add_notices(result: dict[str, Any], notices: list[Diagnostic]) -> None:
    """Add what was noticed while rendering to the warnings and deprecations of a result. Works in place."""
    warnings = [explain_diagnostic(d) for d in notices if d.severity is not Severity.DEPRECATION]
    deprecations = [{"msg": explain_diagnostic(d)} for d in notices if d.severity is Severity.DEPRECATION]
    if warnings:
        result["warnings"] = list(dict.fromkeys([*(result.get("warnings") or ()), *warnings]))
    if deprecations:
        result["deprecations"] = [*(result.get("deprecations") or ()), *deprecations]
