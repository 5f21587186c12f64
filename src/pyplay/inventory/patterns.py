"""Host patterns: which hosts a play, a command or `--limit` is about.

Source: Ansible user guide, "Patterns: targeting hosts and groups".
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from pyplay.diagnostics.dataclass import replace
from pyplay.diagnostics.errors import InventoryError
from pyplay.diagnostics.model import Diagnostic, Origin, Severity
from pyplay.diagnostics.patterns import late_pattern
from pyplay.diagnostics.suggest import did_you_mean
from pyplay.inventory.ranges import is_ipv6, split_port
from pyplay.source.text import origin_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from pyplay.inventory.members import Host
    from pyplay.inventory.model import Inventory

    OnWarning = Callable[[Diagnostic], None]

_BETWEEN = late_pattern(r",(?![0-9]*\})")  # a quantifier of a regular expression, {1,2}, keeps its comma
_PARTS = late_pattern(r"(?:[^\s:\[\]]|\[[^\]]*\])+")
_SUBSCRIPT = late_pattern(r"(.+)\[(?:(-?\d+)|(\d+)([:-])(\d*))\]\Z")
_WILD = frozenset("?*[")


def select(
    inventory: Inventory,
    pattern: str | Sequence[str],
    *,
    limit: str | Sequence[str] | None = None,
    on_warning: OnWarning | None = None,
) -> list[Host]:
    """Give the hosts that `pattern` names and `limit` allows, in the order of the pattern, each once.

    A part that names nothing is reported to `on_warning` and matches nothing; where the inventory says so it is not
    reported, or raised as InventoryError. Raises InventoryError for a pattern that
    cannot be read and for a `limit` under which no host at all is left.
    """
    names = _allowed(inventory, pattern, limit, on_warning)
    found = (inventory.get_host(name) for name in names)
    return [host for host in found if host is not None]


def select_names(
    inventory: Inventory,
    pattern: str | Sequence[str],
    *,
    limit: str | Sequence[str] | None = None,
    on_warning: OnWarning | None = None,
) -> Sequence[str]:
    """Give the names of the hosts that `select` gives."""
    names = _allowed(inventory, pattern, limit, on_warning)
    if all(map(inventory.hosts.keys().__contains__, names)):
        return names
    found = (inventory.get_host(name) for name in names)
    return [host.name for host in found if host is not None]


def _allowed(
    inventory: Inventory,
    pattern: str | Sequence[str],
    limit: str | Sequence[str] | None,
    on_warning: OnWarning | None,
) -> Sequence[str]:
    """Give the names for `pattern` that `limit` allows."""
    names = _names(inventory, pattern, on_warning)
    if limit is None:
        return names
    allowed = limit_names(inventory, limit, on_warning)
    return [name for name in names if name in allowed]


def limit_names(
    inventory: Inventory, limit: str | Sequence[str], on_warning: OnWarning | None = None
) -> dict[str, None]:
    """Return the names of the hosts that `--limit` leaves, as `names_within` does.

    Raises InventoryError if that is none.
    """
    names = names_within(inventory, limit, on_warning)
    if not names:
        text = limit if isinstance(limit, str) else ",".join(limit)
        hint = did_you_mean(text, [*inventory.groups, *inventory.hosts])
        raise InventoryError(
            [Diagnostic("empty-limit", f"the limit '{text}' leaves no hosts", origin_of(limit), help=hint)]
        )
    return names


def names_within(
    inventory: Inventory, limit: str | Sequence[str], on_warning: OnWarning | None = None
) -> dict[str, None]:
    """Return the names of the hosts that `--limit` leaves, which may be none.

    `@file` stands for the patterns in a file, one a line.
    """
    parts = _limit_parts(limit)
    return dict.fromkeys(_names(inventory, parts, on_warning) if parts else inventory.hosts)


def split_pattern(pattern: str | Sequence[str]) -> list[str]:
    """Give the parts of a pattern: `a:b`, `a,b`, `a b` and lists of these; addresses with colons stay whole."""
    if not isinstance(pattern, str):
        return [part for each in pattern for part in split_pattern(each)]
    text = pattern.strip()
    if text.isidentifier():  # most patterns
        return [text]
    if "," in text:
        parts = text.split(",") if "~" not in text else _BETWEEN.split(text)
        if len(parts) > 1:
            return [part for each in parts if each.strip() for part in split_pattern(each)]
    if not text:
        return []
    bare = text.lstrip("!&")
    name, port = split_port(bare)
    if (port is not None or is_ipv6(name)) and not bare.startswith("~"):
        return [text[: len(text) - len(bare)] + name]
    return _PARTS.findall(text)


def _names(inventory: Inventory, pattern: str | Sequence[str], on_warning: OnWarning | None) -> list[str]:
    """Give the names of the hosts for `pattern`, remembered for as long as the inventory stays as it is."""
    cache = inventory.cache()
    key = ("pattern", pattern if isinstance(pattern, str) else tuple(pattern))
    found: tuple[list[str], list[Diagnostic]] | None = cache.get(key)
    if found is None:
        warnings: list[Diagnostic] = []
        found = cache[key] = (_evaluate(inventory, split_pattern(pattern), pattern, warnings.append), warnings)
    if on_warning and inventory.mismatch != "ignore":
        if found[1] and inventory.mismatch == "error":
            raise InventoryError([replace(warning, severity=Severity.ERROR) for warning in found[1]])
        for warning in found[1]:
            on_warning(warning)
    return found[0]


def _evaluate(inventory: Inventory, parts: list[str], pattern: object, on_warning: OnWarning) -> list[str]:
    """Unite the plain parts, then keep only what each `&` part has, then drop what each `!` part has."""
    plain = [part for part in parts if part[0] not in "!&"] or ["all"]
    match = _Matcher(inventory, origin_of(pattern), on_warning)
    if parts == ["all"]:
        return match("all")
    names: dict[str, None] = {}
    for part in plain:
        names.update(dict.fromkeys(match(part)))
    for part in parts:
        if part[0] == "&":
            kept = set(match(part[1:]))
            names = {name: None for name in names if name in kept}
    for part in parts:
        if part[0] == "!":
            for name in match(part[1:]):
                names.pop(name, None)
    return list(names)


class _Matcher:
    """Gives the hosts for one part of a pattern."""

    def __init__(self, inventory: Inventory, origin: Origin | None, on_warning: OnWarning) -> None:
        self.inventory, self.origin, self.on_warning = inventory, origin, on_warning

    def __call__(self, part: str) -> list[str]:
        """Give the names for `part`, without its `!` or `&`."""
        if not part:
            raise self.fault("a host pattern ends in '&' or '!'")
        expression, start, end = self.subscript(part)
        names = self.expression(expression)
        if start is None:
            return names
        if end is None:
            return names[start:][:1] if start >= -len(names) else []
        return names[start : end + 1 if end >= 0 else None]

    def subscript(self, part: str) -> tuple[str, int | None, int | None]:
        """Split `web[1:3]`: expression, first and last index (inclusive; -1 the last host). No index: None."""
        match = None if part.startswith("~") or not part.endswith("]") else _SUBSCRIPT.match(part)
        if not match or (part in self.inventory.hosts):
            return part, None, None
        if match[2] is not None:
            return match[1], int(match[2]), None
        if match[4] == "-":
            raise self.fault(f"'{part}': a range of hosts is written [{match[3]}:{match[5]}]")
        return match[1], int(match[3]), int(match[5]) if match[5] else -1

    def expression(self, text: str) -> list[str]:
        """Give the hosts of all groups and the hosts that `text` names."""
        inventory = self.inventory
        if text in ("all", "*"):
            return inventory.hosts_in("all")
        if not text.startswith("~") and _WILD.isdisjoint(text):
            return self.exact(text)
        fits = self.compile(text)
        names: dict[str, None] = {}
        for group in inventory.groups:
            if fits(group):
                names.update(dict.fromkeys(inventory.hosts_in(group)))
        names.update(dict.fromkeys(host for host in inventory.hosts if fits(host)))
        if not names and not any(map(fits, inventory.groups)):
            self.warn_unmatched(text)
        return list(names)

    def exact(self, name: str) -> list[str]:
        """Give the hosts of the group `name`, or the host of that name; both, as in Ansible, if the name has a dot."""
        inventory = self.inventory
        if name in inventory.groups:
            names = inventory.hosts_in(name)
            return [*names, name] if "." in name and name in inventory.hosts else names
        host = inventory.get_host(name)
        if host is not None:
            return [host.name]
        self.warn_unmatched(name)
        return []

    def compile(self, text: str) -> Callable[[str], object]:
        """Give the test for a `~regex` or a shell pattern."""
        if text.startswith("~"):
            source = text[1:]
        else:
            from fnmatch import translate  # noqa: PLC0415  # few patterns have wildcards

            source = translate(text)
        try:
            return re.compile(source).match
        except re.error as error:
            raise self.fault(f"the host pattern '{text}' is no regular expression: {error}") from error

    def warn_unmatched(self, text: str) -> None:
        """Report a part that names nothing."""
        known: Iterable[str] = [*self.inventory.groups, *self.inventory.hosts]
        hint = did_you_mean(text, known) if len(self.inventory.hosts) <= 2000 else ""
        message = f"the host pattern '{text}' matches no host or group"
        self.on_warning(Diagnostic("unmatched-pattern", message, self.origin, help=hint, severity=Severity.WARNING))

    def fault(self, message: str) -> InventoryError:
        """Give the error for a pattern that cannot be read."""
        return InventoryError([Diagnostic("host-pattern", message, self.origin)])


def _limit_parts(limit: str | Sequence[str]) -> list[str]:
    """Give the parts of a limit with the contents of its `@file`s."""
    parts: list[str] = []
    for text in split_pattern(limit):
        parts += _limit_file(text[1:]) if text.startswith("@") else [text]
    return parts


def _limit_file(path: str) -> list[str]:
    """Give the patterns in the file at `path`; `#` starts a comment."""
    try:
        with open(os.path.expanduser(path), encoding="utf-8") as file:  # noqa: PTH111, PTH123  # plain text
            lines = file.read().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InventoryError([Diagnostic("limit-file", f"cannot read the limit file {path}: {reason}")]) from error
    return [part for line in lines for part in split_pattern(line.partition("#")[0])]
