"""`--version`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click


def about() -> str:
    """Give pyplay's version, what it speaks, and where it runs from."""
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415  # 12 ms, for this alone

    try:
        number = version("pyplay")
    except PackageNotFoundError:  # run from a source tree that is not installed
        number = "unknown"
    python = f"{sys.version.split()[0].rstrip('+')} ({sys.executable})"
    return "\n".join(
        [
            f"pyplay {number}",
            "  compatible with ansible-core 2.21",
            f"  package location = {Path(__file__).parents[1]}",
            f"  python version = {python}",
        ]
    )


def _show(context: click.Context, parameter: click.Parameter, value: Any) -> None:
    del parameter
    if value and not context.resilient_parsing:
        click.echo(about())
        context.exit()


version_option = click.option(
    "--version", is_flag=True, expose_value=False, is_eager=True, callback=_show, help="Tell the version and end."
)
