"""The append-only log of changes to variables: one writer, the controller, and any number of forked readers.

It lives in a memfd (an unlinked temporary file where there is none), which workers inherit: they map the same pages, so
memory does not grow with their number. A position is a length in bytes; a reader sees what lies before the position it
was told, and decodes a host's values when it is first asked for them.

An entry is a header (lengths of host and payload, number of the layer), the host's name and the encoded values; or, for
the same values as in the entry before, where those lie: what all hosts get is there once.
"""

from __future__ import annotations

import mmap
import os
import struct
from typing import TYPE_CHECKING, Any, NamedTuple

from pyplay.diagnostics.dataclass import dataclass
from pyplay.variables import codec

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

LAYERS = ("facts", "set_facts", "include_vars", "vars_files", "prompts", "play", "play_start", "inventory", "reset")
"""What a change can be about.

`facts`, `set_facts` (with registered results), `include_vars` and `vars_files` belong to a host and are merged by name;
`vars_files`, `prompts` and `play` with an empty host hold for all hosts. `play_start` forgets the three of the play
before. `inventory` changes hosts and groups. `reset` forgets the layers of the host that its values name.
"""

_NUMBERS = {layer: number for number, layer in enumerate(LAYERS)}
_HEADER = struct.Struct("<IHB")
_REFERENCE = struct.Struct("<QI")
_REFERS = 0x80  # set in the number of the layer: the payload is a reference
_STEP = 1 << 22  # the file grows by this much, so that readers seldom map it anew


@dataclass(frozen=True, slots=True)
class Delta:
    """One change: `values` of `host` in `layer`. See LAYERS."""

    host: str
    layer: str
    values: Mapping[str, Any]


class Entry(NamedTuple):
    """One entry as a reader finds it; its payload lies from `start` to `end`, for `shared` ones with other hosts'."""

    host: str
    layer: str
    start: int
    end: int
    shared: bool


def open_memory() -> int:
    """Give the file descriptor of a new file without a name, in memory where the system has such files."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create("pyplay-variables")
    import tempfile  # noqa: PLC0415  # seldom: it brings much

    with tempfile.TemporaryFile() as stream:
        return os.dup(stream.fileno())


class LogWriter:
    """Appends changes. `fd` is what readers in forked processes are made of; `position` is the log's length."""

    def __init__(self) -> None:
        self.fd = open_memory()
        self.position = 0
        self._capacity = 0
        self._last: tuple[Mapping[str, Any], bytes] | None = None  # values and the reference to them

    def append(self, delta: Delta) -> int:
        """Write one change and give the length of the log after it.

        Values that are the very object of the change before are not written again.
        """
        host = delta.host.encode("utf-8", "surrogateescape")
        if self._last is not None and self._last[0] is delta.values:
            number, payload = _NUMBERS[delta.layer] | _REFERS, self._last[1]
        else:
            number, payload = _NUMBERS[delta.layer], codec.encode(delta.values)
            start = self.position + _HEADER.size + len(host)
            self._last = (delta.values, _REFERENCE.pack(start, len(payload)))
        return self._write(_HEADER.pack(len(payload), len(host), number) + host + payload)

    def _write(self, entry: bytes) -> int:
        end = self.position + len(entry)
        if end > self._capacity:
            self._capacity = (end // _STEP + 1) * _STEP
            os.ftruncate(self.fd, self._capacity)
        written = 0
        while written < len(entry):
            written += os.pwrite(self.fd, entry[written:] if written else entry, self.position + written)
        self.position = end
        return end

    def close(self) -> None:
        """Give the memory back once every reader is gone."""
        os.close(self.fd)


class LogReader:
    """Reads the log behind `fd` up to positions that it is told."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self.position = 0
        self._map: mmap.mmap | None = None
        self._size = 0
        self._shared: tuple[int, dict[str, Any]] | None = None

    def advance(self, position: int) -> Iterator[Entry]:
        """Give the entries between the last position and `position`, oldest first; going back gives none.

        Take all of them: the position moves with the entries that were taken.
        """
        if position > self._size:
            self._size = os.fstat(self._fd).st_size
            self._map = mmap.mmap(self._fd, self._size, access=mmap.ACCESS_READ)
        while self.position < position:
            assert self._map is not None  # noqa: S101  # position is beyond 0 here
            size, host_size, number = _HEADER.unpack_from(self._map, self.position)
            start = self.position + _HEADER.size + host_size
            host = self._map[start - host_size : start].decode("utf-8", "surrogateescape")
            self.position = start + size
            if number & _REFERS:
                start, size = _REFERENCE.unpack_from(self._map, start)
            yield Entry(host, LAYERS[number & ~_REFERS], start, start + size, shared=bool(number & _REFERS))

    def values(self, entry: Entry) -> dict[str, Any]:
        """Give the values of `entry`; those that hosts share are decoded once. Do not change them."""
        if entry.shared and self._shared is not None and self._shared[0] == entry.start:
            return self._shared[1]
        assert self._map is not None  # noqa: S101  # entries come from the mapping
        values: dict[str, Any] = codec.decode(self._map[entry.start : entry.end])
        if entry.shared:
            self._shared = (entry.start, values)
        return values
