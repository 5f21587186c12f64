"""The YAML representer: writes trusted text, source mappings, views and dates as the plain data they are."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import yaml
from jinja2 import Undefined

from pyplay.source.vault import Secret, VaultText
from pyplay.templating.filters.errors import FilterError
from pyplay.templating.filters.plain import is_lazy_sequence, is_mapping, raise_undefined, shown, type_name
from pyplay.templating.sealed import Opened

if TYPE_CHECKING:
    from collections.abc import Mapping

_Base: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)

#: What may become of vaulted values: the documented words of `vault_behavior`.
VAULT_BEHAVIORS = ("decrypt", "redact", "keep_encrypted", "fail")


class Dumper(_Base):  # libyaml's, where PyYAML was built with it
    """Writes data as YAML; vaulted values are decrypted."""

    vaults = "decrypt"

    @staticmethod
    @cache
    def for_vaults(behavior: str | None) -> type[Dumper]:
        """Give the dumper that does with vaulted values what `behavior` says. Raises FilterError for unknown words."""
        behavior = behavior or VAULT_BEHAVIORS[0]
        if behavior not in VAULT_BEHAVIORS:
            known = ", ".join(VAULT_BEHAVIORS)
            raise FilterError(f"vault_behavior must be one of {known}, not {behavior!r}")
        return type("Dumper", (Dumper,), {"vaults": behavior})


def _text(dumper: Any, value: str) -> Any:
    return dumper.represent_str(str(value))


def _secret(dumper: Any, value: Secret) -> Any:
    if dumper.vaults == "fail":
        raise FilterError("refusing to dump a vaulted value", help="vault_behavior says what becomes of it")
    return dumper.represent_str("<redacted>" if dumper.vaults == "redact" else str(value))


def _sealed(dumper: Any, value: VaultText) -> Any:
    if dumper.vaults == "keep_encrypted":
        return dumper.represent_scalar("!vault", str.__str__(value), style="|")
    return _secret(dumper, value.reveal())


def _opened(dumper: Any, value: Opened) -> Any:
    return _sealed(dumper, value.sealed)


def _mapping(dumper: Any, value: Mapping[Any, Any]) -> Any:
    return dumper.represent_dict(dict(value))


def _sequence(dumper: Any, value: Any) -> Any:
    return dumper.represent_list(list(value))


def _undefined(_: Any, value: Undefined) -> Any:
    raise_undefined(value)


def _other(dumper: Any, value: Any) -> Any:
    if is_mapping(value):
        return _mapping(dumper, value)
    if is_lazy_sequence(value):
        return _sequence(dumper, value)
    raise FilterError(f"YAML has nothing for a value of type {type_name(value)}: {shown(value)}")


for _kind, _representer in (
    (Opened, _opened),
    (VaultText, _sealed),
    (Secret, _secret),
    (str, _text),
    (dict, _mapping),
    (Undefined, _undefined),
    (list, _sequence),
    (tuple, _sequence),
    (object, _other),
):
    Dumper.add_multi_representer(_kind, _representer)
