"""A value on level N beats the same name on level N-1, for all 22 documented levels."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pyplay.inventory.varfiles import VarsFiles
from pyplay.source.text import SourceMap, Trusted

if TYPE_CHECKING:
    from collections.abc import Callable


def write_vars(world: Any, place: str, value: int) -> None:
    path = Path(world.basedir) / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"v: {value}\n", encoding="utf-8")


def beside_inventory(world: Any, place: str, value: int) -> None:
    root = Path(world.basedir) / "inventory"
    path = root / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"v: {value}\n", encoding="utf-8")
    if not world.inventory.vars_files:
        world.inventory.vars_files = [VarsFiles(str(root))]


def role_of(world: Any) -> Any:
    if world.task.role is None:
        world.task.role = world.new_role("r1")
        world.play.roles.append(world.task.role)
    return world.task.role


def set_role(world: Any, field: str, value: int) -> None:
    setattr(role_of(world), field, {"v": value})


LEVELS: list[tuple[str, Callable[[Any, int], None]]] = [
    ("role defaults", lambda w, v: set_role(w, "defaults", v)),
    ("inventory vars of all", lambda w, v: w.inventory.set_group_vars("all", {"v": v})),
    ("inventory group vars", lambda w, v: w.inventory.set_group_vars("web", {"v": v})),
    ("inventory group_vars/all", lambda w, v: beside_inventory(w, "group_vars/all.yml", v)),
    ("playbook group_vars/all", lambda w, v: write_vars(w, "group_vars/all.yml", v)),
    ("inventory group_vars/*", lambda w, v: beside_inventory(w, "group_vars/web.yml", v)),
    ("playbook group_vars/*", lambda w, v: write_vars(w, "group_vars/web.yml", v)),
    ("inventory host vars", lambda w, v: w.inventory.add_host("h1", (), {"v": v})),
    ("inventory host_vars/*", lambda w, v: beside_inventory(w, "host_vars/h1.yml", v)),
    ("playbook host_vars/*", lambda w, v: write_vars(w, "host_vars/h1.yml", v)),
    ("facts", lambda w, v: w.write("h1", "facts", v=v)),
    ("play vars", lambda w, v: setattr(w.play, "vars", {"v": v})),
    ("vars_prompt", lambda w, v: w.write("", "prompts", v=v)),
    ("vars_files", lambda w, v: w.write("", "vars_files", v=v)),
    ("vars_files of the host", lambda w, v: w.write("h1", "vars_files", v=v)),
    ("role vars", lambda w, v: set_role(w, "vars", v)),
    ("block vars", lambda w, v: setattr(w.task, "block_vars", ({"v": v},))),
    ("task vars", lambda w, v: setattr(w.task, "vars", {"v": v})),
    ("include_vars", lambda w, v: w.write("h1", "include_vars", v=v)),
    ("set_fact and register", lambda w, v: w.write("h1", "set_facts", v=v)),
    ("role params", lambda w, v: set_role(w, "params", v)),
    ("include params", lambda w, v: setattr(w.task, "include_params", ({"v": v},))),
    ("extra vars", lambda w, v: w.extra_vars.update(v=v)),
]


@pytest.mark.parametrize("level", range(1, len(LEVELS)), ids=[f"{a[0]} beats {b[0]}" for b, a in pairwise(LEVELS)])
def test_a_level_beats_the_one_below(world: Any, level: int) -> None:
    LEVELS[level - 1][1](world, 1)
    LEVELS[level][1](world, 2)
    assert world.render("{{ v }}") == 2


@pytest.mark.parametrize("level", range(len(LEVELS)), ids=[name for name, _ in LEVELS])
def test_every_level_counts(world: Any, level: int) -> None:
    LEVELS[level][1](world, 7)
    assert world.render("{{ v }}") == 7


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sets(st.integers(0, len(LEVELS) - 1), min_size=1))
def test_the_highest_of_any_levels_wins(new_world: Any, levels: set[int]) -> None:
    world = new_world()
    for level in levels:
        LEVELS[level][1](world, level)
    assert world.render("{{ v }}") == max(levels)


def test_inner_blocks_and_later_includes_win(world: Any) -> None:
    world.task.block_vars = ({"a": "outer"}, {"a": "inner"})
    world.task.include_params = ({"b": "outer"}, {"b": "inner"})
    assert world.render("{{ a }} {{ b }}") == "inner inner"


def test_a_role_sees_what_brought_it_and_what_it_depends_on(world: Any) -> None:
    dependency = world.new_role("dep", defaults={"d": "dep", "dd": 1}, vars={"v": "dep", "dv": 2})
    top = world.new_role("top", defaults={"d": "top"}, vars={"v": "top"}, params={"p": 5}, dependencies=(dependency,))
    dependency.parents = (top,)
    world.play.roles.append(top)
    assert world.render("{{ d }} {{ v }} {{ p }} {{ dd }} {{ dv }}", role=top) == "top top 5 1 2"
    assert world.render("{{ d }} {{ v }} {{ p }}", role=dependency) == "dep dep 5"
    assert world.render("{{ d }} {{ v }} {{ dd }} {{ dv }} {{ p | default('none') }}") == "top top 1 2 none"


def test_later_roles_of_a_play_win_outside_of_roles(world: Any) -> None:
    world.play.roles += [world.new_role("a", vars={"v": "a"}), world.new_role("b", vars={"v": "b"})]
    assert world.render("{{ v }}") == "b"


def test_a_role_that_is_not_public_is_seen_by_its_own_tasks_alone(world: Any) -> None:
    hidden = world.new_role("hidden", vars={"v": 1}, defaults={"d": 2}, public=False)
    world.play.roles.append(hidden)
    assert world.render("{{ v | default('no') }} {{ d | default('no') }}") == "no no"
    assert world.render("{{ v }} {{ d }}", role=hidden) == "1 2"


def test_roles_that_become_public_later_are_seen(world: Any) -> None:
    assert world.render("{{ v | default('no') }}") == "no"
    world.play.roles.append(world.new_role("late", vars={"v": 1}))
    assert world.render("{{ v }}") == 1


def test_mappings_are_replaced_unless_hash_behaviour_is_merge(world: Any) -> None:
    world.play.vars = SourceMap({"m": SourceMap({"a": 1, "in": SourceMap({"x": 1, "y": Trusted("{{ z }}")})}), "z": 9})
    world.task.vars = {"m": {"b": 2, "in": {"x": 5}}, "s": {"x": 1}}
    world.extra_vars["s"] = "text"
    assert world.render("{{ m }}") == {"b": 2, "in": {"x": 5}}
    world._manager, world.settings = None, world.settings.changed(hash_behaviour="merge")
    assert world.render("{{ m }}") == {"a": 1, "b": 2, "in": {"x": 5, "y": 9}}
    assert world.render("{{ s }}") == "text"
