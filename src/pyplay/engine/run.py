"""The run: plays one after another, the recap, the exit code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyplay.diagnostics.errors import AuthorError
from pyplay.diagnostics.model import Diagnostic, Severity
from pyplay.engine.debugger import QuitRun
from pyplay.engine.play_run import PlayRun, StartAt
from pyplay.engine.render import Renderer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyplay.engine.context import RunContext
    from pyplay.playbook.model import Play

INTERRUPTED = 99
"""Exit code of a run that a person ended."""


class PlaybookRun:
    """Runs the plays of one command."""

    def __init__(self, context: RunContext) -> None:
        self._context = context

    def run(self, plays: Sequence[Play]) -> int:
        """Run `plays` on what `context.pool` reaches and give the exit code; the pool is closed however it ends.

        Gives 0, 2 (failed hosts), 4 (unreachable hosts) or 99 (interrupted; the recap is shown). Raises AuthorError
        for what is found wrong on the way and is not the failure of some hosts: an unknown handler, a bad include.
        """
        context = self._context
        context.reporter.run_started(context.playbooks)
        interrupted = False
        try:
            self._run_plays(plays)
        except (KeyboardInterrupt, QuitRun):
            interrupted = True
            context.pool.cancel()
            context.reporter.warn(Diagnostic("interrupted", "the run was interrupted", severity=Severity.WARNING))
        finally:
            context.pool.close()
        context.reporter.run_ended(context.stats.frozen(), context.stats.custom)
        return INTERRUPTED if interrupted else context.roll.exit_code

    def _run_plays(self, plays: Sequence[Play]) -> None:
        start_at = StartAt(self._context.options.start_at_task)
        last_use = self._last_use(plays)
        for number, play in enumerate(plays):
            if not PlayRun(self._context, play, start_at).run():
                return
            done = [host for host, last in last_use.items() if last == number]
            if done and number + 1 < len(plays):
                self._context.pool.release(done)
        if start_at.pattern is not None:
            self._context.reporter.warn(_no_start(start_at.pattern))

    def _last_use(self, plays: Sequence[Play]) -> dict[str, int]:
        """Give for each host the number of the last play that it is in, as far as the patterns say so beforehand."""
        found: dict[str, int] = {}
        for number, play in enumerate(plays):
            run = PlayRun(self._context, play)
            try:
                hosts = run.hosts(Renderer(self._context.variables, play), warn_of_unknown=False)
            except AuthorError:
                return {}  # a pattern that is known later only: nothing is closed early
            found.update(dict.fromkeys(hosts, number))
        return found


def _no_start(name: str) -> Diagnostic:
    """Give the word on a run that did nothing since the task to start at is not there."""
    return Diagnostic(
        "no-start-task",
        f"no task has the name '{name}' that --start-at-task gives, so none was run",
        severity=Severity.WARNING,
        help="--list-tasks shows the names; what include_tasks and include_role bring is not known beforehand",
    )
