"""The entry point of the program `pyplay`: what a command is made of is loaded with the garbage collector off."""

from __future__ import annotations

import gc
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> None:
    """Run pyplay with `argv` (default: the process's arguments) and exit with its code."""
    gc.disable()  # what is loaded and read stays: looking for garbage in it finds none; a run looks (workers.zygote)
    from pyplay.cli.edge import run_command  # noqa: PLC0415  # as said above

    code = run_command(list(sys.argv if argv is None else ["pyplay", *argv]))
    gc.freeze()  # the process ends: what is left is not looked through once more for garbage
    sys.exit(code)
