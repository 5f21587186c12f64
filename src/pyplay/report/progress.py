"""A live progress line under the text on a terminal: the task, how many hosts are done, and who is waited for."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.live import Live
from rich.text import Text

from pyplay.report.events import Reporter

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping, Sequence

    from pyplay.report.events import HostStats, PlayStart, TaskStart
    from pyplay.workers.messages import TaskResult

_NAMED = 3  # so many of the hosts that are waited for are named


class LiveLine(Reporter):
    """Keeps the progress line. `write` prints finished text above it; events move it.

    The line is redrawn with events, not by a thread: the process may fork workers at any time.
    """

    def __init__(self) -> None:
        self._console = Console(highlight=False, soft_wrap=True)
        self._live = Live(
            console=self._console, transient=True, auto_refresh=False, redirect_stdout=False, redirect_stderr=False
        )
        self._task = ""
        self._hosts: tuple[str, ...] = ()
        self._running: dict[str, None] = {}
        self._done = 0

    def write(self, text: str) -> None:
        """Print `text` (its newline included) above the line."""
        self._console.out(text, end="", highlight=False)

    @contextmanager
    def hidden(self) -> Generator[None]:
        """Take the line away while something else writes to the terminal, such as a prompt."""
        shown = self._live.is_started
        self.close()
        try:
            yield
        finally:
            if shown:
                self._show()

    def close(self) -> None:
        """Take the line away."""
        self._live.stop()

    def _show(self) -> None:
        self._live.start()
        self._console.show_cursor()  # whatever ends this process, the terminal keeps its cursor

    def run_started(self, playbooks: Sequence[str]) -> None:
        """Show the line."""
        del playbooks
        self._show()

    def play_started(self, play: PlayStart) -> None:
        """Take the hosts of the play."""
        self._hosts = play.hosts

    def task_started(self, task: TaskStart) -> None:
        """Begin counting for the next task."""
        self._task, self._done = task.name, 0
        self._running.clear()
        self._draw()

    def host_started(self, host: str) -> None:
        """Count the host among those waited for."""
        self._running[host] = None

    def host_ended(self, result: TaskResult, *, action: str) -> None:
        """Count the host as done."""
        del action
        self._running.pop(result.host, None)
        self._done += 1
        self._draw()

    def run_ended(self, stats: Mapping[str, HostStats], custom: Mapping[str, Any]) -> None:
        """Take the line away."""
        del stats, custom
        self.close()

    def _draw(self) -> None:
        waiting = list(self._running)
        text = f"{self._task}  {self._done}/{self._done + len(waiting) if waiting else len(self._hosts)}"
        if waiting:
            more = f" and {len(waiting) - _NAMED} more" if len(waiting) > _NAMED else ""
            text += f"  waiting for {', '.join(waiting[:_NAMED])}{more}"
        line = Text(text, style="dim", no_wrap=True, overflow="ellipsis")
        self._live.update(line, refresh=True)
