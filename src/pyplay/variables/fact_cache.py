"""Facts kept between runs (`fact_caching = jsonfile`): one file per host, read when the host's facts are asked for."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.errors import OptionsError
from pyplay.diagnostics.model import Diagnostic, Severity
from pyplay.source.shapes import is_map

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pyplay.source.settings import Settings

_PREFIXES = ("ansible.builtin.", "ansible.legacy.")


class FactCache:
    """Keeps facts in `directory`. `timeout` is in seconds, 0 for ever; `prefix` stands before the names of hosts.

    `on_warning` is told the first time that facts cannot be kept (a full disk, another's directory); none are after it.
    """

    def __init__(
        self,
        directory: str,
        *,
        timeout: int = 0,
        prefix: str = "",
        on_warning: Callable[[Diagnostic], None] = lambda _: None,
    ) -> None:
        from pyplay.source.json_cache import JsonCache  # noqa: PLC0415  # most runs keep no facts

        self._files = JsonCache(directory, timeout=timeout, prefix=prefix)
        self._on_warning = on_warning
        self._writable = True

    @property
    def directory(self) -> str:
        """Where the files are."""
        return self._files.directory

    def load(self, host: str) -> dict[str, Any] | None:
        """Give the facts of `host`, None where there are none, or where they are stale or cannot be read."""
        found = self._files.load(host)
        return dict(found) if is_map(found) else None

    def save(self, host: str, facts: Mapping[str, Any]) -> None:
        """Keep the facts of `host`; what was kept before is replaced at once."""
        if not self._writable:
            return
        try:
            self._files.save(host, dict(facts))
        except OSError as error:
            self._writable = False
            message = f"facts are not kept in {self.directory} any more: {error.strerror}"
            mend = "let fact_caching_connection name a directory that can be written"
            self._on_warning(Diagnostic("fact-cache", message, help=mend, severity=Severity.WARNING))

    def remove(self, host: str) -> None:
        """Forget the facts of `host`."""
        self._files.remove(host)


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
    if settings.config_file and settings.origins.get("fact_caching_connection", "").startswith("["):
        base = os.path.dirname(settings.config_file)  # noqa: PTH120  # text, as users wrote it
        directory = os.path.join(base, os.path.expanduser(os.path.expandvars(directory)))  # noqa: PTH111, PTH118
    return FactCache(directory, timeout=settings.fact_caching_timeout, prefix=prefix, on_warning=on_warning)
