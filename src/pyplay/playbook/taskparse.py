"""Tasks, handlers and blocks: from what YAML gave to the model, inheritance resolved, static imports expanded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.deprecated import MODULES
from pyplay.diagnostics.errors import PlaybookError
from pyplay.diagnostics.late_modules import late_modules
from pyplay.diagnostics.model import Origin
from pyplay.diagnostics.suggest import did_you_mean, nearest
from pyplay.playbook import builtin, keywords
from pyplay.playbook.arguments import RAW, VARIABLE, ActionUse, check_meta, check_options, read_action
from pyplay.playbook.imports import StaticImports
from pyplay.playbook.model import Block, Task, TaskKind
from pyplay.playbook.objects import as_items, check_keys, read_keywords, unknown_keyword
from pyplay.source.text import SourceMap, Trusted, origin_of

with late_modules("pyplay.playbook.old_include"):
    from pyplay.playbook import old_include

if TYPE_CHECKING:
    from pyplay.playbook.context import Context
    from pyplay.playbook.imports import ImportRole
    from pyplay.playbook.workspace import Workspace

BLOCK_KEYS = ("block", "rescue", "always")
LOCALHOST = "localhost"
OLD = "compat = 2.18 in the section [pyplay] of ansible.cfg takes it as it was meant"
_NOT_FIELDS = frozenset({"action", "local_action", "args", "vars", "loop", "collections"})


class TaskParser:
    """Parses lists of tasks. `contexts` keeps, by task id, where each dynamic include stands."""

    def __init__(self, space: Workspace, import_role: ImportRole) -> None:
        self.space = space
        self.contexts: dict[int, Context] = {}
        self.imports = StaticImports(space, self.parse_list, import_role)

    def parse_list(
        self, raw: Any, context: Context, what: str = "tasks", origin: Origin | None = None
    ) -> list[Task | Block]:
        """Give the tasks and blocks of the list `raw`, which is the value of the key `what`. Faults are noted."""
        found: list[Task | Block] = []
        for item, _ in as_items(self.space, raw, what, origin or Origin(context.file)):
            if "block" in item or "rescue" in item or "always" in item:
                if context.handler and what in BLOCK_KEYS:
                    self._block_as_handler(item)
                    continue
                found.append(self._block(item, context))
            else:
                found += self._task(item, context)
        return found

    def _block(self, raw: SourceMap, context: Context) -> Block:
        check_keys(self.space, raw, keywords.BLOCK)
        values = read_keywords(self.space, raw, keywords.BLOCK, context)
        if "block" not in raw:
            key = next(key for key in BLOCK_KEYS if key in raw)
            self.space.warn(
                "no-block", f"'{key}' stands without a 'block'", raw.key_origins.get(key), length=len(key),
                mend="put the tasks that it is for under 'block'",
            )  # fmt: skip
        inner = context.inherit(values, values.get("vars"))
        lists = {key: self.parse_list(raw.get(key), inner, key, raw.key_origins.get(key)) for key in BLOCK_KEYS}
        return Block(
            tasks=lists["block"], rescue=lists["rescue"], always=lists["always"], name=values.get("name"),
            implicit=False, role=context.role, origin=raw.origin,
        )  # fmt: skip

    # one task

    def _task(self, raw: SourceMap, context: Context) -> list[Task | Block]:
        kind = keywords.HANDLER if context.handler else keywords.TASK
        key = self._action_key(raw, kind)
        if key is None:
            return []
        use = read_action(self.space, raw, key)
        values = read_keywords(self.space, raw, kind, context)
        if use is None:
            return []
        resolved = self._resolve(use, values, context)
        if resolved is None:
            return []
        short = builtin.short_name(resolved)
        if context.handler and short in ("import_role", "include_role"):
            self._role_as_handler(use)
            return []
        if short in ("import_tasks", "import_role") and resolved.startswith(builtin.BUILTIN_PREFIX):
            return self.imports.expand(short, raw, use, values, context)
        if (
            short == "include"
            and self.space.takes_old
            and (written := old_include.rewritten(self.space, raw, use)) is not None
        ):
            return self._task(written, context)
        if short in ("import_playbook", "include"):
            self._misplaced(use, short)
            return []
        task = self._make(raw, use, resolved, values, context)
        self._check_module(task, use)
        if resolved in MODULES:
            self.space.deprecate("module", use.origin, length=len(use.name), name=use.name, instead=MODULES[resolved])
        return [task]

    def _resolve(self, use: ActionUse, values: dict[str, Any], context: Context) -> str | None:
        """Give the full name of what a task runs; None where it was removed or may mean several, which is noted."""
        route, known = self.space.route_module, builtin.resolve_action(use.name)
        if route is None or "{{" in use.name:
            return known
        searched = context.inherit(values).fields.get("collections", ()) if "collections" in values else ()
        searched = searched or context.fields.get("collections", ())
        if not searched and known.startswith(builtin.BUILTIN_PREFIX):
            return known
        roles = [role.path for role in (context.role, *context.role.parents)] if context.role else []
        try:
            name, notices = route(use.name, searched, roles)
        except PlaybookError as error:
            told = [fault for fault in error.diagnostics if fault.code != "unknown-module"]
            for fault in told:
                self.space.fault(fault.code, fault.message, use.origin, mend=fault.help, length=len(use.name))
            return None if told else known
        for notice in notices:
            self.space.warn(
                notice.code, notice.message, use.origin,
                mend=notice.help, length=len(use.name), severity=notice.severity,
            )  # fmt: skip
        return name

    def _action_key(self, raw: SourceMap, kind: str) -> str | None:
        """Give the key of a task that names its module. Other keys that are no keywords are noted."""
        table = keywords.keywords_of(kind)
        long_forms = [key for key in ("action", "local_action") if key in raw]
        keys: list[Any] = list(raw)
        candidates = [
            key
            for key in keys
            if key not in table and not (isinstance(key, str) and key.startswith(keywords.LOOP_PREFIX))
        ]
        names = [key for key in candidates if isinstance(key, str) and key not in keywords.KEYWORDS]
        if not names and not long_forms:  # `gather_facts` is a keyword of plays and a module
            names = [key for key in candidates if isinstance(key, str) and builtin.is_builtin(key)]
        if len(names) + len(long_forms) > 1:
            names = self._likely_modules(names, kind, named=bool(long_forms))
        for key in candidates:
            if key not in names:
                unknown_keyword(self.space, raw, key, kind)
        found = long_forms + names
        if len(found) > 1:
            self._two_actions(raw, found)
            return None
        if not found:
            if not candidates:
                self._no_action(raw)
            return None
        return found[0]

    def _likely_modules(self, names: list[str], kind: str, *, named: bool) -> list[str]:
        """Of several keys that are no keywords, give those that name modules rather than being misspelt keywords."""
        sure = [name for name in names if builtin.is_builtin(name) or name.count(".") >= 2]
        if sure or named:
            table = keywords.keywords_of(kind)
            return sure + [name for name in names if name not in sure and nearest(name, table) is None]
        spelt = [name for name in names if nearest(name, keywords.keywords_of(kind)) is None]
        return spelt or names[:1]

    def _two_actions(self, raw: SourceMap, names: list[str]) -> None:
        first, second = names[0], names[1]
        self.space.fault(
            "two-actions", f"a task runs one module, this one names two: '{first}' and '{second}'",
            raw.key_origins.get(second) or raw.origin, length=len(second), label="the second one",
            mend="make two tasks of it: start the second with '- '",
            notes=[f"the first one stands at {raw.key_origins[first]}"] if first in raw.key_origins else [],
        )  # fmt: skip

    def _no_action(self, raw: SourceMap) -> None:
        self.space.fault(
            "no-action", "this task names no module", raw.origin,
            mend="write the name of a module and its options, such as 'ansible.builtin.debug:'",
        )  # fmt: skip

    def _role_as_handler(self, use: ActionUse) -> None:
        self.space.fault(
            "role-as-handler", f"'{use.name}' as a handler cannot be notified", use.origin, length=len(use.name),
            mend="use 'include_tasks' with a file of tasks, or run the role from a task",
        )  # fmt: skip

    def _block_as_handler(self, raw: SourceMap) -> None:
        """Note a block within the handlers' block: nothing could notify what is in it. Source: as core."""
        self.space.fault(
            "block-as-handler", "a block as a handler cannot be notified", raw.origin,
            mend="write its tasks as handlers that listen to one name, or use 'include_tasks' with a file of tasks",
        )  # fmt: skip

    def _flush_as_handler(self, use: ActionUse) -> None:
        self.space.fault(
            "flush-as-handler", "'meta: flush_handlers' as a handler flushes nothing", use.origin, length=len(use.name),
            mend="flush from a task: handlers that handlers notify run in the same flush",
        )  # fmt: skip

    def _misplaced(self, use: ActionUse, short: str) -> None:
        if short == "include":
            self.space.fault(
                "removed-include", "'include' is no longer there", use.origin, length=len(use.name),
                mend="write 'include_tasks' (when the task is reached) or 'import_tasks' (while parsing)",
                notes=[OLD],
            )  # fmt: skip
            return
        self.space.fault(
            "misplaced-import", "a playbook cannot be imported by a task", use.origin, length=len(use.name),
            mend="put 'import_playbook' beside the plays, or use 'import_tasks' for a list of tasks",
        )  # fmt: skip

    def _make(self, raw: SourceMap, use: ActionUse, resolved: str, values: dict[str, Any], context: Context) -> Task:
        fields = context.inherited(values)
        for name, value in values.items():
            row = keywords.KEYWORDS[name]
            if not row.inherited and name not in _NOT_FIELDS:
                fields[row.field] = value
        if "vars" in values:
            fields["vars"] = values["vars"]
        if use.local:
            fields["delegate_to"] = Trusted(LOCALHOST, use.origin)
        self._loop(raw, fields)
        task = Task(
            id=self.space.new_id(), play_id=context.play.id, action=use.name, resolved_action=resolved,
            origin=raw.origin or use.origin or Origin(context.file), args=use.args, arg_origins=use.origins,
            kind=TaskKind.HANDLER if context.handler else TaskKind.TASK, **fields,
        )  # fmt: skip
        self.space.tasks[task.id] = task
        if resolved == "ansible.builtin.meta":
            task.kind = TaskKind.META
            check_meta(self.space, use)
            if context.handler and use.args.get(RAW) == "flush_handlers":
                self._flush_as_handler(use)
        elif resolved in ("ansible.builtin.include_tasks", "ansible.builtin.include_role"):
            self._include(task, raw, use, context)
        return task

    def _loop(self, raw: SourceMap, fields: dict[str, Any]) -> None:
        loops = [key for key in map(str, raw) if (key == "loop" or key.startswith(keywords.LOOP_PREFIX))]
        if len(loops) > 1:
            self.space.fault(
                "two-loops", f"a task has one loop, this one has two: '{loops[0]}' and '{loops[1]}'",
                raw.key_origins.get(loops[1]) or raw.origin, length=len(loops[1]),
                mend="use one of them, or a loop over their product",
            )  # fmt: skip
        elif loops and raw[loops[0]] is None:
            self.space.fault(
                "empty-loop", f"'{loops[0]}' has no value", raw.key_origins.get(loops[0]), length=len(loops[0]),
                mend="give it a list; an empty one is written []",
            )  # fmt: skip
        elif loops:
            fields["loop"] = raw[loops[0]]
            fields["loop_with"] = None if loops[0] == "loop" else loops[0].removeprefix(keywords.LOOP_PREFIX)
            self._check_lookup(fields["loop_with"], raw.key_origins.get(loops[0]))

    def _check_lookup(self, name: str | None, origin: Origin | None) -> None:
        find = self.space.find_lookup
        if name is None or find is None or find(name):
            return
        known = self.space.known_lookups() if self.space.known_lookups else ()
        self.space.fault(
            "unknown-lookup", f"there is no lookup '{name}'", origin, length=len(name) + len(keywords.LOOP_PREFIX),
            mend=did_you_mean(name, known),
        )  # fmt: skip

    def _include(self, task: Task, raw: SourceMap, use: ActionUse, context: Context) -> None:
        """Finish a dynamic include: what it takes, its `apply`, and where it stands for when it is reached."""
        of_role = task.resolved_action == "ansible.builtin.include_role"
        task.kind = TaskKind.INCLUDE_ROLE if of_role else TaskKind.INCLUDE_TASKS
        self.contexts[task.id] = context
        if task.vars:  # its own names and conditions see them as strong as the tasks inside will
            task.include_params = (*task.include_params, task.vars)
        check_options(self.space, use, builtin.ROLE_OPTIONS if of_role else builtin.INCLUDE_TASKS_OPTIONS)
        for key in raw:
            if key in keywords.KEYWORDS and key not in keywords.ON_INCLUDE and key in keywords.keywords_of("task"):
                note = self.space.fault if self.space.settings.invalid_task_attribute_failed else self.space.warn
                note(
                    "keyword-on-include", f"'{key}' has no meaning on '{use.name}' itself", raw.key_origins.get(key),
                    length=len(key), mend=f"put it under 'apply', or use '{use.name.replace('include', 'import')}'",
                )  # fmt: skip
        args: dict[str, Any] = dict(use.args)
        task.apply = self._apply(args.pop("apply", None), context)
        wanted = ("role", "name") if of_role else ("file", RAW)
        if wanted[0] in args:
            args.setdefault(wanted[1], args.pop(wanted[0]))
        if wanted[1] not in args and VARIABLE not in args:
            what = "role" if of_role else "file"
            self.space.fault("no-target", f"'{use.name}' names no {what}", use.origin, length=len(use.name))
        task.args = args

    def _apply(self, raw: Any, context: Context) -> SourceMap | None:
        if raw is None:
            return None
        if not isinstance(raw, SourceMap):
            self.space.fault("bad-value", "'apply' takes a mapping of keywords", origin_of(raw))
            return None
        known = [key for key in keywords.keywords_of(keywords.BLOCK) if key not in BLOCK_KEYS]
        for key in raw:
            if key not in known:
                unknown_keyword(self.space, raw, key, keywords.BLOCK, known=known)
        read_keywords(self.space, raw, keywords.BLOCK, context, tags_later=True)
        return raw

    def _check_module(self, task: Task, use: ActionUse) -> None:
        find = self.space.find_module
        if find is None or "{{" in task.action:
            return
        found = find(task.action, task)
        if found is True:
            return
        mend = found or "install the collection that it is from, or put it into library/"
        if not found or task.action.count(".") < 2:
            others = {*builtin.BUILTIN, *(self.space.known_modules() if self.space.known_modules else ())}
            match = nearest(task.action, others)
            if (
                match is None
                and not use.is_value
                and (keyword := nearest(task.action, keywords.keywords_of(keywords.TASK)))
            ):
                self.space.fault(
                    "unknown-keyword", f"'{task.action}' is neither a keyword nor a module", use.origin,
                    length=len(task.action), mend=f"did you mean '{keyword}'?",
                )  # fmt: skip
                return
            mend = f"did you mean '{match}'?" if match else mend
        if use.is_value:
            self.space.warn(
                "unknown-module", f"there is no module '{task.action}': the task will fail", use.origin,
                length=len(task.action), mend=mend,
            )  # fmt: skip
            return
        self.space.fault(
            "unknown-module", f"there is no module '{task.action}'", use.origin, length=len(task.action), mend=mend
        )
