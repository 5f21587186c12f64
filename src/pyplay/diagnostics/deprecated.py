"""Deprecated spellings: what ansible-core 2.21 still takes with a deprecation warning, and what to write instead.

The one table of them. Whoever meets a spelling makes the warning of its row with `deprecated`. Rows of modules alone
are said by the modules, which run on hosts. Source: observed by running ansible-core 2.21.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyplay.diagnostics.model import Diagnostic, Severity

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyplay.diagnostics.model import Origin


SPELLINGS: Mapping[str, tuple[str, str]] = {
    "action-mapping": ("a mapping under '{key}' is deprecated", "write the module's name as the key of the task"),
    "play-hosts": ("the variable 'play_hosts' is deprecated", "write ansible_play_batch"),
    "vars-dictionary": (
        "the variable 'vars' is deprecated",
        "write lookup('vars', name), or lookup('varnames', pattern)",
    ),
    "injected-fact": (
        "the fact '{name}' as a variable of its own is deprecated",
        "write ansible_facts['{short}']; inject_facts_as_vars = true or false in ansible.cfg ends this warning",
    ),
    "delimited-condition": (
        "the condition '{text}' is written as a template, which is deprecated",
        "conditions are expressions: leave out the {{{{ }}}}",
    ),
    "yaml-tag": ("the YAML tag '{tag}' is deprecated", "write {instead}"),
    "variable-name": (
        "the name '{name}' of a variable of the inventory is deprecated",
        "names start with a letter or underscore and hold letters, digits and underscores",
    ),
    "ignore-files-text": ("text as 'ignore_files' of include_vars is deprecated", "write a list"),
    "first-found-split": (
        "dividing '{text}' into several {option} at separators is deprecated",
        "give first_found a list",
    ),
    "template-lookup-option": (
        "the option '{option}' of the lookup template is deprecated: it changes nothing",
        "leave it out",
    ),
    "follow-redirects": ("'{value}' as follow_redirects is deprecated", "write {instead}"),
    "bool-coercion": (
        "the filter bool reads {value}, which means neither yes nor no, as false: that is deprecated",
        "compare instead: name == value, or name | length > 0",
    ),
    "from-yaml-object": (
        "the filter from_yaml passes on what is no text ({kind}): that is deprecated",
        "leave the filter out",
    ),
    "callback": ("the callback '{name}' is deprecated", "use default, minimal, json, junit or another one"),
    "command-option": ("the option '{option}' is deprecated", "write {instead}"),
    "module-alias": ("the name '{name}' for the module '_{name}' is deprecated", "write '_{name}', or rename its file"),
    "module": ("the module '{name}' is deprecated", "use {instead}"),
    "setting": ("the setting {name} is deprecated", "{instead}"),
}

"""What is deprecated, and what to write instead; words in braces are filled in where it is met."""

ONCE = frozenset({"injected-fact"})
"""Spellings that stand in many places of most playbooks: they are said once in a run for each of their words."""

PER_PLACE = frozenset({"bool-coercion", "first-found-split", "from-yaml-object"})
"""Spellings whose words are values, which differ from host to host: they are said once for each place."""

YAML_TAGS: Mapping[str, str] = {
    "!vault-encrypted": "!vault",
    "!!omap": "a plain mapping: the order of keys is kept",
    "!!pairs": "a list of mappings",
}
"""Deprecated tags, and what to write instead."""

MODULES: Mapping[str, str] = {
    "ansible.builtin.apt_key": "deb822_repository",
    "ansible.builtin.apt_repository": "deb822_repository",
}
"""Deprecated modules, and the module to use instead."""

CALLBACKS = frozenset({"oneline", "tree"})
"""Deprecated callbacks."""


OPTIONS: Mapping[str, str] = {"--inventory-file": "-i or --inventory"}
"""Deprecated options of commands, and what to write instead."""

ADHOC_OPTIONS: Mapping[str, str] = {
    "-o": "ANSIBLE_STDOUT_CALLBACK=oneline with ANSIBLE_LOAD_CALLBACK_PLUGINS=1",
    "-t": "ANSIBLE_CALLBACKS_ENABLED=tree and ANSIBLE_CALLBACK_TREE_DIR",
}
"""Those of ad-hoc commands alone."""


class OldSetting:
    """A deprecated setting by its names: variables of the environment, and keys of a section of ansible.cfg.

    A plain class: every start makes these.
    """

    __slots__ = ("env", "instead", "keys", "section")

    def __init__(
        self,
        instead: str = "remove it: it changes nothing",
        env: tuple[str, ...] = (),
        keys: tuple[str, ...] = (),
        section: str = "defaults",
    ) -> None:
        self.instead, self.env, self.keys, self.section = instead, env, keys, section


SETTINGS: Mapping[str, OldSetting] = {
    "ANSIBLE_CONNECTION_PATH": OldSetting(
        env=("ANSIBLE_CONNECTION_PATH",), keys=("ansible_connection_path",), section="persistent_connection"
    ),
    "DEFAULT_ALLOW_UNSAFE_LOOKUPS": OldSetting(keys=("allow_unsafe_lookups",)),
    "DEFAULT_JINJA2_EXTENSIONS": OldSetting(
        "use filters, tests and lookups instead", ("ANSIBLE_JINJA2_EXTENSIONS",), ("jinja2_extensions",)
    ),
    "DEFAULT_JINJA2_NATIVE": OldSetting(
        "remove it: templates always give native types", ("ANSIBLE_JINJA2_NATIVE",), ("jinja2_native",)
    ),
    "DEFAULT_LIBVIRT_LXC_NOSECLABEL": OldSetting(
        "set the variable ansible_libvirt_lxc_noseclabel",
        ("ANSIBLE_LIBVIRT_LXC_NOSECLABEL",),
        ("libvirt_lxc_noseclabel",),
        "selinux",
    ),
    "DEFAULT_MANAGED_STR": OldSetting("set the variable ansible_managed", keys=("ansible_managed",)),
    "DEFAULT_NULL_REPRESENTATION": OldSetting(env=("ANSIBLE_NULL_REPRESENTATION",), keys=("null_representation",)),
    "DEFAULT_UNDEFINED_VAR_BEHAVIOR": OldSetting(
        "remove it: an undefined variable is always an error",
        ("ANSIBLE_ERROR_ON_UNDEFINED_VARS",),
        ("error_on_undefined_vars",),
    ),
    "STRING_TYPE_FILTERS": OldSetting(
        env=("ANSIBLE_STRING_TYPE_FILTERS",), keys=("dont_type_filters",), section="jinja2"
    ),
    "_TEMPLAR_SANDBOX_MODE": OldSetting(env=("_ANSIBLE_TEMPLAR_SANDBOX_MODE",)),
}
"""Deprecated settings by Ansible's names."""


def deprecated(code: str, words: Mapping[str, str], origin: Origin | None = None, length: int = 0) -> Diagnostic:
    """Give the warning of the row `code`, its words filled in. Raises KeyError for no row or a missing word."""
    what, instead = SPELLINGS[code]
    return Diagnostic(
        code,
        what.format(**words),
        origin,
        length=length,
        help=instead.format(**words),
        severity=Severity.DEPRECATION,
        key=words.get("name", "") if code in ONCE else "",
    )
