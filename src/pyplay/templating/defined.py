"""What is left of a value when its undefined members are taken out."""

from __future__ import annotations

from typing import Any, cast

from pyplay.templating.undefined import Undefined
from pyplay.templating.values import finish


def defined_members(value: Any) -> Any:
    """Return the rendered `value` as `finish` does, but leave undefined members out of lists and mappings.

    Raises UndefinedUse where `value` itself is undefined.
    """
    if isinstance(value, dict):
        pairs = cast("dict[Any, Any]", value).items()
        return {finish(key): defined_members(member) for key, member in pairs if not isinstance(member, Undefined)}
    if isinstance(value, list):
        members = cast("list[Any]", value)
        return [defined_members(member) for member in members if not isinstance(member, Undefined)]
    return finish(value)
