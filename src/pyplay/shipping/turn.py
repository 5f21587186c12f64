"""A call's place among others that must run one after another on the host, though they are sent at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from pyplay.shipping.session import RunnerSession


class Turn(Protocol):
    """One call in a lane. The Runner starts the calls of a lane one at a time, in the order in which they were sent."""

    @property
    def lane(self) -> int:
        """The number of the lane, from 1; 0 for a call that is in none."""
        ...

    @property
    def group(self) -> int:
        """The number of the task in its lane: that one item of it did not end well does not bar the others."""
        ...

    @property
    def follows(self) -> list[list[object]] | None:
        """None: it starts whatever became of those before it. Else it does only if all of other groups ended well.

        Nor does it start after one that was held back. The members are what the call was made of: path, ctime (ns),
        size and inode of local files. Where the host has such a file and it is not the same one, unchanged, the call is
        not started.
        """
        ...

    def goes(self, way: RunnerSession) -> bool:
        """Tell whether the call may be sent by `way` now."""
        ...

    def sent(self) -> None:
        """Hear that the call is on its way: the next one of the lane may be sent."""
        ...

    def withdrawn(self) -> None:
        """Hear that the call must be sent again, to another Runner: the next one must wait."""
        ...
