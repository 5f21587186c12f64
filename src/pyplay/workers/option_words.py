"""Where options of connections and become are written: a host's variables, a task's keywords; and how they are read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from pyplay.connection.kinds import BECOME_METHODS
from pyplay.diagnostics.dataclass import dataclass
from pyplay.diagnostics.errors import OptionsError
from pyplay.inventory.model import LOCALHOST_NAMES
from pyplay.source.reads import is_data
from pyplay.templating.scope import MISSING
from pyplay.variables.scope import VariableScope
from pyplay.workers.values import variable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyplay.playbook.model import Task
    from pyplay.source.options import RunOptions
    from pyplay.source.settings import Settings
    from pyplay.templating.scope import Scope
    from pyplay.templating.templar import Templar

_OF_METHODS = ("exe", "flags", "pass", "password", "user")

NAMES = frozenset({
    "ansible_become", "ansible_become_exe", "ansible_become_flags", "ansible_become_method", "ansible_become_pass",
    "ansible_become_password", "ansible_become_user", "ansible_connection", "ansible_connection_timeout",
    "ansible_host", "ansible_host_key_checking", "ansible_interpreter_python_fallback",
    "ansible_password", "ansible_port", "ansible_private_key_file",
    "ansible_python_interpreter", "ansible_shell_executable", "ansible_ssh_args", "ansible_ssh_common_args",
    "ansible_ssh_extra_args", "ansible_ssh_host", "ansible_ssh_host_key_checking", "ansible_ssh_pass",
    "ansible_ssh_password", "ansible_ssh_port", "ansible_ssh_private_key_file", "ansible_ssh_retries",
    "ansible_ssh_timeout", "ansible_ssh_user", "ansible_timeout", "ansible_user",
    "ansible_local_become_success_timeout", "ansible_private_key", "ansible_private_key_passphrase",
    "ansible_ssh_executable", "ansible_ssh_pkcs11_provider", "ansible_ssh_private_key",
    "ansible_ssh_private_key_passphrase", "ansible_su_prompt_l10n",
    *(f"ansible_{method}_{option}" for method in BECOME_METHODS for option in _OF_METHODS),
    "ansible_sudo_chdir",
})  # fmt: skip
"""Variables that are read here; few of them are set for a host."""


def defined_names(scope: Scope, overlay: Mapping[str, Any]) -> set[str]:
    """Give those of NAMES that are set in `scope`, or in what stands before it.

    What a scope makes up for templates where nothing is set (`ansible_host` …) does not count.
    """
    if isinstance(scope, VariableScope):
        found = scope.defined(NAMES)
    else:
        found = {name for name in NAMES if scope.get(name) is not MISSING}
    return found | (overlay.keys() & NAMES)


@dataclass(frozen=True, slots=True)
class OptionWords:
    """What is written for one host as one task sees it. `defined` are those of NAMES that are set."""

    host: str
    templar: Templar
    task: Task
    options: RunOptions
    settings: Settings
    defined: set[str]

    def keyword(self, raw: Any) -> Any:
        """Give the rendered value of a keyword, None if the task has none."""
        return None if raw is None else self.templar.resolve(raw)

    def variable(self, *names: str) -> Any:
        """Give the rendered value of the last of `names` that is defined and not null."""
        for name in reversed(names):
            if name in self.defined or name not in NAMES:
                value = variable(self.templar, name)
                if value is not None:
                    return value
        return None


def check_program(name: str, raw: object, value: Any, kind: str, host: str) -> None:
    """Raise OptionsError where data names more than a program of the host itself to run modules with.

    What was told to localhost was told by the controller itself.
    """
    if not is_data(raw):
        return
    from pyplay.shipping.interpreter import is_candidate  # noqa: PLC0415  # few name it so

    if kind == "local" and host not in LOCALHOST_NAMES:
        raise OptionsError.of(
            "data-as-option", f"{name} names a program of the controller, and its value came from a result",
            help=f"write {name} into the inventory or the 'vars' of the task",
        )  # fmt: skip
    if not is_candidate(str(value)):
        raise OptionsError.of(
            "data-as-option", f"{name} names no program: {value!r}, and its value came from a result",
            help=f"write arguments for it into the inventory or the 'vars' of the task, as {name}",
        )  # fmt: skip


def first(*values: Any) -> Any:
    """Give the first value that is not None."""
    return next((value for value in values if value is not None), None)


def text(value: Any) -> str | None:
    """Give a value as text, None for nothing and for empty text."""
    return None if value is None or value == "" else str(value)


def texts(value: Any) -> tuple[str, ...]:
    """Give the members of a list, or of text with commas."""
    members = cast("list[Any]", value) if isinstance(value, list) else str(value).split(",")
    return tuple(str(member).strip() for member in members)


def secret(value: Any, default: str | None) -> str | None:
    """Give a password, which may be empty; `default` if there is none."""
    return default if value is None else str(value)
