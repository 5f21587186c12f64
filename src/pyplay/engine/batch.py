"""A batch: the hosts that walk one play together, and who of them still takes part."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.engine.iterator import PlayIterator
from pyplay.engine.render import Renderer
from pyplay.engine.roll import without
from pyplay.engine.selection import walk
from pyplay.playbook.tags import matches

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pyplay.engine.context import RunContext
    from pyplay.engine.handlers import Handlers
    from pyplay.engine.state import HostState
    from pyplay.engine.vars_files import VarsFiles
    from pyplay.playbook.model import Block, Play, Role, Task


class Batch:
    """The hosts of one batch of a play. `live` are those that still walk, in the play's order."""

    def __init__(
        self, context: RunContext, play: Play, hosts: Sequence[str], blocks: Iterable[Block], handlers: Handlers
    ) -> None:
        self.context, self.play, self.hosts, self.handlers = context, play, tuple(hosts), handlers
        self.renderer = Renderer(context.variables, play)
        self.iterator = PlayIterator(blocks, hosts, handlers.block)
        self.live: dict[str, None] = dict.fromkeys(hosts)
        self.ended = False  # end_play: no further batch either
        self.broken = False  # max_fail_percentage: nothing runs any more
        self.play_hosts: tuple[str, ...] = ()  # the play's hosts over all batches; empty: those of this one
        self.vars_files: VarsFiles | None = None
        self._shown_hosts: Sequence[str] | None = None
        self._fallen: set[str] = set()  # hosts that failed without a rescue; some may still run an always, or handlers
        self._left: set[str] = set()  # hosts that could not be reached, or whose include was not there
        self.forces_handlers = False
        self._forgiven: set[str] = set()  # those of them whose errors were cleared

    def wanted(self, task: Task) -> bool:
        """Tell whether --tags and --skip-tags select `task`."""
        options = self.context.options
        if options.tags == ("all",) and not options.skip_tags and not task.tags:
            return True
        return matches(self.renderer.tags(task), options.tags, options.skip_tags)

    def define(self, blocks: Iterable[Block]) -> None:
        """Make the tasks of `blocks` known to the workers."""
        tasks = list(walk(blocks))
        if tasks:
            self.context.pool.define(tasks)

    def fail(self, host: str) -> bool:
        """Let the current task of `host` have failed. Gives whether a rescue takes it."""
        self._forgiven.discard(host)
        rescued = self.iterator.mark_failed(host)
        if not rescued:
            self._fallen.add(host)
        self._drop_failed((host,))
        return rescued

    def fail_all(self, hosts: Iterable[str]) -> None:
        """Let all `hosts` fail where they stand; blocks around them may rescue them."""
        named = [host for host in hosts if host in self.live]
        self._fallen.update(named)
        self._forgiven.difference_update(named)
        self.iterator.fail_all(named)
        self._drop_failed(named)

    def abort(self) -> None:
        """Let all that are left fail for good."""
        self.broken = True
        hosts = list(self.live)
        self._forgiven.clear()
        self.iterator.abort(hosts)
        self._drop_failed(hosts)

    def _drop_failed(self, hosts: Iterable[str]) -> None:
        for host in hosts:
            if self.iterator.failed(host) and host not in self._forgiven:
                self.context.roll.failed.add(host)
                self.live.pop(host, None)

    def set_aside(self, host: str) -> None:
        """Let `host` take no part any more: it cannot be reached."""
        self.context.roll.unreachable.add(host)
        self._left.add(host)
        self.live.pop(host, None)

    def end(self, hosts: Mapping[str, HostState]) -> None:
        """Take that `hosts` have no task left."""
        self.iterator.commit_all(hosts)
        for host in hosts:
            self.live.pop(host, None)
        self._drop_failed(hosts)

    def let_go(self, hosts: Iterable[str]) -> None:
        """Let `hosts` leave the play; those with a failure that nothing has rescued have failed."""
        named = list(hosts)
        if self.forces_handlers:  # who waits for them with a failure leaves without it
            self.iterator.forgive(named)
        self.iterator.finish(named)
        for host in named:
            self.live.pop(host, None)
        self._drop_failed(named)

    def leave(self, host: str) -> None:
        """Let `host` be none of those that templates see as the play's, although it may go on."""
        self._left.add(host)

    def end_role(self, hosts: Iterable[str], role: Role) -> None:
        """Let `hosts` leave out what remains of this use of `role`; a failure that is pending in it stays one."""
        named = list(hosts)
        self.iterator.end_role(named, role)
        self._drop_failed(named)

    def bring_back(self) -> None:
        """Forget all failures of the run. Hosts that were lost go on after the task that they were lost at.

        One that is in an `always` goes on behind its block, too.
        """
        self.iterator.forgive(self.live)
        lost = self.context.roll.unreachable.copy()
        self._forgiven |= self._fallen
        self.context.roll.clear()
        self.live = {host: None for host in self.hosts if host in self.live or host in lost}

    @property
    def failed_share(self) -> float:
        """Give the percentage of the batch's hosts that failed."""
        failed = sum(host in self.context.roll.failed for host in self.hosts)
        return 100 * failed / len(self.hosts)

    @property
    def departures(self) -> int:
        """Return a number that changes whenever a host leaves, or fails."""
        return self.context.roll.count + len(self._fallen) + len(self._left)

    def share_hosts(self) -> None:
        """Tell templates which hosts of the batch are left, if that has changed.

        Who failed is not among them any more, whatever it still runs, and even if its error is cleared.
        Source: observed with ansible-core 2.21.
        """
        gone = self.context.roll.gone
        left = without(self.hosts, gone | self._fallen | self._left)
        if left == self._shown_hosts:
            return
        self._shown_hosts, here = left, list(left)
        values: dict[str, Any] = {"ansible_play_batch": here, "ansible_play_hosts": self._left_of_play(here, gone)}
        self.context.recorder.write("", "play", values)

    def _left_of_play(self, left: list[str], gone: set[str]) -> list[str]:
        """Give the hosts of the play that are left, those of other batches included; `left` are those of this one."""
        if len(self.play_hosts) <= len(self.hosts):
            return left
        staying, here = set(left), set(self.hosts)
        return [host for host in self.play_hosts if host in staying or (host not in here and host not in gone)]
