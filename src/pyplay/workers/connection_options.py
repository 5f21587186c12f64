"""From variables, keywords, options and settings to what decides a connection.

Precedence, highest first (Ansible documentation, "Controlling how Ansible behaves: precedence rules"): variables
(`ansible_user` …), playbook keywords (`remote_user` …), command line (`-u` …), settings. Of several variables for
one thing the more specific wins (`ansible_ssh_user` over `ansible_user`). All of them may be templates, and are read
anew for each task, so `set_fact` or a task's `vars` change them for what follows.
"""

from __future__ import annotations

import os
import pwd
import shlex
from dataclasses import field
from typing import TYPE_CHECKING, Any

from pyplay.connection.base import PLAIN_SHELL, ConnectionOptions
from pyplay.connection.become import method_of
from pyplay.connection.kinds import BECOME_METHODS
from pyplay.connection.login_words import check_login
from pyplay.diagnostics.dataclass import dataclass
from pyplay.diagnostics.errors import OptionsError
from pyplay.shipping.interpreter import CANDIDATES, is_candidate
from pyplay.source.text import origin_of
from pyplay.workers.become_options import read_become
from pyplay.workers.engine_settings import EngineSettings
from pyplay.workers.option_words import OptionWords, check_program, first, secret, text, texts
from pyplay.workers.values import number, truth

if TYPE_CHECKING:
    from pyplay.connection.base import BecomeOptions
    from pyplay.playbook.model import Task
    from pyplay.source.options import RunOptions
    from pyplay.source.settings import Settings
    from pyplay.templating.templar import Templar

_SSH = frozenset({"ssh", "smart", "paramiko", "paramiko_ssh", "ansible.builtin.ssh", "ansible.builtin.paramiko_ssh",
                  "ansible.netcommon.libssh", "ansible.legacy.ssh"})  # fmt: skip
_PARAMIKO = frozenset({"paramiko", "paramiko_ssh", "ansible.builtin.paramiko_ssh"})
_OF_PARAMIKO = {
    "ansible_host": ("ansible_paramiko_host",),
    "ansible_port": ("ansible_paramiko_port",),
    "ansible_user": ("ansible_paramiko_user",),
    "ansible_password": ("ansible_paramiko_pass", "ansible_paramiko_password"),
    "ansible_private_key_file": ("ansible_paramiko_private_key_file",),
    "ansible_host_key_checking": ("ansible_paramiko_host_key_checking",),
    "ansible_timeout": ("ansible_paramiko_timeout",),
}
"""Variables that win over those of ssh for hosts of paramiko, whose job ssh does."""

_OPENSSH = frozenset({"openssh"})
_LOCAL = frozenset({"local", "ansible.builtin.local", "ansible.legacy.local"})
_INTERPRETER = "ansible_python_interpreter"
_AUTO = frozenset({"auto", "auto_silent", "auto_legacy", "auto_legacy_silent"})


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

    `defined` are those of `option_words.NAMES` that are set. `delegated`: the host is a delegate. `engines` remembers
    their settings from task to task.
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
        engines: EngineSettings | None = None,
    ) -> None:
        self.words = OptionWords(host, templar, task, options, settings, defined)
        self._host, self._task, self.delegated = host, task, delegated
        self._options, self._settings = options, settings
        self._engines = engines or EngineSettings()
        self._paramiko = False  # the connection is named so
        self.reads_more = False  # variables beside those of `option_words.NAMES` were read, or might be

    def destination(self) -> Destination:
        """Give where the task runs.

        Raises OptionsError for what cannot be honoured, BecomeError for an unknown method, and what rendering raises.
        """
        connection = self.connection()
        become = read_become(self.words, connection.kind)
        if become is not None:
            self.reads_more = self.reads_more or become.method not in BECOME_METHODS
            method_of(become)  # a method that is not there is a fault, needed or not
            if self._is_login_user(connection, become):
                become = None
        return Destination(
            connection=connection,
            become=become,
            interpreter=self.interpreter(connection.kind),
            candidates=self.candidates(),
            silent=self._interpreter_word().endswith("_silent"),
        )

    def _is_login_user(self, connection: ConnectionOptions, become: BecomeOptions) -> bool:
        """Tell whether there is nobody to become. Source: the setting BECOME_ALLOW_SAME_USER, off by default."""
        if self._settings.become_allow_same_user:
            return False
        return _login_user(connection) == become.user

    def connection(self) -> ConnectionOptions:
        """Give the options of the connection."""
        kind = self._kind()
        shell = str(self.words.variable("ansible_shell_executable") or self._settings.executable or PLAIN_SHELL)
        if kind == "local":
            here = self.words.templar.basedir or None  # as core: the playbook's directory
            return ConnectionOptions(
                kind="local", host="localhost", address="localhost", shell_executable=shell, directory=here
            )
        if kind not in ("ssh", "openssh"):
            return self._inside(kind, shell)
        read, options, settings = self._read, self._options, self._settings
        address = str(read("ansible_host", "ansible_ssh_host") or self._host)
        user = text(self._user())
        check_login(self._host, address, user)
        checking = read("ansible_host_key_checking", "ansible_ssh_host_key_checking")
        return ConnectionOptions(
            kind=kind,
            host=self._host,
            address=address,
            port=self._port(),
            user=user,
            password=secret(
                read("ansible_password", "ansible_ssh_pass", "ansible_ssh_password"), options.connection_password
            ),
            private_key_file=text(
                read("ansible_private_key_file", "ansible_ssh_private_key_file")
                or options.private_key_file
                or settings.private_key_file
            ),
            private_key=text(first(read("ansible_private_key", "ansible_ssh_private_key"), settings.ssh_private_key)),
            passphrase=text(
                first(
                    read("ansible_private_key_passphrase", "ansible_ssh_private_key_passphrase"),
                    settings.ssh_private_key_passphrase,
                )
            ),
            pkcs11_provider=text(first(read("ansible_ssh_pkcs11_provider"), settings.pkcs11_provider)),
            ssh_executable=str(first(read("ansible_ssh_executable"), settings.ssh_executable)),
            ssh_args=str(first(read("ansible_ssh_args"), settings.ssh_args) or ""),
            ssh_common_args=str(
                first(read("ansible_ssh_common_args"), options.ssh_common_args or None, settings.ssh_common_args) or ""
            ),
            ssh_extra_args=str(
                first(read("ansible_ssh_extra_args"), options.ssh_extra_args or None, settings.ssh_extra_args) or ""
            )
            + self._proxy_of_paramiko(),
            host_key_checking=settings.host_key_checking
            if checking is None
            else truth(checking, "ansible_host_key_checking"),
            timeout=self._timeout(),
            retries=int(number(first(read("ansible_ssh_retries"), settings.ssh_retries, 0), "ansible_ssh_retries")),
            shell_executable=shell,
        )

    def _inside(self, kind: str, shell: str) -> ConnectionOptions:
        """Give the options of a connection through an engine."""
        from pyplay.workers.engine_options import read_engine  # noqa: PLC0415  # few hosts are reached that way

        return read_engine(self.words, kind, self._engines, shell=shell, user=self._user(), timeout=self._timeout())

    def interpreter(self, kind: str = "ssh") -> str | None:
        """Give the Python to use over a connection of this `kind`, None: search for one."""
        word = self._interpreter_word()
        check_program(_INTERPRETER, self.words.templar.scope.get(_INTERPRETER), word, kind, self._host)
        return None if word in _AUTO else word

    def _interpreter_word(self) -> str:
        """Give what names the interpreter; `omit` asks for a search whatever the settings say, as in ansible-core."""
        named = self.words.variable(_INTERPRETER)
        if named is None and _INTERPRETER not in self.words.defined:
            named = self._settings.interpreter_python
        return str(named or "auto").strip()

    def candidates(self) -> tuple[str, ...]:
        """Give the Pythons to search for, in order. Raises OptionsError for what is no program's name."""
        given: Any = self.words.variable("ansible_interpreter_python_fallback")
        if given is None:
            return CANDIDATES
        found = texts(given)
        wrong = next((name for name in found if not is_candidate(name)), None)
        if wrong is not None:
            message = f"{self._host}: ansible_interpreter_python_fallback names no program: {wrong!r}"
            raise OptionsError.of("interpreter-fallback", message)
        return found

    def _kind(self) -> str:
        named = first(self.words.variable("ansible_connection"), self.words.keyword(self._task.connection),
                       self._options.connection, self._settings.transport)  # fmt: skip
        kind = str(named or "ssh")
        self._paramiko = kind in _PARAMIKO
        self.reads_more = self._paramiko or kind not in _SSH | _OPENSSH | _LOCAL
        if kind in _LOCAL:
            return "local"
        if kind in _SSH:
            return "ssh"
        if kind in _OPENSSH:
            return "openssh"
        from pyplay.workers.engine_options import engine_name  # noqa: PLC0415  # few hosts are reached that way

        return engine_name(kind, self._host, origin_of(named) or origin_of(self._task.connection))

    def _read(self, *names: str) -> Any:
        """Give a variable of ssh by its names; paramiko's own count for hosts that name it."""
        more = _OF_PARAMIKO.get(names[0], ()) if self._paramiko else ()
        return self.words.variable(*names, *more)

    def _proxy_of_paramiko(self) -> str:
        command = self.words.variable("ansible_paramiko_proxy_command") if self._paramiko else None
        return f" -o {shlex.quote(f'ProxyCommand={command}')}" if command else ""

    def _timeout(self) -> float:
        given = self._read("ansible_timeout", "ansible_connection_timeout", "ansible_ssh_timeout")
        return number(first(given, self._options.timeout, self._settings.timeout), "timeout")

    def _port(self) -> int | None:
        port = self._read("ansible_port", "ansible_ssh_port")
        if port is None and not self.delegated:
            port = self.words.keyword(self._task.port)
        port = first(port, self._settings.remote_port)
        return None if port is None else int(number(port, "port"))

    def _user(self) -> Any:
        return first(
            self._read("ansible_user", "ansible_ssh_user"),
            self.words.keyword(self._task.remote_user),
            self._options.user,
            self._settings.remote_user,
        )


def _login_user(connection: ConnectionOptions) -> str | None:
    """Give who programs run as without become, None where that is not known."""
    if connection.kind == "local":
        return pwd.getpwuid(os.geteuid()).pw_name
    if connection.kind in ("ssh", "openssh") or connection.user is not None:
        return connection.user
    from pyplay.connection.engines import ENGINES  # noqa: PLC0415  # few hosts are reached that way

    return ENGINES[connection.kind].default_user
