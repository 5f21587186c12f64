"""The run: plays one after another, the recap, the exit code."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, TypeAlias

from pyplay.diagnostics.errors import AuthorError
from pyplay.diagnostics.model import Diagnostic, Severity
from pyplay.engine.debugger import QuitRun
from pyplay.engine.play_run import PlayRun, StartAt
from pyplay.engine.render import Renderer

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pyplay.engine.context import RunContext
    from pyplay.playbook.model import Play

Loaded: TypeAlias = "tuple[str, Sequence[Play]]"
"""A playbook, as the command line names it, and its plays; the one of an ad-hoc command has no name."""

INTERRUPTED = 99
"""Exit code of a run that a person ended."""


class PlaybookRun:
    """Runs the plays of one command."""

    def __init__(self, context: RunContext) -> None:
        self._context = context

    def run(self, playbooks: Sequence[Loaded]) -> int:
        """Run the plays of `playbooks` on what `context.pool` reaches; the pool is closed however it ends.

        A playbook with hosts that failed is the last one, as in ansible-core.

        Gives the exit code: 0, 2 (failed hosts), 4 (unreachable hosts) or 99 (interrupted; the recap is shown). Raises
        AuthorError for what is found wrong on the way and is not the failure of some hosts: an unknown handler, a bad
        include.
        """
        context = self._context
        context.reporter.run_started([name for name, _ in playbooks if name])
        interrupted = False
        try:
            self._run_playbooks(playbooks)
        except (KeyboardInterrupt, QuitRun) as error:
            interrupted = True
            context.pool.cancel()
            message = f"the run was interrupted by {error}" if str(error) else "the run was interrupted"
            context.reporter.warn(Diagnostic("interrupted", message, severity=Severity.WARNING))
        finally:
            context.pool.close()
        context.reporter.run_ended(context.stats.frozen(), context.stats.custom)
        return INTERRUPTED if interrupted else context.roll.exit_code

    def _run_playbooks(self, playbooks: Sequence[Loaded]) -> None:
        start_at = StartAt(self._context.options.start_at_task)
        everything = [play for _, plays in playbooks for play in plays]
        last_use = self._last_use(everything)
        numbers = count()
        for playbook, plays in playbooks:
            ended = not all(self._run_play(play, start_at, next(numbers), last_use) for play in plays)
            if playbook:
                self._context.playbook_ended(playbook, self._context.roll.hosts)
            if ended or self._context.roll.exit_code:
                break
        if start_at.pattern is not None:
            self._context.reporter.warn(_no_start(start_at.pattern))

    def _run_play(self, play: Play, start_at: StartAt, number: int, last_use: Mapping[str, int]) -> bool:
        """Run one play and let go of hosts that no later one has; tell whether the run goes on."""
        if not PlayRun(self._context, play, start_at).run():
            return False
        done = [host for host, last in last_use.items() if last == number]
        if done and number < max(last_use.values()):
            self._context.pool.release(done)
        return True

    def _last_use(self, plays: Sequence[Play]) -> dict[str, int]:
        """Give for each host the number of the last play that it is in, as far as the patterns say so beforehand."""
        if len(plays) == 1:
            return {}  # whom it lets go of, the end of the run lets go of
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
