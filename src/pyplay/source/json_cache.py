"""JSON values kept in files between runs, as Ansible's cache plugin `jsonfile` keeps them.

The files are those of ansible-core, which reads ours and whose we read: `PREFIXs1_KEY` holds `{"__payload__": JSON as
text}`; before 2.19 it was `PREFIXKEY` with the value itself. Observed in ansible-core 2.21.
"""

# ruff: noqa: PTH103, PTH105, PTH108, PTH111, PTH118, PTH123  # names as users wrote them; many small files

from __future__ import annotations

import json
import os
import stat
import tempfile
import time
from contextlib import suppress
from typing import Any

from pyplay.source.shapes import is_list, is_map

_SCHEMA = "s1_"
_PAYLOAD = "__payload__"
_TYPE, _VALUE = "__ansible_type", "value"


class JsonCache:
    """Keeps values in `directory`. `timeout` is in seconds, 0 for ever; `prefix` stands before the names of files."""

    def __init__(self, directory: str, *, timeout: int = 0, prefix: str = "") -> None:
        self.directory = os.path.abspath(os.path.expanduser(os.path.expandvars(directory)))  # noqa: PTH100
        self._timeout, self._prefix = timeout, prefix

    def load(self, key: str) -> Any:
        """Return the value of `key`, None where there is none, where it is stale, cannot be read, or is another's.

        What another user put there, linked there or may change counts as nothing: it is found out anew.
        """
        for schema in (_SCHEMA, ""):
            path = self._path(key, schema)
            try:
                with open(path, encoding="utf-8", opener=_no_link) as stream:
                    status = os.fstat(stream.fileno())
                    if not _is_ours(status) or (self._timeout and status.st_mtime + self._timeout < time.time()):
                        continue
                    data: Any = json.load(stream)
                if is_map(data) and isinstance(data.get(_PAYLOAD), str):
                    data = json.loads(data[_PAYLOAD])
            except (OSError, ValueError):
                continue
            return _plain(data)
        return None

    def save(self, key: str, value: Any) -> None:
        """Keep the value of `key`; what was kept before is replaced at once. Raises OSError."""
        text = json.dumps({_PAYLOAD: json.dumps(value, default=_simple)})
        os.makedirs(self.directory, mode=0o700, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=self.directory, prefix=".pyplay-")
        try:
            with open(handle, "w", encoding="utf-8") as stream:
                stream.write(text)
            os.replace(temporary, self._path(key, _SCHEMA))
        except OSError:
            os.unlink(temporary)
            raise

    def remove(self, key: str) -> None:
        """Forget the value of `key`."""
        for schema in (_SCHEMA, ""):
            with suppress(OSError):
                os.unlink(self._path(key, schema))

    def _path(self, key: str, schema: str) -> str:
        return os.path.join(self.directory, self._prefix + schema + key.replace(os.sep, "_"))


def _no_link(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK)  # a pipe does not keep us waiting


def _is_ours(status: os.stat_result) -> bool:
    """Whether a file is a plain one of ours, or of root, that nobody else may write."""
    mine = status.st_uid in (0, os.geteuid())
    return stat.S_ISREG(status.st_mode) and mine and not status.st_mode & stat.S_IWOTH


def _plain(value: Any) -> Any:
    """Give a value of a file without the marks that ansible-core puts around it."""
    if is_map(value):
        if _VALUE in value and str(value.get(_TYPE, "")).startswith("_AnsibleTagged"):
            return _plain(value[_VALUE])
        return {str(name): _plain(member) for name, member in value.items()}
    return [_plain(member) for member in value] if is_list(value) else value


def _simple(value: Any) -> Any:
    """Give what JSON can hold for a value that it cannot."""
    return list(value) if isinstance(value, (tuple, set, frozenset)) else str(value)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]  # any
