"""Asking the person at the controller whether an unknown host key is to be trusted, as ssh does."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from pyplay.actions.base import Prompter
    from pyplay.connection.host_key_texts import HostKeyQuestion


def host_key_asker(prompter: Prompter) -> Callable[[HostKeyQuestion], Awaitable[bool]] | None:
    """Give what a connection asks about a key that is not known; None if nobody can answer."""
    if not prompter.interactive:
        return None

    async def ask(question: HostKeyQuestion) -> bool:
        text = (
            f"The key of {question.host} ({question.address}, port {question.port}) is not known.\n"
            f"It is a {question.key_type} key with the fingerprint {question.fingerprint}.\n"
            "Trust it and connect (yes/no)? "
        )
        while True:
            typed = await prompter.ask(text, echo=True)
            word = (typed or "no").strip().lower()
            if word in ("yes", "no") or word == question.fingerprint.lower():
                return word != "no"
            text = "Please type yes, no or the fingerprint: "

    return ask
