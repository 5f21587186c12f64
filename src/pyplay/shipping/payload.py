"""What is sent to a fresh Python on a host to make it a Runner."""

from __future__ import annotations

import marshal
import zlib
from functools import cache
from hashlib import sha256
from pathlib import Path

from pyplay.shipping.bytecode import code_of
from pyplay.shipping.kept import kept
from pyplay.shipping.prepared import FORMAT, LEVEL, lean

PACKAGES = ("pyplay", "pyplay.remote")
PARTS = ("guard", "child", "hand", "async_job", "runner")
START = "pyplay-runner"  # what tracebacks call the first code
OLD_MARSHAL = 4  # what Python 3.6 reads


@cache
def runner_payload(*, compiled: bool = False) -> bytes:
    """Give the bytes for standard input of `bootstrap`: eight hexadecimal digits of length, the packed Runner.

    `compiled`: not as source, but as code, if there is any, for a Python that has our bytecode.
    """
    folder = Path(__file__).resolve().parent.parent / "remote"
    start = folder / "sources.py"
    sources = {f"pyplay.remote.{name}": (folder / f"{name}.py").read_bytes() for name in PARTS}
    first = start.read_bytes()
    digest = sha256(b"\0".join((first, *sources.values()))).hexdigest()
    both = kept(start, f"{FORMAT} {digest}", lambda: (_source_of(first, sources), _code_of(first, sources)))
    return both[compiled] if both else _source_of(first, sources)


def _source_of(first: bytes, sources: dict[str, bytes]) -> bytes:
    parts = {name: (*_about(name, b""), b"", False) for name in PACKAGES}
    parts |= {name: (*_about(name, source), lean(source), False) for name, source in sources.items()}
    return _packed(marshal.dumps((lean(first), parts), OLD_MARSHAL), 9)


def _code_of(first: bytes, sources: dict[str, bytes]) -> bytes:
    parts = {name: (*_about(name, b""), b"", False) for name in PACKAGES}
    for name, source in sources.items():
        about = _about(name, source)
        parts[name] = (*about, marshal.dumps(code_of(lean(source), about[1])), True)
    return _packed(marshal.dumps((code_of(lean(first), START), parts)), LEVEL)


def _about(name: str, source: bytes) -> tuple[str, str, bool]:
    """Give digest and path of a part, and whether it is a package."""
    package = name in PACKAGES
    path = name.replace(".", "/") + ("/__init__.py" if package else ".py")
    return sha256(source).hexdigest()[:32], path, package


def _packed(data: bytes, level: int) -> bytes:
    packed = zlib.compress(data, level)
    return b"%08x" % len(packed) + packed
