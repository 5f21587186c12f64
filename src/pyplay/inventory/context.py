"""What parsers of inventory sources are given, and what they are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Any, Protocol

from pyplay.diagnostics.dataclass import dataclass

if TYPE_CHECKING:
    from pyplay.diagnostics.model import Diagnostic
    from pyplay.inventory.fragment import Fragment
    from pyplay.inventory.model import Inventory
    from pyplay.source.settings import Settings
    from pyplay.source.vault import VaultSecrets

Render = Callable[[Any, Mapping[str, Any]], Any]
"""Renders a template (trusted text) with variables, giving native values; raises AuthorError."""


@dataclass(frozen=True, slots=True)
class ParseContext:
    """What a parser may use: the inventory as it is so far (not to be changed), settings, secrets, templating.

    `fresh`: what inventory plugins kept from earlier runs does not count.
    `texts` and `documents` keep what was read, by path, so that several parsers may look at one file, or pipe.
    """

    inventory: Inventory
    settings: Settings
    on_warning: Callable[[Diagnostic], None]
    vault: VaultSecrets | None = None
    render: Render | None = None
    extra_vars: Mapping[str, Any] = field(default_factory=dict[str, Any])
    find_plugin: Callable[[str], SourceParser | None] = field(default=lambda _name: None)
    fresh: bool = False
    texts: dict[str, tuple[str, bool]] = field(default_factory=dict[str, tuple[str, bool]])
    documents: dict[str, Any] = field(default_factory=dict[str, Any])


class SourceParser(Protocol):
    """One kind of inventory source."""

    def accepts(self, source: str, context: ParseContext, /) -> bool:
        """Tell at a glance (name, permissions) whether `source` may be of this kind."""
        ...

    def parse(self, source: str, context: ParseContext, /) -> Fragment:
        """Give what `source` says. Raises AuthorError, as InventoryError or PlaybookError, if it cannot be read."""
        ...
