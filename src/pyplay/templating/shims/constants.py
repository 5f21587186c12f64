"""`ansible.constants`: settings by Ansible's names for them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


def constants(settings: Any) -> Mapping[str, Any]:
    """Give the contents of the module: `C.DEFAULT_FORKS` and the like are looked up when asked for."""

    def lookup(name: str) -> Any:
        from pyplay.source.catalogue import Catalogue, plain  # noqa: PLC0415  # long tables that few plugins ask for

        catalogue = Catalogue(settings, os.environ, os.getcwd()) if settings is not None else None  # noqa: PTH109
        entry = catalogue.find(name) if catalogue else None
        if entry is None:
            raise AttributeError(f"there is no setting {name}")
        return plain(entry.value)

    return {"__getattr__": lookup}
