"""Host names as written: ranges expanded, ports split off.

Source: Ansible user guide, "Adding ranges of hosts" and "Non-standard SSH ports".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, overload

from pyplay.diagnostics.patterns import late_pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_NAMES = 100_000
"""Names that one host range may stand for: more are a slip of the pen, which would take all memory."""

_DIGITS = 18
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"  # importing string costs more
_RANGE = late_pattern(r"\[([^\[\]]*)\]")
_BRACKETED = late_pattern(r"\[([^\[\]]+)\](?::(\d+))?\Z")
_WITH_PORT = late_pattern(r"((?:[^:\[\]]|\[[^\[\]]*\])+):(\d+)\Z")


class RangeFault(ValueError):  # noqa: N818  # the field's word for what authors do wrong
    """A range or host name that cannot be read; the text says why, `text` is the part at fault."""

    def __init__(self, message: str, text: str) -> None:
        self.text = text
        super().__init__(message)


def is_ipv6(text: str) -> bool:
    """Tell whether `text` is a bare IPv6 address (a zone such as `%eth0` included)."""
    if text.count(":") < 2:
        return False
    from ipaddress import AddressValueError, IPv6Address  # noqa: PLC0415  # few hosts have two colons

    try:
        IPv6Address(text)
    except AddressValueError:
        return False
    return True


def split_port(text: str) -> tuple[str, int | None]:
    """Give host name (ranges still in it) and port of `text`; what does not end in a port has none.

    `host:22`, `host[1:3]:22` and `[2001:db8::1]:22` have ports; a bare `2001:db8::1` has none.
    """
    if ":" not in text:
        return text, None
    bracketed = _BRACKETED.match(text)
    if bracketed and is_ipv6(bracketed[1]):
        return bracketed[1], int(bracketed[2]) if bracketed[2] else None
    with_port = _WITH_PORT.match(text)
    if with_port:
        return with_port[1], int(with_port[2])
    return text, None


def expand_range(text: str) -> list[str]:
    """Give the names that `text` stands for: `web[01:03]` is web01, web02, web03.

    Several ranges in one name vary like nested loops, the last one fastest. Raises RangeFault, for more than
    `MOST_NAMES` names, too, before any is made.
    """
    if "[" not in text:
        return [text]
    names = [""]
    position = 0
    for match in _RANGE.finditer(text):
        before = text[position : match.start()]
        if "[" in before or "]" in before:
            break
        steps = _steps(match[1])
        if len(names) * len(steps) > MOST_NAMES:
            raise RangeFault(
                f"a host range makes {len(names) * len(steps):,} names or more, and may make {MOST_NAMES:,}; "
                "correct its end, or write several ranges",
                text,
            )
        names = [f"{name}{before}{step}" for name in names for step in steps]
        position = match.end()
    rest = text[position:]
    if "[" in rest:
        raise RangeFault("a bracket in a host range is not closed", text)
    return [name + rest for name in names]


def _steps(inner: str) -> Sequence[str]:
    """Give what `begin:end` or `begin:end:step` counts through."""
    bounds = inner.split(":")
    if len(bounds) not in (2, 3):
        raise RangeFault("a host range is written [begin:end] or [begin:end:step]", f"[{inner}]")
    begin, end = bounds[0] or "0", bounds[1]
    if not end:
        raise RangeFault("a host range needs an end", f"[{inner}]")
    step = _step(bounds[2], inner) if len(bounds) == 3 and bounds[2] else 1
    if begin.isdecimal() and end.isdecimal():
        return _numbers(begin, end, step, inner)
    if len(begin) == 1 and len(end) == 1 and begin in _LETTERS and end in _LETTERS:
        first, last = _LETTERS.index(begin), _LETTERS.index(end)
        if first > last:
            raise RangeFault("a host range must begin before it ends", f"[{inner}]")
        return list(_LETTERS[first : last + 1 : step])
    raise RangeFault("a host range counts from number to number or from letter to letter", f"[{inner}]")


def _step(text: str, inner: str) -> int:
    """Give the step of a range, 1 or more."""
    if not text.isdecimal() or int(text) == 0:
        raise RangeFault("the step of a host range is a whole number from 1 on", f"[{inner}]")
    return int(text)


def _numbers(begin: str, end: str, step: int, inner: str) -> Sequence[str]:
    """Count from `begin` to `end` inclusive; a leading zero pads all numbers to that width."""
    width = 0
    if len(begin) > 1 and begin.startswith("0"):
        width = len(begin)
        if len(end) != width:
            raise RangeFault("with leading zeros, both ends of a host range need the same width", f"[{inner}]")
    if len(begin) > _DIGITS or len(end) > _DIGITS:
        raise RangeFault(f"the numbers of a host range have {_DIGITS} digits at most", f"[{inner}]")
    return _Numbers(range(int(begin), int(end) + 1, step), width)


class _Numbers(Sequence[str]):
    """Numbers as texts of one width, each made when it is asked for."""

    def __init__(self, numbers: range, width: int) -> None:
        self._numbers, self._width = numbers, width

    def __len__(self) -> int:
        return len(self._numbers)

    def __iter__(self) -> Iterator[str]:
        width = self._width
        return (str(number).zfill(width) for number in self._numbers)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...
    def __getitem__(self, index: int | slice) -> str | Sequence[str]:
        if isinstance(index, slice):
            return _Numbers(self._numbers[index], self._width)
        return str(self._numbers[index]).zfill(self._width)


def expand_host(text: str) -> tuple[list[str], int | None]:
    """Give the host names that `text` stands for and the port written behind them. Raises RangeFault."""
    name, port = split_port(text)
    if "[" in name:
        return expand_range(name), port
    return [name], port
