"""debug: linear, with the task debugger on every failure."""

from __future__ import annotations

from pyplay.engine.strategy.linear import Linear


class Debug(Linear):
    """Stops at the debugger where tasks say nothing else."""

    debugger = "on_failed"
