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
    """Names to look for, in order; the directories of names that follow; whether finding none is no failure."""

    paths: list[str]
    skip: bool
    names: list[str] = field(default_factory=list[str])

    def add(self, names: list[str]) -> None:
        """Look for these names, too."""
        self.names += _combined(names, self.paths)


def first_found(
    terms: Any, call: LookupCall, *, files: Any = None, paths: Any = None, skip: Any = False, **unknown: Any
) -> list[str]:
    """Return the path of the first file there is, as a list of one; fail if there is none, unless `skip` is true.

    Terms are names, or mappings with `files`, `paths` (directories) and `skip`. A mapping's `paths` and `skip` stand in
    for those of the call, also for the terms behind it; `files` of the call counts where there is no term.
    Searched in `files/`, in `templates/` for template, in `vars/` for include_vars.
    Source: observed with ansible-core 2.21.
    """
    warn_unknown(unknown, "first_found", call)
    wanted = _Wanted(_names(paths, "paths", call), boolean(skip, "first_found", "skip"))
    if not terms and files is not None:
        wanted.add(_names(files, "files", call))
    for term in as_terms(terms):
        _collect(term, wanted, call)
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


def _collect(term: Any, wanted: _Wanted, call: LookupCall) -> None:
    if isinstance(term, str):
        wanted.add(_names(term, "files", call))
    elif is_mapping(term):
        options: Mapping[str, Any] = term
        wanted.paths = _names(options.get("paths"), "paths", call)
        wanted.skip = boolean(options.get("skip", False), "first_found", "skip")
        wanted.add(_names(options.get("files"), "files", call))
    elif is_listlike(term):
        for inner in term:
            _collect(inner, wanted, call)
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
