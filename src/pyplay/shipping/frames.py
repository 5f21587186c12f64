"""Frames between the controller and a Runner. The other end, and the words about the format, are in `remote.runner`."""

from __future__ import annotations

import json
from enum import IntEnum
from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.dataclass import dataclass
from pyplay.diagnostics.errors import RunnerError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

HEAD = 13
MAX_HEADER = 1 << 24
MAX_BODY = 1 << 28


class Kind(IntEnum):
    """What a frame is about."""

    SETUP = 1
    CALL = 2
    CANCEL = 3
    PING = 4
    CHUNK = 5
    NEED = 6
    RESULT = 7
    LINE = 8
    ACK = 9
    OUT = 10
    ERR = 11
    STREAM = 12
    RENEW = 13
    BARRED = 14


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame as it was received."""

    kind: int
    call: int
    header: dict[str, Any]
    body: bytes


def encode_frame(kind: Kind, call: int, header: Mapping[str, Any] | None = None, body: bytes = b"") -> bytes:
    """Give the bytes of a frame. Raises RunnerError if the other end would refuse its size."""
    head = b"" if header is None else json.dumps(header).encode()
    if len(head) > MAX_HEADER or len(body) > MAX_BODY:
        raise RunnerError(f"arguments of {len(head) + len(body)} bytes are too large to be sent")
    sizes = (call << 64 | len(head) << 32 | len(body)).to_bytes(12, "big")
    return b"".join((bytes((kind,)), sizes, head, body))


class FrameSplitter:
    """Cuts a stream of bytes into frames."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> Iterator[Frame]:
        """Give the frames that are whole now. Raises RunnerError if these are no frames of ours."""
        buffer = self._buffer
        buffer += data
        at = 0
        try:
            while len(buffer) - at >= HEAD:
                sizes = int.from_bytes(buffer[at + 1 : at + HEAD], "big")
                call, header_size, body_size = sizes >> 64, sizes >> 32 & 0xFFFFFFFF, sizes & 0xFFFFFFFF
                if not 1 <= buffer[at] <= Kind.BARRED or header_size > MAX_HEADER or body_size > MAX_BODY:
                    raise RunnerError(f"the host sent something else than frames: {bytes(buffer[at : at + 200])!r}")
                middle = at + HEAD + header_size
                if len(buffer) < middle + body_size:
                    break
                header: dict[str, Any] = json.loads(buffer[at + HEAD : middle]) if header_size else {}
                frame = Frame(buffer[at], call, header, bytes(buffer[middle : middle + body_size]))
                at = middle + body_size
                yield frame
        finally:
            del buffer[:at]
