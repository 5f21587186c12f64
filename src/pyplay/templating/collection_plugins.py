"""Filters, tests and lookups of collections: by full name, and by short names that are nobody else's.

A file `plugins/filter/NAME.py` most often holds the filter NAME, so it is loaded first; then the other files of the
collection, of which each may hold several. What the `collections` keyword lists is not searched: it is for modules,
actions and roles. Source: the Ansible documentation, "Using collections in playbooks".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.dataclass import replace
from pyplay.diagnostics.errors import AuthorError, TemplateError
from pyplay.source.collection_homes import full_name
from pyplay.source.collections import HOME, split_name

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pyplay.diagnostics.model import Diagnostic
    from pyplay.source.collections import Collections

    Function = Callable[..., Any]
    LoadFile = Callable[[str, str], Mapping[str, Function]]


class CollectionPlugins:
    """The plugins of one kind in `collections`. `load_file(path, module)` gives those of a file by name."""

    def __init__(
        self, kind: str, collections: Collections, load_file: LoadFile, on_warning: Callable[[Diagnostic], None]
    ) -> None:
        self._kind, self._collections, self._load_file, self._on_warning = kind, collections, load_file, on_warning
        self._files: dict[str, Mapping[str, Function]] = {}
        self._warned: set[str] = set()

    def find(self, name: str) -> Function | None:
        """Give the plugin of this full name, behind all redirects, None if there is none. Raises TemplateError."""
        parts = split_name(name)
        if parts is None:
            return None
        try:
            found = self._collections.resolve(self._kind, name)
        except AuthorError as error:
            raise TemplateError(error.diagnostics) from error
        if found is not None:
            for notice in found.notices:
                self._warn_once(notice)
            parts = split_name(found.name) or parts
        return self._search(*parts)

    def find_short(self, name: str) -> Function | None:
        """Give the plugin of a short name: from where it is known to be, or from the one collection that has it.

        Raises TemplateError if several have it.
        """
        known = full_name(self._kind, name)
        if known is not None and (function := self.find(known)) is not None:
            return function
        holders = self._collections.holders(self._kind, name)
        if len(holders) > 1:
            raise TemplateError.of(
                f"ambiguous-{self._kind}",
                f"several collections have a {self._kind} '{name}'",
                help=f"write which one is meant: {', '.join(holders)}",
            )
        return self.find(holders[0]) if holders else None

    def _search(self, collection_name: str, name: str) -> Function | None:
        collection = self._collections.find(collection_name)
        if collection is None:
            return None
        files = collection.plugins(self._kind)
        if name in files:
            offered = self._of_file(collection_name, name, files[name])
            if not offered:
                raise TemplateError.of(
                    "broken-plugin", f"the {self._kind} '{name}' cannot be loaded from {files[name]}"
                )
            if (function := offered.get(name.rpartition(".")[2])) is not None:
                return function
        for stem, path in files.items() if self._kind != "lookup" else ():
            if (function := self._of_file(collection_name, stem, path).get(name)) is not None:
                return function
        return None

    def _of_file(self, collection: str, stem: str, path: str) -> Mapping[str, Function]:
        if path not in self._files:
            self._files[path] = self._load_file(path, f"{HOME}.{collection}.plugins.{self._kind}.{stem}")
        return self._files[path]

    def _warn_once(self, notice: Diagnostic) -> None:
        if notice.message not in self._warned:
            self._warned.add(notice.message)
            self._on_warning(replace(notice, message=f"{self._kind} {notice.message}"))
