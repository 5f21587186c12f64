"""The way that led to a file of tasks, and where it goes round."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from pyplay.diagnostics.dataclass import dataclass

if TYPE_CHECKING:
    from pyplay.diagnostics.model import Origin

DEEPEST = 400
"""Includes inside of one another, at most: what goes deeper never ends (ansible-core's own stack ends before)."""


@dataclass(frozen=True, slots=True)
class Step:
    """A file, where the one `before` it names it, and whether that is done only while the play runs."""

    path: str
    origin: Origin | None = None
    before: Step | None = None
    dynamic: bool = False
    depth: int = 0

    def to(self, path: str, origin: Origin | None, *, dynamic: bool = False) -> Step:
        """Give the step to `path`, which this file names at `origin`."""
        return Step(path, origin, self, dynamic, self.depth + dynamic)

    def round_to(self, path: str, origin: Origin | None, *, dynamic: bool = False) -> Round | None:
        """Give the circle that naming `path` at `origin` closes, None where there is none.

        Without `dynamic` a file that was included while the play runs begins anew.
        """
        paths, origins = [path], [origin]
        step: Step | None = self
        while step is not None:
            if step.path:
                paths.append(step.path)
                if step.path == path:
                    return Round(paths[::-1], origins[::-1])
                origins.append(step.origin)
            if step.dynamic and not dynamic:
                break
            step = step.before
        return None

    def endless(self) -> Round | None:
        """Give the circle that this file is in, if so many includes are inside of one another that there is no end."""
        step = self if self.path or self.before is None else self.before
        if self.depth < DEEPEST or step.before is None:
            return None
        return step.before.round_to(step.path, step.origin, dynamic=True)


@dataclass(frozen=True, slots=True)
class Round:
    """A way from a file to itself: the paths, and where each file names the next."""

    paths: list[str]
    origins: list[Origin | None]

    @property
    def names(self) -> list[str]:
        """Give the files as seen from the directory that holds them all."""
        start = os.path.commonpath([os.path.dirname(path) for path in self.paths])  # noqa: PTH120  # text as written
        return [os.path.relpath(path, start) for path in self.paths]
