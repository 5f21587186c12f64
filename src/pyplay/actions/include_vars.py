"""include_vars: read variables from a file, or from the files of a directory."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Any

from pyplay.actions.base import HIDES, ActionFailed
from pyplay.actions.files import search
from pyplay.actions.options import Options, boolean, integer, strings, text
from pyplay.actions.spec import names_in, options_in
from pyplay.diagnostics.dataclass import dataclass
from pyplay.diagnostics.deprecated import deprecated
from pyplay.diagnostics.errors import AuthorError
from pyplay.diagnostics.suggest import nearest
from pyplay.source.text import origin_of
from pyplay.source.yaml import load_text, read_text
from pyplay.templating.filters.plain import type_name
from pyplay.templating.scope import MISSING

if TYPE_CHECKING:
    from pyplay.actions.base import ActionCall
    from pyplay.diagnostics.model import Diagnostic

OPTIONS = {
    "options": {
        "_raw_params": {"type": "str", "doc": "The file, as free text."},
        "file": {"type": "path", "doc": "The file."},
        "dir": {"type": "path", "doc": "A directory whose files are all read, in order of their names."},
        "name": {"type": "str", "doc": "Put the variables into a mapping of this name."},
        "depth": {"type": "int", "default": 0, "doc": "How many directories deep to go; 0 goes all the way."},
        "files_matching": {"type": "str", "doc": "Read only files whose name this regular expression finds."},
        "ignore_files": {"type": "list", "elements": "str", "doc": "Regular expressions of names to leave out."},
        "extensions": {
            "type": "list",
            "elements": "str",
            "default": ["json", "yaml", "yml"],
            "doc": "Extensions of the files to read.",
        },
        "ignore_unknown_extensions": {"type": "bool", "default": False, "doc": "Pass over files of other extensions."},
        "hash_behaviour": {
            "type": "str",
            "choices": ["replace", "merge"],
            "doc": "What becomes of mappings that are there already; the setting of that name if not given.",
        },
    },
    "required_one_of": [["_raw_params", "file", "dir"]],
    "check_mode": "full",
    "diff": False,
    "platforms": "all",
    "returns": {
        "ansible_facts": "The variables, as they were written.",
        "ansible_included_var_files": "The files that were read.",
    },
}
_OPTIONS = Options("include_vars", OPTIONS)

_FILE_ONLY = ("file", "_raw_params")
_DIR_ONLY = ("dir", "depth", "files_matching", "ignore_files", "extensions", "ignore_unknown_extensions")
_LISTS = ("ignore_files", "extensions")
_EXTENSIONS = ["yaml", "yml", "json"]


@dataclass(slots=True)
class _Read:
    """The files that were read, and whether one of them is encrypted as a whole."""

    paths: list[str] = field(default_factory=list[str])
    encrypted: bool = False


async def run(call: ActionCall) -> dict[str, Any]:
    """Return the variables as `ansible_facts`, untemplated, and the files they came from.

    Where one of the files is encrypted as a whole, reporters show none of it.
    """
    args = call.args
    _check_names(args)
    files_given = [option for option in _FILE_ONLY if args.get(option)]
    if files_given and (wrong := [option for option in _DIR_ONLY if option in args]):
        raise ActionFailed(f"{files_given[0]} reads one file, {wrong[0]} a directory: these are incompatible")
    if not files_given and not args.get("dir"):
        raise _failed("include_vars: Could not find file: neither 'file' nor 'dir' names one")
    for option in _LISTS:
        _check_list(option, args.get(option))
    _OPTIONS.check(args)
    if isinstance(files := args.get("ignore_files"), str):
        call.templar.notices.append(deprecated("ignore-files-text", {}, origin_of(files)))
    read = _Read()
    try:
        found = await call.render(_read, call, read)
    except ActionFailed as error:
        raise _failed(error.msg, read) from error
    except AuthorError as error:
        raise _misread(error.diagnostics[0], read) from error
    return {"ansible_facts": found, "ansible_included_var_files": read.paths, HIDES: read.encrypted}


def _check_names(args: Mapping[str, Any]) -> None:
    known = names_in(options_in(OPTIONS))
    for option in args:
        if option not in known:
            guess = nearest(option, known)
            mend = f"; did you mean {guess}?" if guess else ""
            raise ActionFailed(f"'{option}' is not a valid option in include_vars{mend}")


def _check_list(option: str, value: Any) -> None:
    """Refuse what is no list; text with commas is taken as one."""
    if value is not None and not isinstance(value, (str, list, tuple)):
        raise ActionFailed(f"the '{option}' option must be a list, not {type_name(value)}: {value!r}")


def _read(call: ActionCall, read: _Read) -> dict[str, Any]:
    """Give the variables of the files, later ones over earlier ones; only what was there before is merged into.

    With `hash_behaviour = merge` in the settings the store merges (observed with ansible-core 2.21).
    """
    args = call.args
    read.paths.clear()
    found: dict[str, Any] = {}
    for path in _paths(call):
        found.update(_load(call, path, read))
        read.paths.append(path)
    name = text(args, "name")
    if name:
        found = {name: found}
    merge = text(args, "hash_behaviour") == "merge" and call.settings.hash_behaviour != "merge"
    return _with_existing(call, found) if merge else found


def _paths(call: ActionCall) -> Iterator[str]:
    args = call.args
    name = text(args, "file") or text(args, "_raw_params")
    name = name.rstrip("\n") if name else name  # as a folded text of YAML ends (observed with ansible-core 2.21)
    if name:
        yield _found(call, name)
        return
    root = _found(call, str(args["dir"]), "directory does not exist: ")
    if not os.path.isdir(root):  # noqa: PTH112  # a plain string from a user
        raise _failed(f"{root} is not a directory")
    yield from _below(call, root)


def _found(call: ActionCall, name: str, fault: str = "") -> str:
    try:
        return search(call, "vars", name)
    except ActionFailed as error:
        raise _failed(f"{fault}{error.msg}") from None


def _failed(message: str, read: _Read | None = None) -> ActionFailed:
    paths, encrypted = (read.paths, read.encrypted) if read else ([], False)
    told: dict[str, Any] = {"ansible_facts": {}, "ansible_included_var_files": list(paths), HIDES: encrypted}
    return ActionFailed(message, message=message, **told)


def _misread(fault: Diagnostic, read: _Read) -> ActionFailed:
    """Give the failure for a fault in a file; its line is shown, not the task's."""
    place = fault.origin.shown if fault.origin else ""
    told = _failed(fault.message + (f" ({place})" if place else "") + (f"; {fault.help}" if fault.help else ""), read)
    if place:
        told.result["_ansible_origin"] = place
    return told


def _below(call: ActionCall, root: str) -> Iterator[str]:
    """Give the files of a directory that are wanted, in order of name, directories by depth."""
    args = call.args
    depth = integer(args, "depth")
    matching, ignored = text(args, "files_matching"), strings(args, "ignore_files")
    extensions = [extension.lstrip(".") for extension in strings(args, "extensions")] or _EXTENSIONS
    lenient = boolean(args, "ignore_unknown_extensions")
    role = call.task.role
    role_vars = os.path.join(role.path, "vars") if role else None  # noqa: PTH118  # plain strings
    for base, directories, names in os.walk(root, followlinks=True):
        directories.sort()
        level = os.path.relpath(base, root).count(os.sep) + (base != root) + 1
        if depth and level >= depth:
            directories.clear()
        for name in sorted(names):
            if role_vars == base and name in ("main.yml", "main.yaml"):
                continue
            if _ignored(name, ignored) or (matching and not re.search(matching, name)):
                continue
            if os.path.splitext(name)[1].lstrip(".") not in extensions:  # noqa: PTH122  # plain strings
                if lenient or matching is not None:
                    continue
                raise _failed(f"{os.path.join(base, name)} does not have a valid extension: {', '.join(extensions)}")  # noqa: PTH118  # plain strings
            yield os.path.join(base, name)  # noqa: PTH118  # plain strings


def _ignored(name: str, patterns: list[str]) -> bool:
    return any(re.search(f"{pattern}$", name) for pattern in patterns)


def _load(call: ActionCall, path: str, read: _Read) -> Mapping[str, Any]:
    policy: Any = call.settings.duplicate_dict_key
    content, encrypted = read_text(path, vault=call.vault)
    read.encrypted = read.encrypted or encrypted
    values = load_text(content, path, vault=call.vault, duplicates=policy, secret=encrypted)
    if values is None:
        return {}
    if not isinstance(values, Mapping):
        raise _failed(f"{path} must hold a mapping (dictionary) of variables, this is {type_name(values)}")
    return values  # pyright: ignore[reportUnknownVariableType]  # variables


def _merged(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """Give `old` with `new` over it, mappings in both merged all the way down."""
    found = dict(old)
    for name, value in new.items():
        before: Any = found.get(name)
        both = isinstance(before, Mapping) and isinstance(value, Mapping)
        found[name] = _merged(before, value) if both else value  # pyright: ignore[reportUnknownArgumentType]  # checked
    return found


def _with_existing(call: ActionCall, found: dict[str, Any]) -> dict[str, Any]:
    """Merge mappings with what the variables of their names hold now."""
    scope = call.templar.scope
    merged: dict[str, Any] = {}
    for name, value in found.items():
        raw: Any = scope.get(name)
        merged[name] = value
        if isinstance(value, Mapping) and raw is not MISSING:
            before: Any = call.templar.resolve(raw)
            if isinstance(before, Mapping):
                merged[name] = _merged(before, value)  # pyright: ignore[reportUnknownArgumentType]  # variables
    return merged
