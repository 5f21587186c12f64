"""What is sent to a fresh Python on a host to make it a Runner."""

from __future__ import annotations

import marshal
import zlib
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from pyplay.shipping.bytecode import code_of
from pyplay.shipping.kept import kept
from pyplay.shipping.prepared import FORMAT, LEVEL, lean

INIT = "/__init__.py"
EMPTY = ("pyplay" + INIT, "pyplay/remote" + INIT)  # what they hold on the controller is not for hosts
PARTS = (
    "module_utils/__init__.py",
    "module_utils/json_text.py",
    "module_utils/boot.py",
    "guard.py",
    "child.py",
    "hand.py",
    "async_job.py",
    "runner.py",
)
START = "pyplay-runner"  # what tracebacks call the first code
OLD_MARSHAL = 4  # what Python 3.6 reads


@cache
def runner_payload(*, compiled: bool = False) -> bytes:
    """Give the bytes for standard input of `bootstrap`: eight hexadecimal digits of length, the packed Runner.

    `compiled`: not as source, but as code, if there is any, for a Python that has our bytecode.
    """
    folder = Path(__file__).resolve().parent.parent / "remote"
    start = folder / "sources.py"
    sources = {f"pyplay/remote/{path}": (folder / path).read_bytes() for path in PARTS}
    first = start.read_bytes()
    digest = sha256(b"\0".join((first, *sources.values()))).hexdigest()
    both = kept(start, f"{FORMAT} {digest}", lambda: (_source_of(first, sources), _code_of(first, sources)))
    return both[compiled] if both else _source_of(first, sources)


def _source_of(first: bytes, sources: dict[str, bytes]) -> bytes:
    parts = {path: (lean(source), False) for path, source in sources.items()}
    return _packed(marshal.dumps((lean(first), _table(sources, parts)), OLD_MARSHAL), 9)


def _code_of(first: bytes, sources: dict[str, bytes]) -> bytes:
    parts = {path: (marshal.dumps(code_of(lean(source), path)), True) for path, source in sources.items()}
    return _packed(marshal.dumps((code_of(lean(first), START), _table(sources, parts))), LEVEL)


def _table(sources: dict[str, bytes], parts: dict[str, tuple[bytes, bool]]) -> dict[str, Any]:
    """Give what `remote.sources` is given, from what travels of each path."""
    table: dict[str, Any] = {}
    for path, data in {**dict.fromkeys(EMPTY, (b"", False)), **parts}.items():
        package = path.endswith(INIT)
        name = path.removesuffix(INIT if package else ".py").replace("/", ".")
        table[name] = (sha256(sources.get(path, b"")).hexdigest()[:32], path, package, *data)
    return table


def _packed(data: bytes, level: int) -> bytes:
    packed = zlib.compress(data, level)
    return b"%08x" % len(packed) + packed
