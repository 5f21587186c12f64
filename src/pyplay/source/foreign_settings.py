"""The settings of Ansible's configuration that have no counterpart here: read when asked for, and why they do nothing.

They stand apart from the settings of a run, which every start pays for.
"""

# ruff: noqa: FBT003  # the default of a setting stands third
from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.source.setting import Kind, Setting
from pyplay.source.settings import SETTINGS
from pyplay.source.settings_load import read_settings

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyplay.source.settings_load import Found

_GALAXY = "it is for ansible-core's ansible-galaxy alone"
_INSTALL = "runs do not heed it; `pyplay install` does"
_INSTALLING = (
    "DISABLE_GPG_VERIFY",
    "GPG_KEYRING",
    "IGNORE_CERTS",
    "IGNORE_INVALID_SIGNATURE_STATUS_CODES",
    "REQUIRED_VALID_SIGNATURE_COUNT",
    "SERVER",
    "SERVER_LIST",
    "SERVER_TIMEOUT",
    "TOKEN_PATH",
)
_NETWORK = "network devices are not reached"
_WINDOWS = "Windows hosts are not reached"
_WORKERS = "workers are forked once and live as long as the run"
_INSIDE = "it steers the insides of ansible-core"
_GONE = "it has no effect in ansible-core either"
_DOC = "documentation is shown without colours"
_AGENT = "no agent is started; one that runs is used"
_REJECTED = (".pyc", ".pyo", ".swp", ".bak", "~", ".rpm", ".md", ".txt", ".rst")
_NETWORK_MODULES = (
    *("eos", "nxos", "ios", "iosxr", "junos", "enos", "ce", "vyos", "sros", "dellos9", "dellos10", "dellos6", "asa"),
    *("aruba", "aireos", "bigip", "ironware", "onyx", "netconf", "exos", "voss", "slxos"),
)
_FACTS_MODULES = {
    **{
        short: f"ansible.legacy.{short}_facts"
        for short in ("asa", "eos", "exos", "frr", "ios", "iosxr", "ironware", "junos", "nxos", "slxos", "voss", "vyos")
    },
    **{
        full: f"{full}_facts"
        for full in (
            *("arista.eos.eos", "cisco.asa.asa", "cisco.ios.ios", "cisco.iosxr.iosxr", "cisco.nxos.nxos"),
            *("community.network.ironware", "extreme.exos.exos", "extreme.slxos.slxos", "extreme.voss.voss"),
            *("frr.frr.frr", "junipernetworks.junos.junos", "vyos.vyos.vyos"),
        )
    },
}
_SKELETON_IGNORED = ("^.git$", "^.*/.git_keep$")


def _row(  # the columns of the table
    name: str,
    kind: Kind,
    default: Any,
    doc: str,
    idle: str,
    *,
    env: str = "",
    ini: str = "",
    choices: str = "",
    unmet: bool = False,
    var: str = "",
) -> Setting:
    section, _, key = ini.partition(".")
    return Setting(
        name.removeprefix("DEFAULT_").lower(),
        kind,
        default,
        doc,
        env=tuple(env.split()),
        ini=((section, key),) if ini else (),
        choices=tuple(choices.split()),
        idle=idle,
        unmet=unmet,
        ansible=name,
        variables=(var,) if var else (),
        own=False,
    )


def _plugins(kind: str, doc: str, idle: str) -> Setting:
    paths = f"{{{{ANSIBLE_HOME}}}}/plugins/{kind}", f"/usr/share/ansible/plugins/{kind}"
    name = "DOC_FRAGMENT_PLUGIN_PATH" if kind == "doc_fragments" else f"DEFAULT_{kind.upper()}_PLUGIN_PATH"
    word = kind.removesuffix("s") if kind == "doc_fragments" else kind
    return _row(
        name, Kind.PATHS, paths, doc, idle, env=f"ANSIBLE_{word.upper()}_PLUGINS", ini=f"defaults.{word}_plugins"
    )


def _galaxy(  # as above
    name: str, kind: Kind, default: Any, doc: str, *, env: str = "", key: str = "", choices: str = ""
) -> Setting:
    full, ini = f"GALAXY_{name}", f"galaxy.{key}" if key else ""
    idle = _INSTALL if name in _INSTALLING else _GALAXY
    return _row(full, kind, default, doc, idle, env=env or f"ANSIBLE_{full}", ini=ini, choices=choices)


def _colour(what: str, default: str) -> Setting:
    name = f"COLOR_DOC_{what.upper()}"
    doc = f"Colour of {what}s in documentation."
    return _row(name, Kind.TEXT, default, doc, _DOC, env=f"ANSIBLE_{name}", ini=f"colors.doc_{what}")


_REJECT_OR_NOT = "error ignore warning"
FOREIGN: tuple[Setting, ...] = (
    # networks and Windows
    _row(
        "ANSIBLE_CONNECTION_PATH",
        Kind.PATH,
        None,
        "Program of persistent connections.",
        _GONE,
        env="ANSIBLE_CONNECTION_PATH",
        ini="persistent_connection.ansible_connection_path",
    ),
    _row(
        "CONNECTION_FACTS_MODULES",
        Kind.TEXT,
        _FACTS_MODULES,
        "Modules that gather facts of network devices.",
        _NETWORK,
    ),
    _plugins("cliconf", "Directories of command lines of network devices.", _NETWORK),
    _plugins("httpapi", "Directories of HTTP interfaces of network devices.", _NETWORK),
    _plugins("netconf", "Directories of NETCONF dialects.", _NETWORK),
    _plugins("terminal", "Directories of terminals of network devices.", _NETWORK),
    _row(
        "NETCONF_SSH_CONFIG",
        Kind.TEXT,
        None,
        "ssh config of NETCONF connections.",
        _NETWORK,
        env="ANSIBLE_NETCONF_SSH_CONFIG",
        ini="netconf_connection.ssh_config",
    ),
    _row(
        "NETWORK_GROUP_MODULES",
        Kind.LIST,
        _NETWORK_MODULES,
        "Prefixes of modules of network devices.",
        _NETWORK,
        env="ANSIBLE_NETWORK_GROUP_MODULES",
        ini="defaults.network_group_modules",
    ),
    _row(
        "PERSISTENT_COMMAND_TIMEOUT",
        Kind.INT,
        30,
        "Seconds that a network device may take to answer.",
        _NETWORK,
        env="ANSIBLE_PERSISTENT_COMMAND_TIMEOUT",
        ini="persistent_connection.command_timeout",
    ),
    _row(
        "PERSISTENT_CONNECT_RETRY_TIMEOUT",
        Kind.INT,
        15,
        "Seconds that the local socket of a network device is tried for.",
        _NETWORK,
        env="ANSIBLE_PERSISTENT_CONNECT_RETRY_TIMEOUT",
        ini="persistent_connection.connect_retry_timeout",
    ),
    _row(
        "PERSISTENT_CONNECT_TIMEOUT",
        Kind.INT,
        30,
        "Seconds after which an idle network connection ends.",
        _NETWORK,
        env="ANSIBLE_PERSISTENT_CONNECT_TIMEOUT",
        ini="persistent_connection.connect_timeout",
    ),
    _row(
        "PERSISTENT_CONTROL_PATH_DIR",
        Kind.PATH,
        "{{ANSIBLE_HOME}}/pc",
        "Directory of the sockets of network connections.",
        _NETWORK,
        env="ANSIBLE_PERSISTENT_CONTROL_PATH_DIR",
        ini="persistent_connection.control_path_dir",
    ),
    _row(
        "USE_PERSISTENT_CONNECTIONS",
        Kind.BOOL,
        False,
        "Keep network connections.",
        "one connection per host is kept open for the whole run anyway",
        env="ANSIBLE_USE_PERSISTENT_CONNECTIONS",
        ini="defaults.use_persistent_connections",
    ),
    _row(
        "WIN_ASYNC_STARTUP_TIMEOUT",
        Kind.INT,
        5,
        "Seconds that an async task may take to start.",
        _WINDOWS,
        env="ANSIBLE_WIN_ASYNC_STARTUP_TIMEOUT",
        ini="defaults.win_async_startup_timeout",
        var="ansible_win_async_startup_timeout",
    ),
    # collections
    _row(
        "VALIDATE_ACTION_GROUP_METADATA",
        Kind.BOOL,
        True,
        "Warn of action groups with wrong metadata.",
        "an action group with wrong metadata is passed over in silence",
        env="ANSIBLE_VALIDATE_ACTION_GROUP_METADATA",
        ini="defaults.validate_action_group_metadata",
    ),
    _galaxy(
        "CACHE_DIR",
        Kind.PATH,
        "{{ANSIBLE_HOME}}/galaxy_cache",
        "Directory of what Galaxy servers answered.",
        key="cache_dir",
    ),
    _galaxy(
        "COLLECTIONS_PATH_WARNING",
        Kind.BOOL,
        True,
        "Warn if a collection is installed where it is not found.",
        key="collections_path_warning",
    ),
    _galaxy("COLLECTION_IMPORT_POLL_FACTOR", Kind.FLOAT, 1.5, "Growth of the pauses while a server imports."),
    _galaxy("COLLECTION_IMPORT_POLL_INTERVAL", Kind.FLOAT, 2.0, "First pause, in seconds, while a server imports."),
    _galaxy("COLLECTION_SKELETON", Kind.PATH, None, "Template of new collections.", key="collection_skeleton"),
    _galaxy(
        "COLLECTION_SKELETON_IGNORE",
        Kind.LIST,
        _SKELETON_IGNORED,
        "Files of that template to leave out.",
        key="collection_skeleton_ignore",
    ),
    _galaxy("DISABLE_GPG_VERIFY", Kind.BOOL, False, "Do without signatures.", key="disable_gpg_verify"),
    _galaxy("DISPLAY_PROGRESS", Kind.BOOL, None, "Show a wheel that turns.", key="display_progress"),
    _galaxy("GPG_KEYRING", Kind.PATH, None, "Keys that signatures are checked with.", key="gpg_keyring"),
    _galaxy(
        "IGNORE_CERTS",
        Kind.BOOL,
        None,
        "Do not check certificates of servers.",
        env="ANSIBLE_GALAXY_IGNORE",
        key="ignore_certs",
    ),
    _galaxy(
        "IGNORE_INVALID_SIGNATURE_STATUS_CODES",
        Kind.LIST,
        None,
        "Faults of signatures to pass over.",
        env="ANSIBLE_GALAXY_IGNORE_SIGNATURE_STATUS_CODES",
        key="ignore_signature_status_codes",
        choices=(
            "EXPSIG EXPKEYSIG REVKEYSIG BADSIG ERRSIG NO_PUBKEY MISSING_PASSPHRASE BAD_PASSPHRASE NODATA UNEXPECTED "
            "ERROR FAILURE BADARMOR KEYEXPIRED KEYREVOKED NO_SECKEY"
        ),
    ),
    _galaxy(
        "REQUIRED_VALID_SIGNATURE_COUNT",
        Kind.TEXT,
        "1",
        "How many signatures a collection needs.",
        key="required_valid_signature_count",
    ),
    _galaxy("ROLE_SKELETON", Kind.PATH, None, "Template of new roles.", key="role_skeleton"),
    _galaxy(
        "ROLE_SKELETON_IGNORE",
        Kind.LIST,
        _SKELETON_IGNORED,
        "Files of that template to leave out.",
        key="role_skeleton_ignore",
    ),
    _galaxy("SERVER", Kind.TEXT, "https://galaxy.ansible.com", "Server of collections and roles.", key="server"),
    _galaxy(
        "SERVER_LIST",
        Kind.LIST,
        None,
        "Servers of collections, each with a section [galaxy_server.NAME].",
        key="server_list",
    ),
    _galaxy("SERVER_TIMEOUT", Kind.INT, 60, "Seconds that a server may take to answer.", key="server_timeout"),
    _galaxy("TOKEN_PATH", Kind.PATH, "{{ANSIBLE_HOME}}/galaxy_token", "File of the server's token.", key="token_path"),
    # what is shown
    _row(
        "COLOR_CONSOLE_PROMPT",
        Kind.TEXT,
        "white",
        "Colour of ansible-console's prompt.",
        "there is no console",
        env="ANSIBLE_COLOR_CONSOLE_PROMPT",
        ini="colors.console_prompt",
    ),
    _colour("constant", "dark gray"),
    _colour("deprecated", "magenta"),
    _colour("link", "cyan"),
    _colour("module", "yellow"),
    _colour("plugin", "yellow"),
    _colour("reference", "magenta"),
    _plugins("doc_fragments", "Directories of documentation that plugins share.", "only a plugin's own is read"),
    _row(
        "DOCSITE_ROOT_URL",
        Kind.TEXT,
        "https://docs.ansible.com/ansible-core/",
        "Where links in documentation lead.",
        "documentation is shown without links",
        ini="defaults.docsite_root_url",
    ),
    _row(
        "DEFAULT_DEBUG",
        Kind.BOOL,
        False,
        "Show what ansible-core does inside.",
        "-vvv shows more, a bug writes a report",
        env="ANSIBLE_DEBUG",
        ini="defaults.debug",
    ),
    _row(
        "DEVEL_WARNING",
        Kind.BOOL,
        True,
        "Warn of development versions of ansible-core.",
        "this is not ansible-core",
        env="ANSIBLE_DEVEL_WARNING",
        ini="defaults.devel_warning",
    ),
    _row(
        "DISPLAY_TRACEBACK",
        Kind.LIST,
        ("never",),
        "Which faults show a traceback.",
        "faults show their place, a bug writes a report",
        env="ANSIBLE_DISPLAY_TRACEBACK",
        ini="defaults.display_traceback",
        choices="error warning deprecated deprecated_value always never",
    ),
    _row(
        "DEFAULT_LOG_FILTER",
        Kind.LIST,
        (),
        "Names of loggers that are kept out of the log.",
        "only what is shown is logged",
        env="ANSIBLE_LOG_FILTER",
        ini="defaults.log_filter",
    ),
    _row(
        "LOG_VERBOSITY",
        Kind.INT,
        None,
        "How much is logged, as -v.",
        "what is shown is logged",
        env="ANSIBLE_LOG_VERBOSITY",
        ini="defaults.log_verbosity",
    ),
    # modules and hosts
    _row(
        "DEFAULT_ALLOW_UNSAFE_LOOKUPS",
        Kind.BOOL,
        False,
        "Results of lookups are templates.",
        "results of lookups are never templates",
        ini="defaults.allow_unsafe_lookups",
    ),
    _row(
        "DEFAULT_NULL_REPRESENTATION",
        Kind.TEXT,
        None,
        "What a template without a value gives.",
        _GONE,
        env="ANSIBLE_NULL_REPRESENTATION",
        ini="defaults.null_representation",
    ),
    _row(
        "STRING_TYPE_FILTERS",
        Kind.LIST,
        ("string", "to_json", "to_nice_json", "to_yaml", "to_nice_yaml", "ppretty", "json"),
        "Filters whose text stays text.",
        _GONE,
        env="ANSIBLE_STRING_TYPE_FILTERS",
        ini="jinja2.dont_type_filters",
    ),
    _row(
        "DEFAULT_LIBVIRT_LXC_NOSECLABEL",
        Kind.BOOL,
        False,
        "Do without security labels in libvirt's containers.",
        "libvirt's containers are not reached",
        env="ANSIBLE_LIBVIRT_LXC_NOSECLABEL",
        ini="selinux.libvirt_lxc_noseclabel",
    ),
    _row(
        "DEFAULT_SU",
        Kind.BOOL,
        False,
        "Become another user with su.",
        "become and become_method say it",
        env="ANSIBLE_SU",
        ini="defaults.su",
    ),
    _row(
        "INTERPRETER_PYTHON_FALLBACK",
        Kind.LIST,
        (*(f"python3.{minor}" for minor in range(14, 8, -1)), "/usr/bin/python3", "python3"),
        "Interpreters that are searched on the host.",
        "its variable is heeded; without it the system's come first, then the newest",
        var="ansible_interpreter_python_fallback",
    ),
    _row(
        "MODULE_IGNORE_EXTS",
        Kind.LIST,
        (*_REJECTED, ".yaml", ".yml", ".ini"),
        "Endings of files that are no modules.",
        "modules are found by name, not by reading directories",
        env="ANSIBLE_MODULE_IGNORE_EXTS",
        ini="defaults.module_ignore_exts",
    ),
    _row(
        "PLUGIN_FILTERS_CFG",
        Kind.PATH,
        None,
        "File that lists modules to refuse.",
        "no module is refused",
        ini="defaults.plugin_filters_cfg",
        unmet=True,
    ),
    _row(
        "PYTHON_MODULE_RLIMIT_NOFILE",
        Kind.INT,
        0,
        "How many files a module may open.",
        "modules run with the limits of the host",
        env="ANSIBLE_PYTHON_MODULE_RLIMIT_NOFILE",
        ini="defaults.python_module_rlimit_nofile",
        var="ansible_python_module_rlimit_nofile",
    ),
    _row(
        "SSH_AGENT_EXECUTABLE",
        Kind.TEXT,
        "ssh-agent",
        "The ssh-agent program.",
        _AGENT,
        env="ANSIBLE_SSH_AGENT_EXECUTABLE",
        ini="connection.ssh_agent_executable",
    ),
    _row(
        "SSH_AGENT_KEY_LIFETIME",
        Kind.INT,
        None,
        "Seconds that an agent keeps a key.",
        _AGENT,
        env="ANSIBLE_SSH_AGENT_KEY_LIFETIME",
        ini="connection.ssh_agent_key_lifetime",
    ),
    # the insides of ansible-core
    _row(
        "DEFAULT_INTERNAL_POLL_INTERVAL",
        Kind.FLOAT,
        0.001,
        "Seconds between looks at workers.",
        "nothing polls here",
        ini="defaults.internal_poll_interval",
    ),
    _row(
        "OLD_PLUGIN_CACHE_CLEARING",
        Kind.BOOL,
        False,
        "Look for plugins anew in every play.",
        "plugins are found when they are asked for",
        env="ANSIBLE_OLD_PLUGIN_CACHE_CLEAR",
        ini="defaults.old_plugin_cache_clear",
    ),
    _row(
        "WORKER_SESSION_ISOLATION",
        Kind.BOOL,
        True,
        "Workers have sessions of their own.",
        _WORKERS,
        env="ANSIBLE_WORKER_SESSION_ISOLATION",
        ini="defaults.worker_session_isolation",
        var="ansible_worker_session_isolation",
    ),
    _row(
        "WORKER_SHUTDOWN_POLL_COUNT",
        Kind.INT,
        0,
        "How often it is looked whether workers have ended.",
        _WORKERS,
        env="ANSIBLE_WORKER_SHUTDOWN_POLL_COUNT",
    ),
    _row(
        "WORKER_SHUTDOWN_POLL_DELAY",
        Kind.FLOAT,
        0.1,
        "Seconds between those looks.",
        _WORKERS,
        env="ANSIBLE_WORKER_SHUTDOWN_POLL_DELAY",
    ),
    _row(
        "COVERAGE_REMOTE_OUTPUT",
        Kind.TEXT,
        None,
        "Where coverage of modules is written.",
        _INSIDE,
        env="_ANSIBLE_COVERAGE_REMOTE_OUTPUT",
        var="_ansible_coverage_remote_output",
    ),
    _row(
        "COVERAGE_REMOTE_PATHS",
        Kind.TEXT,
        "*",
        "Which modules' coverage is written.",
        _INSIDE,
        env="_ANSIBLE_COVERAGE_REMOTE_PATH_FILTER",
    ),
    *(
        _row(
            f"_ANSIBALLZ_{tool}_CONFIG",
            Kind.TEXT,
            None,
            f"How {tool.lower()} is attached to modules.",
            _INSIDE,
            env=f"_ANSIBLE_ANSIBALLZ_{tool}_CONFIG",
            var=f"_ansible_ansiballz_{tool.lower()}_config",
        )
        for tool in ("COVERAGE", "DEBUGPY", "PYDEVD")
    ),
    _row(
        "_ANSIBLE_CONNECTION_PATH",
        Kind.PATH,
        None,
        "Program of persistent connections.",
        _NETWORK,
        env="_ANSIBLE_CONNECTION_PATH",
    ),
    _row(
        "_CALLBACK_DISPATCH_ERROR_BEHAVIOR",
        Kind.CHOICE,
        "warning",
        "What a callback that fails is.",
        _INSIDE,
        env="_ANSIBLE_CALLBACK_DISPATCH_ERROR_BEHAVIOR",
        choices=_REJECT_OR_NOT,
    ),
    _row(
        "_MODULE_METADATA",
        Kind.BOOL,
        False,
        "Send modules their metadata.",
        _INSIDE,
        env="_ANSIBLE_MODULE_METADATA",
    ),
    _row(
        "_TEMPLAR_SANDBOX_MODE",
        Kind.CHOICE,
        "default",
        "What templates may reach.",
        "templates reach plain values alone",
        env="_ANSIBLE_TEMPLAR_SANDBOX_MODE",
        choices="default allow_unsafe_attributes",
    ),
    *(
        _row(
            f"_TEMPLAR_{what}",
            Kind.CHOICE,
            default,
            doc,
            _INSIDE,
            env=f"_ANSIBLE_TEMPLAR_{what}",
            choices=_REJECT_OR_NOT,
        )
        for what, default, doc in (
            ("UNKNOWN_TYPE_CONVERSION", "warning", "What a value of a plugin that has to be converted is."),
            ("UNKNOWN_TYPE_ENCOUNTERED", "ignore", "What a value of a plugin of an unknown type is."),
        )
    ),
)
"""The rows of the table, by subject."""

_HOME = next(row for row in SETTINGS if row.name == "home")


def read_foreign(environ: Mapping[str, str], cwd: str) -> Found:
    """Give the values of these settings. Raises OptionsError as `load_settings` does."""
    return read_settings((_HOME, *FOREIGN), environ, cwd, whole=False)
