"""Text that a user wrote: trusted to be a template, and knowing where it stands.

Trust is a type. A plain `str` is data and is never evaluated; a `Trusted` string came from a playbook, an inventory,
a vars file, a role file or the command line and may hold a template. Facts, registered output, file contents and
what lookups return stay plain. Source: Ansible 2.19's data tagging ("only trusted sources are templates").
"""

from __future__ import annotations

from typing import Any, Self

from pyplay.diagnostics.model import Origin

_new, _text = str.__new__, str.__str__  # hot: for each text of each file, and for each that travels
_tuple: Any = tuple.__new__  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]


class Trusted(str):
    """A string a user wrote, with its `origin` (None if not known). All `str` methods give plain strings."""

    __slots__ = ("origin",)
    origin: Origin | None

    def __new__(cls, text: str, origin: Origin | None = None) -> Self:
        """Mark `text` as written by a user at `origin`."""
        self = _new(cls, text)
        self.origin = origin
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Keep trust and origin over the pipe to workers. There are thousands: the origin goes along in parts."""
        origin = self.origin
        return (Trusted, (_text(self),)) if origin is None else (_placed, (_text(self), *origin))

    def __str__(self) -> str:
        """Give the text alone, as an exact `str`."""
        return _text(self)


def _placed(text: str, *place: Any) -> Trusted:
    self = _new(Trusted, text)
    self.origin = _tuple(Origin, place)
    return self


class SourceMap(dict[str, Any]):
    """A mapping a user wrote. Keys are exact `str` (or what YAML gave); `key_origins` tells where each stands."""

    __slots__ = ("key_origins", "origin")
    origin: Origin | None
    key_origins: dict[Any, Origin]

    def __init__(
        self, items: Any = (), origin: Origin | None = None, key_origins: dict[Any, Origin] | None = None
    ) -> None:
        super().__init__(items)
        self.origin = origin
        self.key_origins = key_origins if key_origins is not None else {}

    def __reduce__(self) -> tuple[Any, ...]:
        """Keep origins over the pipe to workers."""
        return SourceMap, (dict(self), self.origin, self.key_origins)


class SourceList(list[Any]):
    """A list a user wrote, with its `origin`."""

    __slots__ = ("origin",)
    origin: Origin | None

    def __init__(self, items: Any = (), origin: Origin | None = None) -> None:
        super().__init__(items)
        self.origin = origin

    def __reduce__(self) -> tuple[Any, ...]:
        """Keep the origin over the pipe to workers."""
        return SourceList, (list(self), self.origin)


def origin_of(value: object) -> Origin | None:
    """Give where `value` was written, None for values that do not know."""
    return getattr(value, "origin", None)


def as_written(value: Any, origin: Origin | None = None) -> Any:
    """Return `value`, which came of nothing but what users wrote, as their words; what looks like a template stays."""
    if isinstance(value, str):
        is_template = "{{" in value or "{%" in value or "{#" in value
        return value if is_template or isinstance(value, Trusted) else Trusted(value, origin)
    if isinstance(value, dict):
        return SourceMap({key: as_written(member, origin) for key, member in value.items()}, origin)  # pyright: ignore[reportUnknownVariableType]  # any
    if isinstance(value, list):
        return SourceList([as_written(member, origin) for member in value], origin)  # pyright: ignore[reportUnknownVariableType]  # any
    return value
