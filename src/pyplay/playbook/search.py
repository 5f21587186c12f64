"""Where files of tasks, roles and playbooks are found.

Source: the Ansible documentation, "Search paths", and what ansible-core 2.21 was seen to take.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from pyplay.playbook.workspace import similar_file
from pyplay.source.collections import owner_of, split_name
from pyplay.source.paths import is_dir

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pyplay.diagnostics.model import Origin
    from pyplay.playbook.context import Context
    from pyplay.playbook.workspace import Workspace

join, dirname = os.path.join, os.path.dirname
EXTENSIONS = (".yml", ".yaml", ".json", "")
_OF_THEMSELVES = ("main", "argument_specs")  # the names of a role's files that nobody needs to give


def find_tasks_file(space: Workspace, name: str, context: Context, *, static: bool) -> str | None:
    """Give the path of the file of tasks that an import (`static`) or include in `context` calls `name`."""
    return space.first_existing(map(os.path.normpath, _tasks_candidates(space, name, context, static=static)))


def _tasks_candidates(space: Workspace, name: str, context: Context, *, static: bool) -> Iterator[str]:
    name = os.path.expanduser(name)  # noqa: PTH111
    if os.path.isabs(name):  # noqa: PTH117
        yield name
        return
    if collection := _collection_file(space, name, "tasks"):
        yield collection
    subdir = "handlers" if context.handler else "tasks"
    if context.role:
        own = [join(context.role.path, subdir, name), join(context.role.path, "tasks", name)]
        nested = [join(context.role.path, subdir, *parts, name) for parts in _nested(context.include_dirs)]
        yield from nested + own if static else own + nested
    else:
        for parts in _nested(context.include_dirs):
            yield join(context.play.basedir, *parts, name)
        if not static:
            yield join(context.play.basedir, name)
    yield join(dirname(context.file), name)
    if context.role:
        yield join(context.role.path, name)
    yield join(context.play.basedir, subdir, name)
    yield join(context.play.basedir, name)


def _nested(dirs: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield the directories of the includes around, nearest alone first, then each below the one around it."""
    for depth in range(1, len(dirs) + 1):
        parts = tuple(part for part in reversed(dirs[:depth]) if part)
        if parts:
            yield parts


def searched_for_tasks(space: Workspace, name: str, context: Context, *, static: bool) -> list[str]:
    """Give the paths at which a file of tasks `name` was searched, in order."""
    return list(dict.fromkeys(map(os.path.normpath, _tasks_candidates(space, name, context, static=static))))


def missing_tasks_file(space: Workspace, name: str, context: Context, origin: Origin | None) -> None:
    """Note that there is no file of tasks `name`, with the places where it was searched."""
    searched = searched_for_tasks(space, name, context, static=True)
    mend = next((text for path in searched if (text := similar_file(path))), "")
    space.fault(
        "missing-file", f"there is no file of tasks '{name}'", origin, length=len(name), mend=mend,
        notes=[f"searched: {', '.join(searched)}"],
    )  # fmt: skip


# roles


def find_role(space: Workspace, name: str, context: Context, *, beside: str | None = None) -> tuple[str, str] | None:
    """Give path and full name of role `name`; `beside` is the directory in which the calling role stands."""
    for candidate in _role_candidates(space, name, context, beside):
        path, full = candidate
        if is_dir(path):
            if owner := owner_of(path):
                space.collections.find(owner)  # says whether it is for another ansible-core
            return os.path.normpath(path), full
    return None


def searched_for_role(space: Workspace, name: str, context: Context, beside: str | None) -> list[str]:
    """Give the directories in which role `name` was searched."""
    return list(dict.fromkeys(dirname(path) for path, _ in _role_candidates(space, name, context, beside)))


def _role_candidates(space: Workspace, name: str, context: Context, beside: str | None) -> Iterator[tuple[str, str]]:
    if os.path.isabs(name) or name.startswith("~"):  # noqa: PTH117
        yield os.path.expanduser(name), name  # noqa: PTH111
        return
    basedir = context.play.basedir
    if parts := split_name(name):
        *subdirs, own = parts[1].split(".")  # core names a role in a subdirectory without it
        for root in space.collections.roots:
            yield join(root, *parts[0].split("."), "roles", *subdirs, own), f"{parts[0]}.{own}"
    for collection in context.fields.get("collections", ()):
        for root in space.collections.roots:
            yield join(root, *str(collection).split(".", 1), "roles", name), f"{collection}.{name}"
    places = [join(basedir, "roles"), *space.settings.roles_path]
    places += [beside] if beside else []
    places.append(basedir)
    for place in places:
        yield os.path.normpath(join(place, name)), name  # a directory that `..` leaves need not be there


def _collection_file(space: Workspace, name: str, kind: str) -> str | None:
    """Give the path of the file `namespace.collection.file` of `kind` (playbooks, tasks), None if it is none."""
    parts = split_name(name)
    collection = space.collections.find(parts[0]) if parts else None
    if parts is None or collection is None:
        return None
    base = join(collection.directory(kind), *parts[1].split("."))
    return space.first_existing(base + extension for extension in EXTENSIONS)


def find_playbook(space: Workspace, name: str, basedir: str) -> str:
    """Give the path of the playbook that import_playbook in a file in `basedir` calls `name`; it may not be there."""
    name = os.path.expanduser(name)  # noqa: PTH111
    local = os.path.normpath(join(basedir, name))
    if space.existing(local):
        return local
    return _collection_file(space, name, "playbooks") or local


def role_file(space: Workspace, role_path: str, kind: str, name: str) -> str | None:
    """Give the file `name` (with or without its extension) in directory `kind` of a role, None if it is not there.

    A name that somebody gave is first of all that of a file as it stands. Source: observed with ansible-core 2.21.
    """
    if not is_dir(join(role_path, kind)) and not os.path.isabs(name):  # noqa: PTH117  # most roles have few of them
        return None
    base = os.path.normpath(join(role_path, kind, name))
    endings = EXTENSIONS if name in _OF_THEMSELVES else ("", *EXTENSIONS[:-1])
    return space.first_existing(base + ending for ending in endings)
