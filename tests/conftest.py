"""How hypothesis runs: without deadlines, for how long an example takes tells of the machine, not of pyplay."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("pyplay", deadline=None)
settings.load_profile("pyplay")
