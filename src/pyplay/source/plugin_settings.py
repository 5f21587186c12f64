"""Options of Ansible's plugins that settings decide: which of ours each is, and those that have no counterpart."""

# ruff: noqa: FBT003  # the default of a setting stands third
from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.dataclass import dataclass
from pyplay.source.setting import Kind, Setting
from pyplay.source.settings import SETTINGS
from pyplay.source.settings_load import read_settings

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyplay.source.settings_load import Found

PLUGIN_TYPES = (
    *("become", "cache", "callback", "cliconf", "connection", "httpapi", "inventory", "lookup", "netconf", "shell"),
    "vars",
)
"""The types of plugins that Ansible's configuration knows."""


@dataclass(frozen=True, slots=True)
class PluginOption:
    """One option of plugin `plugin` of type `type`: `rows` are the settings that decide it, the last one that is set.

    `variables` of a host set it before all of them, the last one that is set.
    """

    type: str
    plugin: str
    name: str
    rows: tuple[Setting, ...]
    variables: tuple[str, ...] = ()


_MEMORY = "modules run from memory, nothing is copied to the host"
_INSIDE_SSH = "files travel inside of the one connection"
_PASSWORDS = "pyplay answers the prompts of SSH itself"
_ROWS = {row.name: row for row in SETTINGS}


def _foreign(kind: Kind, default: Any, doc: str, idle: str, *, env: str = "", ini: str = "") -> Setting:
    section, _, key = ini.partition(".")
    name = (env.removeprefix("ANSIBLE_") or key).lower()
    return Setting(
        name,
        kind,
        default,
        doc,
        env=(env,) if env else (),
        ini=((section, key),) if ini else (),
        idle=idle,
        own=False,
    )


def _option(path: str, *rows: str | Setting, by: str = "") -> PluginOption:
    """Give an option `type.plugin.name`. `by`: the host's variables, without `ansible_`, that set it."""
    type_, plugin, name = path.split(".")
    found = tuple(_ROWS[row] if isinstance(row, str) else row for row in rows)
    return PluginOption(type_, plugin, name, found, tuple(f"ansible_{word}" for word in by.split()))


def _url(name: str, kind: Kind, default: Any, doc: str, word: str = "") -> PluginOption:
    place = word or name
    key = "agent" if name == "http_agent" else name
    row = _foreign(kind, default, doc, "", env=f"ANSIBLE_LOOKUP_URL_{place.upper()}", ini=f"url_lookup.{key}")
    return _option(f"lookup.url.{name}", row, by=f"lookup_url_{place}")


PLUGIN_OPTIONS: tuple[PluginOption, ...] = (
    *(
        option
        for method in ("su", "sudo")
        for option in (
            _option(f"become.{method}.become_exe", "become_exe", f"{method}_exe", by=f"become_exe {method}_exe"),
            _option(
                f"become.{method}.become_flags", "become_flags", f"{method}_flags", by=f"become_flags {method}_flags"
            ),
            _option(f"become.{method}.become_user", "become_user", f"{method}_user", by=f"become_user {method}_user"),
        )
    ),
    _option("become.su.become_pass", "become_pass", "su_pass", by="become_password become_pass su_pass"),
    _option("become.su.prompt_l10n", "su_prompt_l10n", by="su_prompt_l10n"),
    _option("become.sudo.become_pass", "become_pass", "sudo_pass", by="become_password become_pass sudo_pass"),
    _option("become.sudo.sudo_chdir", "sudo_chdir", by="sudo_chdir"),
    _option("cache.jsonfile._prefix", "fact_caching_prefix"),
    _option("cache.jsonfile._timeout", "fact_caching_timeout"),
    _option("cache.jsonfile._uri", "fact_caching_connection"),
    *(
        _option(f"callback.default.{name}", name)
        for name in (
            *("check_mode_markers", "display_failed_stderr", "display_ok_hosts", "display_skipped_hosts"),
            "display_included_hosts",
            *("show_custom_stats", "show_per_host_start", "show_task_path_on_failure"),
        )
    ),
    *(
        option
        for plugin in ("default", "minimal")
        for option in (
            _option(f"callback.{plugin}.pretty_results", "callback_format_pretty"),
            _option(f"callback.{plugin}.result_format", "callback_result_format"),
            _option(f"callback.{plugin}.result_indentation", "callback_result_indentation"),
            _option(f"callback.{plugin}.result_yaml_line_width", "callback_result_yaml_line_width"),
        )
    ),
    *(
        _option(f"callback.junit.{name}", f"junit_{name}")
        for name in (
            *("fail_on_change", "fail_on_ignore", "hide_task_arguments", "include_setup_tasks_in_report"),
            *("output_dir", "replace_out_of_tree_path", "task_class", "task_relative_path", "test_case_prefix"),
        )
    ),
    _option("callback.tree.directory", "tree_directory"),
    _option("callback.json.json_indent", "json_indent"),
    *(
        _option(f"callback.profile_tasks.{name}", f"profile_tasks_{name}")
        for name in ("datetime_format", "output_limit", "sort_order", "summary_only")
    ),
    _option("callback.profile_roles.summary_only", "profile_roles_summary_only"),
    _option("connection.local.pipelining", "pipelining", by="pipelining"),
    _option("connection.ssh.control_path", "ssh_control_path", by="control_path"),
    _option("connection.ssh.control_path_dir", "ssh_control_path_dir", by="control_path_dir"),
    _option("connection.ssh.host_key_checking", "host_key_checking", by="host_key_checking ssh_host_key_checking"),
    _option("connection.ssh.pipelining", "pipelining", by="pipelining ssh_pipelining"),
    _option(
        "connection.ssh.password_mechanism",
        _foreign(
            Kind.TEXT,
            "ssh_askpass",
            "How ssh is given a password.",
            _PASSWORDS,
            env="ANSIBLE_SSH_PASSWORD_MECHANISM",
            ini="ssh_connection.password_mechanism",
        ),
        by="ssh_password_mechanism",
    ),
    _option("connection.ssh.pkcs11_provider", "pkcs11_provider", by="ssh_pkcs11_provider"),
    _option("connection.ssh.port", "remote_port", by="port ssh_port"),
    _option("connection.ssh.private_key_file", "private_key_file", by="private_key_file ssh_private_key_file"),
    _option("connection.ssh.private_key", "ssh_private_key", by="private_key ssh_private_key"),
    _option(
        "connection.ssh.private_key_passphrase",
        "ssh_private_key_passphrase",
        by="private_key_passphrase ssh_private_key_passphrase",
    ),
    _option("connection.ssh.reconnection_retries", "ssh_retries", by="ssh_retries"),
    _option("connection.ssh.remote_user", "remote_user", by="user ssh_user"),
    *(
        _option(
            f"connection.ssh.{name}",
            _foreign(
                Kind.BOOL if name == "sftp_batch_mode" else Kind.TEXT,
                default,
                doc,
                _INSIDE_SSH,
                env=f"ANSIBLE_{name.upper()}",
                ini=f"ssh_connection.{name}",
            ),
            by=name,
        )
        for name, default, doc in (
            ("scp_executable", "scp", "The scp program."),
            ("scp_extra_args", "", "Options for scp."),
            ("sftp_batch_mode", True, "Run sftp without questions."),
            ("sftp_executable", "sftp", "The sftp program."),
            ("sftp_extra_args", "", "Options for sftp."),
        )
    ),
    _option("connection.ssh.ssh_args", "ssh_args", by="ssh_args"),
    _option("connection.ssh.ssh_common_args", "ssh_common_args", by="ssh_common_args"),
    _option("connection.ssh.ssh_executable", "ssh_executable", by="ssh_executable"),
    _option("connection.ssh.ssh_extra_args", "ssh_extra_args", by="ssh_extra_args"),
    _option("connection.ssh.ssh_transfer_method", "ssh_transfer_method", by="ssh_transfer_method"),
    _option(
        "connection.ssh.sshpass_prompt",
        _foreign(
            Kind.TEXT,
            "",
            "The prompt that sshpass waits for.",
            _PASSWORDS,
            env="ANSIBLE_SSHPASS_PROMPT",
            ini="ssh_connection.sshpass_prompt",
        ),
        by="sshpass_prompt",
    ),
    _option("connection.ssh.timeout", "timeout", by="ssh_timeout"),
    _option("connection.ssh.use_tty", "ssh_use_tty", by="ssh_use_tty"),
    _option(
        "connection.ssh.verbosity",
        _foreign(
            Kind.INT,
            0,
            "How much ssh tells, as its -v.",
            "what went wrong is told with the last words of ssh",
            env="ANSIBLE_SSH_VERBOSITY",
            ini="ssh_connection.verbosity",
        ),
        by="ssh_verbosity",
    ),
    _option("inventory.constructed.use_extra_vars", "inventory_use_extra_vars"),
    _option("inventory.generator.use_extra_vars", "inventory_use_extra_vars"),
    _option(
        "inventory.script.always_show_stderr",
        _foreign(
            Kind.BOOL,
            True,
            "Show what an inventory script writes to standard error.",
            "it is shown where the script fails",
            env="ANSIBLE_INVENTORY_PLUGIN_SCRIPT_STDERR",
            ini="inventory_plugin_script.always_show_stderr",
        ),
    ),
    _option("inventory.yaml.yaml_extensions", "inventory_yaml_extensions"),
    _url("ca_path", Kind.TEXT, None, "File of certificates that are trusted."),
    _url("ciphers", Kind.LIST, None, "Ciphers to offer."),
    _url("follow_redirects", Kind.TEXT, "urllib2", "Which redirects are followed."),
    _url("force", Kind.BOOL, False, "Take nothing from caches."),
    _url("force_basic_auth", Kind.BOOL, False, "Send user and password with the first request."),
    _url("http_agent", Kind.TEXT, "ansible-httpget", "What the request says it comes from.", word="agent"),
    _url("timeout", Kind.FLOAT, 10, "Seconds that the server may take to answer."),
    _url("unix_socket", Kind.TEXT, None, "Socket to connect to."),
    _url("unredirected_headers", Kind.LIST, None, "Headers that redirects do not get.", word="unredir_headers"),
    _url("use_gssapi", Kind.BOOL, False, "Authenticate with GSSAPI."),
    _url("use_netrc", Kind.BOOL, True, "Take user and password from ~/.netrc."),
    *(
        _option(
            f"shell.sh.{name}",
            _foreign(kind, default, doc, _MEMORY, env=env, ini=f"defaults.{key}"),
            by=variable,
        )
        for name, kind, default, doc, env, key, variable in (
            (
                "admin_users",
                Kind.LIST,
                ("root", "toor"),
                "Users who may read everybody's files.",
                "ANSIBLE_ADMIN_USERS",
                "admin_users",
                "admin_users",
            ),
            (
                "common_remote_group",
                Kind.TEXT,
                None,
                "Group that login and become user share.",
                "ANSIBLE_COMMON_REMOTE_GROUP",
                "common_remote_group",
                "common_remote_group",
            ),
            (
                "system_tmpdirs",
                Kind.LIST,
                ("/var/tmp", "/tmp"),  # noqa: S108  # names only
                "Directories for temporary files of all users.",
                "ANSIBLE_SYSTEM_TMPDIRS",
                "system_tmpdirs",
                "system_tmpdirs",
            ),
            (
                "world_readable_temp",
                Kind.BOOL,
                False,
                "Let anybody read temporary files.",
                "ANSIBLE_SHELL_ALLOW_WORLD_READABLE_TEMP",
                "allow_world_readable_tmpfiles",
                "shell_allow_world_readable_temp",
            ),
        )
    ),
    _option("shell.sh.async_dir", "async_dir", by="async_dir"),
    _option("shell.sh.remote_tmp", "remote_tmp", by="remote_tmp"),
    _option("vars.host_group_vars._valid_extensions", "yaml_valid_extensions"),
    _option(
        "vars.host_group_vars.stage",
        _foreign(
            Kind.TEXT,
            None,
            "When vars files are read.",
            "vars files are read when a host needs them",
            env="ANSIBLE_VARS_PLUGIN_STAGE",
            ini="vars_host_group_vars.stage",
        ),
    ),
)
"""Every option of a plugin that a setting decides, by type and plugin."""

PLUGIN_ROWS: tuple[Setting, ...] = tuple(row for option in PLUGIN_OPTIONS for row in option.rows if not row.own)
"""The settings among them that a run does not read."""


_BOTH = frozenset(
    {
        *("become_exe", "become_flags", "become_user", "fact_caching_prefix", "fact_caching_timeout"),
        *("fact_caching_connection", "display_skipped_hosts", "show_custom_stats", "pipelining", "host_key_checking"),
        *("remote_port", "private_key_file", "remote_user", "timeout", "yaml_valid_extensions"),
    }
)
PLUGIN_ONLY = frozenset(row.name for option in PLUGIN_OPTIONS for row in option.rows) - _BOTH
"""Settings that Ansible's configuration knows as options of plugins alone."""


def read_plugin_rows(environ: Mapping[str, str], cwd: str) -> Found:
    """Give the values of PLUGIN_ROWS. Raises OptionsError as `load_settings` does."""
    return read_settings(PLUGIN_ROWS, environ, cwd, whole=False)
