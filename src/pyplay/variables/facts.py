"""How facts become variables: under `ansible_facts` without their prefix, and injected under their own names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.patterns import late_pattern

if TYPE_CHECKING:
    from collections.abc import Mapping

PREFIX = "ansible_"
_WHOLE = frozenset({"ansible_local"})
_CONNECTION = late_pattern(
    r"ansible_(?:connection|host|port|user|password|private_key_file|timeout|pipelining|pass"
    r"|shell_type|shell_executable|rsync_path|remote_tmp|playbook_python|facts|check_mode|version"
    r"|become(?:_\w+)?|ssh_(?!host_key_)\w+|\w+_interpreter"
    r"|(?:psrp|winrm)_\w+|(?:scp|sftp|docker)_extra_args|local_tmp|network_os)"
)


def namespaced(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Give `facts` with the names that they have under `ansible_facts`."""
    return {name if name in _WHOLE else name.removeprefix(PREFIX): value for name, value in facts.items()}


def may_be_injected(name: str) -> bool:
    """Tell whether a fact may be a variable of its own: a host must not say how to connect to it."""
    return name != "vars" and not (name.startswith(PREFIX) and _CONNECTION.fullmatch(name))
