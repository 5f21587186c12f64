"""The names that Ansible's configuration has for settings, as its tools show them and `lookup('config')` takes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyplay.source.setting import Kind

if TYPE_CHECKING:
    from pyplay.source.setting import Setting

_DEFAULTED = frozenset(
    {
        *("roles_path", "local_tmp", "log_path", "forks", "strategy", "gathering", "hash_behaviour", "force_handlers"),
        *("private_role_vars", "jinja2_extensions", "jinja2_native", "poll_interval", "no_log", "no_target_syslog"),
        *("syslog_facility", "module_name", "module_args", "module_compression", "keep_remote_files", "transport"),
        *("remote_user", "remote_port", "private_key_file", "timeout", "ask_pass", "executable", "become"),
        *("become_user", "become_method", "become_exe", "become_flags", "become_ask_pass", "ask_vault_pass"),
        *("vault_password_file", "vault_identity", "vault_identity_list", "vault_encrypt_identity", "vault_id_match"),
        *("stdout_callback", "verbosity"),
    }
)
"""Settings whose Ansible name is DEFAULT_ and ours."""

_OTHERS = {
    "home": "ANSIBLE_HOME",
    "untrusted_template_behavior": "_TEMPLAR_UNTRUSTED_TEMPLATE_BEHAVIOR",
    "inventory": "DEFAULT_HOST_LIST",
    "collections_path": "COLLECTIONS_PATHS",
    "library": "DEFAULT_MODULE_PATH",
    "module_utils": "DEFAULT_MODULE_UTILS_PATH",
    "become_plugins": "BECOME_PLUGIN_PATH",
    "bin_ansible_callbacks": "DEFAULT_LOAD_CALLBACK_PLUGINS",
    "fact_caching": "CACHE_PLUGIN",
    "fact_caching_connection": "CACHE_PLUGIN_CONNECTION",
    "fact_caching_prefix": "CACHE_PLUGIN_PREFIX",
    "fact_caching_timeout": "CACHE_PLUGIN_TIMEOUT",
    "precedence": "VARIABLE_PRECEDENCE",
    "error_on_undefined_vars": "DEFAULT_UNDEFINED_VAR_BEHAVIOR",
    "ansible_managed": "DEFAULT_MANAGED_STR",
    "duplicate_dict_key": "DUPLICATE_YAML_DICT_KEY",
    "max_diff_size": "MAX_FILE_SIZE_FOR_DIFF",
    "special_context_filesystems": "DEFAULT_SELINUX_SPECIAL_FS",
    "pipelining": "ANSIBLE_PIPELINING",
    "inventory_ignore_extensions": "INVENTORY_IGNORE_EXTS",
    "force_valid_group_names": "TRANSFORM_INVALID_GROUP_CHARS",
    "yaml_valid_extensions": "YAML_FILENAME_EXTENSIONS",
    "vars_plugins_enabled": "VARIABLE_PLUGINS_ENABLED",
    "force_color": "ANSIBLE_FORCE_COLOR",
    "nocolor": "ANSIBLE_NOCOLOR",
    "nocows": "ANSIBLE_NOCOWS",
    "cow_selection": "ANSIBLE_COW_SELECTION",
    "cowpath": "ANSIBLE_COW_PATH",
    "cowsay_enabled_stencils": "ANSIBLE_COW_ACCEPTLIST",
}
_PLUGINS = "_plugins"


def ansible_name(row: Setting) -> str:
    """Give the name of a setting in Ansible's configuration, such as DEFAULT_FORKS for `forks`."""
    if row.ansible:
        return row.ansible
    if row.name in _OTHERS:
        return _OTHERS[row.name]
    if row.name in _DEFAULTED:
        return f"DEFAULT_{row.name.upper()}"
    if row.name.endswith(_PLUGINS) and row.kind is Kind.PATHS:
        return f"DEFAULT_{row.name.removesuffix(_PLUGINS).upper()}_PLUGIN_PATH"
    return row.name.upper()
