"""Filters on file names. They look at text; only realpath and fileglob look at the controller's disk."""

# ruff: noqa: PTH111, PTH122, PTH113, PTH207  # names in, names out, unchanged otherwise

from __future__ import annotations

import glob
import ntpath
import os
import posixpath
from typing import Any

from pyplay.templating.filters.errors import FilterError
from pyplay.templating.filters.plain import is_listlike, shown, type_name
from pyplay.templating.marks import reads_disk


def _text(value: Any, name: str) -> str:
    if not isinstance(value, (str, os.PathLike)):
        raise FilterError(f"needs a path, not {type_name(value)}: {shown(value)}", help=_list_help(value, name))
    return str(value)  # type: ignore[arg-type]


def _list_help(value: Any, name: str) -> str:
    return f"for every item of a list: map('{name}')" if is_listlike(value) else ""


def basename(value: Any) -> str:
    """Give the last part of a path; empty if it ends in a slash."""
    return posixpath.basename(_text(value, "basename"))


def dirname(value: Any) -> str:
    """Give a path without its last part."""
    return posixpath.dirname(_text(value, "dirname"))


def expanduser(value: Any) -> str:
    """Give a path with a leading ~ or ~user replaced by the home directory on the controller."""
    return os.path.expanduser(_text(value, "expanduser"))


def expandvars(value: Any) -> str:
    """Give a path with $NAME and ${NAME} replaced by environment variables of the controller; unknown ones stay."""
    return os.path.expandvars(_text(value, "expandvars"))


def normpath(value: Any) -> str:
    """Give a path without doubled slashes, `.` and `..` where text alone can tell."""
    return os.path.normpath(_text(value, "normpath"))


@reads_disk
def realpath(value: Any) -> str:
    """Give the absolute path with symbolic links followed, as the controller's disk has them."""
    return os.path.realpath(_text(value, "realpath"))


def relpath(value: Any, start: str = os.curdir) -> str:
    """Give the path as seen from the directory `start` (the current one)."""
    try:
        return os.path.relpath(_text(value, "relpath"), start)
    except ValueError as error:
        raise FilterError(f"{error}") from error


def commonpath(value: Any) -> str:
    """Give the longest path that all paths of a list share."""
    if not is_listlike(value):
        raise FilterError(f"expects a sequence of paths, not {type_name(value)}")
    try:
        return os.path.commonpath([_text(item, "commonpath") for item in value])
    except ValueError as error:
        raise FilterError(f"{str(error)[:1].lower()}{str(error)[1:]}") from error


def path_join(value: Any) -> str:
    """Give the paths of a list joined by slashes; an absolute one starts anew. A single path comes back as it is."""
    if isinstance(value, str):
        return str(value)
    if not is_listlike(value):
        raise FilterError(f"expects string or sequence of paths, not {type_name(value)}")
    if not value:
        raise FilterError("the list of paths is empty")
    return posixpath.join(*(_text(item, "path_join") for item in value))


def splitext(value: Any) -> tuple[str, str]:
    """Give a path's root and its extension, with the dot."""
    return os.path.splitext(_text(value, "splitext"))


def win_basename(value: Any) -> str:
    """Give the last part of a Windows path."""
    return ntpath.basename(_text(value, "win_basename"))


def win_dirname(value: Any) -> str:
    """Give a Windows path without its last part."""
    return ntpath.dirname(_text(value, "win_dirname"))


def win_splitdrive(value: Any) -> tuple[str, str]:
    """Give the drive (or share) of a Windows path, and the rest."""
    return ntpath.splitdrive(_text(value, "win_splitdrive"))


@reads_disk
def fileglob(value: Any) -> list[str]:
    """Give the files, not directories, on the controller that a shell pattern matches, sorted."""
    return sorted(path for path in glob.glob(_text(value, "fileglob")) if os.path.isfile(path))
