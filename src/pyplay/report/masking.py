"""Secrets taken out of events, before any reporter sees them.

Reporters escape what they show in ways of their own (XML, YAML's folding, JSON in JSON), in which the text of a secret
is not found any more. So values are masked first, once for all reporters.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from pyplay.diagnostics.dataclass import replace
from pyplay.report.events import PlayStart, TaskStart
from pyplay.workers.messages import ItemResult, TaskResult

if TYPE_CHECKING:
    from collections.abc import Callable

    Mask = Callable[[str], str]

_LONG = 4096  # bits; Python refuses to write longer numbers in decimal


def masked_event(event: Any, mask: Mask) -> Any:
    """Return an argument of an event with all text in it masked; the engine's own value stays as it is."""
    if isinstance(event, TaskResult | ItemResult):
        return replace(event, result=masked(event.result, mask), label=masked(event.label, mask))
    if isinstance(event, TaskStart):
        return replace(event, name=mask(event.name), args=masked(event.args, mask))
    if isinstance(event, PlayStart):
        return replace(event, name=mask(event.name))
    return masked(event, mask)


def masked(value: Any, mask: Mask) -> Any:
    """Return `value` with all texts in it masked, and the numbers that stand for a secret."""
    if isinstance(value, str):
        return mask(value)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        return _number(value, mask)
    if isinstance(value, dict):
        members = cast("dict[Any, Any]", value)
        return {masked(key, mask): masked(member, mask) for key, member in members.items()}
    if isinstance(value, list | tuple):
        return [masked(member, mask) for member in cast("list[Any]", value)]
    return value


def _number(value: float, mask: Mask) -> Any:
    if isinstance(value, int) and value.bit_length() > _LONG:
        return value
    text = str(value)
    shown = mask(text)
    return value if shown == text else shown
