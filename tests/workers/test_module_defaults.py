"""module_defaults: entries of inner levels replace outer ones as a whole; groups lie beneath a module's own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from pyplay.diagnostics.errors import PlaybookError
from pyplay.diagnostics.model import Origin
from pyplay.playbook.model import Task
from pyplay.workers.module_defaults import BuiltinNames, defaults_of

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True)
class Named:
    name: str


class Names:
    """Knows the module a.b.new, also called old, and the group a.b.all that it is in."""

    def canonical(self, name: str, *, roles: Sequence[str] = (), collections: Sequence[str] = ()) -> Named:
        del roles, collections
        if name == "missing":
            raise PlaybookError.of("unknown-module", "no")
        return Named("a.b.new" if name in ("new", "old", "a.b.old") else name)

    def in_group(self, name: str, group: str) -> bool:
        if group != "a.b.all":
            raise PlaybookError.of("unknown-group", "no")
        return name == "a.b.new"


class Plain:
    """A templar for values without templates."""

    def resolve(self, value: Any) -> Any:
        return value


def found(*levels: dict[str, Any], action: str = "a.b.new", names: Any = None) -> dict[str, Any]:
    task = Task(
        id=1, play_id=1, action=action, resolved_action=action, origin=Origin("x"), args={}, module_defaults=levels
    )
    return defaults_of(task, Plain(), action, names or Names())  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("levels", "expected"),
    [
        ([], {}),
        ([{"a.b.new": {"x": 1, "y": 1}}, {"old": {"x": 2}}], {"x": 2}),
        ([{"group/a.b.all": {"x": 1, "y": 1}}, {"new": {"x": 2}}], {"x": 2, "y": 1}),
        ([{"new": {"x": 2}}, {"group/a.b.all": {"x": 1, "y": 1}}], {"x": 2, "y": 1}),
        ([{"group/a.b.all": {"x": 1, "y": 1}}, {"group/a.b.all": {"x": 2}}], {"x": 2}),
        ([{"group/a.b.none": {"x": 1}, "missing": {"x": 1}, "other": {"x": 1}}], {}),
        ([{"new": None}], {}),
    ],
)
def test_levels(levels: list[dict[str, Any]], expected: dict[str, Any]) -> None:
    assert found(*levels) == expected


def test_builtin_modules_are_known_by_both_names() -> None:
    levels = {"file": {"x": 1}}, {"ansible.builtin.file": {"y": 1}}
    assert found(*levels, action="ansible.builtin.file", names=BuiltinNames()) == {"y": 1}
