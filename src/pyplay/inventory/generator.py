"""The `generator` plugin: a host for every combination of layers.

Source: the documentation of Ansible's `generator` inventory plugin.
"""

from __future__ import annotations

from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.errors import InventoryError
from pyplay.diagnostics.model import Diagnostic, Origin
from pyplay.inventory.constructed import check_options, need_render, wants_extra_vars
from pyplay.inventory.fragment import Fragment, GroupPart
from pyplay.inventory.ranges import MOST_NAMES
from pyplay.inventory.shapes import as_list, as_mapping
from pyplay.inventory.tree import key_origin
from pyplay.source.text import SourceMap, origin_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyplay.inventory.context import ParseContext, Render

_OPTIONS = ("plugin", "hosts", "layers", "use_extra_vars")


def parse_generator(config: SourceMap, path: str, context: ParseContext) -> Fragment:
    """Give the hosts and groups that `config`, read from `path`, generates. Raises AuthorError."""
    check_options(config, _OPTIONS, path, context)
    hosts = as_mapping(config.get("hosts"))
    if hosts is None or not isinstance(hosts.get("name"), str):
        raise _fault("'hosts' is a mapping with the template 'name'", key_origin(config, "hosts", path))
    layers = _layers(config, path)
    if prod(map(len, layers.values())) > MOST_NAMES:
        raise _fault(
            f"the layers make {prod(map(len, layers.values())):,} hosts, and may make {MOST_NAMES:,}",
            key_origin(config, "layers", path),
        )
    extra: Mapping[str, Any] = context.extra_vars if wants_extra_vars(config, context) else {}
    generator = _Generator(path, need_render(context, path, config))
    for combination in product(*layers.values()):
        generator.host(hosts, {**dict(zip(layers, combination, strict=True)), **extra})
    return generator.result


def _layers(config: SourceMap, path: str) -> dict[str, list[Any]]:
    layers = as_mapping(config.get("layers"))
    origin = key_origin(config, "layers", path)
    if layers is None:
        raise _fault("'layers' is a mapping of names to lists", origin)
    for name, values in layers.items():
        if as_list(values) is None:
            raise _fault(f"layer '{name}' is no list", origin_of(values) or origin)
    return dict(layers)


class _Generator:
    """Makes hosts and their groups, one combination at a time."""

    def __init__(self, path: str, render: Render) -> None:
        self.path, self.render = path, render
        self.result = Fragment()

    def host(self, template: Mapping[str, Any], variables: Mapping[str, Any]) -> None:
        """Add the host for one combination of layers, with its groups."""
        name = str(self.render(template["name"], variables))
        self.result.add_host(name, None)
        for parent in template.get("parents") or ():
            group = self.group(parent, variables, name)
            self.result.add_host(name, group[1])

    def group(self, template: Any, variables: Mapping[str, Any], child: str) -> tuple[str, GroupPart]:
        """Add the group that a `parents` entry of `child` describes, with its own parents and variables."""
        entry = as_mapping(template)
        if entry is None or not entry.get("name"):
            message = f"Element {child} has a parent with no name. An entry of 'parents' is a mapping with 'name'"
            raise _fault(message, origin_of(template) or Origin(self.path))
        name = str(self.render(entry["name"], variables))
        part = self.result.group(name, origin_of(entry["name"]))
        for key, value in (as_mapping(entry.get("vars")) or SourceMap()).items():
            # templates inside of mappings and lists are rendered by plays (observed with ansible-core 2.21)
            part.vars[str(key)] = self.render(value, variables) if isinstance(value, str) else value
        for parent in entry.get("parents") or ():
            _, above = self.group(parent, variables, name)
            above.children[name] = origin_of(entry["name"]) or Origin(self.path)
        return name, part


def _fault(message: str, origin: Origin) -> InventoryError:
    return InventoryError([Diagnostic("generator", message, origin)])
