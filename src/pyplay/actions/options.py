"""Checking the options of actions that never reach the host. Shipped modules check theirs on the host."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.actions.base import ActionFailed
from pyplay.diagnostics.suggest import nearest

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

_TRUE = frozenset({"y", "yes", "on", "1", "true", "t"})
_FALSE = frozenset({"n", "no", "off", "0", "false", "f"})


def check_known(name: str, args: Mapping[str, Any], known: Collection[str]) -> None:
    """Raise ActionFailed if `args` of action `name` has an option that is not in `known`."""
    unknown = sorted(str(option) for option in args if option not in known)
    if not unknown:
        return
    guess = nearest(unknown[0], known)
    mend = f" Did you mean {guess}?" if guess else ""
    raise ActionFailed(
        f"Unsupported parameters for ({name}) module: {', '.join(unknown)}.{mend} "
        f"Supported parameters include: {', '.join(sorted(known))}."
    )


def boolean(args: Mapping[str, Any], option: str, *, default: bool = False) -> bool:
    """Give a boolean option. Raises ActionFailed for what is none."""
    value = args.get(option)
    if value is None:
        return default
    text = str(value).strip().lower()
    if text in _TRUE:
        return True
    if text in _FALSE:
        return False
    raise ActionFailed(f"argument '{option}' is not a boolean: {value!r}")


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
