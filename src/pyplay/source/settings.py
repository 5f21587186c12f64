"""Settings: one table, read from `PYPLAY_*`, `[pyplay]`, `ANSIBLE_*` and `ansible.cfg`, in this order of strength.

Names and meanings are those of Ansible's configuration; defaults differ only where the documentation says so.
"""

# ruff: noqa: FBT003  # the default of a setting stands first
from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.source.core_version import COMPATIBLE
from pyplay.source.setting import Kind, setting, table_of
from pyplay.source.settings_load import read_settings

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyplay.diagnostics.model import Diagnostic

_SHARE = "/usr/share/ansible"


def _plugins(kind: str) -> tuple[str, ...]:
    return f"{{{{ANSIBLE_HOME}}}}/plugins/{kind}", f"{_SHARE}/plugins/{kind}"


_REUSED = "one connection per host is kept open for the whole run anyway"
_MEMORY = "modules run from memory, nothing is copied to the host"
_STATIC = "pyplay has its own"
_COLOURS = "there is no text of this kind"
_NO_COWS = "banners are drawn without cows"
_COWS = (
    *("bud-frogs", "bunny", "cheese", "daemon", "default", "dragon", "elephant-in-snake", "elephant", "eyes"),
    *("hellokitty", "kitty", "luke-koala", "meow", "milk", "moofasa", "moose", "ren", "sheep", "small", "stegosaurus"),
    *("stimpy", "supermilker", "three-eyes", "turkey", "turtle", "tux", "udder", "vader-koala", "vader", "www"),
)


class Settings:
    """The settings of a run, read-only. `origins` tells where a value that is no default came from.

    No dataclass: making 200 fields takes time. Paths are absolute. `config_file` is the ansible.cfg that was read;
    `warnings` are for the caller to show; `idle` names what is set and changes nothing (`ANSIBLE_PIPELINING`,
    `[ssh_connection] control_path`).
    """

    # where things are
    home: str = setting(
        "~/.ansible",
        "Directory of everything that is kept in the user's home.",
        env="ANSIBLE_HOME",
        ini="defaults.home",
        kind=Kind.PATH,
    )
    inventory: tuple[str, ...] = setting(
        ("/etc/ansible/hosts",),
        "Inventory sources used when none are given.",
        env="ANSIBLE_INVENTORY",
        ini="defaults.inventory",
        kind=Kind.PATH_LIST,
    )
    roles_path: tuple[str, ...] = setting(
        ("{{ANSIBLE_HOME}}/roles", f"{_SHARE}/roles", "/etc/ansible/roles"),
        "Directories in which roles are searched.",
        env="ANSIBLE_ROLES_PATH",
        ini="defaults.roles_path",
        kind=Kind.PATHS,
    )
    collections_path: tuple[str, ...] = setting(
        ("{{ANSIBLE_HOME}}/collections", f"{_SHARE}/collections"),
        "Directories that hold ansible_collections.",
        env="ANSIBLE_COLLECTIONS_PATH",
        ini="defaults.collections_path",
        kind=Kind.PATHS,
    )
    collections_on_ansible_version_mismatch: str = setting(
        "warning",
        "What a collection made for another ansible-core is.",
        env="ANSIBLE_COLLECTIONS_ON_ANSIBLE_VERSION_MISMATCH",
        ini="defaults.collections_on_ansible_version_mismatch",
        choices="error ignore warning",
    )
    collections_scan_sys_path: bool = setting(
        True,
        "Search Python's path for collections, too.",
        env="ANSIBLE_COLLECTIONS_SCAN_SYS_PATH",
        ini="defaults.collections_scan_sys_path",
    )
    library: tuple[str, ...] = setting(
        _plugins("modules"),
        "Directories in which modules are searched.",
        env="ANSIBLE_LIBRARY",
        ini="defaults.library",
        kind=Kind.PATHS,
    )
    module_utils: tuple[str, ...] = setting(
        _plugins("module_utils"),
        "Directories in which module_utils are searched.",
        env="ANSIBLE_MODULE_UTILS",
        ini="defaults.module_utils",
        kind=Kind.PATHS,
    )
    filter_plugins: tuple[str, ...] = setting(
        _plugins("filter"),
        "Directories in which filters are searched.",
        env="ANSIBLE_FILTER_PLUGINS",
        ini="defaults.filter_plugins",
        kind=Kind.PATHS,
    )
    test_plugins: tuple[str, ...] = setting(
        _plugins("test"),
        "Directories in which tests are searched.",
        env="ANSIBLE_TEST_PLUGINS",
        ini="defaults.test_plugins",
        kind=Kind.PATHS,
    )
    lookup_plugins: tuple[str, ...] = setting(
        _plugins("lookup"),
        "Directories in which lookups are searched.",
        env="ANSIBLE_LOOKUP_PLUGINS",
        ini="defaults.lookup_plugins",
        kind=Kind.PATHS,
    )
    inventory_plugins: tuple[str, ...] = setting(
        _plugins("inventory"),
        "Directories in which inventory plugins are searched.",
        env="ANSIBLE_INVENTORY_PLUGINS",
        ini="defaults.inventory_plugins",
        kind=Kind.PATHS,
    )
    action_plugins: tuple[str, ...] = setting(
        _plugins("action"),
        "Directories in which action plugins are searched; a task that needs one is refused.",
        env="ANSIBLE_ACTION_PLUGINS",
        ini="defaults.action_plugins",
        kind=Kind.PATHS,
    )
    vars_plugins: tuple[str, ...] = setting(
        _plugins("vars"),
        "Directories in which vars plugins are searched.",
        env="ANSIBLE_VARS_PLUGINS",
        ini="defaults.vars_plugins",
        kind=Kind.PATHS,
        idle=_STATIC,
    )
    callback_plugins: tuple[str, ...] = setting(
        _plugins("callback"),
        "Directories in which callbacks are searched.",
        env="ANSIBLE_CALLBACK_PLUGINS",
        ini="defaults.callback_plugins",
        kind=Kind.PATHS,
        idle=_STATIC,
    )
    connection_plugins: tuple[str, ...] = setting(
        _plugins("connection"),
        "Directories in which connections are searched.",
        env="ANSIBLE_CONNECTION_PLUGINS",
        ini="defaults.connection_plugins",
        kind=Kind.PATHS,
        idle=_STATIC,
    )
    become_plugins: tuple[str, ...] = setting(
        _plugins("become"),
        "Directories in which become methods are searched.",
        env="ANSIBLE_BECOME_PLUGINS",
        ini="defaults.become_plugins",
        kind=Kind.PATHS,
        idle=_STATIC,
    )
    strategy_plugins: tuple[str, ...] = setting(
        _plugins("strategy"),
        "Directories in which strategies are searched.",
        env="ANSIBLE_STRATEGY_PLUGINS",
        ini="defaults.strategy_plugins",
        kind=Kind.PATHS,
        idle=_STATIC,
    )
    cache_plugins: tuple[str, ...] = setting(
        _plugins("cache"),
        "Directories in which cache plugins are searched.",
        env="ANSIBLE_CACHE_PLUGINS",
        ini="defaults.cache_plugins",
        kind=Kind.PATHS,
        idle=_STATIC,
    )
    playbook_dir: str | None = setting(
        None,
        "Directory that counts as the playbook's where there is no playbook.",
        env="ANSIBLE_PLAYBOOK_DIR",
        ini="defaults.playbook_dir",
        kind=Kind.PATH,
    )
    playbook_vars_root: str = setting(
        "top",
        "Which playbook directories give group_vars and host_vars.",
        env="ANSIBLE_PLAYBOOK_VARS_ROOT",
        ini="defaults.playbook_vars_root",
        choices="top bottom all",
    )
    local_tmp: str = setting(
        "{{ANSIBLE_HOME}}/tmp",
        "Directory for temporary files here.",
        env="ANSIBLE_LOCAL_TEMP",
        ini="defaults.local_tmp",
        kind=Kind.PATH,
        idle="temporary files are made beside what they become, or where TMPDIR says",
    )
    remote_tmp: str = setting(
        "~/.ansible/tmp",
        "Directory for temporary files on the host.",
        env="ANSIBLE_REMOTE_TEMP ANSIBLE_REMOTE_TMP",
        ini="defaults.remote_tmp",
        idle=_MEMORY,
    )
    log_path: str | None = setting(
        None,
        "File that everything shown is appended to.",
        env="ANSIBLE_LOG_PATH",
        ini="defaults.log_path",
        kind=Kind.PATH,
    )
    retry_files_enabled: bool = setting(
        False,
        "Write the failed hosts of a playbook to a retry file.",
        env="ANSIBLE_RETRY_FILES_ENABLED",
        ini="defaults.retry_files_enabled",
    )
    retry_files_save_path: str | None = setting(
        None,
        "Directory of the retry files; beside the playbook if not set.",
        env="ANSIBLE_RETRY_FILES_SAVE_PATH",
        ini="defaults.retry_files_save_path",
        kind=Kind.PATH,
    )
    # how a playbook runs
    forks: int = setting(
        50, "How many hosts are worked on at the same time.", env="ANSIBLE_FORKS", ini="defaults.forks"
    )
    send_ahead: bool = setting(
        True,
        "Send tasks that depend on no earlier result before that is back, where no other host has to wait.",
    )
    share_process: bool = setting(
        True,
        "Run modules that leave a process as they found it one after another in one, without a fork for each.",
    )
    compatible_version: str = setting(
        COMPATIBLE,
        "The version of ansible-core that playbooks, modules, collections and callers are told.",
        kind=Kind.VERSION,
    )
    strategy: str = setting(
        "linear", "Strategy of plays that name none.", env="ANSIBLE_STRATEGY", ini="defaults.strategy"
    )
    gathering: str = setting(
        "implicit",
        "When facts are gathered: in every play, on demand, or once.",
        env="ANSIBLE_GATHERING",
        ini="defaults.gathering",
        choices="implicit explicit smart",
    )
    facts_modules: tuple[str, ...] = setting(
        ("smart",),
        "Modules that gather facts.",
        env="ANSIBLE_FACTS_MODULES",
        by="ansible_facts_modules",
        ini="defaults.facts_modules",
    )
    gather_subset: tuple[str, ...] = setting(
        (), "Facts that plays which name no subset gather.", ini="defaults.gather_subset"
    )
    gather_timeout: int | None = setting(
        None, "Seconds that one fact collector may take.", ini="defaults.gather_timeout", kind=Kind.INT
    )
    fact_path: str | None = setting(None, "Directory of local facts on the host.", ini="defaults.fact_path")
    inject_facts_as_vars: bool = setting(
        True,
        "Facts are variables named ansible_*, too.",
        env="ANSIBLE_INJECT_FACT_VARS",
        ini="defaults.inject_facts_as_vars",
    )
    fact_caching: str = setting(
        "memory",
        "Where facts are kept between runs: memory (nowhere) or jsonfile.",
        env="ANSIBLE_CACHE_PLUGIN",
        ini="defaults.fact_caching",
    )
    fact_caching_connection: str | None = setting(
        None,
        "Directory of cached facts.",
        env="ANSIBLE_CACHE_PLUGIN_CONNECTION",
        ini="defaults.fact_caching_connection",
    )
    fact_caching_prefix: str = setting(
        "ansible_facts",
        "Prefix of the names of cached facts.",
        env="ANSIBLE_CACHE_PLUGIN_PREFIX",
        ini="defaults.fact_caching_prefix",
    )
    fact_caching_timeout: int = setting(
        86400,
        "Seconds after which cached facts are stale, 0 for never.",
        env="ANSIBLE_CACHE_PLUGIN_TIMEOUT",
        ini="defaults.fact_caching_timeout",
    )
    hash_behaviour: str = setting(
        "replace",
        "Whether mappings of two variable levels replace each other or are merged.",
        env="ANSIBLE_HASH_BEHAVIOUR",
        ini="defaults.hash_behaviour",
        choices="replace merge",
    )
    precedence: tuple[str, ...] = setting(
        (
            "all_inventory",
            "groups_inventory",
            "all_plugins_inventory",
            "all_plugins_play",
            "groups_plugins_inventory",
            "groups_plugins_play",
        ),
        "Order of the variables of groups, weakest first.",
        env="ANSIBLE_PRECEDENCE",
        ini="defaults.precedence",
    )
    private_role_vars: bool = setting(
        False,
        "Variables of roles that do not say `public` are seen by their own tasks alone; set to no, by the whole play.",
        env="ANSIBLE_PRIVATE_ROLE_VARS",
        ini="defaults.private_role_vars",
    )
    any_errors_fatal: bool = setting(
        False, "One failed host ends the play for all.", env="ANSIBLE_ANY_ERRORS_FATAL", ini="defaults.any_errors_fatal"
    )
    force_handlers: bool = setting(
        False,
        "Notified handlers run on failed hosts, too.",
        env="ANSIBLE_FORCE_HANDLERS",
        ini="defaults.force_handlers",
    )
    error_on_missing_handler: bool = setting(
        True,
        "Notifying a handler that does not exist is an error.",
        env="ANSIBLE_ERROR_ON_MISSING_HANDLER",
        ini="defaults.error_on_missing_handler",
    )
    error_on_undefined_vars: bool = setting(
        True,
        "Undefined variables are errors.",
        env="ANSIBLE_ERROR_ON_UNDEFINED_VARS",
        ini="defaults.error_on_undefined_vars",
        idle="an undefined variable is always an error, as in ansible-core",
    )
    invalid_task_attribute_failed: bool = setting(
        True,
        "Unknown keywords are errors.",
        env="ANSIBLE_INVALID_TASK_ATTRIBUTE_FAILED",
        ini="defaults.invalid_task_attribute_failed",
    )
    allow_broken_conditionals: bool = setting(
        False,
        "Take conditions that are not boolean by their truth, with a warning.",
        env="ANSIBLE_ALLOW_BROKEN_CONDITIONALS",
        ini="defaults.allow_broken_conditionals",
    )
    allow_embedded_templates: bool = setting(
        True,
        "Take templates inside of expressions.",
        env="ANSIBLE_ALLOW_EMBEDDED_TEMPLATES",
        ini="defaults.allow_embedded_templates",
    )
    compat: str | None = setting(None, "Take what this older ansible-core version took, with warnings.", choices="2.18")
    jinja2_extensions: tuple[str, ...] = setting(
        (), "Jinja extensions to load.", env="ANSIBLE_JINJA2_EXTENSIONS", ini="defaults.jinja2_extensions"
    )
    untrusted_template_behavior: str = setting(
        "ignore",
        "What is done about a template in text that is data: nothing, a warning, or the task fails.",
        env="_ANSIBLE_TEMPLAR_UNTRUSTED_TEMPLATE_BEHAVIOR",
        choices="error ignore warning",
    )
    jinja2_native: bool = setting(
        True,
        "Templates give native types.",
        env="ANSIBLE_JINJA2_NATIVE",
        ini="defaults.jinja2_native",
        idle="templates always give native types",
    )
    ansible_managed: str = setting(
        "Ansible managed", "Text of the variable ansible_managed.", ini="defaults.ansible_managed"
    )
    duplicate_dict_key: str = setting(
        "warn",
        "What a key that is given twice in YAML is.",
        env="ANSIBLE_DUPLICATE_YAML_DICT_KEY",
        ini="defaults.duplicate_dict_key",
        choices="warn error ignore",
    )
    task_timeout: int = setting(
        0, "Seconds that a task may take, 0 for no limit.", env="ANSIBLE_TASK_TIMEOUT", ini="defaults.task_timeout"
    )
    poll_interval: int = setting(
        15, "Seconds between looks at an async task.", env="ANSIBLE_POLL_INTERVAL", ini="defaults.poll_interval"
    )
    async_dir: str | None = setting(
        None,
        "Directory of the status of async tasks on the host; ~/.ansible_async if not set.",
        env="ANSIBLE_ASYNC_DIR",
        ini="defaults.async_dir",
    )
    enable_task_debugger: bool = setting(
        False,
        "Start the debugger on failed tasks.",
        env="ANSIBLE_ENABLE_TASK_DEBUGGER",
        ini="defaults.enable_task_debugger",
    )
    task_debugger_ignore_errors: bool = setting(
        True,
        "Start the debugger on failures that are ignored, too.",
        env="ANSIBLE_TASK_DEBUGGER_IGNORE_ERRORS",
        ini="defaults.task_debugger_ignore_errors",
    )
    no_log: bool = setting(False, "Show no arguments and results at all.", env="ANSIBLE_NO_LOG", ini="defaults.no_log")
    no_target_syslog: bool = setting(
        False,
        "Keep modules from writing to the host's syslog.",
        env="ANSIBLE_NO_TARGET_SYSLOG",
        by="ansible_no_target_syslog",
        ini="defaults.no_target_syslog",
    )
    target_log_info: str | None = setting(
        None,
        "Text in front of what modules write to syslog.",
        env="ANSIBLE_TARGET_LOG_INFO",
        by="ansible_target_log_info",
        ini="defaults.target_log_info",
    )
    syslog_facility: str = setting(
        "LOG_USER",
        "Facility of what modules write to syslog.",
        env="ANSIBLE_SYSLOG_FACILITY",
        ini="defaults.syslog_facility",
    )
    tags_run: tuple[str, ...] = setting((), "Tags to run when none are given.", env="ANSIBLE_RUN_TAGS", ini="tags.run")
    tags_skip: tuple[str, ...] = setting(
        (), "Tags to skip when none are given.", env="ANSIBLE_SKIP_TAGS", ini="tags.skip"
    )
    diff_always: bool = setting(False, "Show differences without --diff.", env="ANSIBLE_DIFF_ALWAYS", ini="diff.always")
    diff_context: int = setting(
        3,
        "Lines shown around a difference.",
        env="ANSIBLE_DIFF_CONTEXT",
        ini="diff.context",
    )
    max_diff_size: int = setting(
        104448,
        "Bytes from which on files are not compared for a difference.",
        env="ANSIBLE_MAX_DIFF_SIZE",
        ini="defaults.max_diff_size",
    )
    module_name: str = setting("command", "Module of ad-hoc commands that name none.", ini="defaults.module_name")
    module_args: str | None = setting(
        None, "Arguments of ad-hoc commands that give none.", env="ANSIBLE_MODULE_ARGS", ini="defaults.module_args"
    )
    module_compression: str = setting(
        "ZIP_DEFLATED",
        "How modules are compressed.",
        by="ansible_module_compression",
        ini="defaults.module_compression",
        idle="modules are sent once per connection",
    )
    module_strict_utf8_response: bool = setting(
        True,
        "A module's answer must be UTF-8.",
        env="ANSIBLE_MODULE_STRICT_UTF8_RESPONSE",
        ini="defaults.module_strict_utf8_response",
        idle="bytes that are no UTF-8 are kept as they are",
    )
    special_context_filesystems: tuple[str, ...] = setting(
        ("fuse", "nfs", "vboxsf", "ramfs", "9p", "vfat"),
        "Filesystems without SELinux contexts of their own.",
        env="ANSIBLE_SELINUX_SPECIAL_FS",
        ini="selinux.special_context_filesystems",
    )
    keep_remote_files: bool = setting(
        False,
        "Leave modules on the host.",
        env="ANSIBLE_KEEP_REMOTE_FILES",
        ini="defaults.keep_remote_files",
        idle=_MEMORY,
    )
    # how hosts are reached
    transport: str = setting(
        "ssh", "Connection of hosts that name none.", env="ANSIBLE_TRANSPORT", ini="defaults.transport"
    )
    remote_user: str | None = setting(None, "User to log in as.", env="ANSIBLE_REMOTE_USER", ini="defaults.remote_user")
    remote_port: int | None = setting(
        None, "Port to connect to.", env="ANSIBLE_REMOTE_PORT", ini="defaults.remote_port", kind=Kind.INT
    )
    private_key_file: str | None = setting(
        None,
        "Private key to log in with.",
        env="ANSIBLE_PRIVATE_KEY_FILE",
        ini="defaults.private_key_file",
        kind=Kind.PATH,
    )
    host_key_checking: bool = setting(
        True,
        "Refuse hosts whose key is not known.",
        env="ANSIBLE_HOST_KEY_CHECKING ANSIBLE_SSH_HOST_KEY_CHECKING",
        ini="defaults.host_key_checking ssh_connection.host_key_checking",
    )
    timeout: int = setting(
        10,
        "Seconds that connecting may take.",
        env="ANSIBLE_TIMEOUT ANSIBLE_SSH_TIMEOUT",
        ini="defaults.timeout ssh_connection.timeout",
    )
    ask_pass: bool = setting(False, "Ask for the login password.", env="ANSIBLE_ASK_PASS", ini="defaults.ask_pass")
    connection_password_file: str | None = setting(
        None,
        "File or program that gives the login password.",
        env="ANSIBLE_CONNECTION_PASSWORD_FILE",
        ini="defaults.connection_password_file",
        kind=Kind.PATH,
    )
    executable: str = setting("/bin/sh", "Shell on the host.", env="ANSIBLE_EXECUTABLE", ini="defaults.executable")
    interpreter_python: str = setting(
        "auto",
        "Python on the host: a path, or auto to search for it.",
        env="ANSIBLE_PYTHON_INTERPRETER",
        by="ansible_python_interpreter",
        ini="defaults.interpreter_python",
    )
    ssh_args: str | None = setting(None, "Options for ssh.", env="ANSIBLE_SSH_ARGS", ini="ssh_connection.ssh_args")
    ssh_common_args: str = setting(
        "", "Options for ssh, sftp and scp.", env="ANSIBLE_SSH_COMMON_ARGS", ini="ssh_connection.ssh_common_args"
    )
    ssh_extra_args: str = setting(
        "", "More options for ssh.", env="ANSIBLE_SSH_EXTRA_ARGS", ini="ssh_connection.ssh_extra_args"
    )
    ssh_executable: str = setting(
        "ssh",
        "The ssh program. Another than the plain one is used as it is, one process per Runner.",
        env="ANSIBLE_SSH_EXECUTABLE",
        ini="ssh_connection.ssh_executable",
    )
    ssh_private_key: str | None = setting(
        None, "The private key itself to log in with.", env="ANSIBLE_PRIVATE_KEY", secret=True
    )
    ssh_private_key_passphrase: str | None = setting(
        None, "Passphrase of the private key.", env="ANSIBLE_PRIVATE_KEY_PASSPHRASE", secret=True
    )
    pkcs11_provider: str | None = setting(
        None,
        "Library of the smart card to log in with; the password is its PIN then.",
        env="ANSIBLE_PKCS11_PROVIDER",
        ini="ssh_connection.pkcs11_provider",
    )
    ssh_retries: int = setting(
        0,
        "How often a failed connection is tried again.",
        env="ANSIBLE_SSH_RETRIES",
        ini="connection.retries ssh_connection.retries",
    )
    ssh_agent: str = setting(
        "none",
        "Agent that keys from variables are given to.",
        env="ANSIBLE_SSH_AGENT",
        ini="connection.ssh_agent",
        idle="no agent is started; one that runs is used",
    )
    pipelining: bool = setting(
        False,
        "Do without temporary files on the host.",
        env="ANSIBLE_PIPELINING ANSIBLE_SSH_PIPELINING",
        ini="defaults.pipelining connection.pipelining ssh_connection.pipelining",
        idle=_MEMORY,
    )
    ssh_control_path: str | None = setting(
        None,
        "Socket of a shared connection.",
        env="ANSIBLE_SSH_CONTROL_PATH",
        ini="ssh_connection.control_path",
        idle=_REUSED,
    )
    ssh_control_path_dir: str | None = setting(
        None,
        "Directory of the sockets of shared connections.",
        env="ANSIBLE_SSH_CONTROL_PATH_DIR",
        ini="ssh_connection.control_path_dir",
        idle=_REUSED,
    )
    ssh_transfer_method: str | None = setting(
        None,
        "How files are copied.",
        env="ANSIBLE_SSH_TRANSFER_METHOD",
        ini="ssh_connection.transfer_method",
        idle="files travel inside of the one connection",
    )
    scp_if_ssh: str | None = setting(
        None,
        "Whether scp copies files.",
        env="ANSIBLE_SCP_IF_SSH",
        ini="ssh_connection.scp_if_ssh",
        idle="files travel inside of the one connection",
    )
    ssh_use_tty: bool = setting(
        True,
        "Ask for a terminal on the host.",
        env="ANSIBLE_SSH_USETTY",
        ini="ssh_connection.usetty",
        idle="a terminal is asked for where sudo wants one",
    )
    # as whom
    become: bool = setting(False, "Become another user.", env="ANSIBLE_BECOME", ini="privilege_escalation.become")
    become_user: str = setting(
        "root", "User to become.", env="ANSIBLE_BECOME_USER", ini="privilege_escalation.become_user"
    )
    become_method: str = setting(
        "sudo", "How to become another user.", env="ANSIBLE_BECOME_METHOD", ini="privilege_escalation.become_method"
    )
    become_exe: str | None = setting(
        None, "Program that becomes another user.", env="ANSIBLE_BECOME_EXE", ini="privilege_escalation.become_exe"
    )
    become_flags: str | None = setting(
        None,
        "Options of the program that becomes another user.",
        env="ANSIBLE_BECOME_FLAGS",
        ini="privilege_escalation.become_flags",
    )
    become_ask_pass: bool = setting(
        False, "Ask for the become password.", env="ANSIBLE_BECOME_ASK_PASS", ini="privilege_escalation.become_ask_pass"
    )
    become_allow_same_user: bool = setting(
        False,
        "Become the user even if logged in as that one.",
        env="ANSIBLE_BECOME_ALLOW_SAME_USER",
        ini="privilege_escalation.become_allow_same_user",
    )
    become_password_file: str | None = setting(
        None,
        "File or program that gives the become password.",
        env="ANSIBLE_BECOME_PASSWORD_FILE",
        ini="defaults.become_password_file",
        kind=Kind.PATH,
    )
    agnostic_become_prompt: bool = setting(
        True,
        "The same prompt for every become method.",
        env="ANSIBLE_AGNOSTIC_BECOME_PROMPT",
        ini="privilege_escalation.agnostic_become_prompt",
        idle="the prompts of every method are known",
    )
    become_pass: str | None = setting(None, "The become password.", env="ANSIBLE_BECOME_PASS", secret=True)
    sudo_pass: str | None = setting(
        None, "Password for sudo.", env="ANSIBLE_SUDO_PASS", ini="sudo_become_plugin.password", secret=True
    )
    su_pass: str | None = setting(
        None, "Password for su.", env="ANSIBLE_SU_PASS", ini="su_become_plugin.password", secret=True
    )
    su_prompt_l10n: tuple[str, ...] = setting(
        (),
        "More words for `Password` in prompts of su, without the colon.",
        env="ANSIBLE_SU_PROMPT_L10N",
        ini="su_become_plugin.localized_prompts",
    )
    sudo_exe: str | None = setting(
        None, "The sudo program.", env="ANSIBLE_SUDO_EXE", ini="sudo_become_plugin.executable"
    )
    sudo_flags: str | None = setting(None, "Options of sudo.", env="ANSIBLE_SUDO_FLAGS", ini="sudo_become_plugin.flags")
    sudo_user: str | None = setting(
        None, "User that sudo becomes.", env="ANSIBLE_SUDO_USER", ini="sudo_become_plugin.user"
    )
    sudo_chdir: str | None = setting(
        None, "Directory to go to before sudo is called.", env="ANSIBLE_SUDO_CHDIR", ini="sudo_become_plugin.chdir"
    )
    su_exe: str | None = setting(None, "The su program.", env="ANSIBLE_SU_EXE", ini="su_become_plugin.executable")
    su_flags: str | None = setting(None, "Options of su.", env="ANSIBLE_SU_FLAGS", ini="su_become_plugin.flags")
    su_user: str | None = setting(None, "User that su becomes.", env="ANSIBLE_SU_USER", ini="su_become_plugin.user")
    # vault
    ask_vault_pass: bool = setting(
        False, "Ask for the vault password.", env="ANSIBLE_ASK_VAULT_PASS", ini="defaults.ask_vault_pass"
    )
    vault_password_file: str | None = setting(
        None,
        "File or program that gives the vault password.",
        env="ANSIBLE_VAULT_PASSWORD_FILE",
        ini="defaults.vault_password_file",
        kind=Kind.PATH,
    )
    vault_identity: str = setting(
        "default", "Label of vault passwords without one.", env="ANSIBLE_VAULT_IDENTITY", ini="defaults.vault_identity"
    )
    vault_identity_list: tuple[str, ...] = setting(
        (), "Vault ids (label@source) to use.", env="ANSIBLE_VAULT_IDENTITY_LIST", ini="defaults.vault_identity_list"
    )
    vault_encrypt_identity: str | None = setting(
        None,
        "Label of the password to encrypt with.",
        env="ANSIBLE_VAULT_ENCRYPT_IDENTITY",
        ini="defaults.vault_encrypt_identity",
    )
    vault_encrypt_salt: str | None = setting(
        None,
        "Salt to encrypt with instead of a random one.",
        env="ANSIBLE_VAULT_ENCRYPT_SALT",
        ini="defaults.vault_encrypt_salt",
    )
    vault_id_match: bool = setting(
        False,
        "Try only the passwords that have the label of the text.",
        env="ANSIBLE_VAULT_ID_MATCH",
        ini="defaults.vault_id_match",
    )
    # inventory
    inventory_enabled: tuple[str, ...] = setting(
        ("host_list", "script", "auto", "yaml", "ini", "toml"),
        "Kinds of inventory sources, in the order in which they are tried.",
        env="ANSIBLE_INVENTORY_ENABLED",
        ini="inventory.enable_plugins",
    )
    inventory_ignore_extensions: tuple[str, ...] = setting(
        (".pyc", ".pyo", ".swp", ".bak", "~", ".rpm", ".md", ".txt", ".rst", ".orig", ".cfg", ".retry"),
        "Endings of files in inventory directories that are passed over.",
        env="ANSIBLE_INVENTORY_IGNORE",
        ini="defaults.inventory_ignore_extensions inventory.ignore_extensions",
    )
    inventory_ignore_patterns: tuple[str, ...] = setting(
        (),
        "Patterns of files in inventory directories that are passed over.",
        env="ANSIBLE_INVENTORY_IGNORE_REGEX",
        ini="defaults.inventory_ignore_patterns inventory.ignore_patterns",
    )
    inventory_any_unparsed_is_failed: bool = setting(
        False,
        "One source that cannot be read ends the run.",
        env="ANSIBLE_INVENTORY_ANY_UNPARSED_IS_FAILED",
        ini="inventory.any_unparsed_is_failed",
    )
    inventory_use_extra_vars: bool = setting(
        False,
        "Expressions of constructed inventories see the variables of the command line.",
        env="ANSIBLE_INVENTORY_USE_EXTRA_VARS",
        ini="inventory_plugins.use_extra_vars",
    )
    inventory_unparsed_is_failed: bool = setting(
        False,
        "The run ends if no source can be read.",
        env="ANSIBLE_INVENTORY_UNPARSED_FAILED",
        ini="inventory.unparsed_is_failed",
    )
    inventory_unparsed_warning: bool = setting(
        True,
        "Warn if no source can be read.",
        env="ANSIBLE_INVENTORY_UNPARSED_WARNING",
        ini="inventory.inventory_unparsed_warning",
    )
    inventory_export: bool = setting(
        False, "Show an inventory in a form for export.", env="ANSIBLE_INVENTORY_EXPORT", ini="inventory.export"
    )
    inventory_cache: bool = setting(
        False, "Keep what inventory plugins found.", env="ANSIBLE_INVENTORY_CACHE", ini="inventory.cache"
    )
    inventory_cache_plugin: str = setting(
        "memory",
        "Where it is kept: memory (for the run alone) or jsonfile.",
        env="ANSIBLE_CACHE_PLUGIN ANSIBLE_INVENTORY_CACHE_PLUGIN",
        ini="defaults.fact_caching inventory.cache_plugin",
    )
    inventory_cache_connection: str | None = setting(
        None,
        "Directory of what inventory plugins found.",
        env="ANSIBLE_CACHE_PLUGIN_CONNECTION ANSIBLE_INVENTORY_CACHE_CONNECTION",
        ini="defaults.fact_caching_connection inventory.cache_connection",
    )
    inventory_cache_prefix: str = setting(
        "ansible_inventory_",
        "Prefix of the names of its files.",
        env="ANSIBLE_CACHE_PLUGIN_PREFIX ANSIBLE_INVENTORY_CACHE_PLUGIN_PREFIX",
        ini="defaults.fact_caching_prefix inventory.cache_prefix",
    )
    inventory_cache_timeout: int = setting(
        3600,
        "Seconds after which what inventory plugins found is stale, 0 for never.",
        env="ANSIBLE_CACHE_PLUGIN_TIMEOUT ANSIBLE_INVENTORY_CACHE_TIMEOUT",
        ini="defaults.fact_caching_timeout inventory.cache_timeout",
    )
    host_pattern_mismatch: str = setting(
        "warning",
        "What a host pattern that matches nothing is.",
        env="ANSIBLE_HOST_PATTERN_MISMATCH",
        ini="inventory.host_pattern_mismatch",
        choices="warning error ignore",
    )
    force_valid_group_names: str = setting(
        "never",
        "Whether group names are made valid variable names.",
        env="ANSIBLE_TRANSFORM_INVALID_GROUP_CHARS",
        ini="defaults.force_valid_group_names",
        choices="always never ignore silently",
    )
    localhost_warning: bool = setting(
        True,
        "Warn if only the implicit localhost is there.",
        env="ANSIBLE_LOCALHOST_WARNING",
        ini="defaults.localhost_warning",
    )
    yaml_valid_extensions: tuple[str, ...] = setting(
        (".yml", ".yaml", ".json"),
        "Endings of vars files.",
        env="ANSIBLE_YAML_FILENAME_EXT",
        ini="defaults.yaml_valid_extensions",
    )
    inventory_yaml_extensions: tuple[str, ...] = setting(
        (".yaml", ".yml", ".json"),
        "Endings of inventories in YAML or JSON; files without any are tried, too.",
        env="ANSIBLE_YAML_FILENAME_EXT ANSIBLE_INVENTORY_PLUGIN_EXTS",
        ini="defaults.yaml_valid_extensions inventory_plugin_yaml.yaml_valid_extensions",
    )
    vars_plugins_enabled: tuple[str, ...] = setting(
        ("host_group_vars",),
        "Vars plugins in use.",
        env="ANSIBLE_VARS_ENABLED",
        ini="defaults.vars_plugins_enabled",
    )
    run_vars_plugins: str = setting(
        "demand",
        "When vars files are read.",
        env="ANSIBLE_RUN_VARS_PLUGINS",
        ini="defaults.run_vars_plugins",
        choices="demand start",
        idle="vars files are read when a host needs them",
    )
    # what is shown
    stdout_callback: str = setting(
        "default",
        "Reporter on standard output.",
        env="ANSIBLE_STDOUT_CALLBACK",
        ini="defaults.stdout_callback",
    )
    callbacks_enabled: tuple[str, ...] = setting(
        (),
        "More reporters.",
        env="ANSIBLE_CALLBACK_WHITELIST ANSIBLE_CALLBACKS_ENABLED",
        ini="defaults.callback_whitelist defaults.callbacks_enabled",
    )
    callback_result_format: str = setting(
        "json",
        "How results are shown: json or yaml.",
        env="ANSIBLE_CALLBACK_RESULT_FORMAT",
        ini="defaults.callback_result_format",
        choices="json yaml",
    )
    callback_format_pretty: bool | None = setting(
        None,
        "Whether results are shown over several lines.",
        env="ANSIBLE_CALLBACK_FORMAT_PRETTY",
        ini="defaults.callback_format_pretty",
        kind=Kind.BOOL,
    )
    callback_result_indentation: int = setting(
        4,
        "How many blanks results are indented by.",
        env="ANSIBLE_CALLBACK_RESULT_INDENTATION",
        ini="defaults.callback_result_indentation",
    )
    callback_result_yaml_line_width: str = setting(
        "default",
        "Where YAML breaks lines: default (80 columns), no-break, terminal-width.",
        env="ANSIBLE_CALLBACK_YAML_LINE_WIDTH",
        ini="defaults.callback_result_yaml_line_width",
        choices="default no-break terminal-width",
    )
    bin_ansible_callbacks: bool = setting(
        False,
        "Whether ad-hoc commands have the reporters of playbooks.",
        env="ANSIBLE_LOAD_CALLBACK_PLUGINS",
        ini="defaults.bin_ansible_callbacks",
    )
    display_included_hosts: bool = setting(
        True,
        "Show for which hosts a file is included.",
        env="ANSIBLE_DISPLAY_INCLUDED_HOSTS",
        ini="defaults.display_included_hosts",
    )
    json_indent: int = setting(
        4, "How many blanks the reporter json indents by.", env="ANSIBLE_JSON_INDENT", ini="defaults.json_indent"
    )
    tree_directory: str = setting(
        "~/.ansible/tree",
        "Where the reporter tree writes results.",
        env="ANSIBLE_CALLBACK_TREE_DIR",
        ini="callback_tree.directory",
        kind=Kind.PATH,
    )
    profile_tasks_output_limit: str = setting(
        "20",
        "How many tasks the reporter profile_tasks shows at the end, or all.",
        env="PROFILE_TASKS_TASK_OUTPUT_LIMIT",
        ini="callback_profile_tasks.task_output_limit",
    )
    profile_tasks_sort_order: str = setting(
        "descending",
        "How it sorts them, by duration.",
        env="PROFILE_TASKS_SORT_ORDER",
        ini="callback_profile_tasks.sort_order",
        choices="descending ascending none",
    )
    profile_tasks_summary_only: bool = setting(
        False,
        "Whether it shows nothing before the end.",
        env="PROFILE_TASKS_SUMMARY_ONLY",
        ini="callback_profile_tasks.summary_only",
    )
    profile_tasks_datetime_format: str = setting(
        "%A %d %B %Y  %H:%M:%S %z",
        "How it writes the time of day.",
        env="PROFILE_TASKS_DATETIME_FORMAT",
        ini="callback_profile_tasks.datetime_format",
    )
    profile_roles_summary_only: bool = setting(
        False,
        "Whether the reporter profile_roles shows nothing before the end.",
        env="PROFILE_ROLES_SUMMARY_ONLY",
        ini="callback_profile_roles.summary_only",
    )
    junit_output_dir: str = setting(
        "~/.ansible.log", "Where the reporter junit writes its files.", env="JUNIT_OUTPUT_DIR", kind=Kind.PATH
    )
    junit_task_class: bool = setting(False, "Whether its classes are files, not tasks.", env="JUNIT_TASK_CLASS")
    junit_task_relative_path: str | None = setting(
        None, "The directory that its paths are relative to.", env="JUNIT_TASK_RELATIVE_PATH", kind=Kind.TEXT
    )
    junit_replace_out_of_tree_path: str | None = setting(
        None, "What stands for directories outside of it.", env="JUNIT_REPLACE_OUT_OF_TREE_PATH", kind=Kind.TEXT
    )
    junit_fail_on_change: bool = setting(False, "Whether a change counts as a failure.", env="JUNIT_FAIL_ON_CHANGE")
    junit_fail_on_ignore: bool = setting(
        False, "Whether a failure that is ignored counts as one.", env="JUNIT_FAIL_ON_IGNORE"
    )
    junit_include_setup_tasks_in_report: bool = setting(
        True, "Whether tasks that gather facts are reported.", env="JUNIT_INCLUDE_SETUP_TASKS_IN_REPORT"
    )
    junit_hide_task_arguments: bool = setting(
        False, "Whether names of tests leave out the arguments of tasks.", env="JUNIT_HIDE_TASK_ARGUMENTS"
    )
    junit_test_case_prefix: str = setting(
        "", "What names of tasks that are tests begin with.", env="JUNIT_TEST_CASE_PREFIX"
    )
    display_skipped_hosts: bool = setting(
        True, "Show skipped hosts.", env="ANSIBLE_DISPLAY_SKIPPED_HOSTS", ini="defaults.display_skipped_hosts"
    )
    display_ok_hosts: bool = setting(
        True, "Show hosts on which nothing changed.", env="ANSIBLE_DISPLAY_OK_HOSTS", ini="defaults.display_ok_hosts"
    )
    display_failed_stderr: bool = setting(
        False,
        "Show failures on standard error.",
        env="ANSIBLE_DISPLAY_FAILED_STDERR",
        ini="defaults.display_failed_stderr",
    )
    display_args_to_stdout: bool = setting(
        False,
        "Show arguments in the banners of tasks.",
        env="ANSIBLE_DISPLAY_ARGS_TO_STDOUT",
        ini="defaults.display_args_to_stdout",
    )
    show_custom_stats: bool = setting(
        False,
        "Show what set_stats collected.",
        env="ANSIBLE_SHOW_CUSTOM_STATS",
        ini="defaults.show_custom_stats",
    )
    show_task_path_on_failure: bool = setting(
        False,
        "Show the place of failed tasks.",
        env="ANSIBLE_SHOW_TASK_PATH_ON_FAILURE",
        ini="defaults.show_task_path_on_failure",
    )
    check_mode_markers: bool = setting(
        False,
        "Mark banners in check mode.",
        env="ANSIBLE_CHECK_MODE_MARKERS",
        ini="defaults.check_mode_markers",
    )
    show_per_host_start: bool = setting(
        False,
        "Show when a host starts a task.",
        env="ANSIBLE_SHOW_PER_HOST_START",
        ini="defaults.show_per_host_start",
    )
    inject_invocation: bool = setting(
        False,
        "Show a module's arguments in every result.",
        env="ANSIBLE_INJECT_INVOCATION",
        by="ansible_inject_invocation",
        ini="defaults.inject_invocation",
    )
    action_warnings: bool = setting(
        True,
        "Show warnings of modules.",
        env="ANSIBLE_ACTION_WARNINGS",
        ini="defaults.action_warnings",
    )
    deprecation_warnings: bool = setting(
        True,
        "Show deprecations.",
        env="ANSIBLE_DEPRECATION_WARNINGS",
        by="ansible_deprecation_warnings",
        ini="defaults.deprecation_warnings",
    )
    system_warnings: bool = setting(
        True,
        "Show warnings about this machine.",
        env="ANSIBLE_SYSTEM_WARNINGS",
        ini="defaults.system_warnings",
    )
    verbosity: int = setting(0, "How much is shown, as -v.", env="ANSIBLE_VERBOSITY", ini="defaults.verbosity")
    verbose_to_stderr: bool = setting(
        False,
        "Show what -v adds on standard error.",
        env="ANSIBLE_VERBOSE_TO_STDERR",
        ini="defaults.verbose_to_stderr",
        idle="what -v adds beside results stands on standard error anyway",
    )
    force_color: bool = setting(
        False, "Colours even if this is no terminal.", env="ANSIBLE_FORCE_COLOR", ini="defaults.force_color"
    )
    nocolor: bool = setting(False, "No colours.", env="ANSIBLE_NOCOLOR NO_COLOR", ini="defaults.nocolor")
    nocows: bool = setting(False, "No cows.", env="ANSIBLE_NOCOWS", ini="defaults.nocows", idle=_NO_COWS)
    color_changed: str = setting(
        "yellow",
        "Colour of changed.",
        env="ANSIBLE_COLOR_CHANGED",
        ini="colors.changed",
    )
    color_ok: str = setting(
        "green",
        "Colour of ok.",
        env="ANSIBLE_COLOR_OK",
        ini="colors.ok",
    )
    color_skip: str = setting(
        "cyan",
        "Colour of skipped.",
        env="ANSIBLE_COLOR_SKIP",
        ini="colors.skip",
    )
    color_included: str = setting(
        "cyan",
        "Colour of included files.",
        env="ANSIBLE_COLOR_INCLUDED",
        ini="colors.included",
        idle=_COLOURS,
    )
    cow_selection: str = setting(
        "default",
        "Which cow says banners.",
        env="ANSIBLE_COW_SELECTION",
        ini="defaults.cow_selection",
        idle=_NO_COWS,
    )
    cowpath: str | None = setting(
        None, "The program that draws cows.", env="ANSIBLE_COW_PATH", ini="defaults.cowpath", idle=_NO_COWS
    )
    cowsay_enabled_stencils: tuple[str, ...] = setting(
        _COWS,
        "Cows to choose from.",
        env="ANSIBLE_COW_ACCEPTLIST",
        ini="defaults.cowsay_enabled_stencils",
        idle=_NO_COWS,
    )
    color_error: str = setting(
        "red",
        "Colour of failures.",
        env="ANSIBLE_COLOR_ERROR",
        ini="colors.error",
    )
    color_unreachable: str = setting(
        "bright red",
        "Colour of unreachable.",
        env="ANSIBLE_COLOR_UNREACHABLE",
        ini="colors.unreachable",
    )
    color_warn: str = setting(
        "bright purple",
        "Colour of warnings.",
        env="ANSIBLE_COLOR_WARN",
        ini="colors.warn",
    )
    color_deprecate: str = setting(
        "purple",
        "Colour of deprecations.",
        env="ANSIBLE_COLOR_DEPRECATE",
        ini="colors.deprecate",
    )
    color_verbose: str = setting(
        "blue",
        "Colour of what -v adds.",
        env="ANSIBLE_COLOR_VERBOSE",
        ini="colors.verbose",
    )
    color_debug: str = setting(
        "dark gray",
        "Colour of debugging.",
        env="ANSIBLE_COLOR_DEBUG",
        ini="colors.debug",
        idle=_COLOURS,
    )
    color_highlight: str = setting(
        "white",
        "Colour of highlights.",
        env="ANSIBLE_COLOR_HIGHLIGHT",
        ini="colors.highlight",
    )
    color_diff_add: str = setting(
        "green",
        "Colour of added lines.",
        env="ANSIBLE_COLOR_DIFF_ADD",
        ini="colors.diff_add",
    )
    color_diff_remove: str = setting(
        "red",
        "Colour of removed lines.",
        env="ANSIBLE_COLOR_DIFF_REMOVE",
        ini="colors.diff_remove",
    )
    color_diff_lines: str = setting(
        "cyan",
        "Colour of the places of differences.",
        env="ANSIBLE_COLOR_DIFF_LINES",
        ini="colors.diff_lines",
    )
    editor: str = setting("vi", "Editor for vault files.", env="ANSIBLE_EDITOR EDITOR", ini="defaults.editor")
    pager: str = setting(
        "less",
        "Program that shows long texts.",
        env="ANSIBLE_PAGER PAGER",
        ini="defaults.pager",
        idle="long texts are written whole",
    )
    # not settings: how they came about
    config_file: str | None = None
    origins: Mapping[str, str]
    warnings: tuple[Diagnostic, ...] = ()
    idle: tuple[str, ...] = ()

    def __init__(self, **values: Any) -> None:
        """Take values by name; all others have their defaults. Raises TypeError for what is no setting."""
        if unknown := values.keys() - type(self).__annotations__.keys():
            raise TypeError(f"no such settings: {', '.join(sorted(unknown))}")
        self.__dict__.update({"origins": {}, **values})

    def __setattr__(self, name: str, value: object) -> None:
        """Refuse: what others were given stays as it is."""
        raise AttributeError(f"settings are read-only: {name}")

    def changed(self, **values: Any) -> Settings:
        """Give these settings with other values for some."""
        return Settings(**{**self.__dict__, **values})

    @property
    def reads_vars_files(self) -> bool:
        """Tell whether `group_vars` and `host_vars` are read."""
        return any(name.rpartition(".")[2] == "host_group_vars" for name in self.vars_plugins_enabled)


SETTINGS = table_of(Settings)
"""Every setting, in the order of the documentation."""


def load_settings(environ: Mapping[str, str], cwd: str) -> Settings:
    """Give the settings of a run that starts in directory `cwd` with the environment `environ`.

    Raises OptionsError for an ansible.cfg that cannot be read and for values that do not fit.
    """
    found = read_settings(SETTINGS, environ, cwd)
    return Settings(
        **found.values,
        config_file=found.config_file,
        origins=found.origins,
        warnings=found.warnings,
        idle=found.idle,
    )
