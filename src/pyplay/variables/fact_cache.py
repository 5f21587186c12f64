"""Facts kept between runs (`fact_caching = jsonfile`): one file per host, read when the host's facts are asked for.

The files are those of ansible-core, which reads ours and whose we read: `PREFIXs1_HOST` holds `{"__payload__": JSON as
text}`; before 2.19 it was `PREFIXHOST` with the facts themselves. Observed in ansible-core 2.21.
"""

# ruff: noqa: PTH105, PTH108, PTH116, PTH118, PTH123  # names as users wrote them; one file per host

from __future__ import annotations

import json
import os
import tempfile
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.errors import OptionsError
from pyplay.diagnostics.model import Diagnostic, Severity
from pyplay.source.shapes import is_list, is_map

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pyplay.source.settings import Settings

_SCHEMA = "s1_"
_PAYLOAD = "__payload__"
_TYPE, _VALUE = "__ansible_type", "value"
_PREFIXES = ("ansible.builtin.", "ansible.legacy.")


class FactCache:
    """Keeps facts in `directory`. `timeout` is in seconds, 0 for ever; `prefix` stands before the names of hosts."""

    def __init__(self, directory: str, *, timeout: int = 0, prefix: str = "") -> None:
        self.directory, self._timeout, self._prefix = directory, timeout, prefix

    def load(self, host: str) -> dict[str, Any] | None:
        """Give the facts of `host`, None where there are none, or where they are stale or cannot be read."""
        for schema in (_SCHEMA, ""):
            path = self._path(host, schema)
            try:
                if self._timeout and os.stat(path).st_mtime + self._timeout < time.time():
                    continue
                with open(path, encoding="utf-8") as stream:
                    data: Any = json.load(stream)
                if is_map(data) and isinstance(data.get(_PAYLOAD), str):
                    data = json.loads(data[_PAYLOAD])
            except (OSError, ValueError):
                continue
            if is_map(data):
                return {str(name): _plain(value) for name, value in data.items()}
        return None

    def save(self, host: str, facts: Mapping[str, Any]) -> None:
        """Keep the facts of `host`; what was kept before is replaced at once. Raises OptionsError."""
        text = json.dumps({_PAYLOAD: json.dumps(facts, default=_simple)})
        try:
            os.makedirs(self.directory, mode=0o700, exist_ok=True)  # noqa: PTH103
            handle, temporary = tempfile.mkstemp(dir=self.directory, prefix=".pyplay-")
            with open(handle, "w", encoding="utf-8") as stream:
                stream.write(text)
            os.replace(temporary, self._path(host, _SCHEMA))
        except OSError as error:
            raise OptionsError.of(
                "fact-cache", f"facts cannot be kept in {self.directory}: {error.strerror}",
                help="let fact_caching_connection name a directory that you may write to",
            ) from error  # fmt: skip

    def remove(self, host: str) -> None:
        """Forget the facts of `host`."""
        for schema in (_SCHEMA, ""):
            with suppress(OSError):
                os.unlink(self._path(host, schema))

    def _path(self, host: str, schema: str) -> str:
        return os.path.join(self.directory, self._prefix + schema + host.replace(os.sep, "_"))


def fact_cache(settings: Settings, on_warning: Callable[[Diagnostic], None]) -> FactCache | None:
    """Give the cache that the settings ask for, None for none. Raises OptionsError for a jsonfile without directory."""
    kind = settings.fact_caching
    for prefix in _PREFIXES:
        kind = kind.removeprefix(prefix)
    if kind == "memory":
        return None
    if kind != "jsonfile":
        message = f"facts are not kept between runs: there is no fact_caching '{settings.fact_caching}'"
        mend = "set fact_caching to jsonfile, and fact_caching_connection to a directory"
        on_warning(Diagnostic("fact-cache", message, help=mend, severity=Severity.WARNING))
        return None
    directory = settings.fact_caching_connection
    if not directory:
        raise OptionsError.of(
            "fact-cache", "fact_caching = jsonfile needs a directory", help="set fact_caching_connection to one"
        )
    prefix = settings.fact_caching_prefix if "fact_caching_prefix" in settings.origins else ""
    place = os.path.abspath(os.path.expanduser(os.path.expandvars(directory)))  # noqa: PTH100, PTH111
    return FactCache(place, timeout=settings.fact_caching_timeout, prefix=prefix)


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
