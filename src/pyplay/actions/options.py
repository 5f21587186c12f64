"""Checking the options of actions that never reach the host. Shipped modules check theirs on the host."""

from __future__ import annotations

from copy import deepcopy
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from pyplay.actions.base import ActionFailed
from pyplay.actions.spec import is_unset, names_in, options_in, validated
from pyplay.diagnostics.suggest import nearest
from pyplay.source.booleans import read_boolean

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

_TERSE = frozenset({"fail", "group_by", "reboot", "set_stats", "wait_for_connection"})
"""Actions that scripts know to answer with the bare names of unknown options."""


_EXACT: Mapping[object, type] = MappingProxyType({"raw": object, "str": str, "bool": bool, "int": int})
"""Types of options, and the Python type of values that converting leaves as they are."""

_LOOKED_INTO = frozenset({"choices", "elements", "suboptions", "blank_unset"})
"""What of an option needs more than a look at its value's type."""

_RULES = ("required_together", "required_one_of", "required_by", "required_if")


class Options:
    """Checks the arguments of one action, whose table is read once: it is done for every host and task.

    `name` is the action's, `table` that of a module (see `remote.module_utils.options`). Beside it, an action may have
    `others`: what becomes of options that the table does not name: `taken` (they mean something to the action) or
    `ignored`; and `also`, names that are taken without a word.
    """

    def __init__(self, name: str, table: Mapping[str, Any]) -> None:
        self._name, self._table = name, table
        self._options = options_in(table)
        self._known = names_in(self._options)
        self._defaults = _constant_defaults(table, self._options)
        self._plain = {} if self._defaults is None else _plain_types(table, self._options)

    def check(self, args: Mapping[str, Any]) -> dict[str, Any]:
        """Give `args` as the table says: canonical names, converted; defaults, where there are any.

        Raises ActionFailed naming every fault.
        """
        known = self._known
        given: dict[str, Any] = {}
        others: dict[str, Any] = {}
        for key, value in args.items():
            (given if key in known else others)[key] = value
        if others and "others" not in self._table:
            unknown = sorted(str(key) for key in others if key not in self._table.get("also", ()))
            if unknown:
                raise ActionFailed(_unsupported(self._name, unknown, known))
        checked = self._as_given(given) or self._validated(given)
        for key, value in (self._defaults or {}).items():
            if key not in checked:
                checked[key] = deepcopy(value) if value.__class__ in (list, dict) else value
        return checked | others

    def _as_given(self, given: Mapping[str, Any]) -> dict[str, Any] | None:
        """Give the one argument of most calls, where it is of its type already; None where the rules must be asked."""
        if len(given) != 1:
            return None
        for key, value in given.items():
            kind = self._plain.get(key)
            if kind is None or value is None or (kind is not object and type(value) is not kind):
                return None
        return {self._known[key]: value for key, value in given.items()}

    def _validated(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Give the arguments that are set as all rules of the table have them. Raises ActionFailed."""
        checked = validated(self._table, given, None if self._defaults is None else _never)
        if checked.faults:
            raise ActionFailed("; ".join(str(fault) for fault in checked.faults))
        known = self._known
        told = {known[key] for key, value in given.items() if not is_unset(value, self._options[known[key]])}
        return {key: value for key, value in checked.args.items() if value is not None or key in told}


def _constant_defaults(table: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, Any] | None:
    """Give the defaults of a table, converted once for all calls; None where they depend on more than the table."""
    if any(option.get("env") or option.get("suboptions") for option in options.values()):
        return None
    return {key: value for key, value in validated(table, {}).args.items() if value is not None}


def _plain_types(table: Mapping[str, Any], options: Mapping[str, Mapping[str, Any]]) -> dict[str, type]:
    """Give the type that makes a value right, of each option by its names that nothing else is said about."""
    if any(table.get(rule) for rule in _RULES) or any(option.get("required") for option in options.values()):
        return {}
    kinds = {
        own: kind
        for own, option in options.items()
        if (kind := _EXACT.get(option.get("type", "str"))) is not None and _LOOKED_INTO.isdisjoint(option)
    }
    return {name: kinds[own] for name, own in names_in(options).items() if own in kinds}


def _never(_value: object) -> bool:
    """Tell that a value is no template: they are rendered by now."""
    return False


def _unsupported(name: str, unknown: list[str], known: Collection[str]) -> str:
    guess = nearest(unknown[0], known)
    mend = f" Did you mean {guess}?" if guess else ""
    if name in _TERSE:
        return f"Invalid options for {name}: {', '.join(unknown)}{'.' if mend else ''}{mend}"
    return (
        f"Unsupported parameters for ({name}) module: {', '.join(unknown)}.{mend} "
        f"Supported parameters include: {', '.join(sorted(known))}."
    )


def boolean(args: Mapping[str, Any], option: str, *, default: bool = False) -> bool:
    """Give a boolean option. Raises ActionFailed for what is none."""
    value = args.get(option)
    if value is None:
        return default
    meant = read_boolean(value)
    if meant is None:
        raise ActionFailed(f"argument '{option}' is not a boolean: {value!r}")
    return meant


def integer(args: Mapping[str, Any], option: str, default: int = 0) -> int:
    """Give a whole number. Raises ActionFailed for what is none."""
    value = args.get(option)
    if value is None:
        return default
    try:
        return int(value)
    except (TypeError, ValueError):
        raise ActionFailed(f"argument '{option}' is not a whole number: {value!r}") from None


def strings(args: Mapping[str, Any], option: str) -> list[str]:
    """Give a list of strings; a string is taken apart at commas."""
    value = args.get(option)
    if value is None:
        return []
    if isinstance(value, str):
        return [part.strip() for part in value.split(",") if part.strip()]
    if isinstance(value, (list, tuple)):
        return [str(part) for part in value]  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]  # any
    raise ActionFailed(f"argument '{option}' is not a list: {value!r}")


def text(args: Mapping[str, Any], option: str) -> str | None:
    """Give an option as text, None if it is not given."""
    value = args.get(option)
    return None if value is None else str(value)
