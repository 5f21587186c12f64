"""Checking the options of actions that never reach the host. Shipped modules check theirs on the host."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.actions.base import ActionFailed
from pyplay.actions.spec import is_unset, names_in, options_in, validated
from pyplay.diagnostics.suggest import nearest
from pyplay.source.booleans import read_boolean

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

_TERSE = frozenset({"fail", "group_by", "reboot", "set_stats", "wait_for_connection"})
"""Actions that scripts know to answer with the bare names of unknown options."""


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
        checked = validated(self._table, given, _never if self._defaults is not None else None)
        if checked.faults:
            raise ActionFailed("; ".join(str(fault) for fault in checked.faults))
        for key, value in (self._defaults or {}).items():
            checked.args.setdefault(key, value)
        told = {known[key] for key, value in given.items() if not is_unset(value, self._options[known[key]])}
        return {key: value for key, value in checked.args.items() if value is not None or key in told} | others


def _constant_defaults(table: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, Any] | None:
    """Give the defaults of a table, converted once for all calls; None where calls may not share them."""
    if any(option.get("env") or option.get("suboptions") for option in options.values()):
        return None
    found = validated(table, {}).args
    return None if any(isinstance(value, (list, dict)) for value in found.values()) else found


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
