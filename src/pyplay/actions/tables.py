"""The OPTIONS tables of modules and actions, read as data: nothing of a module or action is imported or run.

A table is that of a module (see `remote.module_utils.options`). An action may say more in its own:

- `extends`: the module whose options it has besides its own; `loose`: which of them are needed is not known here;
- `others`: what becomes of options that the table does not name: `taken` (they mean something to the action) or
  `ignored`; without it they are faults;
- `also`: names that are taken without a word, as Ansible takes them.
"""

from __future__ import annotations

import os
from dataclasses import field
from typing import TYPE_CHECKING, Any

from pyplay.actions.normal import module_name
from pyplay.actions.registry import ACTIONS
from pyplay.actions.spec import names_in, options_in
from pyplay.diagnostics.dataclass import dataclass
from pyplay.diagnostics.errors import AuthorError
from pyplay.playbook.builtin import BUILTIN_PREFIX, is_builtin, short_name
from pyplay.playbook.statements import STATEMENTS
from pyplay.shipping.module_text import LITERAL, find_options, find_style

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from pyplay.playbook.model import Task
    from pyplay.shipping.search import ModuleFile, ModuleSearch

_RULES = ("mutually_exclusive", "required_together", "required_one_of", "required_if", "required_by")


@dataclass(slots=True)
class OptionTable:
    """A table made ready for checking many tasks. `clean` are the shapes of arguments that were found without fault."""

    spec: Mapping[str, Any]
    options: Mapping[str, Mapping[str, Any]]
    names: Mapping[str, str]
    judged: Mapping[str, str]  # options whose value, and not their presence alone, decides, and their kind
    clean: set[Any] = field(default_factory=set[Any])

    @classmethod
    def of(cls, spec: Mapping[str, Any]) -> OptionTable:
        """Make a table ready."""
        options = options_in(spec)
        judged = {name: _kind(option) for name, option in options.items() if not _takes_anything(option)}
        judged.update((rule[0], "") for rule in spec.get("required_if", ()))
        return cls(spec, options, names_in(options), judged)


def _takes_anything(option: Mapping[str, Any]) -> bool:
    return option.get("type", "str") in ("str", "path", "raw") and not option.get("choices")


def _kind(option: Mapping[str, Any]) -> str:
    """Tell how the values of an option are judged: `words` takes any text, `int` any number, others one by one."""
    kind = option.get("type", "str")
    if option.get("choices"):
        return ""
    if kind == "list" and option.get("elements", "raw") in ("str", "path", "raw"):
        return "words"
    return "int" if kind == "int" else ""


def read_table(path: str | Path, *, ours: bool = True) -> dict[str, Any] | None:
    """Give the literal OPTIONS of a file, None if it has none. `ours`: a file of this project."""
    try:
        with open(path, "rb") as file:  # noqa: PTH123  # plain text
            source = file.read()
        if not ours:
            import ast  # noqa: PLC0415  # for the modules of others

            return find_options(ast.parse(source)) if find_style(path, source) == "pyplay" else None
        literal = LITERAL.search(source.decode())
        return None if literal is None else _evaluated(literal[0].partition("=")[2].strip())
    except (OSError, SyntaxError, ValueError):
        return None


def _evaluated(literal: str) -> Any:
    """Give the value of a literal of ours; `literal_eval`, which judges every part of it, takes twice as long."""
    return eval(literal, {"__builtins__": {}})  # noqa: S307  # a file of this package


def action_table(short: str) -> dict[str, Any] | None:
    """Give the table that the action of the built-in `short` declares, None where there is none."""
    if short in STATEMENTS:
        return STATEMENTS[short]
    name = ACTIONS.get(short)
    return None if name is None else read_table(os.path.join(os.path.dirname(__file__), f"{name}.py"))  # noqa: PTH118, PTH120  # plain text


class OptionTables:
    """The tables of the modules and actions that tasks name, each read once."""

    def __init__(self, search: ModuleSearch) -> None:
        self._search = search
        self._tables: dict[tuple[str, str | None], OptionTable | None] = {}  # by name and role, whose library may count
        self._of_files: dict[tuple[str, str | None], OptionTable | None] = {}  # by action and the module's file
        self._of_actions: dict[str, dict[str, Any] | None] = {}

    def of(self, task: Task) -> OptionTable | None:
        """Give the table for the task's arguments, None for modules that declare none that can be read as data."""
        role = None if task.action.startswith(BUILTIN_PREFIX) else task.role
        key = (task.action, role.path if role else None)
        if key not in self._tables:
            homes = [role.path, *(parent.path for parent in role.parents)] if role else []
            self._tables[key] = self._found(module_name(task), task, homes)
        return self._tables[key]

    def _found(self, name: str, task: Task, homes: Sequence[str]) -> OptionTable | None:
        short = short_name(task.resolved_action)
        own = self._action(short) if is_builtin(task.resolved_action) else None
        if own is not None and "extends" not in own and not self._overridden(name, homes):
            return self._made(short, own, None)
        file = self._module(name if own is None else own.get("extends", name), homes)
        return None if file is None else self._made(short, own, file)

    def _made(self, short: str, own: Mapping[str, Any] | None, file: ModuleFile | None) -> OptionTable | None:
        """Give the table of an action alone, of a module alone, or of both."""
        key = ("" if own is None else short, None if file is None else file.place)
        if key not in self._of_files:
            spec = None if file is None else read_table(file.place, ours=file.builtin)
            if own is not None and (file is None or spec is not None):
                spec = own if spec is None else _extended(own, spec)
            self._of_files[key] = None if spec is None else OptionTable.of(spec)
        return self._of_files[key]

    def _action(self, short: str) -> dict[str, Any] | None:
        if short not in self._of_actions:
            self._of_actions[short] = action_table(short)
        return self._of_actions[short]

    def _overridden(self, name: str, homes: Sequence[str]) -> bool:
        """Tell whether a user's module stands where the built-in's host half would."""
        if name.startswith(BUILTIN_PREFIX):
            return False
        file = self._module(name, homes)
        return file is not None and not file.builtin

    def _module(self, name: str, homes: Sequence[str]) -> ModuleFile | None:
        try:
            return self._search.find(name, roles=homes)
        except AuthorError:
            return None


def _extended(own: Mapping[str, Any], module: Mapping[str, Any]) -> dict[str, Any]:
    merged = {**module, **own, "options": {**module.get("options", {}), **own["options"]}}
    if own.get("loose"):
        merged = {key: value for key, value in merged.items() if key not in _RULES}
        merged["options"] = {name: {**option, "required": False} for name, option in merged["options"].items()}
    return merged
