"""Files of the `vault` command: encrypted, decrypted, given new passwords, edited. `-` is standard input or output."""

from __future__ import annotations

import contextlib
import os
import shlex
import stat
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from pyplay.diagnostics.errors import AuthorError, OptionsError
from pyplay.diagnostics.model import Origin
from pyplay.source.vault import encrypt, is_vault_text, unlock

if TYPE_CHECKING:
    from collections.abc import Generator

    from pyplay.source.vault import Unlocked, VaultSecret, VaultSecrets

STANDARD = "-"


class VaultFileError(AuthorError):
    """A file cannot be read, written or edited, or is not what the command needs."""


def read(name: str) -> bytes:
    """Give the contents of a file. Raises VaultFileError."""
    if name == STANDARD:
        return sys.stdin.buffer.read()
    try:
        return Path(name).expanduser().read_bytes()
    except OSError as error:
        raise _failed(name, "cannot read", error) from error


def write(name: str, data: bytes) -> None:
    """Write a file at once or not at all, for its owner's eyes only; a file that was there keeps its owner."""
    if name == STANDARD:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    path = Path(name).expanduser().resolve()
    try:
        _replace(path, data)
    except OSError as error:
        raise _failed(name, "cannot write", error) from error


def _replace(path: Path, data: bytes) -> None:
    before = path.stat() if path.exists() else None
    if before is not None and not stat.S_ISREG(before.st_mode):  # a device or pipe is written to
        path.write_bytes(data)
        return
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            if before is not None and (before.st_uid, before.st_gid) != (os.geteuid(), os.getegid()):
                os.fchown(handle, before.st_uid, before.st_gid)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def encrypted(data: bytes, secret: VaultSecret, *, name: str, salt: bytes | None) -> bytes:
    """Give the contents `data` of file `name` encrypted. Raises VaultFileError for what is encrypted already."""
    if is_vault_text(data):
        raise VaultFileError.of(
            "encrypted-already", f"{_shown(name)} is encrypted already", help="rekey changes passwords"
        )
    return encrypt(data, secret, salt=salt).encode()


def opened(data: bytes, secrets: VaultSecrets, *, name: str) -> Unlocked:
    """Give what the contents `data` of file `name` hold, decrypted. Raises AuthorError."""
    if not is_vault_text(data):
        raise VaultFileError.of("not-encrypted", f"{_shown(name)} is not encrypted")
    return unlock(data.decode("ascii", "replace"), secrets, Origin(_shown(name)))


def edited(data: bytes, editor: str, *, suffix: str = "") -> bytes:
    """Give what a person made of `data` in `editor`. The text stands in a private file meanwhile.

    Raises VaultFileError if the editor cannot be run or reports failure.
    """
    with _private_file(data, suffix) as path:
        argv = [*shlex.split(editor), str(path)]
        try:
            done = subprocess.run(argv, check=False)
        except OSError as error:
            raise _failed(argv[0], "cannot run the editor", error) from error
        if done.returncode:
            raise VaultFileError.of(
                "editor-failed", f"the editor {argv[0]} ended with {done.returncode}, nothing is changed"
            )
        return path.read_bytes()


@contextlib.contextmanager
def _private_file(data: bytes, suffix: str) -> Generator[Path]:
    """Give a file that only its owner can read; it is overwritten and removed at the end."""
    with tempfile.TemporaryDirectory(prefix="pyplay-vault-") as directory:
        path = Path(directory) / f"text{suffix}"
        path.write_bytes(data)
        path.chmod(0o600)
        try:
            yield path
        finally:
            with contextlib.suppress(OSError):
                path.write_bytes(os.urandom(path.stat().st_size))


def _shown(name: str) -> str:
    return "<stdin>" if name == STANDARD else name


def _failed(name: str, what: str, error: OSError) -> VaultFileError:
    return VaultFileError.of("vault-file", f"{what} {_shown(name)}: {error.strerror or error}", Origin(name))


def one_output(names: tuple[str, ...], output: str | None) -> None:
    """Raise OptionsError if several files are to go into one."""
    if output and len(names) > 1:
        raise OptionsError.of(
            "one-output", "--output takes one file, several are given", help="run the command once per file"
        )
