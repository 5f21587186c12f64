"""`-e`: key=value words, JSON or YAML text, or @FILE."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.errors import OptionsError
from pyplay.diagnostics.model import Diagnostic, Origin
from pyplay.source.splitter import parse_kv
from pyplay.source.text import Trusted
from pyplay.source.yaml import load_file, load_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pyplay.source.vault import VaultSecrets

PLACE = "<extra vars>"


def parse_extra_vars(words: Iterable[str], vault: VaultSecrets | None = None) -> dict[str, Any]:
    """Give the variables of all `-e` options; later ones win. Raises OptionsError, PlaybookError for a broken file."""
    found: dict[str, Any] = {}
    for word in words:
        found.update(_parse(word, vault))
    return found


def _parse(word: str, vault: VaultSecrets | None) -> dict[str, Any]:
    if word.startswith("@"):
        value = load_file(word[1:], vault=vault)
    elif word.lstrip()[:1] in ("{", "["):
        value = load_text(word, PLACE, vault=vault)
    else:
        value = parse_kv(Trusted(word, Origin(PLACE, 1, 1)))
        if not value or "_raw_params" in value:
            value = None
    if value is None and word.startswith("@"):
        return {}
    if not isinstance(value, dict):
        fault = Diagnostic(
            "extra-vars",
            f"these extra variables are no variables: {word}",
            Origin(PLACE),
            help="write -e 'name=value other=2', -e '{\"name\": 1}', or -e @file.yml",
        )
        raise OptionsError([fault])
    return {str(key): item for key, item in value.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]  # YAML gives any type
