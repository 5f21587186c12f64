"""The filter that makes password hashes for /etc/shadow, and its rules for salts."""

from __future__ import annotations

import re
import secrets
from typing import Any

from pyplay.diagnostics.dataclass import dataclass
from pyplay.templating.filters import crypt
from pyplay.templating.filters.errors import FilterError
from pyplay.templating.filters.plain import is_listlike, is_mapping, shown, type_name

_SALT_CHARACTERS = re.compile(r"[./0-9A-Za-z]*")


@dataclass(frozen=True, slots=True)
class Scheme:
    """A kind of password hash: its limits, and what it takes if nothing is said (rounds as passlib has them)."""

    name: str
    salt_length: int
    default_rounds: int | None
    rounds: tuple[int, int] = (0, 0)
    exact_salt: bool = False
    idents: tuple[str, ...] = ()


SCHEMES = {
    "sha512": Scheme("sha512", 16, 656_000, (1000, 999_999_999), idents=("6",)),
    "sha256": Scheme("sha256", 16, 535_000, (1000, 999_999_999), idents=("5",)),
    "md5": Scheme("md5", 8, None, idents=("1",)),
    "bcrypt": Scheme("bcrypt", 22, 12, (4, 31), exact_salt=True, idents=("2b", "2a", "2y")),
}
ALIASES = {"blowfish": "bcrypt", "sha512_crypt": "sha512", "sha256_crypt": "sha256", "md5_crypt": "md5"}


def password_hash(  # noqa: PLR0917  # options may be given by position, as in core
    value: Any,
    hashtype: str = "sha512",
    salt: str | None = None,
    salt_size: int | None = None,
    rounds: int | None = None,
    ident: str | None = None,
) -> str:
    """Give the hash of a password for /etc/shadow: sha512, sha256, bcrypt (blowfish) or md5.

    Without `salt` a new one of `salt_size` characters is drawn every time, so the hash is never the same; give one for
    idempotent tasks.
    `rounds` is how often it is hashed (for bcrypt: the power of two); `ident` is bcrypt's variant, 2b.
    """
    if is_mapping(value) or is_listlike(value):
        raise FilterError(f"needs a text, not {type_name(value)}")
    scheme = _scheme(hashtype)
    return hash_password(
        str(value), scheme, checked_salt(scheme, salt, salt_size), _checked_rounds(scheme, rounds), ident
    )


def _scheme(hashtype: str) -> Scheme:
    try:
        return SCHEMES[ALIASES.get(hashtype, hashtype)]
    except KeyError as error:
        known = ", ".join([*SCHEMES, "blowfish"])
        raise FilterError(f"password_hash does not support {hashtype!r}", help=f"one of {known}") from error


def find_scheme(hashtype: str) -> Scheme:
    """Give the scheme called `hashtype`. Raises FilterError if there is none."""
    return _scheme(hashtype)


def new_salt(length: int) -> str:
    """Draw a salt of `length` characters."""
    return "".join(secrets.choice(crypt.ALPHABET) for _ in range(length))


def checked_salt(scheme: Scheme, salt: Any, size: Any = None) -> str:
    """Give `salt`, or a new one (of `size` characters) if it is absent or empty.

    Raises FilterError if the scheme cannot take it.
    """
    if not salt:
        return _new_salt(scheme, _checked_size(scheme, size))
    if not isinstance(salt, str):
        raise FilterError(f"the salt must be a text, not {type_name(salt)}", help="quote it")
    if not _SALT_CHARACTERS.fullmatch(salt):
        raise FilterError("invalid characters in salt: it has letters, digits, dots and slashes only")
    if scheme.exact_salt and len(salt) != scheme.salt_length:
        raise FilterError(f"invalid salt size supplied ({len(salt)}), expected {scheme.salt_length}")
    if len(salt) > scheme.salt_length:
        raise FilterError(f"invalid salt size supplied ({len(salt)}), expected at most {scheme.salt_length}")
    return str(salt)


def _checked_size(scheme: Scheme, size: Any) -> int:
    if size is None or size == 0:
        return scheme.salt_length
    if not isinstance(size, int) or isinstance(size, bool):
        raise FilterError(f"salt_size must be an integer, not {shown(size)}", help="salt_size | int")
    if not 0 <= size <= scheme.salt_length or (scheme.exact_salt and size != scheme.salt_length):
        most = "" if scheme.exact_salt else "at most "
        raise FilterError(f"invalid salt size supplied ({size}), expected {most}{scheme.salt_length}")
    return size


def _new_salt(scheme: Scheme, size: int) -> str:
    if scheme.exact_salt:  # 22 characters carry 128 bits: the last one has only its two high bits
        return new_salt(scheme.salt_length - 1) + secrets.choice(".Oeu")
    return new_salt(size)


def _checked_rounds(scheme: Scheme, rounds: Any) -> int | None:
    if rounds is None:
        return scheme.default_rounds
    if scheme.default_rounds is None:
        return None  # md5 has its fixed number, as core and passlib take it
    low, high = scheme.rounds
    try:
        number = int(rounds)
    except (TypeError, ValueError) as error:
        raise FilterError(f"rounds must be a number, not {shown(rounds)}") from error
    if scheme.name == "bcrypt" and not low <= number <= high:
        raise FilterError(f"bcrypt takes {low} to {high} rounds (as powers of two), not {number}")
    return min(max(number, low), high)  # Drepper's text: values outside are brought inside


def hash_password(password: str, scheme: Scheme, salt: str, rounds: int | None, ident: str | None = None) -> str:
    """Give the hash by the system's crypt(3) where it knows the scheme, else by our own code (not bcrypt)."""
    data = password.encode("utf-8", "surrogateescape")
    if b"\0" in data:
        raise FilterError("a password has no NUL character")
    if scheme.name == "bcrypt":
        return _bcrypt(data, scheme, salt, rounds or 12, ident)
    setting = f"${scheme.idents[0]}${'' if rounds in {None, crypt.SHA_DEFAULT_ROUNDS} else f'rounds={rounds}$'}{salt}"
    native = crypt.libcrypt(data, setting)
    if native is not None:
        return native
    if scheme.name == "md5":
        return crypt.md5_crypt(data, salt)
    function = crypt.sha512_crypt if scheme.name == "sha512" else crypt.sha256_crypt
    return function(data, salt, rounds or crypt.SHA_DEFAULT_ROUNDS)


def _bcrypt(data: bytes, scheme: Scheme, salt: str, rounds: int, ident: str | None) -> str:
    variant = ident or scheme.idents[0]
    if variant not in scheme.idents:
        raise FilterError(f"unknown ident {variant!r}", help=f"one of {', '.join(scheme.idents)}")
    native = crypt.libcrypt(data, f"${variant}${rounds:02}${salt}")
    if native is None:
        raise FilterError("this system's crypt(3) has no bcrypt", help="take sha512, or a controller with libxcrypt")
    return native
