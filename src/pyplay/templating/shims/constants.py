"""`ansible.constants`: settings by Ansible's names for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.templating.lookups.config import find_setting

if TYPE_CHECKING:
    from collections.abc import Mapping


def constants(settings: Any) -> Mapping[str, Any]:
    """Give the contents of the module: `C.DEFAULT_FORKS` and the like are looked up when asked for."""

    def lookup(name: str) -> Any:
        row = find_setting(name) if settings is not None else None
        if row is None:
            raise AttributeError(f"there is no setting {name}")
        value = getattr(settings, row.name)
        return list(value) if isinstance(value, tuple) else value  # type: ignore[arg-type]

    return {"__getattr__": lookup}
