"""Tests on paths of the controller's disk."""

# ruff: noqa: PTH110, PTH112, PTH113, PTH114, PTH117, PTH121  # names as users wrote them

from __future__ import annotations

import os
from typing import Any

from pyplay.templating.filters.errors import FilterError
from pyplay.templating.filters.plain import shown, type_name
from pyplay.templating.marks import reads_disk


def _path(value: Any) -> str:
    if isinstance(value, (str, os.PathLike)):
        return str(value)  # type: ignore[arg-type]
    if isinstance(value, int):
        return str(value)
    raise FilterError(f"needs a path, not {type_name(value)}: {shown(value)}")


@reads_disk
def exists(value: Any) -> bool:
    """Tell whether a path leads to something; a link to nothing does not."""
    return os.path.exists(_path(value))


@reads_disk
def link_exists(value: Any) -> bool:
    """Tell whether there is something at a path, be it a link to nothing."""
    return os.path.lexists(_path(value))


@reads_disk
def is_file(value: Any) -> bool:
    """Tell whether a path leads to a regular file."""
    return os.path.isfile(_path(value))


@reads_disk
def is_directory(value: Any) -> bool:
    """Tell whether a path leads to a directory."""
    return os.path.isdir(_path(value))


@reads_disk
def is_link(value: Any) -> bool:
    """Tell whether a path is a symbolic link."""
    return os.path.islink(_path(value))


@reads_disk
def is_mount(value: Any) -> bool:
    """Tell whether a path is a mount point."""
    return os.path.ismount(_path(value))


def is_absolute(value: Any) -> bool:
    """Tell whether a path is absolute; the disk is not looked at."""
    if not isinstance(value, (str, os.PathLike)):
        raise FilterError(f"needs a path, not {type_name(value)}: {shown(value)}")
    return os.path.isabs(_path(value))


@reads_disk
def same_file(value: Any, other: Any) -> bool:
    """Tell whether two paths lead to the same file or directory."""
    try:
        return os.path.samefile(_path(value), _path(other))
    except OSError as error:
        raise FilterError(f"{error.filename}: {(error.strerror or '').lower()}") from error
