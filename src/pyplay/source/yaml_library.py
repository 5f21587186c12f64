"""Loading PyYAML without compiling the patterns of its own parser: libyaml's is used, and one of them takes 5 ms."""

from __future__ import annotations

from pyplay.diagnostics.patterns import late_patterns

with late_patterns():
    import yaml

__all__ = ["yaml"]
