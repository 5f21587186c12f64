"""Asking the person at the controller for the passphrase of a private key, as ssh does."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from pyplay.actions.base import Prompter


def passphrase_asker(prompter: Prompter) -> Callable[[str, int], Awaitable[str | None]] | None:
    """Give what a connection asks for the passphrase of a key file, the how-manieth time; None if nobody can answer.

    Each question is put once in a run: the answer holds for every worker and every login.
    """
    if not prompter.interactive:
        return None

    async def ask(path: str, times: int) -> str | None:
        again = f"That was not it ({times} of 3). " if times else ""
        return await prompter.ask(f"{again}Passphrase for the key {path}: ", echo=False, keep=True)

    return ask
