"""Where relative file names of a task are searched."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyplay.playbook.model import Play, Task


_SUBDIRS = {
    f"ansible.{home}.{module}": subdir
    for home in ("builtin", "legacy")
    for module, subdir in (("template", "templates"), ("include_vars", "vars"))
}


def subdirectory(task: Task | None) -> str:
    """Return the directory of a role in which the module of `task` has its files, as `first_found` searches them."""
    return "files" if task is None else _SUBDIRS.get(task.resolved_action, "files")


def search_path(play: Play, task: Task | None) -> tuple[str, ...]:
    """Give the directories where relative file names of `task` are searched, nearest first."""
    if task is None:
        return (play.basedir,)
    role = task.role
    roles = () if role is None else (role.path, *(parent.path for parent in role.parents))
    return tuple(dict.fromkeys((*roles, *task.search_dirs, play.basedir)))
