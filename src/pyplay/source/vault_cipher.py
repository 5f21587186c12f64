"""The payload of vault texts: sealed and opened. Apart from `vault`, for few runs need any of it.

Hexadecimal digits of salt, HMAC-SHA256 and AES-256-CTR text, each in hexadecimal, joined by newlines. Key, HMAC key and
counter come from PBKDF2-HMAC-SHA256 with 10,000 rounds. Source: the Ansible documentation, "Ansible Vault payload
format".
"""

from __future__ import annotations

import hashlib
import hmac
from binascii import Error as HexError
from binascii import unhexlify
from typing import Any

ROUNDS = 10_000


def open_payload(body: str, password: bytes) -> bytes | None:
    """Give what the digits `body` hold, None if `password` does not open them. Raises ValueError for no payload."""
    try:
        parts = [unhexlify(part) for part in unhexlify(body).split(b"\n")]
    except HexError as error:
        raise ValueError(f"Vault format unhexlify error: {error}") from error
    if len(parts) != 3:
        raise ValueError("its payload is cut off or damaged")
    salt, digest, ciphertext = parts
    key, mac_key, counter = _keys(password, salt)
    if not hmac.compare_digest(hmac.new(mac_key, ciphertext, hashlib.sha256).digest(), digest):
        return None
    opener = _cipher(key, counter).decryptor()
    padded: bytes = opener.update(ciphertext) + opener.finalize()
    return padded[: -padded[-1]] if padded else b""


def seal(data: bytes, password: bytes, salt: bytes) -> str:
    """Give `data` as the digits of a payload."""
    key, mac_key, counter = _keys(password, salt)
    filler = 16 - len(data) % 16
    sealer = _cipher(key, counter).encryptor()
    ciphertext: bytes = sealer.update(data + bytes([filler]) * filler) + sealer.finalize()
    digest = hmac.new(mac_key, ciphertext, hashlib.sha256).digest()
    return b"\n".join(part.hex().encode() for part in (salt, digest, ciphertext)).hex()


def _keys(password: bytes, salt: bytes) -> tuple[bytes, bytes, bytes]:
    derived = hashlib.pbkdf2_hmac("sha256", password, salt, ROUNDS, 80)
    return derived[:32], derived[32:64], derived[64:]


def _cipher(key: bytes, counter: bytes) -> Any:
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes  # noqa: PLC0415  # heavy, rarely used

    return Cipher(algorithms.AES(key), modes.CTR(counter))
