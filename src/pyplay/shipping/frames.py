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
MAX_ANSWER = 1 << 16  # bytes of a header from a host
MAX_NAME = 1 << 12  # bytes of the name of a content that a module asks for


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


@dataclass(frozen=True, slots=True)
class Shape:
    """What a frame of one kind from a host holds: one of `headers` (types by key) or none, and a bounded `body`."""

    body: int = 0
    headers: tuple[Mapping[str, type], ...] = ()


ANSWERS: Mapping[int, Shape] = {
    Kind.PING: Shape(),
    Kind.NEED: Shape(body=MAX_NAME),
    Kind.RESULT: Shape(body=MAX_BODY, headers=({"rc": int, "out": int, "used": bool}, {"error": str})),
    Kind.LINE: Shape(body=MAX_BODY),
    Kind.ACK: Shape(),
    Kind.OUT: Shape(body=MAX_BODY),
    Kind.ERR: Shape(body=MAX_BODY),
    Kind.STREAM: Shape(body=MAX_BODY),
    Kind.RENEW: Shape(),
    Kind.BARRED: Shape(),
}
"""All that a host may say. Whatever else comes ends the Runner at once."""


class FrameSplitter:
    """Cuts the bytes that a host sends into frames, each of a shape in ANSWERS."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> Iterator[Frame]:
        """Yield the frames that are whole now. Raises RunnerError if these are none that a Runner sends."""
        buffer = self._buffer
        buffer += data
        at = 0
        try:
            while len(buffer) - at >= HEAD:
                sizes = int.from_bytes(buffer[at + 1 : at + HEAD], "big")
                call, header_size, body_size = sizes >> 64, sizes >> 32 & 0xFFFFFFFF, sizes & 0xFFFFFFFF
                shape = ANSWERS.get(buffer[at])
                if shape is None or body_size > shape.body or header_size > (MAX_ANSWER if shape.headers else 0):
                    raise RunnerError(f"the host sent something else than frames: {bytes(buffer[at : at + 200])!r}")
                middle = at + HEAD + header_size
                if len(buffer) < middle + body_size:
                    break
                header = _header(bytes(buffer[at + HEAD : middle]), shape, body_size) if shape.headers else {}
                frame = Frame(buffer[at], call, header, bytes(buffer[middle : middle + body_size]))
                at = middle + body_size
                yield frame
        finally:
            del buffer[:at]


def _header(text: bytes, shape: Shape, body: int) -> dict[str, Any]:
    """Return the header of an answer. Raises RunnerError if it has not the keys and types of its shape."""
    try:
        header: Any = json.loads(text)
    except (ValueError, RecursionError):
        header = None
    if isinstance(header, dict) and any(_fits(header, keys) for keys in shape.headers):  # pyright: ignore[reportUnknownArgumentType]  # JSON
        out: Any = header.get("out", 0)  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]  # as above
        if 0 <= out <= body:
            return header  # pyright: ignore[reportUnknownVariableType]  # as above
    raise RunnerError(f"the host sent an answer with a header that no Runner writes: {text[:200]!r}")


def _fits(header: Mapping[str, Any], keys: Mapping[str, type]) -> bool:
    return header.keys() == keys.keys() and all(type(header[key]) is type_ for key, type_ in keys.items())
