"""The implicit task that gathers facts at the start of a play."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.playbook.keywords import INHERITED

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pyplay.engine.context import Loader
    from pyplay.playbook.model import Play, Task
    from pyplay.source.settings import Settings

NAME = "Gathering Facts"
_OPTIONS = ("gather_subset", "gather_timeout", "fact_path")


def gather_task(play: Play, settings: Settings, loader: Loader) -> Task:
    """Give the task that gathers the facts of the play's hosts, with the play's keywords.

    It runs whatever --tags says, unless the play has tags of its own.
    """
    fields = inherited(play) | {"name": NAME, "tags": tuple(play.tags) or ("always",)}
    return loader.make_task(play, "ansible.builtin.gather_facts", _arguments(play, settings), **fields)


def inherited(play: Play) -> dict[str, Any]:
    """Give the attributes that tasks of `play` inherit from its keywords."""
    rows = ((INHERITED.get(name), value) for name, value in play.keywords.items())
    return {row.field: value for row, value in rows if row is not None}


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
