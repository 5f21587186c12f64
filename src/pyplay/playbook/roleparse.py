"""Roles: one use of a role in a play, with its files read, its dependencies and its tasks made."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.cycles import arrows, places
from pyplay.diagnostics.dataclass import dataclass
from pyplay.diagnostics.suggest import nearest
from pyplay.playbook import keywords
from pyplay.playbook.fields import describe
from pyplay.playbook.model import Block, Role, Task, TaskKind
from pyplay.playbook.objects import read_keywords
from pyplay.playbook.search import find_role, role_file, searched_for_role
from pyplay.playbook.workspace import is_template
from pyplay.source.booleans import read_boolean
from pyplay.source.collection_homes import install_hint
from pyplay.source.paths import is_dir, is_file
from pyplay.source.shapes import is_list, is_map
from pyplay.source.text import SourceMap, origin_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyplay.diagnostics.model import Origin
    from pyplay.playbook.context import Context
    from pyplay.playbook.taskparse import TaskParser
    from pyplay.playbook.workspace import Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleUse:
    """How a role is asked for: its name, keywords, variables, and which of its files are used."""

    name: str
    origin: Origin | None
    values: Mapping[str, Any]
    variables: Mapping[str, Any]
    params: Mapping[str, Any]
    tasks_from: str = "main"
    vars_from: str = "main"
    defaults_from: str = "main"
    handlers_from: str = "main"
    allow_duplicates: bool | None = None  # None: as the role's meta says
    public: bool = True
    validate: bool = True
    imported: bool = False  # by import_role or include_role, not from `roles` or dependencies


class RoleParser:
    """Makes roles. `tasks` is the parser of their tasks."""

    tasks: TaskParser

    def __init__(self, space: Workspace) -> None:
        self.space = space
        self._metas: dict[str, Mapping[str, Any]] = {}

    # the ways to ask for a role

    def parse_roles(self, raw: Any, context: Context, origin: Origin | None) -> list[Role]:
        """Give the roles of a play's `roles`. Faults are noted."""
        uses = self._uses(raw, context, "roles", origin)
        return [role for use in uses if (role := self.make(use, context, ())) is not None]

    def import_role(
        self, name: str, options: Mapping[str, Any], own: Mapping[str, Any], context: Context, origin: Origin | None
    ) -> list[Block]:
        """Give the blocks of a role where import_role stands; `context` holds its keywords and variables already."""
        values = {key: own[key] for key in ("when", "tags") if key in own}
        use = self.use_of(name, options, values, own.get("vars") or {}, origin, public=True)
        role = self.make(use, context, self._around(context), resolved=True)
        if role is None:
            return []
        context.play.roles.append(role)
        return compile_role(role)

    def use_of(
        self, name: str, options: Mapping[str, Any], values: Mapping[str, Any], variables: Mapping[str, Any],
        origin: Origin | None, *, public: bool,
    ) -> RoleUse:  # fmt: skip
        """Give the use that the options of import_role and include_role describe."""
        files = {key: str(options[key]) for key in _FROM if options.get(key)}
        return RoleUse(
            name=name, origin=origin, values=values, variables=variables, params={}, **files,
            allow_duplicates=_truth(options.get("allow_duplicates"), default=True),
            public=_truth(options.get("public"), default=self._shared(default=public)),
            validate=_truth(options.get("rolespec_validate"), default=True), imported=True,
        )  # fmt: skip

    @staticmethod
    def _around(context: Context) -> tuple[Role, ...]:
        return (context.role, *context.role.parents) if context.role else ()

    def _uses(self, raw: Any, context: Context, what: str, origin: Origin | None) -> list[RoleUse]:
        if raw is None:
            return []
        if not is_list(raw):
            self.space.fault(
                "not-a-list", f"'{what}' takes a list, not {describe(raw)}", origin_of(raw) or origin,
                mend="start each role with '- '",
            )  # fmt: skip
            return []
        items: list[Any] = raw
        return [use for item in items if (use := self._use(item, context, what, origin_of(raw) or origin)) is not None]

    def _use(self, item: Any, context: Context, what: str, origin: Origin | None) -> RoleUse | None:
        if isinstance(item, str):
            name = self._name(item, context)
            return RoleUse(
                name=name, origin=origin_of(item) or origin, values={}, variables={}, params={},
                public=self._shared(default=True),
            )  # fmt: skip
        if not isinstance(item, SourceMap):
            self.space.fault("not-a-role", f"an item of '{what}' names a role, it is not {describe(item)}", origin)
            return None
        key = next((key for key in ("role", "name") if isinstance(item.get(key), str)), None)
        if key is None:
            self.space.fault(
                "no-role", f"an item of '{what}' does not name a role", item.origin, mend="write 'role: NAME'"
            )
            return None
        table = keywords.keywords_of(keywords.ROLE)
        given = SourceMap({k: v for k, v in item.items() if k != "name"}, item.origin, item.key_origins)
        values = read_keywords(self.space, given, keywords.ROLE, context)
        params = {k: v for k, v in item.items() if k not in table and k not in ("role", "name")}
        name, origin = self._name(item[key], context), origin_of(item[key]) or item.origin
        return RoleUse(
            name=name, origin=origin, values=values, variables=values.get("vars") or {}, params=params,
            public=self._shared(default=True),
        )  # fmt: skip

    def _shared(self, *, default: bool) -> bool:
        """Tell whether the play sees the variables of a role that does not say it: as the settings have it, if set."""
        settings = self.space.settings
        return not settings.private_role_vars if "private_role_vars" in settings.origins else default

    def _name(self, written: str, context: Context) -> str:
        if is_template(written):
            with self.space.noting():
                return str(self.space.render_name(written, context.static_variables(self.space.extra_vars)))
        return str(written)

    # making a role

    def make(self, use: RoleUse, context: Context, parents: tuple[Role, ...], *, resolved: bool = False) -> Role | None:
        """Give the role that `use` asks for, None where it is at fault, which is noted.

        `parents` are the roles that depend on it, include or import it, nearest first. With `resolved` the context
        holds the keywords and variables of the use already.
        """
        beside = os.path.dirname(parents[0].path) if parents else None  # noqa: PTH120  # plain text
        found = find_role(self.space, use.name, context, beside=beside)
        if found is None:
            self._missing(use, context, beside)
            return None
        path, fqcn = found
        if self._cycle(use, path, parents, context):
            return None
        meta = self._meta(path)
        role = Role(
            id=self.space.new_id(), name=_short_name(fqcn), fqcn=fqcn, path=path,
            identity=_identity(path, use), params=use.params, parents=parents, public=use.public, origin=use.origin,
            allow_duplicates=self._duplicates(use, meta), collections=_collections(meta, fqcn),
            imported=use.imported,
        )  # fmt: skip
        self.space.roles[role.id] = role
        role.defaults = self._variables(role, "defaults", use.defaults_from, use)
        role.vars = self._variables(role, "vars", use.vars_from, use)
        inner = context if resolved else context.inherit(use.values, use.variables)
        outside = inner.enter_role(role, os.path.join(path, "meta", "main.yml"))  # noqa: PTH118  # plain text
        role.dependencies = self._dependencies(role, meta, outside)
        role.handlers = self._handlers(role, use, inner)
        role.tasks = self._task_blocks(role, use, meta, inner)
        return role

    def _missing(self, use: RoleUse, context: Context, beside: str | None) -> None:
        places = searched_for_role(self.space, use.name, context, beside)
        names = {name for place in places if is_dir(place) for name in os.listdir(place)}  # noqa: PTH208  # plain text
        match = nearest(use.name, names)
        self.space.fault(
            "missing-role", f"there is no role '{use.name}'", use.origin, length=len(use.name),
            mend=f"did you mean '{match}'?" if match else _install_hint(use.name),
            notes=[f"searched: {', '.join(places)}"],
        )  # fmt: skip

    def _cycle(self, use: RoleUse, path: str, parents: tuple[Role, ...], context: Context) -> bool:
        chain = [role for role in parents if role.id not in context.dynamic_roles]
        again = next((i for i, role in enumerate(chain) if role.path == path), None)
        if again is None:
            return False
        circle = chain[again::-1]
        names = [*(role.name for role in circle), use.name]
        self.space.fault(
            "role-cycle", f"these roles use each other: {arrows(names)}", use.origin, length=len(use.name),
            mend="take one of the dependencies out, or use 'include_role' with a condition",
            notes=places(names, [*(role.origin for role in circle[1:]), use.origin]),
        )  # fmt: skip
        return True

    @staticmethod
    def _duplicates(use: RoleUse, meta: Mapping[str, Any]) -> bool:
        if use.allow_duplicates is not None:
            return use.allow_duplicates
        return _truth(meta.get("allow_duplicates"), default=False)

    def _meta(self, path: str) -> Mapping[str, Any]:
        if path not in self._metas:
            self._metas[path] = self._read_meta(path)
        return self._metas[path]

    def _read_meta(self, path: str) -> Mapping[str, Any]:
        found: dict[str, Any] = {}
        with self.space.noting():
            if file := role_file(self.space, path, "meta", "main"):
                raw = self.space.read(file)
                if is_map(raw):
                    found.update(raw)
                elif raw is not None:
                    self.space.fault("bad-meta", f"a role's meta is a mapping, not {describe(raw)}", origin_of(raw))
            if file := role_file(self.space, path, "meta", "argument_specs"):
                raw = self.space.read(file)
                if is_map(raw):
                    found["argument_specs"] = raw.get("argument_specs") or {}
            self._check_specs(found.get("argument_specs"))
        return found

    def _check_specs(self, specs: Any) -> None:
        """Note what is no mapping of entry points to specifications."""
        if specs is not None and not is_map(specs):
            shown = f"'argument_specs' is a mapping of entry points, not {describe(specs)}"
            self.space.fault("bad-meta", shown, origin_of(specs), mend="write 'main: {options: …}' below it")
        for entry, spec in specs.items() if is_map(specs) else ():
            if spec is not None and not is_map(spec):
                shown = f"the specification of '{entry}' is a mapping, not {describe(spec)}"
                self.space.fault("bad-meta", shown, origin_of(spec), mend="write 'options: …' below it")

    def _variables(self, role: Role, kind: str, name: str, use: RoleUse) -> Mapping[str, Any]:
        """Give the variables in `kind` (defaults, vars) of a role: a file, or all files of a directory of that name."""
        merged = SourceMap()
        directory = os.path.join(role.path, kind, name)  # noqa: PTH118  # plain text
        files = sorted(_variable_files(directory)) if is_dir(directory) else []
        if not files:
            file = role_file(self.space, role.path, kind, name)
            if file is None and name != "main":
                self._missing_part(role, kind, name, use)
            files = [file] if file else []
        for file in files:
            with self.space.noting():
                raw = self.space.read(file)
                if isinstance(raw, SourceMap):
                    merged.update(raw)
                    merged.key_origins.update(raw.key_origins)
                    merged.origin = merged.origin or raw.origin
                elif raw is not None:
                    self.space.fault(
                        "not-a-mapping", f"a file of variables is a mapping, not {describe(raw)}", origin_of(raw)
                    )
        return merged

    def _missing_part(self, role: Role, kind: str, name: str, use: RoleUse) -> None:
        directory = os.path.join(role.path, kind)  # noqa: PTH118  # plain text
        names = [os.path.splitext(other)[0] for other in os.listdir(directory)] if is_dir(directory) else []  # noqa: PTH122, PTH208  # plain text
        match = nearest(name, names)
        self.space.fault(
            "missing-role-file", f"role '{role.name}' has no {kind} '{name}'", use.origin,
            mend=f"did you mean '{match}'?" if match else "", notes=[f"searched: {directory}"],
        )  # fmt: skip

    def _dependencies(self, role: Role, meta: Mapping[str, Any], context: Context) -> tuple[Role, ...]:
        uses = self._uses(meta.get("dependencies"), context, "dependencies", role.origin)
        around = (role, *role.parents)
        return tuple(found for use in uses if (found := self.make(use, context, around)) is not None)

    def _handlers(self, role: Role, use: RoleUse, context: Context) -> list[Block]:
        file = role_file(self.space, role.path, "handlers", use.handlers_from)
        if file is None:
            if use.handlers_from != "main":
                self._missing_part(role, "handlers", use.handlers_from, use)
            return []
        inner = context.enter_role(role, file).as_handler()
        with self.space.noting():
            return [Block(tasks=self.tasks.parse_list(self.space.read(file), inner, file, None), role=role)]
        return []

    def _task_blocks(self, role: Role, use: RoleUse, meta: Mapping[str, Any], context: Context) -> list[Block]:
        file = role_file(self.space, role.path, "tasks", use.tasks_from)
        if file is None and use.tasks_from != "main":
            self._missing_part(role, "tasks", use.tasks_from, use)
        inner = context.enter_role(role, file or os.path.join(role.path, "tasks", "main.yml"))  # noqa: PTH118  # plain text
        found: list[Task | Block] = []
        if use.validate:
            found += self._spec_check(role, use, meta, inner)
        if file is not None:
            with self.space.noting():
                found += self.tasks.parse_list(self.space.read(file), inner, file, None)
        end = self._implicit(role, inner, "role_complete")
        return [Block(tasks=found, role=role), Block(tasks=[end], role=role, ends_role=True)]

    def _spec_check(self, role: Role, use: RoleUse, meta: Mapping[str, Any], context: Context) -> list[Task]:
        """Give the task that checks the role's variables, if the role describes them for this entry point."""
        specs = meta.get("argument_specs")
        if not is_map(specs):
            return []
        entry = use.tasks_from  # as written: `x.yml` is no entry point `x` (observed with ansible-core 2.21)
        spec: Any = specs.get(entry)
        if not is_map(spec):
            return []
        about: str = spec.get("short_description") or ""
        name = f"Validating arguments against arg spec '{entry}'{f' - {about}' if about else ''}"
        args = {
            "argument_spec": spec.get("options") or {},
            "provided_arguments": dict(use.params),
            "validate_args_context": {
                "type": "role",
                "name": role.name,
                "argument_spec_name": entry,
                "path": role.path,
            },
        }
        task = self._task(role, context, "ansible.builtin.validate_argument_spec", args)
        task.name = name
        task.tags = (*task.tags, "always")
        return [task]

    def _implicit(self, role: Role, context: Context, action: str) -> Task:
        task = self._task(role, context, "ansible.builtin.meta", {"_raw_params": action})
        task.kind, task.implicit, task.tags, task.when = TaskKind.META, True, ("always",), ()
        return task

    def _task(self, role: Role, context: Context, action: str, args: dict[str, Any]) -> Task:
        origin = role.origin or context.play.origin
        task = Task(
            id=self.space.new_id(), play_id=context.play.id, action=action, resolved_action=action, origin=origin,
            args=args, **context.fields,
        )  # fmt: skip
        self.space.tasks[task.id] = task
        return task


_FROM = ("tasks_from", "vars_from", "defaults_from", "handlers_from")


def compile_role(role: Role) -> list[Block]:
    """Give the blocks of a role in the order in which they run: dependencies, own tasks, the end of the role."""
    return [block for dependency in role.dependencies for block in compile_role(dependency)] + role.tasks


def role_handlers(role: Role) -> list[Block]:
    """Give the handlers of a role, those of its dependencies first."""
    return [block for dependency in role.dependencies for block in role_handlers(dependency)] + role.handlers


def _variable_files(directory: str) -> list[str]:
    """Give the vars files below `directory`; hidden files and editors' backups are passed over."""
    from pathlib import Path  # noqa: PLC0415  # few roles have more than one file of variables

    return [
        str(path) for path in Path(directory).rglob("*")
        if is_file(path) and path.suffix in (".yml", ".yaml", ".json") and not path.name.startswith(".")
    ]  # fmt: skip


def _truth(value: Any, *, default: bool) -> bool:
    meant = read_boolean(value)
    return default if meant is None else meant


def _collections(meta: Mapping[str, Any], fqcn: str) -> tuple[str, ...]:
    """Give the collections that a role searches: its own one first, then those that its meta names."""
    parts = fqcn.split(".")
    own = (".".join(parts[:2]),) if len(parts) > 2 else ()
    named: Any = meta.get("collections")
    return (*own, *(str(name) for name in named)) if is_list(named) else own


def _short_name(fqcn: str) -> str:
    """Give a role's name without its collection; other names stay as they were written."""
    parts = fqcn.split(".")
    return ".".join(parts[2:]) if len(parts) > 2 and all(part.isidentifier() for part in parts) else fqcn


def _identity(path: str, use: RoleUse) -> Any:
    """Give what two uses must share to count as the same. Source: observed with ansible-core 2.21.

    Parameters, `vars`, `when`, `tags` and the files used count; other keywords (become, …) do not.
    """
    own = [dict(use.params), dict(use.variables), list(use.values.get("when", ())), list(use.values.get("tags", ()))]
    files = (use.tasks_from, use.vars_from, use.defaults_from, use.handlers_from)
    return (path, use.imported, files, tuple(freeze(part) for part in own))


def freeze(value: Any) -> Any:
    """Give a hashable value that is equal for equal `value`s."""
    if is_map(value):
        return ("map", frozenset((key, freeze(item)) for key, item in value.items()))
    if is_list(value):
        return ("list", tuple(map(freeze, value)))
    return str(value) if isinstance(value, str) else (type(value).__name__, value)


def _install_hint(name: str) -> str:
    """Return what mends a missing role: roles of Galaxy are OWNER.NAME, those of collections have one part more."""
    if name.count(".") >= 2:
        return install_hint(name)
    command = f" (pyplay install --role {name})" if name.count(".") == 1 else ""
    return f"install it{command}, or name its directory in roles_path"
