"""Vault: values and files that stay encrypted until they are used.

A header line `$ANSIBLE_VAULT;1.1;AES256` (or `1.2` with a label behind it) stands over hexadecimal digits, which
`vault_cipher` makes and reads. Source: the Ansible documentation, "Ansible Vault payload format".
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Self

from pyplay.diagnostics.dataclass import dataclass
from pyplay.diagnostics.errors import OptionsError, PlaybookError
from pyplay.source.text import Trusted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pyplay.diagnostics.model import Origin

HEADER = "$ANSIBLE_VAULT"
WIDTH = 80
DEFAULT_LABEL = "default"
FAULTS = frozenset({"no-vault-password", "wrong-vault-password", "bad-vault"})
"""Codes of the diagnostics about texts that cannot be opened, and passwords that cannot be had."""


class Secret(Trusted):
    """Text that was decrypted, never to be shown.

    What stood in an encrypted file may hold templates, as any text in a file of variables. An inline value is
    `literal`: its braces are text, as ansible-core 2.19 and later take them.
    """

    __slots__ = ("literal",)
    literal: bool

    def __new__(cls, text: str, origin: Origin | None = None, *, literal: bool = False) -> Self:
        """Mark `text`, which was encrypted at `origin`, as secret."""
        self = super().__new__(cls, text, origin)
        self.literal = literal
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Stay secret over the pipe to workers."""
        return _secret, (str(self), self.origin, self.literal)


class SecretInt(int):
    """A whole number that stood in an encrypted file. Templates see a plain number; its digits are masked."""

    __slots__ = ()


class SecretFloat(float):
    """A number that stood in an encrypted file. Templates see a plain number; its digits are masked."""

    __slots__ = ()


SECRET_NUMBERS = (SecretInt, SecretFloat)


def as_secret(value: Any) -> Any:
    """Return a number of an encrypted file marked as such; what is no number as it is."""
    if type(value) is int:
        return SecretInt(value)
    return SecretFloat(value) if type(value) is float else value


def _secret(text: str, origin: Origin | None, literal: bool) -> Secret:  # noqa: FBT001  # called by pickle
    return Secret(text, origin, literal=literal)


@dataclass(frozen=True, slots=True)
class VaultSecret:
    """One password with the label (vault id) that it goes by."""

    label: str
    password: bytes

    def __repr__(self) -> str:
        return f"VaultSecret(label={self.label!r})"


@dataclass(frozen=True, slots=True)
class VaultSecrets:
    """The passwords of a run, in the order in which they were given. `match` tries only those with the right label."""

    secrets: tuple[VaultSecret, ...] = ()
    match: bool = False

    def candidates(self, label: str) -> list[VaultSecret]:
        """Give the secrets to try on a text labelled `label`, the ones with that label first."""
        same = [s for s in self.secrets if s.label == label]
        return same if self.match and label else same + [s for s in self.secrets if s.label != label]

    def pick(self, label: str | None = None) -> VaultSecret:
        """Give the secret to encrypt with: the one labelled `label`, the first one without a label.

        Raises OptionsError if there is none.
        """
        for secret in self.secrets:
            if label is None or secret.label == label:
                return secret
        message = f"there is no vault password with the id '{label}'" if label else "there is no vault password"
        known = ", ".join(dict.fromkeys(secret.label for secret in self.secrets))
        raise OptionsError.of("no-vault-password", message, help=f"there are: {known}" if known else _GIVE)


class VaultText(str):
    """A value that is still encrypted. As a `str` it is its ciphertext, so showing it by mistake tells nothing."""

    __slots__ = ("_revealed", "origin", "secrets")
    origin: Origin | None
    secrets: VaultSecrets | None
    _revealed: Secret | None

    def __new__(cls, ciphertext: str, origin: Origin | None = None, secrets: VaultSecrets | None = None) -> Self:
        """Seal `ciphertext`, written at `origin`, to be opened with `secrets`."""
        self = super().__new__(cls, ciphertext)
        self.origin, self.secrets, self._revealed = origin, secrets, None
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Stay sealed over the pipe to workers."""
        return VaultText, (str.__str__(self), self.origin, self.secrets)

    def __repr__(self) -> str:
        return "<vault>"

    def reveal(self) -> Secret:
        """Give the decrypted text; decrypted once. Raises PlaybookError that names the place."""
        if self._revealed is None:
            text = self.reveal_bytes().decode("utf-8", "surrogateescape")
            self._revealed = Secret(text, self.origin, literal=True)
        return self._revealed

    def reveal_bytes(self) -> bytes:
        """Give the decrypted bytes. Raises PlaybookError that names the place."""
        return unlock(str.__str__(self), self.secrets or VaultSecrets(), self.origin).plain


@dataclass(frozen=True, slots=True)
class Unlocked:
    """What a vault text held: `plain`, and the `secret` that opened it, with the label that the text has."""

    plain: bytes
    secret: VaultSecret


def unlock(text: str, secrets: VaultSecrets, origin: Origin | None) -> Unlocked:
    """Open the vault text `text`, written at `origin`, with one of `secrets`. Raises PlaybookError."""
    try:
        label = parse_header(text)
        candidates = secrets.candidates(label)
        for secret in candidates:
            plain = decrypt(text, secret.password)
            if plain is not None:
                return Unlocked(plain, VaultSecret(label or DEFAULT_LABEL, secret.password))
    except ValueError as error:
        raise PlaybookError.of("bad-vault", f"this is no vault text: {error}", origin) from error
    mend = f"correct the password, or {_GIVE}" if candidates else _GIVE
    raise PlaybookError.of(*_closed(origin, label, candidates), origin, help=mend)


_GIVE = "give the password with --vault-password-file, --vault-id LABEL@SOURCE or --ask-vault-password"


def _closed(origin: Origin | None, label: str, tried: Sequence[VaultSecret]) -> tuple[str, str]:
    """Give code and message for a text that none of `tried` opens."""
    what = f"{origin.path}" if origin else "a vault text"
    named = f" with the id '{label}'" if label else ""
    if not tried:
        return "no-vault-password", f"Attempting to decrypt but no vault secrets found: {what} is encrypted{named}"
    labels = ", ".join(f"'{s.label}'" for s in tried)
    return (
        "wrong-vault-password",
        f"no vault secrets were found that could decrypt {what}, encrypted{named}; tried: {labels}",
    )


def is_vault_text(data: bytes | str) -> bool:
    """Tell whether `data` is encrypted as a whole."""
    return data.startswith(HEADER.encode()) if isinstance(data, bytes) else data.startswith(HEADER)


def parse_header(text: str) -> str:
    """Give the label in the header of `text`, "" where it has none. Raises ValueError for what is not vault text."""
    first = text.lstrip().split("\n", 1)[0].strip().split(";")
    if first[0] != HEADER or len(first) < 3:
        raise ValueError(f"it does not start with {HEADER};1.1;AES256")
    if first[1] not in ("1.0", "1.1", "1.2") or first[2] not in ("AES256", "AES"):
        raise ValueError(f"format {first[1]} with cipher {first[2]} is not known")
    if first[1] == "1.0" or first[2] == "AES":
        raise ValueError(f"format {first[1]} with cipher {first[2]} is too old, rekey it with an old ansible-vault")
    return first[3] if len(first) > 3 else ""


def decrypt(text: str, password: bytes) -> bytes | None:
    """Give what the vault text `text` holds, None if `password` does not open it. Raises ValueError for other text."""
    from pyplay.source.vault_cipher import open_payload  # noqa: PLC0415  # few runs open a vault

    parse_header(text)
    return open_payload("".join(text.lstrip().split("\n", 1)[-1].split()), password)


def encrypt(data: bytes, secret: VaultSecret, *, salt: bytes | None = None) -> str:
    """Give `data` as vault text, with a newline at its end; a label other than `default` goes into the header."""
    from pyplay.source.vault_cipher import seal  # noqa: PLC0415  # few runs make a vault

    body = seal(data, secret.password, salt or os.urandom(32))
    labelled = secret.label and secret.label != DEFAULT_LABEL
    head = f"{HEADER};1.2;AES256;{secret.label}" if labelled else f"{HEADER};1.1;AES256"
    return "\n".join([head, *_chunks(body)]) + "\n"


def _chunks(text: str) -> Iterable[str]:
    return (text[i : i + WIDTH] for i in range(0, len(text), WIDTH))
