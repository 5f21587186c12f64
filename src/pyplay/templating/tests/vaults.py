"""Tests for what is encrypted."""

from __future__ import annotations

from typing import Any

from pyplay.source.vault import HEADER, Secret, VaultText
from pyplay.templating.filters.errors import FilterError
from pyplay.templating.filters.plain import raise_undefined, shown
from pyplay.templating.marks import lazy, reads_disk
from pyplay.templating.sealed import Opened, Sealed


@lazy
def vault_encrypted(value: Any) -> bool:
    """Tell whether a value stands encrypted (`!vault`) in the file that it comes from."""
    from jinja2 import Undefined  # noqa: PLC0415

    if isinstance(value, Undefined):
        raise_undefined(value)
    return isinstance(value, (VaultText, Secret, Sealed, Opened))


@reads_disk
def vaulted_file(value: Any) -> bool:
    """Tell whether a file of the controller is encrypted as a whole."""
    try:
        with open(str(value), "rb") as stream:  # noqa: PTH123
            return stream.read(len(HEADER)) == HEADER.encode()
    except OSError as error:
        raise FilterError(f"cannot read {shown(value)}: {(error.strerror or '').lower()}") from error
