"""Building the objects of one command, in the order in which they need each other."""

from __future__ import annotations

import os
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pyplay.cli.extra_vars import parse_extra_vars
from pyplay.cli.options import deprecations
from pyplay.cli.run_options import Words, run_options
from pyplay.cli.screen import Screen
from pyplay.cli.vault_secrets import vault_secrets
from pyplay.diagnostics.errors import AuthorError, InventoryError, PlaybookError
from pyplay.diagnostics.model import Diagnostic, Origin, Severity
from pyplay.inventory.load import load_inventory
from pyplay.inventory.model import LOCALHOST_NAMES
from pyplay.inventory.patterns import select
from pyplay.playbook.builtin import is_builtin
from pyplay.playbook.loader import PlaybookLoader
from pyplay.source.booleans import read_boolean
from pyplay.source.collections import split_name
from pyplay.source.ownership import anybody_may_write, other_owner
from pyplay.source.paths import can_be_read, is_file
from pyplay.source.settings import Settings, load_settings
from pyplay.templating.secrets import SecretTexts
from pyplay.workers.ground import Ground

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from pyplay.inventory.model import Inventory
    from pyplay.playbook.model import Play, Task
    from pyplay.report.names import Choice
    from pyplay.shipping.search import ModuleSearch
    from pyplay.source.collections import Collections
    from pyplay.source.vault import VaultSecrets
    from pyplay.templating.environment import TemplateEnvironment
    from pyplay.templating.user_plugins import UserPlugins
    from pyplay.variables.store import Store

_SKIPPED = "ansible_display_skipped_hosts"
"""The one setting of the output that a variable sets, too, an extra variable alone. Source: observed in core 2.21."""


class Session:
    """What one command works with; each part is made when first asked for.

    `words` are the command's options, `choose_reporters` says which reporters it has (see `Screen`).
    """

    def __init__(
        self, given: Mapping[str, Any], *, choose_reporters: Callable[[Settings], Choice] | None = None
    ) -> None:
        self.words = Words(given)
        self.settings: Settings = load_settings(dict(os.environ), os.getcwd())  # noqa: PTH109  # plain text
        self.secrets = SecretTexts()
        self.place: Callable[[Diagnostic], Diagnostic] = lambda fault: fault  # where else a warning should be shown
        warnings = [*self.settings.warnings, *deprecations(given)]
        self.vault: VaultSecrets = vault_secrets(self.words, self.settings, warnings.append)
        self.extra_vars = parse_extra_vars(self.words.extra_vars or (), self.vault, warnings.append)
        self.options = run_options(self.words, self.settings, self.extra_vars, self.secrets)
        if _SKIPPED in self.extra_vars:
            shown = bool(read_boolean(self.extra_vars[_SKIPPED]))
            self.settings = self.settings.changed(display_skipped_hosts=shown)
        self.screen = Screen(self.settings, self.options, self.secrets, choose_reporters)
        for warning in warnings:
            self.warn(warning)
        self._warn_of_vars_plugins()
        if self.options.verbosity:
            self._tell_settings()

    def _warn_of_vars_plugins(self) -> None:
        others = [name for name in self.settings.vars_plugins_enabled if name.rpartition(".")[2] != "host_group_vars"]
        if others:
            message = f"vars plugins of others are not run, their variables are missing: {', '.join(others)}"
            help_ = "leave them out of vars_plugins_enabled; keep the variables in group_vars and host_vars"
            self.warn(Diagnostic("vars-plugin", message, help=help_, severity=Severity.WARNING))

    def _tell_settings(self) -> None:
        """Say which configuration counts, and what in it (or in the environment) changes nothing."""
        path, idle = self.settings.config_file, self.settings.idle
        self.screen.remark(f"Using {path} as config file" if path else "No config file found; using defaults")
        if idle:
            self.screen.remark(f"Settings that change nothing here (pyplay config dump says why): {', '.join(idle)}")

    # -- what is read --------------------------------------------------------------------------------------------

    @cached_property
    def _ground(self) -> Ground:
        return Ground(
            self.options,
            self.settings,
            self.directories,
            inventory=lambda: self.inventory,
            vault=self.vault,
            secrets=self.secrets,
            warn=self.warn,
        )

    @property
    def environment(self) -> TemplateEnvironment:
        """The template environment."""
        return self._ground.environment

    @property
    def plugins(self) -> UserPlugins:
        """Users' own filters, tests and lookups."""
        return self._ground.plugins

    @property
    def search(self) -> ModuleSearch:
        """Where modules are found."""
        return self._ground.search

    @property
    def collections(self) -> Collections:
        """The collections beside the playbooks, and those that are installed."""
        return self._ground.collections

    @cached_property
    def inventory(self) -> Inventory:
        """The inventory of all sources."""
        return self.load_inventory(fresh=self.options.flush_cache)

    def load_inventory(self, *, fresh: bool = True) -> Inventory:
        """Read the inventory's sources anew; `fresh`: without what inventory plugins kept from earlier runs."""
        return load_inventory(
            self.options.inventory_sources,
            self.settings,
            basedir=os.getcwd(),  # noqa: PTH109  # plain text
            vault=self.vault,
            on_warning=self.warn,
            render=self.render,
            extra_vars=self.extra_vars,
            find_plugin=self.plugins.inventory_plugin,
            fresh=fresh,
        )

    @cached_property
    def loader(self) -> PlaybookLoader:
        """The playbook loader."""
        return PlaybookLoader(
            self.settings,
            extra_vars=self.extra_vars,
            vault=self.vault,
            on_warning=self.warn,
            render=self.render,
            find_module=self._has_module,
            known_modules=self._module_names,
            find_lookup=self._has_lookup,
            known_lookups=lambda: list(self._ground.lookups),
            route_module=self._route_module,
            check_group=lambda group: self.search.in_group("", group),
            collections=self.collections,
        )

    @cached_property
    def store(self) -> Store:
        """The controller's own view of what the run finds out, over the facts that were kept from earlier runs."""
        from pyplay.variables.fact_cache import fact_cache  # noqa: PLC0415  # listings have no facts
        from pyplay.variables.store import Store  # noqa: PLC0415  # as above

        cache = fact_cache(self.settings, self.warn)
        if cache is not None and self.options.flush_cache:
            for host in (*self.inventory.hosts, *LOCALHOST_NAMES):
                cache.remove(host)
        return Store(self.inventory, cache=cache)

    @cached_property
    def directories(self) -> list[str]:
        """The directories of the playbooks and the one that we are in; without a playbook, what counts as such.

        One that nobody named and that is in the hands of others brings no plugins and modules.
        """
        playbooks: Sequence[str] = [path for path in self.words.playbooks or () if not _is_full_name(path)]
        found = [os.path.dirname(os.path.abspath(path)) for path in playbooks]  # noqa: PTH100, PTH120  # links stay as written
        if not found and (self.words.playbook_dir or self.settings.playbook_dir):
            return [self.directory]
        here = os.getcwd()  # noqa: PTH109  # plain text
        return list(dict.fromkeys([*found, *([here] if here in found or self._is_ours(here) else ())]))

    def _is_ours(self, directory: str) -> bool:
        """Whether plugins and modules of a directory count that nobody named; warns where there are some, and not."""
        owner = other_owner(directory, os.environ)
        if owner is None and not anybody_may_write(directory):
            return True
        if any(name == "library" or name.endswith("_plugins") for name in os.listdir(directory)):  # noqa: PTH208  # plain text
            why = f"it belongs to another user, {owner}" if owner else "anybody may write to it"
            self.warn(
                Diagnostic(
                    "unsafe-directory", f"plugins and modules in {directory} are not used: {why}", Origin(directory),
                    help="put them beside the playbook, or name the directory (--playbook-dir, ANSIBLE_LIBRARY …)",
                    severity=Severity.WARNING,
                )
            )  # fmt: skip
        return False

    @property
    def directory(self) -> str:
        """The directory that counts as the playbook's where there is no playbook."""
        named = self.words.playbook_dir or self.settings.playbook_dir or ""
        return os.path.abspath(os.path.expanduser(named))  # noqa: PTH100, PTH111  # links stay as written

    def load_plays(self) -> list[tuple[str, list[Play]]]:
        """Give the plays of each playbook that the command names, in that order.

        Raises AuthorError with the faults of all of them.
        """
        paths = {path: self._playbook_path(path) for path in self.words.playbooks}
        missing = [_no_playbook(path) for path in paths.values() if not can_be_read(path)]
        if missing:
            raise AuthorError(missing)
        faults: list[Diagnostic] = []
        plays: list[tuple[str, list[Play]]] = []
        for path in self.words.playbooks:
            try:
                plays.append((path, self.loader.load_playbook(paths[path])))
            except PlaybookError as error:
                faults += error.diagnostics
        if faults:
            raise PlaybookError(dict.fromkeys(faults))  # a playbook may be named twice
        self._add_role_plugins()
        return plays

    def _playbook_path(self, written: str) -> str:
        """Give the path of a playbook that may be named as `namespace.collection.playbook`."""
        parts = split_name(written) if _is_full_name(written) else None
        collection = self.collections.find(parts[0]) if parts else None
        if parts is None or collection is None:
            return written
        base = os.path.join(collection.directory("playbooks"), *parts[1].split("."))  # noqa: PTH118  # plain text
        return next((base + end for end in (".yml", ".yaml") if is_file(base + end)), written)

    def check_hosts(self, pattern: str = "all") -> None:
        """Warn if there is no host for `pattern` but the implicit localhost."""
        named = pattern in LOCALHOST_NAMES
        if self.settings.localhost_warning and not named and not self.inventory.hosts:
            message = "the inventory has no hosts: there is only the implicit localhost, which 'all' does not match"
            self.warn(Diagnostic("no-hosts", message, severity=Severity.WARNING))

    def check_limit(self) -> None:
        """Raise InventoryError if --limit leaves no host at all."""
        limit = self.options.limit
        if limit is None or select(self.inventory, "all", limit=limit, on_warning=self.warn):
            return
        message = "Specified inventory, host pattern and/or --limit leaves us with no hosts to target."
        raise InventoryError.of("empty-limit", message, help=f"no host matches --limit {limit}")

    def render(self, value: Any, variables: Mapping[str, Any]) -> Any:
        """Give `value` with its templates rendered against plain variables."""
        from pyplay.templating.scope import MapScope  # noqa: PLC0415  # as above
        from pyplay.templating.templar import Templar  # noqa: PLC0415  # as above

        return Templar(self.environment, MapScope(variables)).resolve(value)

    def _module_names(self) -> Iterable[str]:
        """Give the names of all modules, for hints."""
        return self.search.names()

    def _has_module(self, name: str, task: Task) -> bool | str:
        """Tell whether a task may name this module, or what would mend it."""
        if is_builtin(name):
            return True
        try:
            self._searched(lambda: self.search.find(name, roles=_roles_of(task), collections=task.collections))
        except AuthorError as error:
            from pyplay.actions.registry import find_action  # noqa: PLC0415  # only for names without a module file

            return find_action(name) is not None or error.diagnostics[0].help
        return True

    def _searched(self, search: Callable[[], Any]) -> Any:
        """Give what `search` finds, the second time in the roles that are read by now, too. Raises AuthorError."""
        try:
            return search()
        except AuthorError:
            for role in self.loader.roles.values():
                self.search.add_role(role.path)
            return search()

    def _route_module(
        self, name: str, collections: Sequence[str], roles: Sequence[str]
    ) -> tuple[str, Sequence[Diagnostic]]:
        found = self._searched(lambda: self.search.canonical(name, collections=collections, roles=roles))
        return found.name, found.notices

    def _has_lookup(self, name: str) -> bool:
        if name not in self._ground.lookups:
            self._add_role_plugins()
        return name in self._ground.lookups

    def _add_role_plugins(self) -> None:
        for role in self.loader.roles.values():
            self.plugins.add_beside(role.path)

    def warn(self, diagnostic: Diagnostic) -> None:
        """Show a warning."""
        self.screen.reporter.warn(self.place(diagnostic))


def _roles_of(task: Task) -> list[str]:
    return [task.role.path, *(parent.path for parent in task.role.parents)] if task.role else []


def _is_full_name(playbook: str) -> bool:
    """Tell whether a playbook of the command line is named by its collection: there is no file of that name."""
    return split_name(playbook) is not None and not is_file(playbook)


def _no_playbook(path: str) -> Diagnostic:
    """Give the fault of a command that names a playbook that is not there (or is no file)."""
    there = os.path.exists(path)  # noqa: PTH110  # plain text
    return Diagnostic("missing-playbook", f"the playbook {path} {'is no file' if there else 'is not there'}")
