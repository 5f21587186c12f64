"""Checking `module_defaults` while parsing: modules and groups that they name must be there, as in ansible-core."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.errors import PlaybookError
from pyplay.playbook import builtin
from pyplay.source.shapes import is_map
from pyplay.source.text import SourceMap, origin_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pyplay.playbook.context import Context
    from pyplay.playbook.workspace import Workspace

GROUP = "group/"


def check_defaults(space: Workspace, levels: Iterable[Any], context: Context | None) -> None:
    """Note the names in `levels` of module_defaults that are of no module and no group of modules.

    A module may be one of a role that stands further down: what is not there yet is looked for again at the end.
    """
    for level in levels:
        if is_map(level):
            for key in level:
                _check(space, level, key, context)


def _check(space: Workspace, level: dict[Any, Any], key: Any, context: Context | None, *, at_end: bool = False) -> None:
    name = str(key)
    if "{{" in name or builtin.is_builtin(name):
        return
    role = context.role if context is not None else None
    roles = [each.path for each in (role, *role.parents)] if role is not None else []
    collections = context.fields.get("collections", ()) if context is not None else ()
    try:
        if name.startswith(GROUP):
            if space.check_group is not None:
                space.check_group(name.removeprefix(GROUP))
        elif space.route_module is not None:
            space.route_module(name, collections, roles)
    except PlaybookError as error:
        if not at_end and error.diagnostics[0].code == "unknown-module":
            space.judge_at_end(partial(_check, space, level, key, context, at_end=True))
            return
        origins = level.key_origins if isinstance(level, SourceMap) else {}
        for fault in error.diagnostics:
            origin = origins.get(key) or origin_of(level)
            space.fault(fault.code, fault.message, origin, length=len(name), mend=fault.help)
