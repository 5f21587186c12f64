"""What an inventory plugin was answered, kept by key: in memory, and in files between runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping
from typing import TYPE_CHECKING, Any

from pyplay.templating.shims.errors import AnsibleError

if TYPE_CHECKING:
    from pyplay.source.json_cache import JsonCache


class KeptAnswers(MutableMapping[str, Any]):
    """A mapping over `files`, None for memory alone. What is set is written by `write`; what is stale is missing."""

    def __init__(self, files: JsonCache | None) -> None:
        self._files = files
        self._values: dict[str, Any] = {}
        self._new: set[str] = set()

    def __getitem__(self, key: str) -> Any:
        """Give the answer for `key`. Raises KeyError."""
        if key not in self._values:
            found = self._files.load(key) if self._files is not None else None
            if found is None:
                raise KeyError(key)
            self._values[key] = found
        return self._values[key]

    def __setitem__(self, key: str, value: Any) -> None:
        self._values[key] = value
        self._new.add(key)

    def __delitem__(self, key: str) -> None:
        self[key]
        del self._values[key]
        self._new.discard(key)
        if self._files is not None:
            self._files.remove(key)

    def __iter__(self) -> Iterator[str]:
        return iter(list(self._values))

    def __len__(self) -> int:
        return len(self._values)

    def replace(self, values: Mapping[str, Any]) -> None:
        """Keep `values` and nothing else."""
        self.clear()
        self.update(values)

    def write(self) -> None:
        """Write into the files what was set since. Raises AnsibleError."""
        for key in sorted(self._new):
            if self._files is not None:
                try:
                    self._files.save(key, self._values[key])
                except OSError as error:
                    raise AnsibleError(
                        f"what was found cannot be kept in {self._files.directory}: {error.strerror}",
                        help_text="let cache_connection name a directory that you may write to",
                    ) from error
        self._new.clear()
