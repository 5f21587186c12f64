"""`-e`: key=value words, JSON or YAML text, or @FILE."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.errors import AuthorError, OptionsError
from pyplay.diagnostics.model import Diagnostic, Origin, Severity
from pyplay.source.shapes import is_list, is_map
from pyplay.source.splitter import parse_kv
from pyplay.source.text import Trusted
from pyplay.source.vault import VaultText
from pyplay.source.yaml import load_file, load_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pyplay.source.vault import VaultSecrets

PLACE = "<extra vars>"
UNSAFE, VAULT = "__ansible_unsafe", "__ansible_vault"


def parse_extra_vars(
    words: Iterable[str], vault: VaultSecrets | None = None, on_warning: Callable[[Diagnostic], object] | None = None
) -> dict[str, Any]:
    """Give the variables of all `-e` options; later ones win. Words between assignments are warned of.

    Raises OptionsError, PlaybookError for a broken file, AuthorError for one that is not there.
    """
    found: dict[str, Any] = {}
    for word in words:
        found.update(_parse(word, vault, on_warning or _pass_over))
    return found


def _revived(value: Any, vault: VaultSecrets | None) -> Any:
    """Give `value` with the marks that JSON has for text that is no template, and for encrypted text, made real."""
    found: Any = value
    if is_list(value):
        found[:] = [_revived(item, vault) for item in found]
    elif is_map(value):
        if set(found) == {UNSAFE} and isinstance(found[UNSAFE], str):
            return str.__str__(found[UNSAFE])
        if set(found) == {VAULT} and isinstance(found[VAULT], str):
            return VaultText(found[VAULT], Origin(PLACE), vault)
        for key, item in found.items():
            found[key] = _revived(item, vault)
    return found


def _pass_over(_warning: Diagnostic) -> None:
    """Take a warning that nobody wants to hear."""


def _parse(word: str, vault: VaultSecrets | None, warn: Callable[[Diagnostic], object]) -> dict[str, Any]:
    if not word.strip():  # `-e "$NOTHING"`
        return {}
    if word.startswith("@"):
        value = load_file(_existing(word[1:]), vault=vault)
    elif word.lstrip()[:1] in ("{", "["):
        value = _revived(load_text(word, PLACE, vault=vault), vault)
    else:
        value = parse_kv(Trusted(word, Origin(PLACE, 1, 1)))
        stray = value.pop("_raw_params", None)
        if not value:
            value = None
        elif stray:  # Packer's ansible-local gives words for ssh along with its variables
            message = f"these words among extra variables set nothing: {stray}"
            mend = "write name=value, values with blanks in quotes"
            warn(Diagnostic("stray-extra-vars", message, severity=Severity.WARNING, help=mend))
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


def _existing(path: str) -> str:
    """Give `path`; as core, a file of variables that is not there is an error of its own kind."""
    if not os.path.exists(path):  # noqa: PTH110  # a pipe will do, too
        raise AuthorError.of("missing-extra-vars", f"the file of extra variables {path} is not there")
    return path
