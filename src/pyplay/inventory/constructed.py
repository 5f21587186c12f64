"""The `constructed` plugin: groups and variables made for the hosts of earlier sources.

Source: the documentation of Ansible's `constructed` inventory plugin.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.errors import InventoryError
from pyplay.diagnostics.model import Diagnostic, Severity
from pyplay.diagnostics.suggest import did_you_mean
from pyplay.inventory.construct import Constructor, flag
from pyplay.inventory.fragment import Fragment
from pyplay.inventory.layers import host_layers, merged
from pyplay.inventory.tree import key_origin

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyplay.inventory.context import ParseContext, Render
    from pyplay.inventory.members import Host
    from pyplay.source.text import SourceMap

_OPTIONS = (
    "plugin",
    "compose",
    "groups",
    "keyed_groups",
    "leading_separator",
    "strict",
    "use_extra_vars",
    "use_vars_plugins",
)


def parse_constructed(config: SourceMap, path: str, context: ParseContext) -> Fragment:
    """Give what `config`, read from `path`, makes of the hosts in the inventory so far. Raises AuthorError."""
    check_options(config, _OPTIONS, path, context)
    result = Fragment()
    constructor = Constructor(config, path, need_render(context, path, config), result)
    extra: Mapping[str, Any] = context.extra_vars if wants_extra_vars(config, context) else {}
    for name, host in context.inventory.hosts.items():
        result.add_host(name, None)
        constructor.apply(name, {**_variables(host, config, context), **extra})
    return result


def _variables(host: Host, config: SourceMap, context: ParseContext) -> dict[str, Any]:
    """Give what expressions see of `host`: the inventory's variables, those of vars files only if asked for."""
    inventory = context.inventory
    found: dict[str, Any] = {"inventory_hostname": host.name, "inventory_hostname_short": host.name.split(".")[0]}
    if flag(config, "use_vars_plugins", default=False):
        return found | merged(host_layers(inventory, host))
    for group in inventory.groups_of(host):
        found.update(group.vars)
    found.update(host.vars)
    return found


def need_render(context: ParseContext, path: str, config: SourceMap) -> Render:
    """Give the templating of this run. Raises InventoryError where there is none (a tool that only lists)."""
    if context.render is None:
        message = "this inventory plugin needs templating, which is not at hand here"
        raise InventoryError([Diagnostic("inventory-source", message, key_origin(config, "plugin", path))])
    return context.render


def check_options(config: SourceMap, known: tuple[str, ...], path: str, context: ParseContext) -> None:
    """Warn about options that the plugin does not have; ansible-core passes over them."""
    for key in config:
        if key not in known:
            context.on_warning(
                Diagnostic(
                    "unknown-option",
                    f"the plugin '{config.get('plugin')}' has no option '{key}'",
                    key_origin(config, key, path),
                    length=len(str(key)),
                    help=did_you_mean(str(key), known),
                    severity=Severity.WARNING,
                )
            )


def wants_extra_vars(config: SourceMap, context: ParseContext) -> bool:
    """Tell whether expressions see the variables of the command line, by the plugin's option or the setting."""
    return flag(config, "use_extra_vars", default=context.settings.inventory_use_extra_vars)
