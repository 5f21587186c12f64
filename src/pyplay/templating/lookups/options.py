"""Reading what users give to lookups: terms, options of a kind, and `key=value` words inside a term."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from pyplay.diagnostics.model import Diagnostic, Severity
from pyplay.source.booleans import read_boolean
from pyplay.source.splitter import parse_kv
from pyplay.templating.filters.plain import is_lazy_sequence, is_listlike, shown, type_name
from pyplay.templating.lookups.base import LookupFailed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pyplay.templating.lookups.base import LookupCall


def as_terms(terms: Any) -> list[Any]:
    """Give `terms` as a list: `with_name:` may have one value there. A mapping or text is one term."""
    if isinstance(terms, list):
        return cast("list[Any]", terms)
    if is_listlike(terms) or is_lazy_sequence(terms):
        return list(terms)
    return [] if terms is None else [terms]


def flatten_once(terms: Any) -> list[Any]:
    """Give the terms, lists among them replaced by their items: what loops of the kind `with_items` do."""
    flat: list[Any] = []
    for term in as_terms(terms):
        if is_listlike(term):
            flat.extend(term)
        else:
            flat.append(term)
    return flat


def text(value: Any, lookup: str, what: str = "a term") -> str:
    """Give `value` as text. Raises LookupFailed if it is none."""
    if not isinstance(value, str):
        hint = "give its items as terms: query('name', *list)" if is_listlike(value) else ""
        raise LookupFailed(
            f"lookup '{lookup}': {what} must be a text, not {type_name(value)}: {shown(value)}", help=hint
        )
    return str(value)


def integer(value: Any, lookup: str, option: str) -> int:
    """Give `value` as a whole number; texts may be hexadecimal (0x10). Raises LookupFailed."""
    try:
        if isinstance(value, str):
            return int(value, 16 if value.lower().lstrip("-").startswith("0x") else 10)
        if isinstance(value, int) or (isinstance(value, float) and value.is_integer()):
            return int(value)
    except ValueError:
        pass
    raise LookupFailed(f"lookup '{lookup}': {option} must be a whole number, not {shown(value)}")


def number(value: Any, lookup: str, option: str) -> float:
    """Give `value` as a number. Raises LookupFailed."""
    try:
        return float(value)
    except (TypeError, ValueError) as error:
        raise LookupFailed(f"lookup '{lookup}': {option} must be a number, not {shown(value)}") from error


def boolean(value: Any, lookup: str, option: str) -> bool:
    """Give `value` as a boolean; the words yes, no, on, off, … count. Raises LookupFailed."""
    meant = read_boolean(value)
    if meant is None:
        raise LookupFailed(f"lookup '{lookup}': {option} must be true or false, not {shown(value)}")
    return meant


def items(value: Any, lookup: str, option: str) -> list[Any]:
    """Give `value` as a list; a text holds items between commas. Raises LookupFailed."""
    if isinstance(value, str):
        return [part.strip() for part in value.split(",") if part.strip()]
    if is_listlike(value):
        return list(value)
    raise LookupFailed(f"lookup '{lookup}': {option} must be a list, not {type_name(value)}")


def split_term(term: Any, lookup: str, known: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Give what a term looks for and the options that follow as `key=value`, later ones of `known` names only.

    Raises LookupFailed for other names.
    """
    line = text(term, lookup)
    if "=" not in line:
        return line.strip(), {}
    try:
        found: dict[str, Any] = {str(key): value for key, value in parse_kv(line).items()}
    except ValueError as error:
        raise LookupFailed(f"lookup '{lookup}': {shown(line)}: {error}") from error
    what = str(found.pop("_raw_params", ""))
    check_known(found, lookup, known)
    return what, {key: str(value) for key, value in found.items()}


def check_known(options: Mapping[str, Any], lookup: str, known: Mapping[str, Any]) -> None:
    """Raise LookupFailed if `options` has a name that `known` has not."""
    unknown = [name for name in options if name not in known]
    if unknown:
        message = f"lookup '{lookup}' has no option {shown(unknown[0])}"
        raise LookupFailed(message, help=f"it has {', '.join(known)}" if known else "it has no options")


def warn_unknown(unknown: Iterable[str], lookup: str, call: LookupCall) -> None:
    """Warn of options that a lookup does not have: core passes over them, so they are no error."""
    for name in unknown:
        message = f"lookup '{lookup}' has no option {shown(name)}"
        call.on_warning(Diagnostic("unknown-lookup-option", message, severity=Severity.WARNING))
