"""Signatures of collections: detached ones of `MANIFEST.json`, checked by the system's gpg with the user's keyring.

Source: the Ansible documentation, "Verifying signed collections"; gpg's doc/DETAILS (the status lines).
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from pyplay.content.faults import ContentError
from pyplay.content.metadata import MANIFEST
from pyplay.diagnostics.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyplay.content.web import Web

_BAD = frozenset(
    {"EXPSIG", "EXPKEYSIG", "REVKEYSIG", "BADSIG", "ERRSIG", "NO_PUBKEY", "MISSING_PASSPHRASE", "BAD_PASSPHRASE",
     "NODATA", "UNEXPECTED", "ERROR", "FAILURE", "BADARMOR", "KEYEXPIRED", "KEYREVOKED", "NO_SECKEY"}
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Keys:
    """What signatures are checked with. `required` is a number or `all`, with `+` in front if there must be some.

    `ignored` are gpg's words for faults that are passed over; without a `keyring` nothing can be checked.
    """

    keyring: Path | None = None
    required: str = "1"
    ignored: frozenset[str] = frozenset()
    disabled: bool = False


def check(name: str, directory: Path, named: Sequence[str], served: Sequence[str], *, keys: Keys, web: Web) -> None:
    """Check the signatures of the unpacked collection in `directory`. Raise ContentError if too few are good.

    `named` are URLs or paths that the requirements name, `served` are the texts that a server gives.
    """
    if keys.disabled:
        return
    if keys.keyring is None:
        if named:
            message = f"the signatures of {name} cannot be checked without a keyring"
            raise ContentError.of("no-keyring", message, help="name one with --keyring or [galaxy] gpg_keyring")
        return
    count = keys.required.removeprefix("+")
    if count != "all" and not count.isdecimal():
        message = f"'{keys.required}' is no number of signatures"
        raise ContentError.of("signatures", message, help="a number or `all`, with + in front if there must be some")
    scratch = directory.with_name(f"{directory.name}.signatures")
    scratch.mkdir()
    texts = [_fetched(each, scratch / str(number), web) for number, each in enumerate(named)]
    texts += [_written(text, scratch / f"served{number}") for number, text in enumerate(served)]
    if not texts and not keys.required.startswith("+"):
        return
    faults = [_faults(text, directory / MANIFEST, keys) for text in texts]
    good = sum(not fault for fault in faults)
    wanted = max(len(texts), 1) if count == "all" else int(count)
    if good < wanted:
        why = "; ".join(sorted({fault for fault in faults if fault})) or "there are no more"
        message = f"{name} has {good} good signatures of {wanted} that are required: {why}"
        raise ContentError.of("signatures", message, help="see whether the keyring holds its author's key")


def _fetched(place: str, target: Path, web: Web) -> Path:
    if place.startswith(("http://", "https://")):
        web.download(place, target)
        return target
    try:
        shutil.copyfile(Path(place.removeprefix("file://")).expanduser(), target)
    except OSError as error:
        raise ContentError.of("signatures", f"the signature {place} cannot be read: {error.strerror}") from error
    return target


def _written(text: str, target: Path) -> Path:
    target.write_text(text, encoding="utf-8")
    return target


def _faults(signature: Path, manifest: Path, keys: Keys) -> str:
    """Return gpg's words for what is wrong with a signature, "" if it is good."""
    words = ["gpg", "--batch", "--no-tty", "--status-fd=1", "--no-auto-key-retrieve", "--no-default-keyring"]
    words += [f"--keyring={keys.keyring}", "--verify", "--", str(signature), str(manifest)]
    try:
        done = subprocess.run(words, capture_output=True, check=False, stdin=subprocess.DEVNULL)
    except FileNotFoundError as error:
        message = "signatures need gpg, which is not here"
        raise ContentError.of("no-gpg", message, help="install gnupg, or set disable_gpg_verify") from error
    said = {line.split(" ")[1] for line in done.stdout.decode(errors="replace").splitlines() if " " in line}
    bad = (said & _BAD) - keys.ignored
    if bad:
        return ", ".join(sorted(bad))
    return "" if "GOODSIG" in said or said & keys.ignored else "gpg does not call it good"
