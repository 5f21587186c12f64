"""The layers that a play, a role and a task bring, highest precedence first.

Source: Ansible documentation, "Understanding variable precedence"; which roles see whose variables was observed in
ansible-core 2.21: a role sees the defaults, variables and parameters of the roles that brought it and the defaults and
variables of those it depends on; all tasks of a play see the defaults and variables of the play's roles.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from pyplay.playbook.model import Play, Role, Task

    Layer = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class StaticLayers:
    """What does not depend on the host, around the layers that do.

    `upper` are include and role parameters (levels 20 and 21), `middle` the variables of task, blocks and roles (15 to
    17), `play` the play's own (12), `lower` the defaults of roles (2).
    """

    upper: tuple[Layer, ...] = ()
    middle: tuple[Layer, ...] = ()
    play: tuple[Layer, ...] = ()
    lower: tuple[Layer, ...] = ()


@dataclass(frozen=True, slots=True)
class RoleLayers:
    """What a role of a play, with those it depends on, gives to all tasks of the play."""

    role: Role
    vars: tuple[Layer, ...]
    defaults: tuple[Layer, ...]


def role_layers(play: Play) -> tuple[RoleLayers, ...]:
    """Give the layers that the play's roles have for all its tasks, last role first; roles that have none are left out.

    Made once for a play, so a play of many roles with few variables costs its tasks nothing.
    """
    found = (
        RoleLayers(
            role,
            tuple(_filled(_own_and_dependencies(role, "vars"))),
            tuple(_filled(_own_and_dependencies(role, "defaults"))),
        )
        for role in reversed(play.roles)
        if role.public
    )
    return tuple(layers for layers in found if layers.vars or layers.defaults)


def static_layers(play: Play | None, task: Task | None, roles: Iterable[RoleLayers]) -> StaticLayers:
    """Give the layers of `task` in `play`, whose `roles` give what `role_layers` says."""
    role = task.role if task is not None else None
    upper: list[Layer] = []
    middle: list[Layer] = []
    lower: list[Layer] = []
    if task is not None:
        upper += reversed(task.include_params)
        middle += (task.vars, *reversed(task.block_vars))
    if role is not None:
        upper += (each.params for each in (role, *role.parents))
        middle += _vars(role)
        lower += _defaults(role)
    for other in roles:
        if other.role is not role:
            middle += other.vars
            lower += other.defaults
    return StaticLayers(
        tuple(_filled(upper)),
        tuple(_filled(middle)),
        tuple(_filled([play.vars] if play is not None else [])),
        tuple(_filled(lower)),
    )


def _vars(role: Role) -> Iterator[Layer]:
    yield from _own_and_dependencies(role, "vars")
    for parent in role.parents:
        yield parent.vars


def _defaults(role: Role) -> Iterator[Layer]:
    yield role.defaults
    for parent in role.parents:
        yield parent.defaults
    for dependency in reversed(role.dependencies):
        yield from _own_and_dependencies(dependency, "defaults")


def _own_and_dependencies(role: Role, what: str) -> Iterator[Layer]:
    yield getattr(role, what)
    for dependency in reversed(role.dependencies):
        yield from _own_and_dependencies(dependency, what)


def _filled(layers: Iterable[Layer]) -> Iterator[Layer]:
    return (layer for layer in layers if layer)
