"""Which variables pyplay itself reads, and who may set each: what a host says must not choose programs or files here.

Every variable that our own code reads by name stands in `READS`, or belongs to a plugin of `FAMILIES`; a test takes
the names from the code and from the option tables, and fails for one that is missing here. Two places ask:
`variables.facts.may_be_injected`, so that facts never become such variables, and `check_words`, wherever one is read.

Which plugins there are was taken from the documentation of Ansible and its collections, so that a host cannot say
either what a playbook gives to a plugin that we do without.
"""

from __future__ import annotations

import enum
from functools import lru_cache
from typing import TYPE_CHECKING

from pyplay.diagnostics.dataclass import dataclass
from pyplay.diagnostics.errors import OptionsError
from pyplay.diagnostics.patterns import late_pattern
from pyplay.source.text import SourceList, SourceMap

if TYPE_CHECKING:
    from pyplay.diagnostics.model import Origin


class By(enum.Enum):
    """Who may set a variable."""

    USERS = "users"
    """What users wrote alone: it names a program, words for it, a file here, or one of ours (connection, module)."""
    PLAYBOOKS = "playbooks"
    """Playbooks, with data of hosts too (`set_fact`, `add_host`): an address, a user, a password, a number."""
    HOSTS = "hosts"
    """Facts, too: what it names is looked for in a table of ours, or it is used on that host alone."""


@dataclass(frozen=True, slots=True)
class Read:
    """Variables that one part of pyplay reads. `names` are separated by blanks; `*` stands for a word or several."""

    names: str
    reader: str
    by: By


READS = (
    Read("ansible_connection", "workers.connection_options: the kind of connection", By.USERS),
    Read("ansible_host ansible_ssh_host ansible_port ansible_ssh_port ansible_user ansible_ssh_user "
         "ansible_password ansible_ssh_pass ansible_ssh_password", "workers.connection_options: the login",
         By.PLAYBOOKS),
    Read("ansible_timeout ansible_connection_timeout ansible_ssh_timeout ansible_ssh_retries",
         "workers.connection_options: how long is waited", By.PLAYBOOKS),
    Read("ansible_host_key_checking ansible_ssh_host_key_checking", "workers.connection_options: whom is trusted",
         By.USERS),
    Read("ansible_private_key_file ansible_ssh_private_key_file ansible_ssh_pkcs11_provider",
         "workers.connection_options: files here", By.USERS),
    Read("ansible_private_key ansible_ssh_private_key ansible_private_key_passphrase "
         "ansible_ssh_private_key_passphrase", "workers.connection_options: a key's text", By.PLAYBOOKS),
    Read("ansible_ssh_executable ansible_ssh_args ansible_ssh_common_args ansible_ssh_extra_args",
         "workers.connection_options: ssh and its words", By.USERS),
    Read("ansible_shell_executable ansible_executable", "workers.connection_options, workers.engine_options: the shell",
         By.USERS),
    Read("ansible_python_interpreter ansible_*_interpreter",
         "workers.connection_options, workers.remote: what runs modules; data names a program alone, and none here",
         By.PLAYBOOKS),
    Read("ansible_interpreter_python_fallback", "workers.connection_options: where Python is searched", By.USERS),
    Read("ansible_become ansible_become_user ansible_become_pass ansible_become_password",
         "workers.become_options: as whom", By.PLAYBOOKS),
    Read("ansible_become_method ansible_become_exe ansible_become_flags", "workers.become_options: by which program",
         By.USERS),
    Read("lxd_become_method incus_become_method", "workers.engine_options: by which program", By.USERS),
    Read("ansible_facts_modules", "actions.gather_facts: modules of ours and of users", By.USERS),
    Read("ansible_pkg_mgr ansible_service_mgr", "actions.detect: one of MANAGERS", By.HOSTS),
    Read("ansible_facts", "actions.detect, workers.remote, workers.facts, workers.stretch: what a host says of itself",
         By.HOSTS),
    Read("ansible_async_dir", "workers.background, actions.async_status: a directory on the host", By.PLAYBOOKS),
    Read("ansible_inject_invocation", "workers.item_run: whether arguments are kept in results", By.USERS),
    Read("ansible_managed", "templating.file_variables: a text in files", By.PLAYBOOKS),
    Read("ansible_loop_var ansible_index_var ansible_loop ansible_delegated_vars item",
         "workers.loops, workers.item_run: what a loop says of itself", By.PLAYBOOKS),
    Read("ansible_failed_task ansible_failed_result", "engine.results: what a rescue section is told", By.PLAYBOOKS),
    Read("ansible_group_priority", "inventory.model: read from inventories alone", By.USERS),
    Read("ansible_no_target_syslog ansible_target_log_info ansible_module_compression ansible_deprecation_warnings "
         "ansible_win_async_startup_timeout ansible_python_module_rlimit_nofile ansible_worker_session_isolation "
         "ansible_connection_path ansible_remote_tmp ansible_local_tmp ansible_pipelining ansible_shell_type "
         "ansible_network_os ansible_rsync_path ansible_control_path ansible_control_path_dir ansible_scp_if_ssh "
         "ansible_scp_extra_args ansible_scp_executable ansible_sftp_extra_args ansible_sftp_executable "
         "ansible_sftp_batch_mode ansible_system_tmpdirs ansible_admin_users ansible_common_remote_group "
         "ansible_remote_addr ansible_remote_user ansible_shell_allow_world_readable_temp ansible_sshpass_prompt",
         "lookup 'config', and options of plugins that we do without", By.USERS),
)  # fmt: skip

FAMILIES = (
    *("become", "buildah", "chroot", "containerd", "doas", "docker", "docker_api", "dzdo"),
    *("enable", "funcd", "httpapi", "incus", "iocage", "jail", "ksu", "kubectl"),
    *("libssh", "libvirt_lxc", "local_become", "lookup_url", "lxc", "lxd", "machinectl", "napalm"),
    *("netconf", "network_cli", "nsenter", "nspawn", "oc", "paramiko", "paramiko_ssh", "pbrun"),
    *("persistent", "pfexec", "pmrun", "podman", "proxmox", "psrp", "qubes", "run0"),
    *("runas", "saltstack", "sesu", "ssh", "su", "sudo", "sudosu", "vmware_tools"),
    *("winrm", "zone", "aws_ssm"),
)
"""Plugins (connections, become methods, lookups) whose variables are `ansible_PLUGIN_OPTION`."""

_HARMLESS = frozenset((
    *("host", "user", "username", "port", "password", "pass"),
    *("timeout", "retries", "remote_addr", "remote_user", "pod", "container"),
    *("namespace", "project", "become_success_timeout", "success_timeout"),
))  # fmt: skip
"""Options of such plugins that name whom to reach, and no program or file: playbooks may set them from data."""

_NO_OPTIONS = late_pattern(r"ansible_ssh_host_key_\w+")
"""Facts whose names look like options of a plugin: what `setup` says of the keys of sshd."""

NAMES_KEPT = 4096
"""Hosts may send any number of names: what is remembered of them is bounded."""

NEVER = frozenset((
    *("vars", "omit", "environment", "lookup", "query", "q", "now"),
    *("undef", "range", "dict", "lipsum", "cycler", "joiner", "namespace"),
))  # fmt: skip
"""Names that templates know without any variable: no fact hides them."""


@lru_cache(NAMES_KEPT)
def set_by(name: str) -> By | None:
    """Return who may set the variable `name`, None if pyplay itself does not read it."""
    row = _ROWS.get(name)
    if row is not None:
        return row
    if not name.startswith("ansible_"):
        return None
    if name.endswith("_interpreter"):
        return _ROWS["ansible_python_interpreter"]
    if _NO_OPTIONS.fullmatch(name):
        return By.HOSTS
    bare = name.removeprefix("ansible_")
    options = [bare.removeprefix(family + "_") for family in FAMILIES if bare.startswith(family + "_")]
    if not options:
        return None
    return By.PLAYBOOKS if any(option in _HARMLESS for option in options) else By.USERS


def is_for_users(name: str) -> bool:
    """Whether it matters of the variable `name` that a user wrote its value: it takes no other, or not as freely."""
    return set_by(name) is By.USERS or name.endswith("_interpreter")


def may_be_fact(name: str) -> bool:
    """Whether a fact may be a variable of this name: not where pyplay reads it, and does not expect a host's word."""
    return name not in NEVER and not name.startswith("_ansible_") and set_by(name) in (None, By.HOSTS)


def is_data(value: object) -> bool:
    """Whether `value` is text, or holds some, that no user wrote: what is `Trusted` is not looked into."""
    if type(value) is str:
        return value != ""
    if isinstance(value, dict) and not isinstance(value, SourceMap):
        return bool(value)  # pyright: ignore[reportUnknownArgumentType]  # any
    return isinstance(value, (list, tuple)) and not isinstance(value, SourceList) and any(map(is_data, value))  # pyright: ignore[reportUnknownArgumentType]  # any


def check_words(name: str, raw: object, origin: Origin | None = None) -> None:
    """Raise OptionsError where `raw` is data and `name` takes only what users wrote."""
    if is_data(raw) and set_by(name) is By.USERS:
        raise OptionsError.of(
            "data-as-option",
            f"{name} chooses a program, its arguments or a file of the controller, and its value is data: "
            "of a result, or marked as unsafe",
            origin,
            help=f"write {name} into the inventory or the 'vars' of a play, block or task; "
            "a template there may name the result",
        )


_ROWS = {name: read.by for read in READS for name in read.names.split() if "*" not in name}
