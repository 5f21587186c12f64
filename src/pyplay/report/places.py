"""Where a task stands, as its events spell it."""

from __future__ import annotations

from pyplay.diagnostics.late_modules import late_modules
from pyplay.diagnostics.model import Diagnostic, Origin

with late_modules("pyplay.diagnostics.render"):
    from pyplay.diagnostics import render


def origin_at(path: str) -> Origin | None:
    """Give the origin that `file:line:column` spells, None for no path."""
    file, _, rest = path.partition(":")
    parts = path.rsplit(":", 2)
    if len(parts) == 3 and parts[1].isdigit() and parts[2].isdigit():
        return Origin(parts[0], int(parts[1]), int(parts[2]))
    return Origin(file, int(rest)) if rest.isdigit() else Origin(path) if path else None


def line_of(path: str) -> str:
    """Give `file:line` of `file:line:column`."""
    return path.rpartition(":")[0]


def excerpt(origin: Origin | None, *, private: bool = False) -> str:
    """Give the place and the line itself with a caret under it, "" where nothing is known.

    The line of a `private` task may hold what no_log hides: it is left out.
    """
    return render.render_text(Diagnostic("", "", origin), show_source=not private).partition("\n")[2] if origin else ""
