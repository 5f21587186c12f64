"""Messages between controller and worker: a length (4 bytes, big-endian), then one encoded value."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_LENGTH = struct.Struct(">I")


def frame(payload: bytes) -> bytes:
    """Give `payload` with its length in front."""
    return _LENGTH.pack(len(payload)) + payload


class FrameReader:
    """Takes bytes as they come and gives the whole messages in them."""

    def __init__(self) -> None:
        self._data = bytearray()

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Give the payloads that `data` completes."""
        self._data += data
        at = 0
        while len(self._data) - at >= _LENGTH.size:
            (size,) = _LENGTH.unpack_from(self._data, at)
            end = at + _LENGTH.size + size
            if len(self._data) < end:
                break
            yield bytes(self._data[at + _LENGTH.size : end])
            at = end
        if at:
            del self._data[:at]
