"""The zygote that is forked when a command begins. Loading this is on the way of everything else: it brings little."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from pyplay.workers.zygote import Zygote

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyplay.workers.zygote import RunWorker


def early_zygote() -> Zygote:
    """Give a zygote that loads what workers are made of, and waits for what they work on (`handover`)."""
    return Zygote(load, _unpack)


def load() -> None:
    """Load what workers are made of: the controller has no use for it, and goes on meanwhile."""
    for name in ("pyplay.workers.founding", "pyplay.templating.plugins", "pyplay.shipping.search"):
        importlib.import_module(name)


def _unpack(descriptors: Sequence[int]) -> RunWorker:
    from pyplay.workers.founding import unpack  # noqa: PLC0415  # in the zygote alone

    return unpack(*descriptors)
