"""What the controller and its workers both know of the plays, and how either side learns what comes later."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyplay.workers.wire import Define

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyplay.playbook.model import Play, Role, Task
    from pyplay.workers.wire import Codec


class Known:
    """Tasks and plays by their ids. `codec` names them by these ids, so that they stay the same objects on each side.

    `on_role` is called with the directory of the role of each task that is learned: it may bring plugins.
    """

    def __init__(
        self,
        tasks: dict[int, Task],
        plays: dict[int, Play],
        codec: Codec,
        *,
        on_role: Callable[[str], object] | None = None,
    ) -> None:
        self.tasks, self.plays, self.codec, self._on_role = tasks, plays, codec, on_role
        self._roles = {number: len(play.roles) for number, play in plays.items()}

    def announce(self, tasks: tuple[Task, ...]) -> Define:
        """Give, in the controller, what makes `tasks` known to workers, with the roles that plays got since then."""
        grown: dict[int, tuple[Role, ...]] = {}
        for number in {task.play_id for task in tasks}:
            roles = self.plays[number].roles if number in self.plays else []
            if len(roles) != self._roles.get(number, 0):
                self._roles[number] = len(roles)
                grown[number] = tuple(roles)
        return Define(tasks, grown)

    def learn(self, definition: Define) -> None:
        """Take, on either side, what `announce` gave."""
        for task in definition.tasks:
            self.tasks[task.id] = task
            if self._on_role is not None and task.role is not None:
                self._on_role(task.role.path)
        self.codec.learn(definition.tasks)
        for number, roles in definition.roles.items():
            self.codec.learn(roles)
            self.plays[number].roles[:] = roles
