"""The entry point of the program `pyplay`: what a command is made of is loaded with the garbage collector off.

A run is made of two halves, what reads playbooks and leads, and what works on hosts. Where there is a second core, they
are loaded side by side.
"""

from __future__ import annotations

import gc
import os
import sys
from typing import TYPE_CHECKING

from pyplay.cli.names import INTERRUPTED, INTERRUPTION, will_run
from pyplay.cli.streams import open_missing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyplay.workers.zygote import Zygote


def main(argv: Sequence[str] | None = None) -> None:
    """Run pyplay with `argv` (default: the process's arguments) and exit with its code."""
    gc.disable()  # what is loaded and read stays: looking for garbage in it finds none; a run looks (workers.zygote)
    words = list(sys.argv if argv is None else ["pyplay", *argv])
    open_missing()
    zygote = None
    try:
        zygote = _zygote() if will_run(words) else None
        from pyplay.cli.edge import run_command  # noqa: PLC0415  # as said above

        code = run_command(words, zygote)
    except KeyboardInterrupt:  # before or after anybody else could take it
        print(INTERRUPTION, file=sys.stderr)  # noqa: T201  # as the edge does
        code = INTERRUPTED
    finally:
        if zygote is not None:
            zygote.close()
    gc.freeze()  # the process ends: what is left is not looked through once more for garbage
    sys.exit(code)


def _zygote() -> Zygote | None:
    """Give a zygote that loads beside us, None where there is nothing beside us."""
    if len(os.sched_getaffinity(0)) < 2:
        return None
    try:
        from pyplay.workers.early import early_zygote  # noqa: PLC0415  # most commands run nothing

        return early_zygote()
    except Exception:  # noqa: BLE001  # whatever it is (no process, no file to be opened): it is met again at the edge, and told
        return None
