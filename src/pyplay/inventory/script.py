"""Inventory scripts: programs that print an inventory as JSON.

Source: Ansible developer guide, "Developing dynamic inventory", "Inventory script conventions".
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.errors import InventoryError
from pyplay.diagnostics.model import Diagnostic, Origin, Severity
from pyplay.inventory.fragment import Fragment, GroupPart
from pyplay.inventory.shapes import as_list, as_mapping
from pyplay.inventory.trust import plain, trusted

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyplay.source.vault import VaultSecrets

_PROFILE = "inventory_legacy"
_GROUP_KEYS = ("hosts", "vars", "children")


def run_script(
    path: str, on_warning: Callable[[Diagnostic], None], *, vault: VaultSecrets | None = None, show_stderr: bool = True
) -> Fragment:
    """Run the script at `path` with `--list` (and `--host NAME` per host if it prints no `_meta`), give what it says.

    What it writes to standard error is a warning if `show_stderr`. Raises InventoryError if it cannot be run, fails or
    prints something else than an inventory.
    """
    reader = _Script(path, on_warning, vault, show_stderr=show_stderr)
    return reader.read()


class _Script:
    """One script and what it printed."""

    def __init__(
        self, path: str, on_warning: Callable[[Diagnostic], None], vault: VaultSecrets | None, *, show_stderr: bool
    ) -> None:
        self.path, self.on_warning, self.vault, self.show_stderr = path, on_warning, vault, show_stderr
        self.origin = Origin(path)
        self.result = Fragment()

    def read(self) -> Fragment:
        """Turn the answer to `--list` into a fragment."""
        data = self.call("--list")
        meta = data.pop("_meta", None)
        if meta is not None:
            self.check_meta(meta)
        for name, body in data.items():
            self.group(name, body)
        known = as_mapping(meta)
        if known is not None and "hostvars" in known:
            self.host_vars_of_all(known["hostvars"])
        else:
            for host in list(self.result.hosts):
                self.set_host_vars(host, self.call("--host", host))
        return self.result

    def check_meta(self, meta: Any) -> None:
        """Raise InventoryError for a `_meta` of another shape, or a profile that no inventory is written in."""
        values = as_mapping(meta)
        if values is None:
            raise self.fault(f"'_meta' is '{type(meta).__name__}' instead of 'dict'")
        profile = values.get("profile", _PROFILE)
        if not isinstance(profile, str):
            raise self.fault(f"'_meta.profile' is '{type(profile).__name__}' instead of 'str'")
        if profile != _PROFILE:
            raise self.fault(f"Unknown profile name '{profile}' in '_meta'; inventories are written in '{_PROFILE}'")

    def call(self, *arguments: str) -> dict[str, Any]:
        """Run the script and give the JSON object that it prints."""
        program = str(Path(self.path).absolute())
        try:
            done = subprocess.run([program, *arguments], capture_output=True, stdin=subprocess.DEVNULL, check=False)
        except OSError as error:
            raise self.fault(f"Failed to execute inventory script: {error.strerror}") from error
        stderr = done.stderr.decode(errors="replace").strip()
        if done.returncode:
            raise self.fault(
                f"the inventory script returned non-zero exit code {done.returncode}", notes=(stderr,) if stderr else ()
            )
        if stderr and self.show_stderr:
            message = f"the inventory script wrote to standard error: {stderr}"
            self.on_warning(Diagnostic("script-stderr", message, self.origin, severity=Severity.WARNING))
        if not done.stdout.strip():
            if arguments[0] == "--host":
                return {}
            raise self.fault("the script printed nothing")
        try:
            data = json.loads(done.stdout)
        except UnicodeDecodeError as error:
            raise self.fault(f"what the script printed cannot be interpreted as UTF-8: {error}") from error
        except ValueError as error:
            message = f"what the script printed for {' '.join(arguments)} could not be parsed as JSON: {error}"
            raise self.fault(message) from error
        found = as_mapping(data)
        if found is None:
            raise self.fault(
                f"the script printed no object for {' '.join(arguments)}: '{type(data).__name__}' instead of 'dict'"
            )
        return dict(found)

    def group(self, name: str, body: Any) -> None:
        """Read a group: a mapping, a list of hosts, or (an old form) variables for a group of one such host."""
        hosts = as_list(body)
        parts = as_mapping(body) if hosts is None else {"hosts": hosts}
        if parts is None:
            raise self.fault(f"group '{name}' is neither a mapping nor a list of hosts")
        part = self.result.group(name, self.origin)
        if not any(key in parts for key in _GROUP_KEYS):
            self.result.add_host(name, part)
            part.vars.update(plain(parts))  # as in core, such variables are no templates
            return
        self.members(name, part, parts)
        variables = parts.get("vars")
        if variables is not None:
            if not isinstance(variables, Mapping):
                raise self.fault(f"'vars' of group '{name}' is no mapping")
            part.vars.update(trusted(variables, self.origin, self.vault))

    def members(self, name: str, part: GroupPart, parts: Mapping[str, Any]) -> None:
        """Add hosts and children."""
        for key in ("hosts", "children"):
            if not isinstance(parts.get(key) or [], list):
                raise self.fault(f"'{key}' of group '{name}' is no list")
        for host in parts.get("hosts") or ():
            self.result.add_host(str(host), part)
        for child in parts.get("children") or ():
            self.result.group(str(child), self.origin)
            part.children[str(child)] = self.origin

    def host_vars_of_all(self, hostvars: Any) -> None:
        """Take the variables of `_meta`; hosts in no group count only where a group names them."""
        values = as_mapping(hostvars)
        if values is None:
            raise self.fault("'hostvars' of '_meta' is no mapping")
        for host in self.result.hosts:
            self.set_host_vars(host, values.get(host))

    def set_host_vars(self, host: str, values: Any) -> None:
        """Set the variables of one host."""
        if values is None:
            return
        if not isinstance(values, Mapping):
            raise self.fault(f"the variables of host '{host}' are no mapping")
        self.result.add_host(host, None, None, trusted(values, self.origin, self.vault))

    def fault(self, message: str, notes: tuple[str, ...] = ()) -> InventoryError:
        """Give the error for one fault."""
        return InventoryError([Diagnostic("inventory-script", message, self.origin, notes=notes)])
