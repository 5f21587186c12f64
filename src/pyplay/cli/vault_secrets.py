"""The vault passwords that options and settings name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.cli.passwords import read_password
from pyplay.source.vault_sources import load_vault_secrets

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyplay.diagnostics.model import Diagnostic
    from pyplay.source.settings import Settings
    from pyplay.source.vault import VaultSecrets

    Ask = Callable[[str], str]


def ask_hidden(text: str) -> str:
    """Ask for a password, which is not shown while it is typed."""
    return read_password(True, None, text) or ""  # noqa: FBT003  # it is to ask


def vault_secrets(
    words: Any,
    settings: Settings,
    on_warning: Callable[[Diagnostic], None],
    *,
    ask: bool = False,
    prompt: Ask = ask_hidden,
    to_encrypt: bool = False,
) -> VaultSecrets:
    """Give the vault passwords of a command whose options are the attributes of `words`.

    Those of the settings count, too: their ids first, their password file last. With `ask` one is asked for if neither
    names any; `to_encrypt`: none may be missing. Raises AuthorError.
    """
    files = [
        *(words.vault_password_file or ()),
        *([settings.vault_password_file] if settings.vault_password_file else []),
    ]
    ids = (*settings.vault_identity_list, *(words.vault_id or ()))
    wanted = bool(words.ask_vault_pass or settings.ask_vault_pass)
    return load_vault_secrets(
        ids=ids,
        password_files=files,
        ask=wanted or (ask and not ids and not files),
        prompt=prompt,
        default_label=settings.vault_identity,
        match=settings.vault_id_match,
        on_warning=on_warning,
        to_encrypt=to_encrypt,
    )
