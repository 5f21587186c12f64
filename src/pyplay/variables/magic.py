"""Magic variables: what pyplay itself says about the run, the play, the role, the host.

Source: Ansible documentation, "Special variables". Which of them users' variables can hide was observed in ansible-core
2.21: those in HOST_MAGIC are variables of the host, all others go before everything.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

from pyplay.playbook.places import search_path
from pyplay.source.text import Trusted, as_written, origin_of
from pyplay.templating.atoms import AtomList
from pyplay.templating.scope import MISSING, Missing, OwnWord
from pyplay.templating.syntax import has_template

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pyplay.playbook.model import Role
    from pyplay.variables.scope import VariableScope

    Magic = Callable[[VariableScope], Any]


def _version(scope: VariableScope) -> dict[str, Any]:
    text = scope.manager.settings.compatible_version
    major, minor, revision = map(int, text.split("."))
    return {"string": text, "full": text, "major": major, "minor": minor, "revision": revision}


def _play_hosts(name: str) -> Magic:
    def value(scope: VariableScope) -> Any:
        if scope.play is None:
            return MISSING
        found: list[str] | Missing = scope.manager.store.play_value(name, MISSING)
        return AtomList(found) if isinstance(found, list) else found

    return value


def _playbook_dir(scope: VariableScope) -> Any:
    return scope.play.basedir if scope.play is not None else scope.manager.basedir


def _play_name(scope: VariableScope) -> Any:
    if scope.play is None:
        return MISSING
    name = scope.play.name if scope.play.name is not None else scope.play.hosts
    return ",".join(map(str, name)) if isinstance(name, (list, tuple)) else name  # pyright: ignore[reportUnknownArgumentType]  # raw


def _role_value(attribute: str) -> Magic:
    def value(scope: VariableScope) -> Any:
        role = scope.task.role if scope.task is not None else None
        return getattr(role, attribute) if role is not None else MISSING

    return value


def _collection(scope: VariableScope) -> Any:
    """Give the collection of the role, None for a role that is in none."""
    role = scope.task.role if scope.task is not None else None
    if role is None:
        return MISSING
    return ".".join(role.fqcn.split(".")[:2]) if role.fqcn.count(".") >= 2 else None


def _parents(attribute: str) -> Magic:
    def value(scope: VariableScope) -> Any:
        role = scope.task.role if scope.task is not None else None
        found = [getattr(parent, attribute) for parent in _including(role)] if role is not None else []
        return found or MISSING

    return value


def _including(role: Role) -> Iterator[Role]:
    """Give the roles that included `role` or its includers, nearest first; those that depend on it do not count."""
    child = role
    for parent in role.parents:
        if not any(child is dependency for dependency in parent.dependencies):
            yield parent
        child = parent


def _play_roles(scope: VariableScope) -> Any:
    return MISSING if scope.play is None else [role.fqcn for role in scope.play.roles]


def _dependent_roles(scope: VariableScope) -> Any:
    if scope.play is None:
        return MISSING
    return list(dict.fromkeys(role.fqcn for top in scope.play.roles for role in _dependencies(top)))


def _dependencies(role: Role) -> Iterator[Role]:
    for dependency in role.dependencies:
        yield from _dependencies(dependency)
        yield dependency


def _all_roles(scope: VariableScope) -> Any:
    if scope.play is None:
        return MISSING
    return list(dict.fromkeys([*_dependent_roles(scope), *_play_roles(scope)]))


def _environment(scope: VariableScope) -> Any:
    return MISSING if scope.play is None else list(scope.task.environment) if scope.task is not None else []


def _search_path(scope: VariableScope) -> Any:
    return MISSING if scope.play is None else list(search_path(scope.play, scope.task))


def _limit(scope: VariableScope) -> Any:
    return MISSING if scope.manager.options.limit is None else scope.manager.options.limit


def _group_names(scope: VariableScope) -> Any:
    if scope.host is None:
        return []
    return scope.manager.inventory.group_names(scope.host)


def _of_host(attribute: str) -> Magic:
    def value(scope: VariableScope) -> Any:
        found = getattr(scope.host, attribute) if scope.host is not None else None
        return MISSING if found is None else found

    return value


def _sources(scope: VariableScope) -> list[str]:
    sources = scope.manager.options.inventory_sources
    return [source if "," in source else os.path.abspath(source) for source in sources]  # noqa: PTH100  # plain text


def _address(other: str) -> Magic:
    def value(scope: VariableScope) -> Any:
        found = scope.find(other)
        if found is not MISSING:
            return found
        return "127.0.0.1" if scope.host is not None and scope.host.implicit else _written(scope.name)

    return value


def _user(other: str) -> Magic:
    """Give what stands under the name `other`, else the task's `remote_user`, else the option."""

    def value(scope: VariableScope) -> Any:
        found = scope.find(other)
        if found is not MISSING:
            return found
        raw = scope.task.remote_user if scope.task is not None else None
        raw = _written(scope.manager.options.user) if raw is None else raw
        return MISSING if raw is None else _own(raw)

    return value


def _password(other: str) -> Magic:
    """Give what stands under the name `other`, else the password of the option: data, whatever is typed."""

    def value(scope: VariableScope) -> Any:
        found = scope.find(other)
        password = scope.manager.options.connection_password
        return found if found is not MISSING or password is None else password

    return value


def _port(other: str) -> Magic:
    """Give what stands under the name `other`; the keyword `port` is not seen (observed in core)."""
    return lambda scope: scope.find(other)


def _own(raw: Any) -> Any:
    """Give a keyword's raw value for the variable that it stands for, which it may ask for itself."""
    return OwnWord(raw, origin_of(raw)) if isinstance(raw, Trusted) and has_template(raw) else raw


def _written(text: str | None) -> str | None:
    """Return the word of an option or an inventory as what a user wrote."""
    return as_written(text)


def _timeout(scope: VariableScope) -> Any:
    return scope.manager.options.timeout or scope.manager.settings.timeout


def _key_file(scope: VariableScope) -> Any:
    return _written(scope.manager.options.private_key_file) or MISSING


def _connection(scope: VariableScope) -> Any:
    """Give the kind of connection that keyword, option or setting name."""
    raw = scope.task.connection if scope.task is not None else None
    if isinstance(raw, str) and has_template(raw):
        return _own(raw)
    named = raw or scope.manager.options.connection or getattr(scope.manager.settings, "transport", None)
    return _written("ssh" if named in (None, "smart") else str(named))


MAGIC: dict[str, Magic] = {
    "ansible_check_mode": lambda scope: scope.manager.options.check,
    "ansible_collection_name": _collection,
    "ansible_config_file": lambda scope: getattr(scope.manager.settings, "config_file", None),
    "ansible_dependent_role_names": _dependent_roles,
    "ansible_diff_mode": lambda scope: scope.manager.options.diff,
    "ansible_forks": lambda scope: scope.manager.options.forks,
    "ansible_inventory_sources": _sources,
    "ansible_limit": _limit,
    "ansible_parent_role_names": _parents("fqcn"),
    "ansible_parent_role_paths": _parents("path"),
    "ansible_play_batch": _play_hosts("ansible_play_batch"),
    "ansible_play_hosts": _play_hosts("ansible_play_hosts"),
    "ansible_play_hosts_all": _play_hosts("ansible_play_hosts_all"),
    "ansible_play_name": _play_name,
    "ansible_play_role_names": _play_roles,
    "ansible_playbook_python": lambda _: sys.executable,
    "ansible_role_name": _role_value("fqcn"),
    "ansible_role_names": _all_roles,
    "ansible_run_tags": lambda scope: list(scope.manager.options.tags),
    "ansible_search_path": _search_path,
    "ansible_skip_tags": lambda scope: list(scope.manager.options.skip_tags),
    "ansible_verbosity": lambda scope: scope.manager.options.verbosity,
    "ansible_version": _version,
    "environment": _environment,
    "groups": lambda scope: scope.manager.groups,
    "hostvars": lambda scope: scope.manager.hostvars_of(scope.play),
    "play_hosts": _play_hosts("ansible_play_batch"),
    "playbook_dir": _playbook_dir,
    "role_name": _role_value("name"),
    "role_names": _play_roles,
    "role_path": _role_value("path"),
}
"""Variables that nobody can set, by name."""

HOST_MAGIC: dict[str, Magic] = {
    "inventory_hostname": lambda scope: scope.name,
    "inventory_hostname_short": lambda scope: (scope.name or "").split(".")[0],
    "group_names": _group_names,
    "inventory_dir": _of_host("inventory_dir"),
    "inventory_file": _of_host("inventory_file"),
}
"""Variables of the host that the inventory gives it; variables of plays and tasks can hide them."""

FALLBACKS: dict[str, Magic] = {
    "ansible_connection": _connection,
    "ansible_host": _address("ansible_ssh_host"),
    "ansible_ssh_host": _address("ansible_host"),
    "ansible_user": _user("ansible_ssh_user"),
    "ansible_ssh_user": _user("ansible_user"),
    "ansible_port": _port("ansible_ssh_port"),
    "ansible_ssh_port": _port("ansible_port"),
    "ansible_password": _password("ansible_ssh_pass"),
    "ansible_ssh_pass": _password("ansible_password"),
    "ansible_timeout": _timeout,
    "ansible_ssh_timeout": _timeout,
    "ansible_private_key_file": _key_file,
    "ansible_ssh_private_key_file": _key_file,
    "ansible_shell_executable": lambda scope: _written(scope.manager.settings.executable),
    "ansible_pipelining": lambda scope: scope.manager.settings.pipelining,
    "ansible_ssh_pipelining": lambda scope: scope.manager.settings.pipelining,
}
"""Variables of the connection that tasks (not `hostvars`) see where nothing sets them. Source: observed in core."""
