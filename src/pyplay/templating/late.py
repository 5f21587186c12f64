"""Functions by name whose modules are loaded when the first of them is asked for: a run uses few of all there are."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class LateFunctions(Mapping[str, "Callable[..., Any]"]):
    """The functions of the modules in `package`; `homes` says where each is, as `module.function`."""

    def __init__(self, package: str, homes: Mapping[str, str]) -> None:
        self._package, self._homes = package, dict(homes)
        self._found: dict[str, Callable[..., Any]] = {}

    def __getitem__(self, name: str) -> Callable[..., Any]:
        found = self._found.get(name)
        if found is None:
            module, _, function = self._homes[name].partition(".")
            found = self._found[name] = getattr(importlib.import_module(f"{self._package}.{module}"), function)
        return found

    def __contains__(self, name: object) -> bool:
        return name in self._homes

    def __iter__(self) -> Iterator[str]:
        return iter(self._homes)

    def __len__(self) -> int:
        return len(self._homes)

    def prefixed(self, prefix: str) -> LateFunctions:
        """Give the same functions under names with `prefix` before them."""
        return LateFunctions(self._package, {prefix + name: home for name, home in self._homes.items()})
