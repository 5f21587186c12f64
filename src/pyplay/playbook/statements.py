"""The options of tasks that the controller itself carries out: includes, imports, meta.

Same form as modules' OPTIONS.
"""

from __future__ import annotations

from typing import Any

META_ACTIONS = (
    "noop", "flush_handlers", "refresh_inventory", "clear_facts", "clear_host_errors", "end_batch", "end_play",
    "end_host", "end_role", "reset_connection",
)  # fmt: skip

_FILE = {
    "_raw_params": {"type": "str", "doc": "The file of tasks, as free text."},
    "file": {"type": "str", "doc": "The file of tasks."},
}
_APPLY = {"apply": {"type": "raw", "doc": "Keywords for the tasks inside, as a block would give them."}}
_RESCUABLE = {
    "rescuable": {
        "type": "bool",
        "default": True,
        "doc": "A role (or its file) that is not there fails the task, which may be rescued; no: it ends the run.",
    }
}
_ROLE = {
    "name": {"type": "str", "required": True, "aliases": ["role"], "doc": "The role."},
    "tasks_from": {"type": "str", "default": "main", "doc": "File of `tasks/` to run."},
    "vars_from": {"type": "str", "default": "main", "doc": "File of `vars/` to read."},
    "defaults_from": {"type": "str", "default": "main", "doc": "File of `defaults/` to read."},
    "handlers_from": {"type": "str", "default": "main", "doc": "File of `handlers/` to read."},
    "allow_duplicates": {"type": "bool", "default": True, "doc": "Run it again where it has run in the same way."},
    "rolespec_validate": {"type": "bool", "default": True, "doc": "Check variables against the role's specification."},
}  # fmt: skip


def _public(*, default: bool) -> dict[str, Any]:
    return {"public": {"type": "bool", "default": default, "doc": "Let the rest of the play see its variables."}}


def _statement(doc: str, options: dict[str, Any]) -> dict[str, Any]:
    return {"doc": doc, "options": options, "check_mode": "full", "diff": False, "platforms": "all"}


STATEMENTS: dict[str, dict[str, Any]] = {
    "import_playbook": _statement(
        "Put the plays of another playbook in this place.",
        {"_raw_params": {"type": "str", "doc": "The playbook, as free text."}},
    ),
    "import_role": _statement(
        "Put the tasks of a role in this place, when the playbook is read.", _ROLE | _public(default=True)
    ),
    "import_tasks": _statement("Put the tasks of a file in this place, when the playbook is read.", _FILE),
    "include_role": _statement(
        "Run a role when the task is reached.", _ROLE | _public(default=False) | _APPLY | _RESCUABLE
    ),
    "include_tasks": _statement("Run the tasks of a file when the task is reached.", _FILE | _APPLY),
    "meta": _statement(
        f"Do something to the run itself: {', '.join(META_ACTIONS)}.",
        {"_raw_params": {"type": "str", "choices": list(META_ACTIONS), "doc": "What to do, as free text."}},
    ),
}
"""Tables by short name; `doc` is what the statement does.

What is missing, and options that are none, are told where the statement is parsed.
"""


def option_names(name: str) -> tuple[str, ...]:
    """Give the named options of a statement, aliases included."""
    options = STATEMENTS[name]["options"]
    return tuple(
        alias
        for own, option in options.items()
        if not own.startswith("_")
        for alias in (own, *option.get("aliases", ()))
    )
