"""Static imports among tasks: import_tasks and import_role, expanded while parsing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from pyplay.diagnostics.cycles import arrows, places
from pyplay.playbook import builtin, keywords
from pyplay.playbook.arguments import RAW, check_options
from pyplay.playbook.search import find_tasks_file, missing_tasks_file
from pyplay.playbook.workspace import is_template

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pyplay.diagnostics.model import Origin
    from pyplay.playbook.arguments import ActionUse
    from pyplay.playbook.context import Context
    from pyplay.playbook.model import Block, Task
    from pyplay.playbook.trail import Round
    from pyplay.playbook.workspace import Workspace
    from pyplay.source.text import SourceMap

    ParseList = Callable[[Any, Context, str, Origin | None], list[Task | Block]]


ON_IMPORT = frozenset({"name", "vars", "args", "action", "local_action"})
"""Keywords that mean something on an import, besides those that the tasks inside inherit."""


class ImportRole(Protocol):
    """What makes the tasks of a role where import_role stands. Implemented by the parser of roles."""

    def __call__(
        self, name: str, options: Mapping[str, Any], own: Mapping[str, Any], context: Context, origin: Origin | None
    ) -> list[Block]:
        """Give the blocks of role `name`; `options` are those of import_role, `own` its keywords."""
        ...


class StaticImports:
    """Expands imports in place."""

    def __init__(self, space: Workspace, parse_list: ParseList, import_role: ImportRole) -> None:
        self.space, self.parse_list, self.import_role = space, parse_list, import_role

    def expand(
        self, short: str, raw: SourceMap, use: ActionUse, values: dict[str, Any], context: Context
    ) -> list[Task | Block]:
        """Give what the import `use` with the keywords `values` stands for. Faults are noted."""
        self._check(raw, use)
        inner = context.inherit(values, values.get("vars"))
        if short == "import_role":
            return self._role(raw, use, values, inner)
        return self._tasks(use, inner)

    def _check(self, raw: SourceMap, use: ActionUse) -> None:
        for key in map(str, raw):
            if key == "loop" or key.startswith(keywords.LOOP_PREFIX):
                self.space.fault(
                    "loop-on-import", f"'{use.name}' is expanded while parsing and cannot be repeated by '{key}'",
                    raw.key_origins.get(key), length=len(key), mend=f"use '{use.name.replace('import', 'include')}'",
                )  # fmt: skip
            elif key in keywords.KEYWORDS and key not in keywords.INHERITED and key not in ON_IMPORT:
                self.space.warn(
                    "no-effect", f"'{key}' has no effect on '{use.name}'", raw.key_origins.get(key), length=len(key),
                    mend="an import is no task of its own: write it on the tasks inside",
                )  # fmt: skip

    def _tasks(self, use: ActionUse, context: Context) -> list[Task | Block]:
        check_options(self.space, use, ("file",))
        written = use.args.get("file", use.args.get(RAW))
        name = self._render(written, use, context)
        if name is None:
            return []
        path = find_tasks_file(self.space, name, context, static=True)
        if path is None:
            missing_tasks_file(self.space, name, context, use.origins.get(RAW) or use.origins.get("file") or use.origin)
            return []
        origin = use.origins.get(RAW) or use.origins.get("file") or use.origin
        if (around := context.trail.round_to(path, origin)) is not None:
            self._cycle(around, use)
            return []
        with self.space.noting():
            return self.parse_list(self.space.read(path), context.enter_file(path, name, origin), path, None)
        return []

    def _role(self, raw: SourceMap, use: ActionUse, values: dict[str, Any], context: Context) -> list[Task | Block]:
        check_options(self.space, use, tuple(name for name in builtin.ROLE_OPTIONS if name != "apply"))
        options = dict(use.args)
        name = self._render(options.pop("name", None) or options.pop("role", None), use, context)
        if name is None:
            return []
        for option in ("tasks_from", "vars_from", "defaults_from", "handlers_from"):
            if is_template(options.get(option)):
                with self.space.noting():
                    options[option] = self.space.render_name(
                        options[option], context.static_variables(self.space.extra_vars)
                    )
        return list(self.import_role(name, options, values, context, use.origin or raw.origin))

    def _render(self, written: Any, use: ActionUse, context: Context) -> str | None:
        """Give the rendered name of what is imported; None where there is none, which is noted."""
        if not isinstance(written, str) or not written.strip():
            self.space.fault("no-target", f"'{use.name}' does not say what to import", use.origin, length=len(use.name))
            return None
        with self.space.noting():
            name = self.space.render_name(written, context.static_variables(self.space.extra_vars))
            return str(name).strip()
        return None

    def _cycle(self, around: Round, use: ActionUse) -> None:
        self.space.fault(
            "import-cycle", f"these files import each other: {arrows(around.names)}", use.origin, length=len(use.name),
            mend="an import that depends on a condition must be an 'include_tasks'",
            notes=places(around.names, around.origins),
        )  # fmt: skip
