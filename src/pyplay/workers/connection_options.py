"""From variables, keywords, options and settings to what decides a connection.

Precedence, highest first (Ansible documentation, "Controlling how Ansible behaves: precedence rules"): variables
(`ansible_user` …), playbook keywords (`remote_user` …), command line (`-u` …), settings. Of several variables for
one thing the more specific wins (`ansible_ssh_user` over `ansible_user`). All of them may be templates, and are read
anew for each task, so `set_fact` or a task's `vars` change them for what follows.
"""

from __future__ import annotations

import os
import pwd
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from pyplay.connection.base import PLAIN_SHELL, BecomeOptions, ConnectionOptions
from pyplay.connection.become import METHODS, method_of
from pyplay.diagnostics.errors import OptionsError
from pyplay.shipping.interpreter import CANDIDATES, is_candidate
from pyplay.source.text import origin_of
from pyplay.templating.scope import MISSING
from pyplay.variables.scope import VariableScope
from pyplay.workers.values import number, truth, variable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyplay.playbook.model import Task
    from pyplay.source.options import RunOptions
    from pyplay.source.settings import Settings
    from pyplay.templating.scope import Scope
    from pyplay.templating.templar import Templar

_SSH = frozenset({"ssh", "smart", "paramiko", "paramiko_ssh", "ansible.builtin.ssh", "ansible.builtin.paramiko_ssh",
                  "ansible.netcommon.libssh", "ansible.legacy.ssh"})  # fmt: skip
_OPENSSH = frozenset({"openssh"})
_LOCAL = frozenset({"local", "ansible.builtin.local", "ansible.legacy.local"})
_AUTO = frozenset({"auto", "auto_silent", "auto_legacy", "auto_legacy_silent"})
_BECOME_PREFIXES = ("ansible.builtin.", "ansible.legacy.", "community.general.")


_METHODS = ("sudo", "su", "doas")

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
    *(f"ansible_{method}_{option}" for method in _METHODS for option in ("exe", "flags", "pass", "password", "user")),
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


def may_become_unknowingly(task: Task, options: RunOptions, settings: Settings) -> bool:
    """Tell whether keyword, option or setting name a become method that is perhaps none. Costs next to nothing."""
    named = _first(task.become_method, options.become_method, settings.become_method)
    return named is not None and _bare_method(str(named)) not in METHODS


def _bare_method(name: str) -> str:
    for prefix in _BECOME_PREFIXES:
        name = name.removeprefix(prefix)
    return name


@dataclass(frozen=True, slots=True, kw_only=True)
class Destination:
    """Where and as whom a task runs. Equal destinations share a Runner.

    `interpreter` is a path or name, None: the first of `candidates` that runs on the host. `silent`: nothing is said
    of what the search found.
    """

    connection: ConnectionOptions
    become: BecomeOptions | None = None
    interpreter: str | None = None
    candidates: tuple[str, ...] = CANDIDATES
    silent: bool = field(default=False, compare=False)


class OptionReader:
    """Reads connection variables of one host as one task sees them.

    `defined` are those of NAMES that are set. `delegated`: the host is a delegate.
    """

    def __init__(
        self,
        host: str,
        templar: Templar,
        task: Task,
        options: RunOptions,
        settings: Settings,
        *,
        defined: set[str],
        delegated: bool = False,
    ) -> None:
        self._defined = defined
        self._host, self._templar, self._task = host, templar, task
        self._options, self._settings, self._delegated = options, settings, delegated

    def destination(self) -> Destination:
        """Give where the task runs.

        Raises OptionsError for what cannot be honoured, BecomeError for an unknown method, and what rendering raises.
        """
        connection = self.connection()
        become = self.become(connection.kind)
        if become is not None:
            method_of(become)  # a method that is not there is a fault, needed or not
            if self._is_login_user(connection, become):
                become = None
        return Destination(
            connection=connection,
            become=become,
            interpreter=self.interpreter(),
            candidates=self.candidates(),
            silent=self._interpreter_word().endswith("_silent"),
        )

    def _is_login_user(self, connection: ConnectionOptions, become: BecomeOptions) -> bool:
        """Tell whether there is nobody to become. Source: the setting BECOME_ALLOW_SAME_USER, off by default."""
        if self._settings.become_allow_same_user:
            return False
        user = pwd.getpwuid(os.geteuid()).pw_name if connection.kind == "local" else connection.user
        return user == become.user

    def connection(self) -> ConnectionOptions:
        """Give the options of the connection."""
        kind = self._kind()
        shell = str(self._variable("ansible_shell_executable") or self._settings.executable or PLAIN_SHELL)
        if kind == "local":
            here = self._templar.basedir or None  # as core: the playbook's directory
            return ConnectionOptions(
                kind="local", host="localhost", address="localhost", shell_executable=shell, directory=here
            )
        read, options, settings = self._variable, self._options, self._settings
        checking = read("ansible_host_key_checking", "ansible_ssh_host_key_checking")
        return ConnectionOptions(
            kind=kind,
            host=self._host,
            address=str(read("ansible_host", "ansible_ssh_host") or self._host),
            port=self._port(),
            user=_text(self._user()),
            password=_secret(
                read("ansible_password", "ansible_ssh_pass", "ansible_ssh_password"), options.connection_password
            ),
            private_key_file=_text(
                read("ansible_private_key_file", "ansible_ssh_private_key_file")
                or options.private_key_file
                or settings.private_key_file
            ),
            private_key=_text(_first(read("ansible_private_key", "ansible_ssh_private_key"), settings.ssh_private_key)),
            passphrase=_text(
                _first(
                    read("ansible_private_key_passphrase", "ansible_ssh_private_key_passphrase"),
                    settings.ssh_private_key_passphrase,
                )
            ),
            pkcs11_provider=_text(_first(read("ansible_ssh_pkcs11_provider"), settings.pkcs11_provider)),
            ssh_executable=str(_first(read("ansible_ssh_executable"), settings.ssh_executable)),
            ssh_args=str(_first(read("ansible_ssh_args"), settings.ssh_args) or ""),
            ssh_common_args=str(
                _first(read("ansible_ssh_common_args"), options.ssh_common_args or None, settings.ssh_common_args) or ""
            ),
            ssh_extra_args=str(
                _first(read("ansible_ssh_extra_args"), options.ssh_extra_args or None, settings.ssh_extra_args) or ""
            ),
            host_key_checking=settings.host_key_checking
            if checking is None
            else truth(checking, "ansible_host_key_checking"),
            timeout=number(
                _first(
                    read("ansible_timeout", "ansible_connection_timeout", "ansible_ssh_timeout"),
                    options.timeout,
                    settings.timeout,
                ),
                "timeout",
            ),
            retries=int(number(_first(read("ansible_ssh_retries"), settings.ssh_retries, 0), "ansible_ssh_retries")),
            shell_executable=shell,
        )

    def become(self, kind: str) -> BecomeOptions | None:
        """Give as whom to run over a connection of this kind, None for the user that logged in."""
        read, task, options, settings = self._variable, self._task, self._options, self._settings
        wanted = _first(read("ansible_become"), self._keyword(task.become), options.become or None, settings.become)
        if not truth(wanted, "become"):
            return None
        method = _bare_method(str(_first(read("ansible_become_method"), self._keyword(task.become_method),
                                         options.become_method, settings.become_method) or "sudo"))  # fmt: skip
        user = _first(read("ansible_become_user", f"ansible_{method}_user"), self._keyword(task.become_user),
                      options.become_user, self._of_method(method, "user"))  # fmt: skip
        password = read(
            "ansible_become_password", "ansible_become_pass", f"ansible_{method}_pass", f"ansible_{method}_password"
        )
        return BecomeOptions(
            method=method,
            user=str(user or "root"),
            prompts=self._prompts(method),
            timeout=self._become_timeout(kind),
            password=_secret(password, _first(options.become_password, self._of_method(method, "pass"))),
            exe=_text(
                _first(
                    read("ansible_become_exe", f"ansible_{method}_exe"),
                    self._keyword(task.become_exe),
                    self._of_method(method, "exe"),
                )
            ),
            flags=_text(
                _first(
                    read("ansible_become_flags", f"ansible_{method}_flags"),
                    self._keyword(task.become_flags),
                    self._of_method(method, "flags"),
                )
            ),
            chdir=_text(_first(read("ansible_sudo_chdir"), settings.sudo_chdir)) if method == "sudo" else None,
        )

    def _prompts(self, method: str) -> tuple[str, ...]:
        if method != "su":
            return ()
        given = self._variable("ansible_su_prompt_l10n")
        return self._settings.su_prompt_l10n if given is None else _texts(given)

    def _become_timeout(self, kind: str) -> float | None:
        """Give how long becoming may take on the controller; as core, what is less than a second counts for nothing."""
        given = self._variable("ansible_local_become_success_timeout") if kind == "local" else None
        seconds = 0.0 if given is None else number(given, "ansible_local_become_success_timeout")
        return seconds if seconds >= 1 else None

    def _of_method(self, method: str, name: str) -> Any:
        """Give the setting `name` of a become method: its own (those of sudo and su), else that of all methods."""
        own = getattr(self._settings, f"{method}_{name}", None) if method in ("sudo", "su") else None
        return own or getattr(self._settings, f"become_{name}")

    def interpreter(self) -> str | None:
        """Give the Python to use on the host, None: search for one."""
        text = self._interpreter_word()
        return None if text in _AUTO else text

    def _interpreter_word(self) -> str:
        """Give what names the interpreter; `omit` asks for a search whatever the settings say, as in ansible-core."""
        named = self._variable("ansible_python_interpreter")
        if named is None and "ansible_python_interpreter" not in self._defined:
            named = self._settings.interpreter_python
        return str(named or "auto").strip()

    def candidates(self) -> tuple[str, ...]:
        """Give the Pythons to search for, in order. Raises OptionsError for what is no program's name."""
        given: Any = self._variable("ansible_interpreter_python_fallback")
        if given is None:
            return CANDIDATES
        found = _texts(given)
        wrong = next((name for name in found if not is_candidate(name)), None)
        if wrong is not None:
            message = f"{self._host}: ansible_interpreter_python_fallback names no program: {wrong!r}"
            raise OptionsError.of("interpreter-fallback", message)
        return found

    def _kind(self) -> str:
        named = _first(self._variable("ansible_connection"), self._keyword(self._task.connection),
                       self._options.connection, self._settings.transport)  # fmt: skip
        text = str(named or "ssh")
        if text in _LOCAL:
            return "local"
        if text in _SSH:
            return "ssh"
        if text in _OPENSSH:
            return "openssh"
        raise OptionsError.of(
            "connection-unknown",
            f"{self._host}: connection {text!r} is not supported",
            origin_of(named) or origin_of(self._task.connection),
            help="ssh, openssh and local are",
        )

    def _port(self) -> int | None:
        port = self._variable("ansible_port", "ansible_ssh_port")
        if port is None and not self._delegated:
            port = self._keyword(self._task.port)
        port = _first(port, self._settings.remote_port)
        return None if port is None else int(number(port, "port"))

    def _user(self) -> Any:
        return _first(
            self._variable("ansible_user", "ansible_ssh_user"),
            self._keyword(self._task.remote_user),
            self._options.user,
            self._settings.remote_user,
        )

    def _keyword(self, raw: Any) -> Any:
        return None if raw is None else self._templar.resolve(raw)

    def _variable(self, *names: str) -> Any:
        """Give the rendered value of the last of `names` that is defined and not null."""
        for name in reversed(names):
            if name in self._defined or name not in NAMES:
                value = variable(self._templar, name)
                if value is not None:
                    return value
        return None


def _first(*values: Any) -> Any:
    """Give the first value that is not None."""
    return next((value for value in values if value is not None), None)


def _texts(value: Any) -> tuple[str, ...]:
    """Give the members of a list, or of text with commas."""
    members = cast("list[Any]", value) if isinstance(value, list) else str(value).split(",")
    return tuple(str(member).strip() for member in members)


def _text(value: Any) -> str | None:
    return None if value is None or value == "" else str(value)


def _secret(value: Any, default: str | None) -> str | None:
    return default if value is None else str(value)
