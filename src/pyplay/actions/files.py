"""Files of the controller, as actions need them: searched, read, decrypted, with their checksum."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyplay.actions.base import ActionFailed
from pyplay.diagnostics.dataclass import dataclass
from pyplay.templating.lookups.search import candidates, find_file

if TYPE_CHECKING:
    from pyplay.actions.base import ActionCall

VAULT_HEADER = b"$ANSIBLE_VAULT;"
_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class Content:
    """What a file shall hold: `source` is bytes, or the path of a local file that is streamed when it is asked for."""

    source: bytes | str
    checksum: str
    size: int

    @classmethod
    def of(cls, data: bytes) -> Content:
        """Give the content that `data` is."""
        return cls(data, hashlib.sha1(data, usedforsecurity=False).hexdigest(), len(data))


def search(call: ActionCall, subdir: str, name: str) -> str:
    """Give the path of the file or directory `name`, searched as Ansible does. Raises ActionFailed."""
    basedir = call.templar.basedir
    found = find_file(call.search_path, basedir, subdir, name)
    if found is None:
        places = "\n\t".join(candidates(call.search_path, basedir, subdir, name))
        raise ActionFailed(f"Could not find or access '{name}'\nSearched in:\n\t{places} on the controller.")
    return found


def read_content(call: ActionCall, path: str, *, decrypt: bool) -> Content:
    """Give the content of a local file; a vault file is decrypted in memory. Raises ActionFailed. May take long."""
    try:
        with Path(path).open("rb") as stream:
            start = stream.read(len(VAULT_HEADER))
            if decrypt and start == VAULT_HEADER:
                return Content.of(read_bytes(call, path))
            digest, size = hashlib.sha1(start, usedforsecurity=False), len(start)
            while data := stream.read(_CHUNK):
                digest.update(data)
                size += len(data)
    except OSError as error:
        raise ActionFailed(f"cannot read {path}: {error.strerror or error}") from error
    return Content(path, digest.hexdigest(), size)


def read_bytes(call: ActionCall, path: str, *, decrypt: bool = True) -> bytes:
    """Give what a local file holds, decrypted if it is a vault file and `decrypt` says so. Raises ActionFailed."""
    reader = call.templar.environment.read_bytes
    try:
        return reader(path) if decrypt and reader is not None else Path(path).read_bytes()
    except OSError as error:
        raise ActionFailed(f"cannot read {path}: {error.strerror or error}") from error


def preserved_mode(path: str) -> str:
    """Give the mode of a local file as octal text, for `mode: preserve`."""
    return f"0{Path(path).stat().st_mode & 0o7777:03o}"


def with_mode(args: dict[str, Any], path: str) -> dict[str, Any]:
    """Give `args` with `mode: preserve` replaced by the mode of the local file `path`.

    With no path, for content of the task itself, that is 0600: Ansible puts it into a temporary file of this mode.
    """
    if args.get("mode") != "preserve":
        return args
    return {**args, "mode": preserved_mode(path) if path else "0600"}
