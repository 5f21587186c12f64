"""`ansible.module_utils.compat.version`: versions that can be compared, as distutils had them."""

from __future__ import annotations

from functools import total_ordering
from typing import Any, ClassVar

from pyplay.templating.tests.versions import parse_loose, parse_strict


@total_ordering
class LooseVersion:
    """Numbers and words, compared one by one."""

    parse: ClassVar[Any] = staticmethod(parse_loose)

    def __init__(self, vstring: str | None = None) -> None:
        self.vstring = vstring or ""
        self.version: Any = self.parse(str(vstring or ""))

    def __str__(self) -> str:
        return self.vstring

    def __repr__(self) -> str:
        return f"{type(self).__name__} ({self.vstring!r})"

    def _other(self, other: object) -> Any:
        return other.version if isinstance(other, LooseVersion) else self.parse(str(other))

    def __eq__(self, other: object) -> bool:
        return self.version == self._other(other)

    def __lt__(self, other: object) -> bool:
        return self.version < self._other(other)

    def __hash__(self) -> int:
        return hash(self.vstring)


class StrictVersion(LooseVersion):
    """`1.2`, `1.2.3` or `1.2.3a4`."""

    parse: ClassVar[Any] = staticmethod(parse_strict)
