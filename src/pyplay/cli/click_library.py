"""Loading click without what a run needs nothing of: `inspect`, translations, and the patterns of `platform`."""

from __future__ import annotations

from pyplay.diagnostics.late_modules import late_modules
from pyplay.diagnostics.patterns import late_patterns

with late_modules("inspect", functions=("gettext.gettext", "gettext.ngettext")), late_patterns():
    import click

__all__ = ["click"]
