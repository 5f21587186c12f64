"""Loading click without what a run needs nothing of: `inspect`, and the patterns of `platform`."""

from __future__ import annotations

import gettext  # noqa: F401  # pyright: ignore[reportUnusedImport]  # click's; its pattern is one that has to be compiled

from pyplay.diagnostics.late_modules import late_modules
from pyplay.diagnostics.patterns import late_patterns

with late_modules("inspect"), late_patterns():
    import click

__all__ = ["click"]
