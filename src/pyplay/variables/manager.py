"""The variable manager: gives the scope and the templar of a task on a host, in the controller and in workers alike."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.dataclass import dataclass, replace
from pyplay.inventory.layers import host_layers
from pyplay.inventory.varfiles import VarsFiles
from pyplay.playbook.places import search_path, subdirectory
from pyplay.templating.atoms import AtomList
from pyplay.templating.watchful import templar_class
from pyplay.variables.hostvars import HostVars
from pyplay.variables.layers import RoleLayers, StaticLayers, role_layers, static_layers
from pyplay.variables.scope import VariableScope

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pyplay.diagnostics.model import Diagnostic
    from pyplay.inventory.model import Inventory
    from pyplay.playbook.model import Play, Task
    from pyplay.source.options import RunOptions
    from pyplay.source.settings import Settings
    from pyplay.source.vault import VaultSecrets
    from pyplay.templating.environment import TemplateEnvironment
    from pyplay.templating.templar import Templar
    from pyplay.variables.store import Store

    Layer = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class _Sight:
    """What a task sees on every host alike; `roles` is how many the play had when this was found."""

    roles: int
    static: StaticLayers
    vars_roots: tuple[str, ...]
    search_path: tuple[str, ...]


class VariableManager:
    """Finds variables for templates: stacks layers by precedence, never merging them per task.

    `plays` are the run's plays; the directory of a play's file is where its `group_vars` and `host_vars` are searched,
    unless the setting `playbook_vars_root` says otherwise. `store` holds what the run has found out.
    """

    def __init__(  # noqa: PLR0917  # the six things it stands on, in the order of their making
        self,
        inventory: Inventory,
        plays: Sequence[Play],
        settings: Settings,
        extra_vars: Mapping[str, Any],
        options: RunOptions,
        store: Store,
        *,
        environment: TemplateEnvironment,
        vault: VaultSecrets | None = None,
        on_warning: Callable[[Diagnostic], None] | None = None,
    ) -> None:
        self.inventory, self.settings, self.extra_vars = inventory, settings, extra_vars
        self.options, self.store, self.environment = options, store, environment
        self.basedir = plays[0].basedir if plays else "."
        self._hostvars: dict[str, HostVars] = {}
        self.merging = settings.hash_behaviour == "merge"
        self.inject_facts = settings.inject_facts_as_vars
        self.injects_by_default = self.inject_facts and "inject_facts_as_vars" not in settings.origins
        self._templar = templar_class(settings.untrusted_template_behavior)
        self._vault, self._on_warning = vault, on_warning
        self._vars_files: dict[str, VarsFiles] = {}
        self._shared: dict[tuple[int, int, int, str, tuple[str, ...]], _Sight] = {}
        self._sights: dict[tuple[int, int], _Sight] = {}
        self._of_roles: dict[int, tuple[int, tuple[RoleLayers, ...]]] = {}
        self._host_layers: dict[tuple[str, tuple[str, ...]], tuple[Layer, ...]] = {}
        self._host_templars: dict[tuple[str, str], Templar] = {}
        self._groups: dict[str, AtomList] | None = None
        self._version = -1

    def scope(self, host: str | None, play: Play | None, task: Task | None = None) -> VariableScope:
        """Give the variables that `task` of `play` sees on `host`.

        Without a host: extra variables and those of play, roles and task. A host that the inventory does not have has
        its name and what the run found out about it.
        """
        return self._scope(host, play, task, self._sight(play, task))

    def _scope(self, host: str | None, play: Play | None, task: Task | None, sight: _Sight) -> VariableScope:
        found = self.inventory.get_host(host) if host is not None else None
        return VariableScope(
            self,
            host,
            found,
            play,
            task,
            static=sight.static,
            inventory_layers=self._inventory_layers(host, sight.vars_roots)
            if host is not None and found is not None
            else (),
        )

    def templar(self, host: str | None, play: Play, task: Task | None = None) -> Templar:
        """Give a templar that sees what `task` of `play` sees on `host`."""
        sight = self._sight(play, task)
        return self._templar(
            self.environment,
            self._scope(host, play, task, sight),
            search_path=sight.search_path,
            basedir=play.basedir,
            subdir=subdirectory(task),
        )

    def hostvars_of(self, play: Play | None) -> HostVars:
        """Give the magic variable `hostvars` as it is in `play`."""
        basedir = self.basedir if play is None else play.basedir
        found = self._hostvars.get(basedir)
        if found is None:
            found = self._hostvars[basedir] = HostVars(self, basedir)
        return found

    def host_templar(self, name: str, basedir: str) -> Templar:
        """Give the templar of a host without play and task, as `hostvars` needs it in plays of a file in `basedir`.

        Raises KeyError if there is no such host.
        """
        self._refresh()
        found = self._host_templars.get((name, basedir))
        if found is None:
            if self.inventory.get_host(name) is None:
                raise KeyError(name)
            sight = replace(self._sight(None, None), vars_roots=(basedir,))
            found = self._host_templars[name, basedir] = self._templar(
                self.environment, self._scope(name, None, None, sight), search_path=(), basedir=basedir
            )
        return found

    @property
    def groups(self) -> dict[str, AtomList]:
        """Give host names by group name (the magic variable `groups`). Shared: do not change it."""
        self._refresh()
        if self._groups is None:
            self._groups = {name: AtomList(hosts) for name, hosts in self.inventory.groups_map().items()}
        return self._groups

    def _sight(self, play: Play | None, task: Task | None) -> _Sight:
        """Give what is the same for all hosts that `task` of `play` runs on."""
        key = (play.id if play is not None else -1, task.id if task is not None else -1)
        roles = len(play.roles) if play is not None else 0  # an include with `public` adds to them
        found = self._sights.get(key)
        if found is None or found.roles != roles:
            found = self._sights[key] = self._looked_at(play, task, roles)
        return found

    def _looked_at(self, play: Play | None, task: Task | None, roles: int) -> _Sight:
        """Give what `_sight` gives, anew: tasks of a role's file that bring no variables of their own share it."""
        if play is None or task is None or task.vars or task.include_params or any(task.block_vars):
            return self._found_out(play, task, roles)
        role = task.role.id if task.role is not None else -1
        key = (play.id, role, roles, task.origin.path, task.search_dirs)
        found = self._shared.get(key)
        if found is None:
            found = self._shared[key] = self._found_out(play, task, roles)
        return found

    def _found_out(self, play: Play | None, task: Task | None, roles: int) -> _Sight:
        static = static_layers(play, task, self._role_layers(play, roles))
        path = search_path(play, task) if play is not None else ()
        return _Sight(roles, static, self._vars_roots(play, task), path)

    def _role_layers(self, play: Play | None, roles: int) -> tuple[RoleLayers, ...]:
        if play is None:
            return ()
        found = self._of_roles.get(play.id)
        if found is None or found[0] != roles:
            found = self._of_roles[play.id] = (roles, role_layers(play))
        return found[1]

    def _inventory_layers(self, name: str, vars_roots: tuple[str, ...]) -> tuple[Layer, ...]:
        """Give the inventory's layers for a host, highest precedence first."""
        self._refresh()
        found = self._host_layers.get((name, vars_roots))
        if found is None:
            host = self.inventory.get_host(name)
            beside = [self._vars_files_of(root) for root in vars_roots] if self.settings.reads_vars_files else []
            layers = host_layers(self.inventory, host, beside) if host is not None else []
            found = self._host_layers[name, vars_roots] = tuple(reversed(layers))
        return found

    def _vars_roots(self, play: Play | None, task: Task | None) -> tuple[str, ...]:
        """Give the directories whose `group_vars` and `host_vars` count, the strongest one last.

        `top` is the directory of the play's file; `bottom` that of the task's role, else of its file; `all` these two
        and the roles around, outer ones after inner ones. Source: observed with ansible-core 2.21.
        """
        if play is None:
            return (self.basedir,)
        kind = self.settings.playbook_vars_root
        if kind == "top" or task is None:
            return (play.basedir,)
        roles = [task.role.path, *(parent.path for parent in task.role.parents)] if task.role is not None else []
        found = dict.fromkeys([*roles, os.path.dirname(os.path.abspath(task.origin.path))])  # noqa: PTH100, PTH120  # links stay
        return tuple(found)[:1] if kind == "bottom" else tuple(found)

    def _vars_files_of(self, basedir: str) -> VarsFiles:
        """Give the variables in files beside the playbook in `basedir`."""
        found = self._vars_files.get(basedir)
        if found is None:
            found = self._vars_files[basedir] = VarsFiles(
                basedir,
                vault=self._vault,
                extensions=self.settings.yaml_valid_extensions,
                on_warning=self._on_warning,
                duplicates=self.settings.duplicate_dict_key,
            )
        return found

    def _refresh(self) -> None:
        """Forget what was computed from an inventory that has changed since."""
        if self._version != self.inventory.version:
            self._version = self.inventory.version
            self._host_layers.clear()
            self._host_templars.clear()
            self._groups = None
