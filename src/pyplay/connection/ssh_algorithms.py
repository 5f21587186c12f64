"""Lists of algorithms as ssh_config(5) writes them, fitted to what asyncssh knows.

`+`, `-` and `^` before a list add to, take from and go before the default. Names that asyncssh does not know are left
out: what is left is what both sides may agree on. Source: ssh_config(5), Ciphers.

asyncssh reads such lists, too, for every host anew: it compares each name with all that it knows, 1 ms a host.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from asyncssh.encryption import get_default_encryption_algs, get_encryption_algs
from asyncssh.kex import get_default_kex_algs, get_kex_algs
from asyncssh.mac import get_default_mac_algs, get_mac_algs
from asyncssh.public_key import get_certificate_algs, get_public_key_algs

from pyplay.connection.ssh_config import matches
from pyplay.connection.ssh_table import NeedsSsh

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

KNOWN: Mapping[str, Callable[[], list[bytes]]] = {
    "Ciphers": get_encryption_algs,
    "MACs": get_mac_algs,
    "KexAlgorithms": get_kex_algs,
    "HostKeyAlgorithms": lambda: [*get_certificate_algs(), *get_public_key_algs()],
    "PubkeyAcceptedAlgorithms": get_public_key_algs,
}

DEFAULT: Mapping[str, Callable[[], list[bytes]]] = {
    "Ciphers": get_default_encryption_algs,
    "MACs": get_default_mac_algs,
    "KexAlgorithms": get_default_kex_algs,
    "PubkeyAcceptedAlgorithms": get_public_key_algs,
}
"""What asyncssh offers of itself. Host keys are not here: that depends on what is known of a host."""


@cache
def list_algorithms(keyword: str, text: str | None) -> tuple[str, ...]:
    """Give the names that the list `text` of `keyword` comes to, in their order; () for the default.

    Raises NeedsSsh if there are none that asyncssh knows.
    """
    fitted = fit_algorithms(keyword, text)
    if fitted is None:
        return ()
    mark, names = _parts(fitted)
    known, default = ([name.decode() for name in table[keyword]()] for table in (KNOWN, DEFAULT))
    matched = [each for name in names for each in known if matches(each, [name])]
    match mark:
        case "+":
            found = [*default, *matched]
        case "^":
            found = [*matched, *default]
        case "-":
            found = [name for name in default if name not in matched]
        case _:
            found = matched
    if not found:
        raise NeedsSsh(f"{keyword} {text}: it leaves nothing that asyncssh knows")
    return tuple(dict.fromkeys(found))


def fit_algorithms(keyword: str, text: str | None) -> str | None:
    """Give the list `text` of `keyword` without what asyncssh lacks, None for the default.

    Raises NeedsSsh if asyncssh knows none of a list that is to replace the default.
    """
    if not text:
        return None
    known = [name.decode() for name in KNOWN[keyword]()]
    mark, names = _parts(text)
    kept = [name for name in names if any(matches(each, [name]) for each in known)]
    if kept:
        return mark + ",".join(kept)
    if mark:
        return None
    raise NeedsSsh(f"{keyword} {text}: asyncssh knows none of them")


def _parts(text: str) -> tuple[str, list[str]]:
    """Give the mark before a list, "" for none, and its names."""
    mark = text[0] if text[0] in "+-^" else ""
    return mark, text[len(mark) :].split(",")
