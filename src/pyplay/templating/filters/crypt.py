"""The crypt(3) hashes, in Python: SHA-256, SHA-512 and MD5; bcrypt through the system's libcrypt.

Python's own `crypt` module is gone since 3.13. Sources: Ulrich Drepper, "Unix crypt using SHA-256 and SHA-512",
version 0.6; Poul-Henning Kamp's MD5 scheme as FreeBSD's crypt(3) describes it.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

ALPHABET = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

SHA_DEFAULT_ROUNDS = 5000
"""Rounds that a hash without `rounds=` has."""


def _encode(digest: bytes, order: Sequence[Sequence[int]]) -> str:
    """Give bytes of `digest`, taken in groups of `order`, as characters of six bits, low bits first."""
    characters: list[str] = []
    for group in order:
        value = int.from_bytes(bytes(digest[index] for index in group), "big")
        for _ in range((len(group) * 8 + 5) // 6):
            characters.append(ALPHABET[value & 63])
            value >>= 6
    return "".join(characters)


def _triples(size: int, step: tuple[int, int, int], count: int, last: Sequence[int]) -> list[Sequence[int]]:
    """Give the order of bytes: three columns, rotated from row to row by `step`."""
    width = size // 3
    row = [0, width, 2 * width]
    order: list[Sequence[int]] = []
    for number in range(count):
        columns = [row[(number * step[0] + shift) % 3] + number for shift in range(3)]
        order.append(columns)
    return [*order, last]


_SHA512_ORDER = _triples(63, (1, 0, 0), 21, (63,))
_SHA256_ORDER = _triples(30, (2, 0, 0), 10, (31, 30))
_MD5_ORDER = ((0, 6, 12), (1, 7, 13), (2, 8, 14), (3, 9, 15), (4, 10, 5), (11,))


def _repeat(data: bytes, length: int) -> bytes:
    return (data * (length // len(data) + 1))[:length] if data else b""


def _sha_crypt(name: str, password: bytes, salt: bytes, rounds: int) -> bytes:
    """Give the digest of Drepper's scheme; step numbers are those of his text."""
    new: Callable[[bytes], Any] = getattr(hashlib, name)
    alternate = new(password + salt + password).digest()  # steps 4-8
    state = new(password + salt + _repeat(alternate, len(password)))  # 1-3, 9-10
    length = len(password)
    while length:  # 11
        state.update(alternate if length & 1 else password)
        length >>= 1
    digest = state.digest()
    p_bytes = _repeat(new(password * len(password)).digest(), len(password))  # 13-16
    s_bytes = _repeat(new(salt * (16 + digest[0])).digest(), len(salt))  # 17-20
    for number in range(rounds):  # 21
        first, last = (p_bytes, digest) if number & 1 else (digest, p_bytes)
        middle = (s_bytes if number % 3 else b"") + (p_bytes if number % 7 else b"")
        digest = new(first + middle + last).digest()
    return digest


def sha512_crypt(password: bytes, salt: str, rounds: int = SHA_DEFAULT_ROUNDS) -> str:
    """Give `$6$…`, the SHA-512 hash with at most 16 characters of `salt` and 1000 to 999,999,999 rounds."""
    digest = _sha_crypt("sha512", password, salt.encode(), rounds)
    return f"$6${_rounds(rounds)}{salt}${_encode(digest, _SHA512_ORDER)}"


def sha256_crypt(password: bytes, salt: str, rounds: int = SHA_DEFAULT_ROUNDS) -> str:
    """Give `$5$…`, the SHA-256 hash with at most 16 characters of `salt` and 1000 to 999,999,999 rounds."""
    digest = _sha_crypt("sha256", password, salt.encode(), rounds)
    return f"$5${_rounds(rounds)}{salt}${_encode(digest, _SHA256_ORDER)}"


def _rounds(rounds: int) -> str:
    return "" if rounds == SHA_DEFAULT_ROUNDS else f"rounds={rounds}$"


def _md5(parts: Iterable[bytes]) -> bytes:
    return hashlib.md5(b"".join(parts), usedforsecurity=False).digest()


def md5_crypt(password: bytes, salt: str) -> str:
    """Give `$1$…`, the MD5 hash with at most 8 characters of `salt`: for systems that know nothing better."""
    seasoning = salt.encode()
    alternate = _md5((password, seasoning, password))
    parts = [password, b"$1$", seasoning, _repeat(alternate, len(password))]
    length = len(password)
    while length:
        parts.append(b"\0" if length & 1 else password[:1])
        length >>= 1
    digest = _md5(parts)
    for number in range(1000):
        first, last = (password, digest) if number & 1 else (digest, password)
        digest = _md5((first, seasoning if number % 3 else b"", password if number % 7 else b"", last))
    return f"$1${salt}${_encode(digest, _MD5_ORDER)}"


def libcrypt(password: bytes, setting: str) -> str | None:
    """Give the hash that the system's crypt(3) makes by `setting`, None if there is none or it does not know it."""
    import ctypes  # noqa: PLC0415  # rarely used
    import ctypes.util  # noqa: PLC0415

    name = ctypes.util.find_library("crypt")
    function = getattr(ctypes.CDLL(name), "crypt_r", None) if name else None
    if function is None:
        return None
    function.restype = ctypes.c_char_p
    function.argtypes = (ctypes.c_char_p, ctypes.c_char_p, ctypes.c_void_p)
    state = ctypes.create_string_buffer(_CRYPT_DATA)
    result: bytes | None = function(password, setting.encode(), state)
    if result is None or result.startswith(b"*") or not result.startswith(setting[:4].encode()):
        return None
    return result.decode("ascii")


_CRYPT_DATA = 256 * 1024
"""Room for `struct crypt_data`: 131,232 bytes in older glibc, less elsewhere."""
