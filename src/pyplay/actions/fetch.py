"""fetch: bring a file of the host here. Its content travels only where its checksum differs from what is here."""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from pyplay.actions.base import ActionFailed
from pyplay.actions.options import Options, text
from pyplay.source.paths import is_dir, is_file

if TYPE_CHECKING:
    from pyplay.actions.base import ActionCall

OPTIONS = {
    "options": {
        "src": {"type": "str", "required": True, "doc": "The file of the host."},
        "dest": {"type": "str", "required": True, "doc": "Where it goes here: below it the host's name and `src`."},
        "flat": {
            "type": "bool",
            "default": False,
            "doc": "`dest` is the file itself, or with / at its end its directory.",
        },
        "fail_on_missing": {"type": "bool", "default": True, "doc": "Fail where the file cannot be read."},
        "validate_checksum": {"type": "bool", "default": True, "doc": "Compare checksums after the transfer."},
    },
    "others": "ignored",  # as in Ansible
    "check_mode": "none",
    "diff": False,
    "identity": ["src", "dest"],
    "absent_undoes": False,
    "platforms": "posix",
    "returns": {"checksum": "SHA-1 of the file.", "dest": "Where it is here.", "md5sum": "Its MD5 sum."},
}
_OPTIONS = Options("fetch", OPTIONS)

_CHUNK = 1 << 20


async def run(call: ActionCall) -> dict[str, Any]:
    """Fetch `src` into `dest`, below the host's name and the file's path unless `flat`."""
    src, dest = text(call.args, "src"), text(call.args, "dest")
    if not src or not dest:
        raise ActionFailed("src and dest are required")
    args = _OPTIONS.check(call.args)
    if call.check_mode:
        return {"skipped": True, "msg": "check mode not (yet) supported for this module"}
    target = _target(call, src, dest, flat=args["flat"])
    have = _digest(target, hashlib.sha1(usedforsecurity=False)) if is_file(target) else None
    wanted = {
        "src": src,
        "dest": dest,
        "_have": have,
        "fail_on_missing": args["fail_on_missing"],
    }
    incoming = _Incoming(target)
    try:
        answer = await call.remote.module("fetch", wanted, sink=incoming.write)
        if answer.get("failed") or answer.get("missing"):
            return {key: value for key, value in answer.items() if key not in ("missing", "sent")}
        return _finish(answer, incoming, target, src, validate=args["validate_checksum"])
    finally:
        incoming.discard()


def _finish(answer: dict[str, Any], incoming: _Incoming, target: Path, src: str, *, validate: bool) -> dict[str, Any]:
    result = {
        "changed": bool(answer.get("changed")),
        "checksum": answer.get("checksum"),
        "dest": str(target),
        "file": src,
    }
    if answer.get("sent"):
        if validate and incoming.checksum() != answer.get("checksum"):
            raise ActionFailed("checksum mismatch", file=src, dest=str(target), checksum=incoming.checksum(),
                               remote_checksum=answer.get("checksum"))  # fmt: skip
        incoming.commit()
        result.update(remote_checksum=answer.get("checksum"), remote_md5sum=None)
    result["md5sum"] = _md5(target)
    return result


def _target(call: ActionCall, src: str, dest: str, *, flat: bool) -> Path:
    """Give the local file: `dest` itself, `dest/NAME`, or `dest/HOST/PATH`."""
    base = Path(call.templar.basedir or ".").absolute()
    place = Path(dest).expanduser()
    place = place if place.is_absolute() else base / place
    if flat:
        if dest.endswith("/"):
            return place / os.path.basename(src)  # noqa: PTH119  # a path of another host
        if is_dir(place):
            raise ActionFailed(
                "dest is an existing directory, use a trailing slash if you want to fetch src into that directory"
            )
        return place
    return place.joinpath(*_below(call.delegate or call.host), *_below(src.replace("\\", "/")))


def _below(path: str) -> list[str]:
    """Return the parts of a path, or of a host's name, which may hold slashes. Raises ActionFailed for `..`."""
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if ".." in parts:
        raise ActionFailed(f"fetch: {path} leads out of its directory with '..'")
    return parts


class _Incoming:
    """A local file being written beside its place, made when the first piece comes."""

    def __init__(self, target: Path) -> None:
        self._target = target
        self._stream: BinaryIO | None = None
        self._name = ""
        self._digest = hashlib.sha1(usedforsecurity=False)

    def write(self, data: bytes) -> None:
        """Take the next piece. Raises ActionFailed if it cannot be kept."""
        try:
            if self._stream is None:
                self._open()
            if self._stream is not None:
                self._stream.write(data)
        except OSError as error:
            raise ActionFailed(f"cannot write {self._target}: {error.strerror or error}") from error
        self._digest.update(data)

    def checksum(self) -> str:
        """Give the SHA-1 of what has come."""
        return self._digest.hexdigest()

    def commit(self) -> None:
        """Put the file in place; an empty one has no piece that made it. Raises ActionFailed."""
        try:
            if self._stream is None:
                self._open()
            if self._stream is not None:
                self._stream.close()
                umask = os.umask(0)
                os.umask(umask)
                os.chmod(self._name, 0o666 & ~umask)  # noqa: PTH101  # a file of ours
                os.replace(self._name, self._target)  # noqa: PTH105  # as above
                self._name = ""
        except OSError as error:
            raise ActionFailed(f"cannot write {self._target}: {error.strerror or error}") from error

    def discard(self) -> None:
        """Remove what was not put in place."""
        if self._stream is not None:
            self._stream.close()
        if self._name:
            Path(self._name).unlink(missing_ok=True)

    def _open(self) -> None:
        self._target.parent.mkdir(parents=True, exist_ok=True)
        descriptor, self._name = tempfile.mkstemp(prefix=".pyplay-", dir=self._target.parent)
        self._stream = os.fdopen(descriptor, "wb")


def _digest(path: Path, digest: Any) -> str:
    with path.open("rb") as stream:
        while data := stream.read(_CHUNK):
            digest.update(data)
    return digest.hexdigest()


def _md5(path: Path) -> str | None:
    try:
        return _digest(path, hashlib.md5(usedforsecurity=False))
    except ValueError:  # a FIPS system has no MD5
        return None
