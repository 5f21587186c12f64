"""Where files named in tasks are searched: roles, the task file's directory, the playbook.

Source: https://docs.ansible.com/ansible/latest/playbook_guide/playbook_pathing.html, and observed: in every directory
of the search path first its `files/` (or `templates/`, `vars/`), then itself; a `tasks/` directory stands for its role
as well.
"""

# ruff: noqa: PTH100, PTH110, PTH111, PTH117, PTH118, PTH119, PTH120  # names as users wrote them

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def candidates(search_path: Sequence[str], basedir: str, subdir: str, name: str) -> Iterator[str]:
    """Give the paths where the file `name` may be, best first, without looking at the disk."""
    name = os.path.expanduser(name)
    if os.path.isabs(name):
        yield os.path.normpath(name)
        return
    seen: set[str] = set()
    for directory in search_directories(search_path, basedir, subdir):
        path = os.path.normpath(os.path.join(directory, name))
        if path not in seen:
            seen.add(path)
            yield path


def search_directories(search_path: Sequence[str], basedir: str, subdir: str) -> Iterator[str]:
    """Give the directories to search for files of the kind `subdir` (`files`, `templates`, …), best first."""
    for place in (*search_path, basedir or os.curdir):
        root = os.path.abspath(os.path.expanduser(place))
        if os.path.basename(root) == "tasks":
            parent = os.path.dirname(root)
            yield from _with_subdir(parent, subdir)
        yield from _with_subdir(root, subdir)


def _with_subdir(root: str, subdir: str) -> Iterator[str]:
    if subdir and os.path.basename(root) != subdir:
        yield os.path.join(root, subdir)
    yield root


def find_file(search_path: Sequence[str], basedir: str, subdir: str, name: str) -> str | None:
    """Give the absolute path of the first file (or directory) `name` that exists, None if there is none."""
    for path in candidates(search_path, basedir, subdir, name):
        if os.path.exists(path):
            return path
    return None


def find_beside_tasks(search_path: Sequence[str], basedir: str, name: str) -> str | None:
    """Return the path of `name` in the `tasks/` of a role of which a directory inside is searched, None if not there.

    Lookups of tasks in `tasks/debian/main.yml` see `tasks/` as well, other searches do not. Source: observed with
    ansible-core 2.21.
    """
    for place in search_path:
        tasks = os.path.dirname(place)
        around = os.path.dirname(tasks)
        if os.path.basename(tasks) == "tasks" and around != basedir and around in search_path:
            path = os.path.normpath(os.path.join(tasks, name))
            if os.path.exists(path):
                return path
    return None
