"""Lookups that read or find files of the controller, in the directories where tasks look for files."""

# ruff: noqa: PTH113, PTH118, PTH207  # names as users wrote them

from __future__ import annotations

import glob
import os
import re
from dataclasses import field
from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.dataclass import dataclass
from pyplay.templating.filters.plain import is_listlike, is_mapping, shown, type_name
from pyplay.templating.lookups.base import LookupFailed
from pyplay.templating.lookups.options import as_terms, boolean, text, warn_unknown
from pyplay.templating.lookups.search import search_directories

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyplay.templating.lookups.base import LookupCall


def file(terms: Any, call: LookupCall, *, lstrip: Any = False, rstrip: Any = True, **unknown: Any) -> list[str]:
    """Give the contents of files, searched in `files/`; vault files are decrypted.

    White space at the end is taken off unless `rstrip` is false, that at the start only if `lstrip` is true.
    """
    warn_unknown(unknown, "file", call)
    found: list[str] = []
    for term in as_terms(terms):
        name = text(term, "file", "a file name")
        contents = call.read_file(call.require_file("files", name, "file")).decode("utf-8", "surrogateescape")
        if boolean(lstrip, "file", "lstrip"):
            contents = contents.lstrip()
        found.append(contents.rstrip() if boolean(rstrip, "file", "rstrip") else contents)
    return found


def unvault(terms: Any, call: LookupCall, **unknown: Any) -> list[str]:
    """Give the contents of files, vault files decrypted, nothing taken off."""
    warn_unknown(unknown, "unvault", call)
    names = [text(term, "unvault", "a file name") for term in as_terms(terms)]
    return [
        call.read_file(call.require_file("files", name, "unvault")).decode("utf-8", "surrogateescape") for name in names
    ]


def fileglob(terms: Any, call: LookupCall, **unknown: Any) -> list[str]:
    """Give the files, not directories, that shell patterns match, sorted; a pattern is searched in `files/` first.

    The first directory of the search path with a match is the one that counts.
    """
    warn_unknown(unknown, "fileglob", call)
    found: list[str] = []
    for term in as_terms(terms):
        pattern = os.path.expanduser(text(term, "fileglob", "a pattern"))  # noqa: PTH111
        for directory in search_directories(call.templar.search_path, call.templar.basedir, "files"):
            matches = sorted(path for path in glob.glob(os.path.join(directory, pattern)) if os.path.isfile(path))
            if matches:
                found.extend(matches)
                break
    return found


_SEPARATORS = {"files": re.compile("[,;]"), "paths": re.compile("[,:;]")}


@dataclass(slots=True)
class _Wanted:
    """Names to look for, in order, and whether finding none is no failure."""

    names: list[str] = field(default_factory=list[str])
    skip: bool = False


def first_found(
    terms: Any, call: LookupCall, *, files: Any = None, paths: Any = None, skip: Any = False, **unknown: Any
) -> list[str]:
    """Give the path of the first file there is, as a list of one; fails if there is none, unless `skip` is true.

    Terms are names, or mappings with `files`, `paths` (directories) and `skip`. Searched in `files/`, in `templates/`
    for a task with a template.
    """
    warn_unknown(unknown, "first_found", call)
    wanted = _Wanted(skip=boolean(skip, "first_found", "skip"))
    given = as_terms(terms)
    for term in given:
        _collect(term, paths, wanted, call)
    if files is not None or (paths is not None and not given):
        _collect({"files": files, "paths": paths}, None, wanted, call)
    for name in wanted.names:
        path = call.find_file(call.subdir, name)
        if path is not None:
            return [path]
    if wanted.skip:
        return []
    tried = ", ".join(wanted.names[:8]) or "no name was given"
    raise LookupFailed(
        f"lookup 'first_found': none of these files is there: {tried}", help="skip=true makes it no failure"
    )


def _collect(term: Any, paths: Any, wanted: _Wanted, call: LookupCall) -> None:
    if isinstance(term, str):
        wanted.names += _combined(_names(term, "files", call), _names(paths, "paths", call))
    elif is_mapping(term):
        options: Mapping[str, Any] = term
        names = _names(options.get("files"), "files", call)
        wanted.names += _combined(names, _names(options.get("paths", paths), "paths", call))
        wanted.skip = boolean(options.get("skip", wanted.skip), "first_found", "skip")
    elif is_listlike(term):
        for inner in term:
            _collect(inner, paths, wanted, call)
    else:
        raise LookupFailed(f"lookup 'first_found' needs names, mappings or lists, not {type_name(term)}: {shown(term)}")


def _combined(names: list[str], paths: list[str]) -> list[str]:
    return [os.path.join(path, name) for path in paths for name in names] if paths else names


def _names(value: Any, option: str, call: LookupCall) -> list[str]:
    """Give names from a text, divided at separators, which is deprecated, or from a list of such texts."""
    if value is None:
        return []
    parts: list[str] = []
    for item in as_terms(value):
        words = _SEPARATORS[option].split(text(item, "first_found", "a name"))
        if len(words) > 1:
            call.deprecate("first-found-split", text=str(item), option=option)
        parts.extend(word.strip() for word in words)
    return [part for part in parts if part]
