"""Names of built-in modules and actions: which there are, how they are routed, which take free-form text."""

from __future__ import annotations

from pyplay.playbook.statements import META_ACTIONS, option_names

__all__ = ["META_ACTIONS"]

BUILTIN_PREFIX = "ansible.builtin."
LEGACY_PREFIX = "ansible.legacy."

BUILTIN = frozenset({
    "add_host", "apt", "apt_key", "apt_repository", "assemble", "assert", "async_status", "blockinfile", "command",
    "copy", "cron", "deb822_repository", "debconf", "debug", "dnf", "dnf5", "dpkg_selections", "expect", "fail",
    "fetch", "file", "find", "gather_facts", "get_url", "getent", "git", "group", "group_by", "hostname",
    "import_playbook",
    "import_role", "import_tasks", "include_role", "include_tasks", "include_vars", "iptables", "known_hosts",
    "lineinfile", "meta", "mount_facts", "package", "package_facts", "pause", "ping", "pip", "raw", "reboot", "replace",
    "rpm_key", "script", "service", "service_facts", "set_fact", "set_stats", "setup", "shell", "slurp", "stat",
    "subversion", "systemd", "systemd_service", "sysvinit", "tempfile", "template", "unarchive", "uri", "user",
    "validate_argument_spec", "wait_for", "wait_for_connection", "yum_repository",
})  # fmt: skip
"""Short names of all built-in modules. Source: the index of ansible.builtin in the Ansible documentation."""

ALIASES = {"yum": "dnf"}
"""Old short names and the built-in module that answers to them."""

POSIX = frozenset({
    "acl", "at", "authorized_key", "firewalld", "firewalld_info", "mount", "patch", "seboolean", "selinux",
    "synchronize", "sysctl",
})  # fmt: skip
"""Short names that ansible-core routes to the collection ansible.posix."""

_FULL = {short: BUILTIN_PREFIX + short for short in BUILTIN} | {short: f"ansible.posix.{short}" for short in POSIX}
"""Full names: thousands of tasks share these."""

RAW_OPTIONS = frozenset({
    "creates", "removes", "chdir", "executable", "stdin", "stdin_add_newline", "strip_empty_ends", "warn",
    "expand_argument_vars",
})  # fmt: skip
"""Options that may stand as key=value behind a command line; other words with `=` belong to the command."""

COMMAND_LINE = frozenset({"command", "shell", "script", "raw", "expect"})
"""Modules whose text is a command line."""

FREE_FORM = COMMAND_LINE | {
    "meta", "include_tasks", "import_tasks", "include_role", "import_role", "import_playbook", "include_vars",
    "include", "win_command", "win_shell",
}  # fmt: skip
"""Modules that take text which is no key=value."""

INCLUDE_TASKS_OPTIONS = option_names("include_tasks")
ROLE_OPTIONS = option_names("include_role")


def short_name(name: str) -> str:
    """Give the name of a built-in without `ansible.builtin.` or `ansible.legacy.`; other names as they are."""
    if not name.startswith("ansible."):
        return name
    short = name.removeprefix(BUILTIN_PREFIX)  # hot: for each task, several times
    return short if len(short) < len(name) else name.removeprefix(LEGACY_PREFIX)


def resolve_action(name: str) -> str:
    """Give the full name of action `name`: built-ins get `ansible.builtin.`, old short names where they were routed.

    A bare name may be overridden by a user's module, so who searches modules must look at the name as written.
    """
    short = short_name(name)
    short = ALIASES.get(short, short)
    return _FULL.get(short, name)


def is_builtin(name: str) -> bool:
    """Tell whether `name`, bare or full, is a built-in."""
    short = short_name(name)
    return short in BUILTIN or short in ALIASES


def takes_free_form(name: str) -> bool:
    """Tell whether the module `name` takes text that is no key=value."""
    short = short_name(name)
    return short in FREE_FORM or short.rsplit(".", 1)[-1] in ("win_command", "win_shell")


def takes_command_line(name: str) -> bool:
    """Tell whether the text of module `name` is a command line, in which most words with `=` are no options."""
    short = short_name(name)
    return short in COMMAND_LINE or short.rsplit(".", 1)[-1] in ("win_command", "win_shell")
