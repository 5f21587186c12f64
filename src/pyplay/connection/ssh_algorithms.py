"""Lists of algorithms as ssh_config(5) writes them, fitted to what asyncssh knows.

`+`, `-` and `^` before a list add to, take from and go before the default. Names that asyncssh does not know are left
out: what is left is what both sides may agree on. Source: ssh_config(5), Ciphers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from asyncssh.encryption import get_encryption_algs
from asyncssh.kex import get_kex_algs
from asyncssh.mac import get_mac_algs
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


def fit_algorithms(keyword: str, text: str | None) -> str | None:
    """Give the list `text` of `keyword` without what asyncssh lacks, None for the default.

    Raises NeedsSsh if asyncssh knows none of a list that is to replace the default.
    """
    if not text:
        return None
    known = [name.decode() for name in KNOWN[keyword]()]
    mark, names = (text[0], text[1:]) if text[0] in "+-^" else ("", text)
    kept = [name for name in names.split(",") if any(matches(each, [name]) for each in known)]
    if kept:
        return mark + ",".join(kept)
    if mark:
        return None
    raise NeedsSsh(f"{keyword} {text}: asyncssh knows none of them")
