"""Writing YAML: values of playbooks and inventories as Ansible shows them."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

import yaml

from pyplay.inventory.export import MASKED
from pyplay.source.text import SourceList, SourceMap, Trusted
from pyplay.source.vault import SECRET_NUMBERS, Secret, VaultText

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


class _Dumper(yaml.SafeDumper):
    """PyYAML's safe dumper for our types too. Lists and mappings that are shared become anchors and aliases."""

    def ignore_aliases(self, data: Any) -> bool:  # PyYAML asks for each value whether it is worth an alias
        """Write dates out each time, as all that is neither list nor mapping."""
        return isinstance(data, dt.date) or bool(super().ignore_aliases(data))  # pyright: ignore[reportUnknownMemberType]  # untyped in the stubs


class _RevealingDumper(_Dumper):
    """Shows text from encrypted files in clear."""


def yaml_text(data: Mapping[str, Any], *, reveal: bool = False) -> str:
    """Give `data` as YAML, keys sorted; encrypted values keep their `!vault` tag.

    Text from files that are encrypted as a whole shows as asterisks unless `reveal`.
    """
    dumper = _RevealingDumper if reveal else _Dumper
    dump: Callable[..., str] = yaml.dump  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]  # its stub knows no width
    return dump(data, Dumper=dumper, default_flow_style=False, allow_unicode=True)


def _text(dumper: yaml.SafeDumper, value: str) -> yaml.Node:
    return dumper.represent_str(str.__str__(value))


def _vault(dumper: yaml.SafeDumper, value: VaultText) -> yaml.Node:
    return dumper.represent_scalar("!vault", str.__str__(value), style="|")  # pyright: ignore[reportUnknownMemberType]  # untyped in the stubs


def _secret(dumper: yaml.SafeDumper, value: object) -> yaml.Node:
    del value
    return dumper.represent_str(MASKED)


def _revealed(dumper: Any, value: float) -> yaml.Node:
    return dumper.represent_data(int(value) if isinstance(value, int) else float(value))


for _kind in (_Dumper, _RevealingDumper):
    _kind.add_representer(Trusted, _text)
    _kind.add_representer(Secret, _secret if _kind is _Dumper else _text)
    _kind.add_representer(VaultText, _vault)
    for _number in SECRET_NUMBERS:
        _kind.add_representer(_number, _secret if _kind is _Dumper else _revealed)
    _kind.add_representer(SourceMap, yaml.SafeDumper.represent_dict)
    _kind.add_representer(SourceList, yaml.SafeDumper.represent_list)
