"""Loading PyYAML without what libyaml's parser needs nothing of: patterns, of which one takes 5 ms, and `base64`."""

from __future__ import annotations

from pyplay.diagnostics.late_modules import late_modules
from pyplay.diagnostics.patterns import late_patterns

with late_modules("base64", "binascii"), late_patterns():
    import yaml

__all__ = ["yaml"]
