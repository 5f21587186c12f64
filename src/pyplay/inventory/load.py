"""From inventory sources to an inventory.

Source: Ansible user guide, "Using multiple inventory sources", and the settings of section `inventory`.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.dataclass import replace
from pyplay.diagnostics.deprecated import deprecated
from pyplay.diagnostics.errors import AuthorError, InventoryError
from pyplay.diagnostics.model import Diagnostic, Origin, Severity
from pyplay.inventory.context import ParseContext
from pyplay.inventory.model import INVALID_IN_GROUP_NAMES, LOCALHOST_NAMES, Inventory
from pyplay.inventory.parsers import NO_PLUGIN_KEY, PLACED, find_parser, is_program
from pyplay.inventory.varfiles import VarsFiles
from pyplay.source.paths import exists, is_dir, suffix

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pyplay.inventory.context import Render, SourceParser
    from pyplay.source.settings import Settings
    from pyplay.source.vault import VaultSecrets

_VARS_DIRS = ("group_vars", "host_vars")
_YAML_STARTS = ("{", "---", "all:")
"""How an inventory without extension begins if it is more likely YAML (or JSON) than INI."""


def load_inventory(
    sources: Sequence[str],
    settings: Settings,
    *,
    basedir: str,
    on_warning: Callable[[Diagnostic], None],
    vault: VaultSecrets | None = None,
    render: Render | None = None,
    extra_vars: Mapping[str, Any] | None = None,
    find_plugin: Callable[[str], SourceParser | None] | None = None,
    fresh: bool = False,
) -> Inventory:
    """Give the inventory that `sources` describe, read in this order, later values winning.

    A source is a file, a directory or a list of hosts with a comma; relative paths count from `basedir`. `render` is
    for the plugins that make groups and variables from expressions; `find_plugin` gives parsers for others;
    `fresh` bars what plugins kept from earlier runs.
    What cannot be read is a warning; it is an InventoryError where the settings say so.
    """
    inventory = Inventory()
    inventory.precedence = settings.precedence
    inventory.replace_invalid = settings.force_valid_group_names in ("always", "silently")
    inventory.mismatch = settings.host_pattern_mismatch
    context = ParseContext(
        inventory,
        settings,
        on_warning,
        vault,
        render,
        extra_vars or {},
        find_plugin or (lambda _name: None),
        fresh,
    )
    loader = _Loader(context, basedir)
    for source in sources:
        loader.add(source)
    loader.finish()
    return inventory


class _Loader:
    """Reads sources one by one into the inventory of `context`."""

    def __init__(self, context: ParseContext, basedir: str) -> None:
        self.context, self.basedir = context, basedir
        self.inventory = context.inventory
        self.parsed = 0
        patterns = context.settings.inventory_ignore_patterns
        self.ignored = re.compile("|".join(f"(?:{pattern})" for pattern in patterns)) if patterns else None

    def add(self, source: str) -> None:
        """Read one source as given by the user."""
        if "," in source and not exists(self.absolute(source)):
            self.inventory.sources.append(source)
            self.parse_one(source, where=None)
            return
        path = self.absolute(source)
        self.inventory.sources.append(path)
        self.add_vars_files(path if is_dir(path) else os.path.dirname(path))  # noqa: PTH120  # plain text
        self.add_path(path)

    def absolute(self, source: str) -> str:
        """Give the path that `source` names."""
        return os.path.normpath(os.path.join(self.basedir, os.path.expanduser(source)))  # noqa: PTH111, PTH118  # plain text

    def add_vars_files(self, directory: str) -> None:
        """Take the `group_vars` and `host_vars` in `directory` into account, once."""
        if not self.context.settings.reads_vars_files:
            return
        known = {files.basedir for files in self.inventory.vars_files}
        if directory in known or not is_dir(directory):
            return
        context = self.context
        self.inventory.vars_files.append(
            VarsFiles(
                directory,
                vault=context.vault,
                extensions=context.settings.yaml_valid_extensions,
                on_warning=context.on_warning,
                duplicates=context.settings.duplicate_dict_key,
            )
        )

    def add_path(self, path: str) -> bool:
        """Read a file or what a directory holds, in the order of names; tells whether anything could be read."""
        if not is_dir(path):
            return self.parse_one(path, where=path)
        done = [self.add_path(os.path.join(path, name)) for name in sorted(os.listdir(path)) if self.wanted(name)]  # noqa: PTH118, PTH208  # plain text
        return any(done)

    def wanted(self, name: str) -> bool:
        """Tell whether an entry of an inventory directory is a source."""
        if name.startswith(".") or name.endswith(self.context.settings.inventory_ignore_extensions):
            return False
        if name in _VARS_DIRS:
            return False
        return not (self.ignored and self.ignored.search(name))

    def parse_one(self, source: str, where: str | None) -> bool:
        """Try the enabled parsers in turn on `source`; `where` is the file that its hosts are from."""
        reasons: list[tuple[str, Diagnostic]] = []
        for name in self.context.settings.inventory_enabled:
            parser = find_parser(name, self.context)
            if parser is None:
                reasons.append(
                    (name, Diagnostic("inventory-source", "there is no such inventory plugin", Origin(source)))
                )
                continue
            if not parser.accepts(source, self.context):
                continue
            if self.attempt(name, parser, source, where, reasons):
                self.parsed += 1
                return True
            if name == "script" and is_program(source):
                break  # Ansible would read the program's own lines as an INI inventory
        self.report_unparsed(source, reasons)
        return False

    def attempt(
        self, name: str, parser: SourceParser, source: str, where: str | None, reasons: list[tuple[str, Diagnostic]]
    ) -> bool:
        """Let one parser try; its warnings count only if it succeeds."""
        warnings: list[Diagnostic] = []
        try:
            fragment = parser.parse(source, replace(self.context, on_warning=warnings.append))
            if name not in PLACED:
                fragment.mark_options()
            fragment.merge_into(self.inventory, where)
        except AuthorError as error:
            reasons.extend((name, fault) for fault in error.diagnostics)
            return False
        for warning in warnings:
            self.context.on_warning(warning)
        for odd, origin in fragment.odd_names():
            self.context.on_warning(deprecated("variable-name", {"name": odd}, origin, len(odd) if origin else 0))
        return True

    def report_unparsed(self, source: str, reasons: list[tuple[str, Diagnostic]]) -> None:
        """Warn that nothing could read `source`, with every parser's reason; an error if the settings say so."""
        text, _secret = self.context.texts.get(source, ("", False))
        fault = unparsed(source, reasons, text)
        if self.context.settings.inventory_any_unparsed_is_failed:
            raise InventoryError([replace(fault, severity=Severity.ERROR)])
        self.context.on_warning(fault)

    def finish(self) -> None:
        """Report what can be said only about the whole."""
        settings, on_warning = self.context.settings, self.context.on_warning
        if not self.parsed:
            message = "no inventory was parsed, there is only the implicit localhost"
            fault = Diagnostic("no-inventory", message, severity=Severity.WARNING, help="name an inventory with -i")
            if settings.inventory_unparsed_is_failed:
                raise InventoryError([replace(fault, severity=Severity.ERROR)])
            if settings.inventory_unparsed_warning:
                on_warning(fault)
        local = [name for name in LOCALHOST_NAMES if name in self.inventory.hosts]
        if len(local) > 1:
            message = f"several hosts are named for this machine: {', '.join(local)}"
            on_warning(Diagnostic("several-localhosts", message, severity=Severity.WARNING, help="keep one of them"))
        for name in self.inventory.groups:
            if name in self.inventory.hosts:
                message = f"'{name}' is the name of a group and of a host"
                on_warning(Diagnostic("name-twice", message, severity=Severity.WARNING, help="rename one of them"))
        odd = [name for name in self.inventory.groups if not (name.isidentifier() and name.isascii())]
        invalid = [name for name in odd if INVALID_IN_GROUP_NAMES.search(name)]
        if invalid and settings.force_valid_group_names == "never":
            names = ", ".join(invalid[:5]) + (", …" if len(invalid) > 5 else "")
            message = f"groups with names that are no variable names: {names}"
            hint = "templates can reach them only as groups['name']"
            on_warning(Diagnostic("group-name", message, severity=Severity.WARNING, help=hint))


def unparsed(source: str, reasons: list[tuple[str, Diagnostic]], text: str = "") -> Diagnostic:
    """Give the warning for a source, holding `text`, that no parser takes.

    It points at the fault that the parser found which most likely was meant.
    """
    if not exists(source) and "," not in source:
        message = f"the inventory source {source} does not exist"
        return Diagnostic("unparsed-inventory", message, Origin(source), severity=Severity.WARNING)
    notes = tuple(f"{name}: {_place(fault)}{fault.message}" for name, fault in reasons)
    meant = _most_likely(source, reasons, looks_like_yaml=text.lstrip().startswith(_YAML_STARTS))
    return Diagnostic(
        "unparsed-inventory",
        f"{source} cannot be read as an inventory" + (f": {meant.message}" if meant else ""),
        meant.origin if meant else Origin(source),
        length=meant.length if meant else 0,
        label=meant.label if meant else "",
        help=meant.help if meant else "",
        severity=Severity.WARNING,
        notes=(*(meant.notes if meant else ()), *notes),
    )


def _most_likely(source: str, reasons: list[tuple[str, Diagnostic]], *, looks_like_yaml: bool) -> Diagnostic | None:
    """Give the reason to show first: the plugin's that the file names, the YAML parser's, the last one with a line."""
    if not reasons:
        return None
    named = dict(reversed(reasons))
    if "auto" in named and named["auto"].code != NO_PLUGIN_KEY:
        return named["auto"]  # the file says which plugin it is for
    if "yaml" in named and looks_like_yaml:
        return named["yaml"]
    end = suffix(source)
    for name, suffixes in (("yaml", (".yml", ".yaml", ".json")), ("toml", (".toml",)), ("script", ("",))):
        if name in named and end in suffixes and (name != "script" or os.access(source, os.X_OK)):
            return named[name]
    placed = [fault for _, fault in reasons if fault.origin and fault.origin.line]
    return placed[-1] if placed else reasons[-1][1]


def _place(fault: Diagnostic) -> str:
    origin = fault.origin
    return f"line {origin.line}: " if origin and origin.line else ""
