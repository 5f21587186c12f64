"""The order of a play's hosts and the batches that `serial` makes of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.errors import PlaybookError
from pyplay.diagnostics.patterns import late_pattern
from pyplay.source.text import origin_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pyplay.diagnostics.model import Origin

ORDERS = ("inventory", "reverse_inventory", "sorted", "reverse_sorted", "shuffle")
"""What `order` may say."""

_PERCENT = late_pattern(r"\s*(\d+(?:\.\d+)?)\s*%\s*")


def ordered(hosts: Sequence[str], order: Any) -> list[str]:
    """Give `hosts` (in inventory order) in the play's `order`. Raises PlaybookError for one that is not known."""
    if order in (None, "inventory"):
        return list(hosts)
    if order == "reverse_inventory":
        return list(reversed(hosts))
    if order in ("sorted", "reverse_sorted"):
        return sorted(hosts, reverse=order == "reverse_sorted")
    if order == "shuffle":
        from random import SystemRandom  # noqa: PLC0415  # few plays shuffle

        return SystemRandom().sample(hosts, len(hosts))
    raise PlaybookError.of(
        "bad-order", f"order is not known: {order}", origin_of(order), help="one of " + ", ".join(ORDERS)
    )


def batches(hosts: Sequence[str], serial: Sequence[Any], origin: Origin | None = None) -> Iterator[list[str]]:
    """Give the batches that `serial` (rendered: numbers or percentages of all hosts) cuts `hosts` into.

    The last size repeats until no host is left; a size of 0 or less, or none at all, takes all that are left.
    Raises PlaybookError for what is no size.
    """
    sizes = [batch_size(size, len(hosts), origin) for size in serial]
    start, number = 0, 0
    while start < len(hosts):
        size = sizes[min(number, len(sizes) - 1)] if sizes else 0
        end = start + size if size > 0 else len(hosts)
        yield list(hosts[start:end])
        start, number = end, number + 1


def batch_size(size: Any, total: int, origin: Origin | None = None) -> int:
    """Give the number of hosts that a size means: a percentage is rounded down, at least one host."""
    if isinstance(size, int):
        return int(size)
    text = str(size)
    if percent := _PERCENT.fullmatch(text):
        return max(1, int(total * float(percent[1]) / 100))
    try:
        return int(text)
    except ValueError:
        message = f"serial is neither a number nor a percentage: {text}"
        raise PlaybookError.of("bad-serial", message, origin_of(size) or origin) from None
