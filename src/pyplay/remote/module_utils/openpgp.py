"""Reading which keys an OpenPGP file holds, without gpg. Source: RFC 4880 §4, §5.5, §6, §12.2; RFC 9580 §5.5.4."""

import base64
import hashlib
import re

_ARMOR = re.compile(
    rb"-----BEGIN PGP PUBLIC KEY BLOCK-----[ \t]*\r?\n(?:[^\r\n]+:[^\r\n]*\r?\n)*[ \t]*\r?\n(.*?)"
    rb"-----END PGP PUBLIC KEY BLOCK-----",
    re.DOTALL,
)
_PUBLIC, _SUBKEY = 6, 14


class Key:
    """A public key: its fingerprint in capital hexadecimal, and whether it is a subkey."""

    __slots__ = ("fingerprint", "subkey", "version")

    def __init__(self, fingerprint: str, version: int, subkey: bool) -> None:
        """Take the three facts."""
        self.fingerprint = fingerprint
        self.version = version
        self.subkey = subkey

    @property
    def key_id(self) -> str:
        """The 16 digits that name the key."""
        return self.fingerprint[-16:] if self.version < 5 else self.fingerprint[:16]


def is_armored(data: bytes) -> bool:
    """Tell whether the keys come as text."""
    return b"-----BEGIN PGP PUBLIC KEY BLOCK-----" in data


def keys_in(data: bytes) -> list:
    """Give the public keys of a file, armored or not, each followed by its subkeys. Raises ValueError."""
    if is_armored(data):
        blocks = []
        for body in _ARMOR.findall(data):
            lines = [line.strip() for line in body.splitlines()]
            text = b"".join(line for line in lines if line and not line.startswith(b"="))
            blocks.append(base64.b64decode(text))
        data = b"".join(blocks)
    found = []
    for tag, body in _packets(data):
        if tag in (_PUBLIC, _SUBKEY):
            found.append(Key(_fingerprint(body), body[0], tag == _SUBKEY))
    if not found:
        raise ValueError("it holds no public key")
    return found


def _packets(data: bytes) -> object:
    """Give (tag, body) of each packet."""
    at = 0
    while at < len(data):
        head = data[at]
        if not head & 0x80:
            raise ValueError("it is no OpenPGP data")
        try:
            if head & 0x40:
                tag, (size, at) = head & 0x3F, _new_length(data, at + 1)
            else:
                tag, kind = (head >> 2) & 0x0F, head & 3
                width = 1 << kind
                if kind == 3:
                    raise ValueError("a packet has no length")
                size, at = int.from_bytes(data[at + 1 : at + 1 + width], "big"), at + 1 + width
        except IndexError:
            raise ValueError("it ends within a packet") from None
        if at + size > len(data) or (size == 0 and tag in (_PUBLIC, _SUBKEY)):
            raise ValueError("it ends within a packet")
        yield tag, data[at : at + size]
        at += size


def _new_length(data: bytes, at: int) -> tuple:
    first = data[at]
    if first < 192:
        return first, at + 1
    if first < 224:
        return ((first - 192) << 8) + data[at + 1] + 192, at + 2
    if first == 255:
        return int.from_bytes(data[at + 1 : at + 5], "big"), at + 5
    raise ValueError("a key is in pieces")


def _fingerprint(body: bytes) -> str:
    version = body[0]
    if version == 4:
        return hashlib.sha1(b"\x99" + len(body).to_bytes(2, "big") + body).hexdigest().upper()
    if version in (5, 6):
        mark = b"\x9a" if version == 5 else b"\x9b"
        return hashlib.sha256(mark + len(body).to_bytes(4, "big") + body).hexdigest().upper()
    raise ValueError("keys of version %d are not understood" % version)
