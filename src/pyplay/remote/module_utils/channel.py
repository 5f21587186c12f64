"""Contents between a module and its controller: asked for by name, or sent back as a stream.

Under the Runner they travel in pieces beside the arguments, so nothing is held whole in memory and nothing is sent that
the module does not ask for. Run by hand, there is no controller: `request_blob` raises KeyError and the module falls
back to its arguments; `send_stream` counts and drops.

On the wire towards the Runner: kind (`N` a name wanted, `S` a piece of the stream, `L` a line to show, `U` content that
came along was used), length (4 bytes), bytes. From it: length (4 bytes), bytes; length 0 ends a content, `MISSING` says
that there is none of that name.
"""

import os

MISSING = 0xFFFFFFFF
PIECE = 1 << 17


class Channel:
    """The module's end. `blobs` are contents that came along with the call."""

    def __init__(self, source: int, target: int, blobs: dict) -> None:
        """Take the descriptors to read from and to write to."""
        self.source = source
        self.target = target
        self.blobs = blobs
        self.unread = False  # whether content was asked for that was not read to its end

    def send(self, kind: bytes, data: bytes) -> None:
        """Write one message."""
        view = memoryview(kind + len(data).to_bytes(4, "big") + data)
        while view:
            view = view[os.write(self.target, view) :]

    def read(self, size: int) -> bytes:
        """Read exactly `size` bytes. Raises EOFError if the Runner is gone."""
        pieces = []
        while size:
            data = os.read(self.source, min(size, PIECE))
            if not data:
                raise EOFError("the connection to the controller is gone")
            pieces.append(data)
            size -= len(data)
        return b"".join(pieces)

    def request(self, name: str) -> object:
        """Give the pieces of the content called `name`. Raises KeyError if there is none."""
        if name in self.blobs:
            try:
                self.send(b"U", b"")
            except OSError:
                pass  # an async job has nobody to tell
            yield self.blobs[name]
            return
        self.unread = True
        self.send(b"N", name.encode())
        while True:
            size = int.from_bytes(self.read(4), "big")
            if size == MISSING:
                self.unread = False
                raise KeyError(name)
            if not size:
                self.unread = False
                return
            yield self.read(size)


_open = []


def attach(there: object) -> None:
    """Connect this process to the Runner by a Channel, or by None; called in the child, before the module runs."""
    _open[:] = [] if there is None else [there]


def channel() -> object:
    """Give the channel of this process, None when the module was started by hand."""
    if not _open and os.environ.get("PYPLAY_CHANNEL"):
        source, target = os.environ.pop("PYPLAY_CHANNEL").split(",")
        attach(Channel(int(source), int(target), {}))
    return _open[0] if _open else None


def connected() -> bool:
    """Tell whether a controller is at the other end."""
    return channel() is not None


def request_blob(name: str) -> object:
    """Give the pieces (bytes) of the content called `name`. Raises KeyError if there is none, or no controller."""
    there = channel()
    if there is None:
        raise KeyError(name)
    return there.request(name)


def send_stream(pieces: object) -> int:
    """Send pieces of bytes back to the controller; gives how many bytes. Without one they are dropped."""
    there = channel()
    total = 0
    for piece in pieces:
        for at in range(0, len(piece), PIECE):
            if there is not None:
                there.send(b"S", piece[at : at + PIECE])
        total += len(piece)
    return total


def send_line(text: str) -> None:
    """Have the controller show a line while the module runs."""
    there = channel()
    if there is not None:
        there.send(b"L", text.encode("utf-8", "surrogateescape"))
