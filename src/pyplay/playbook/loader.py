"""The door to this package: playbooks, and what dynamic includes bring in, as plays, blocks and tasks."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.cycles import arrows, places
from pyplay.playbook.model import Block
from pyplay.playbook.objects import read_keywords
from pyplay.playbook.playparse import PlayParser
from pyplay.playbook.roleparse import RoleParser, compile_role
from pyplay.playbook.search import find_tasks_file, missing_tasks_file, searched_for_tasks
from pyplay.playbook.taskparse import TaskParser
from pyplay.playbook.workspace import Workspace
from pyplay.source import yaml
from pyplay.source.text import SourceMap

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from pyplay.diagnostics.model import Diagnostic
    from pyplay.playbook.context import Context
    from pyplay.playbook.model import Play, Role, Task
    from pyplay.playbook.workspace import FindModule, Render, RouteModule
    from pyplay.source.collections import Collections
    from pyplay.source.settings import Settings
    from pyplay.source.vault import VaultSecrets


class PlaybookLoader:
    """Loads playbooks and includes for one run; every file is parsed once.

    `tasks`, `roles` and `plays` hold all that was made, by id.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        extra_vars: Mapping[str, Any] | None = None,
        vault: VaultSecrets | None = None,
        on_warning: Callable[[Diagnostic], None] | None = None,
        render: Render | None = None,
        find_module: FindModule | None = None,
        known_modules: Callable[[], Iterable[str]] | None = None,
        find_lookup: Callable[[str], bool] | None = None,
        known_lookups: Callable[[], Iterable[str]] | None = None,
        route_module: RouteModule | None = None,
        check_group: Callable[[str], object] | None = None,
        collections: Collections | None = None,
    ) -> None:
        """Make a loader.

        `render(value, variables)` renders names of static imports; `find_module(name, task)` tells whether there is a
        module of that name, or what would mend that there is none; `find_lookup(name)` whether there is a lookup for
        `with_name`; `known_modules` and `known_lookups` give names for "did you mean". `route_module(name, collections,
        roles)` gives the full name of a module, searched in `collections` and in the directories `roles`, and the
        deprecations on the way to it; it may raise PlaybookError, as may `check_group(name)`, which judges the groups
        in module_defaults. What is not given leaves names as written, and
        unjudged. `collections` are the installed ones, by default those that the settings lead to.
        """
        self._space = Workspace(
            settings, extra_vars=extra_vars or {}, render=render, vault=vault, on_warning=on_warning,
            find_module=find_module, known_modules=known_modules,
            find_lookup=find_lookup, known_lookups=known_lookups, route_module=route_module, check_group=check_group,
            collections=collections,
        )  # fmt: skip
        self._roles = RoleParser(self._space)
        self._tasks = TaskParser(self._space, self._roles.import_role)
        self._roles.tasks = self._tasks
        self._plays = PlayParser(self._space, self._tasks, self._roles)
        self.tasks: dict[int, Task] = self._space.tasks
        self.roles: dict[int, Role] = self._space.roles
        self.plays: dict[int, Play] = self._space.plays

    def load_playbook(self, path: str) -> list[Play]:
        """Give the plays of the playbook at `path`, imports expanded. Raises PlaybookError with every fault found."""
        with self._space.collecting():
            return self._plays.parse_file(os.path.abspath(path))  # noqa: PTH100  # links stay as written
        return []

    def read_file(self, path: str) -> Any:
        """Give the value of the YAML file at `path`, parsed once in a run. Raises PlaybookError."""
        return self._space.read(path)

    def load_text(self, text: str, name: str, *, basedir: str | None = None) -> list[Play]:
        """Give the plays in `text`, which goes by `name` in messages; files are found from `basedir` (default: here).

        Raises PlaybookError with every fault found.
        """
        with self._space.collecting():
            raw = yaml.load_text(text, name, vault=self._space.vault, on_warning=self._space.on_warning)
            return self._plays.parse_plays(raw, name, basedir=basedir or os.getcwd())  # noqa: PTH109  # links stay
        return []

    def make_task(self, play: Play, action: str, args: Mapping[str, Any], **fields: Any) -> Task:
        """Give a task of `play` that no user wrote (gathering facts, ad-hoc commands), numbered and known like others.

        `fields` are attributes of `Task`; the play's own keywords are in `play.keywords`.
        """
        return self._plays.make_task(play, action, args, **fields)

    def load_tasks(
        self,
        path: str,
        parent: Task,
        *,
        handler: bool = False,
        params: Mapping[str, Any] | None = None,
        apply: Mapping[str, Any] | None = None,
    ) -> list[Block]:
        """Give the tasks of the file that the include `parent` names `path`.

        The tasks inherit what stands around the include and its `apply`, not its own keywords; its `vars` and `params`
        (rendered variables and those of the loop) are their `include_params`. `apply`, rendered, stands in for
        `parent.apply`. Raises PlaybookError.
        """
        space = self._space
        with space.collecting():
            context = self._include_context(parent, handler=handler, params=params, apply=apply)
            found = find_tasks_file(space, path, context, static=False)
            if found is None:
                missing_tasks_file(space, path, context, parent.arg_origins.get("_raw_params") or parent.origin)
                return []
            if self._is_endless(context, parent):
                return []
            inner = context.enter_file(found, path, parent.origin, dynamic=True)
            return [Block(tasks=self._tasks.parse_list(space.read(found), inner, found, None), role=inner.role)]
        return []

    def find_tasks(self, path: str, parent: Task, *, handler: bool = False) -> str | None:
        """Give the file that the include `parent` names `path`, None if there is none."""
        return find_tasks_file(self._space, path, self._include_context(parent, handler=handler), static=False)

    def searched_tasks(self, path: str, parent: Task, *, handler: bool = False) -> list[str]:
        """Give the places where the file that the include `parent` names `path` was searched, in order."""
        return searched_for_tasks(self._space, path, self._include_context(parent, handler=handler), static=False)

    def load_role(
        self,
        name: str,
        parent: Task,
        *,
        handler: bool = False,
        params: Mapping[str, Any] | None = None,
        apply: Mapping[str, Any] | None = None,
        **options: Any,
    ) -> tuple[Role, list[Block]]:
        """Give the role that the include `parent` names `name`, and its blocks (dependencies first).

        `options` are those of include_role: tasks_from, vars_from, defaults_from, handlers_from, public,
        allow_duplicates, rolespec_validate. Its handlers are `compile.role_handlers(role)`. Raises PlaybookError.
        """
        made: list[tuple[Role, list[Block]]] = []
        with self._space.collecting():
            context = self._include_context(parent, handler=handler, params=params, apply=apply)
            variables = {**parent.vars, **(params or {})}
            use = self._roles.use_of(name, options, {}, variables, parent.origin, public=False)
            around = (context.role, *context.role.parents) if context.role else ()
            inner = context.within_dynamic(parent.origin).searching(parent.collections)
            endless = self._is_endless(context, parent)
            role = None if endless else self._roles.make(use, inner, around, resolved=True)
            if role is not None:
                made.append((role, compile_role(role)))
        return made[0]

    def _is_endless(self, context: Context, parent: Task) -> bool:
        """Tell whether the include `parent` stands in a file that includes itself without end, which is noted."""
        around = context.trail.endless()
        if around is None:
            return False
        self._space.fault(
            "include-cycle", f"these files include each other without end: {arrows(around.names)}", parent.origin,
            mend="give one of the includes a condition ('when') that ends it",
            notes=places(around.names, around.origins),
        )  # fmt: skip
        return True

    def _include_context(
        self,
        parent: Task,
        *,
        handler: bool = False,
        params: Mapping[str, Any] | None = None,
        apply: Mapping[str, Any] | None = None,
    ) -> Context:
        context = self._tasks.contexts[parent.id]
        raw = parent.apply
        if isinstance(raw, SourceMap):
            if apply is not None:
                raw = SourceMap(apply, raw.origin, raw.key_origins)
            values = read_keywords(self._space, raw, "block", context)
            context = context.inherit(values, values.get("vars"))
        context = context.with_params(parent.vars, params or {})
        return context.as_handler() if handler else context
