"""Writing YAML: values of playbooks and inventories as Ansible shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import yaml

from pyplay.source.text import SourceList, SourceMap, Trusted
from pyplay.source.vault import Secret, VaultText

if TYPE_CHECKING:
    from collections.abc import Mapping


class _Dumper(yaml.SafeDumper):
    """PyYAML's safe dumper for our types too. Lists and mappings that are shared become anchors and aliases."""


def yaml_text(data: Mapping[str, Any]) -> str:
    """Give `data` as YAML, keys sorted; encrypted values keep their `!vault` tag."""
    return yaml.dump(data, Dumper=_Dumper, default_flow_style=False, allow_unicode=True)


def _text(dumper: yaml.SafeDumper, value: str) -> yaml.Node:
    return dumper.represent_str(str.__str__(value))


def _vault(dumper: yaml.SafeDumper, value: VaultText) -> yaml.Node:
    return dumper.represent_scalar("!vault", str.__str__(value), style="|")  # pyright: ignore[reportUnknownMemberType]  # untyped in the stubs


for _type in (Trusted, Secret):
    _Dumper.add_representer(_type, _text)
_Dumper.add_representer(VaultText, _vault)
_Dumper.add_representer(SourceMap, yaml.SafeDumper.represent_dict)
_Dumper.add_representer(SourceList, yaml.SafeDumper.represent_list)
