"""The implicit task that gathers facts at the start of a play."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from pyplay.playbook.model import Task

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pyplay.diagnostics.model import Origin
    from pyplay.playbook.model import Play
    from pyplay.source.settings import Settings

NAME = "Gathering Facts"
_TASK_FIELDS = frozenset(field.name for field in fields(Task))
_LISTS = frozenset(("environment", "collections", "module_defaults", "when", "changed_when", "failed_when"))
_OPTIONS = ("gather_subset", "gather_timeout", "fact_path")


def gather_task(play: Play, settings: Settings, task_id: int) -> Task:
    """Give the task that gathers the facts of the play's hosts, with the play's keywords.

    It runs whatever --tags says, unless the play has tags of its own.
    """
    keywords = {name: _listed(name, value) for name, value in play.keywords.items() if name in _TASK_FIELDS}
    keywords["tags"] = tuple(play.tags) or ("always",)
    for name in ("when", "name", "run_once", "delegate_to", "register"):
        keywords.pop(name, None)
    return Task(
        id=task_id,
        play_id=play.id,
        action="gather_facts",
        resolved_action="ansible.builtin.gather_facts",
        origin=play.origin,
        name=NAME,
        args=_arguments(play, settings),
        arg_origins=dict[str, "Origin"](),
        **keywords,
    )


def _listed(name: str, value: Any) -> Any:
    return value if name not in _LISTS or isinstance(value, tuple) else (value,)


def _arguments(play: Play, settings: Settings) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name in _OPTIONS:
        value = getattr(play, name)
        if value is None:
            value = getattr(settings, name) or None
        if value is not None:
            found[name] = list(value) if isinstance(value, tuple) else value  # pyright: ignore[reportUnknownArgumentType]  # raw
    return found


def wants_facts(play: Play, gathering: str, flag: Callable[[Any], bool]) -> bool:
    """Tell whether the play gathers facts, under the setting `gathering`; `flag` renders a boolean."""
    if play.gather_facts is None:
        return gathering != "explicit"
    return flag(play.gather_facts)


def known(facts: Mapping[str, Any]) -> bool:
    """Tell whether the facts of a host were gathered (gathering = smart does not gather them again)."""
    return "module_setup" in facts or "ansible_module_setup" in facts or "distribution" in facts
