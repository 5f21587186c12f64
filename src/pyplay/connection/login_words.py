"""Addresses and users as programs and shells read them: what would be read as something else is refused.

Both may be data, so that a new machine can be reached whose address a task was told.
"""

from __future__ import annotations

from pyplay.diagnostics.errors import OptionsError
from pyplay.diagnostics.patterns import late_pattern

_NOT_IN_ADDRESSES = late_pattern(r"""\A-|[\s'`"$\\;&<>|(){}\x00-\x1f\x7f]""")
_NOT_IN_USERS = late_pattern(r"""\A-|[\n'`";&<>|(){}\x00-\x1f\x7f]""")


def check_login(host: str, address: str, user: str | None) -> None:
    """Raise OptionsError for an address or user that a shell or a program would read as something else.

    Proxy commands and configurations hand both to shells (`%h`, `%r`). Source: what ssh itself refuses on its command
    line since OpenSSH 9.6.
    """
    for what, word, wrong in (("address", address, _NOT_IN_ADDRESSES), ("user", user, _NOT_IN_USERS)):
        if word is not None and wrong.search(word):
            raise OptionsError.of(
                "bad-login", f"{host}: {word!r} is no {what}: it holds what a shell would read, or begins with '-'",
                help=f"correct ansible_{'host' if what == 'address' else 'user'}",
            )  # fmt: skip


def check_no_option(host: str, what: str, word: str | None) -> None:
    """Raise OptionsError for a word that a program would read as one of its options."""
    if word is not None and (word.startswith("-") or "\0" in word):
        raise OptionsError.of("bad-login", f"{host}: {word!r} is no {what}", help=f"a {what} does not begin with '-'")
