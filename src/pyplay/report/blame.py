"""Where the task that failed stands, once per task and message."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.report.places import excerpt, origin_at

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_LINES = 12
"""How many lines of a message are told; the ones behind them are counted."""


class Blame:
    """Tells what failed and where it stands; `safe` makes what a host sent fit for where it goes."""

    def __init__(self, safe: Callable[[str], str]) -> None:
        self._safe = safe
        self._blamed: set[str] = set()
        self._path = ""

    def start(self, path: str) -> None:
        """Take that the task at `path` begins."""
        self._path = path
        self._blamed.clear()

    def text(self, result: Mapping[str, Any], *, private: bool) -> str:
        """Give the message of a failed `result` and the lines with its task, "" if that was told for another host."""
        message = "" if private else why(result)
        if message in self._blamed or not self._path:
            return ""
        self._blamed.add(message)
        told = self._short(message.strip().removeprefix("Task failed: "))
        where = excerpt(origin_at(str(result.get("_ansible_origin") or self._path)), private=private)
        head = f"[ERROR]: Task failed: {told}" if told else "[ERROR]: Task failed."
        return f"{head}\n{where}" if where else head

    def _short(self, message: str) -> str:
        """Give the lines of `message`, the first ones of a long one: the whole stands in the result."""
        lines = message.split("\n")
        more = [f"({len(lines) - _LINES} more lines)"] if len(lines) > _LINES else []
        return "\n".join(self._safe(line.rstrip()) for line in [*lines[:_LINES], *more])


def why(result: Mapping[str, Any]) -> str:
    """Give why a result failed: the module's message does not say so where failed_when decided."""
    if result.get("failed_when_result") is True:
        return "failed_when is true"
    return str(result.get("msg") or "")
