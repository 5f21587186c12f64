"""`--version`: our own form, and the form of ansible-core's programs where we go by their names."""

from __future__ import annotations

import os
import sys
from typing import Any

import click

from pyplay.cli import options as o
from pyplay.cli.names import Program


def about() -> str:
    """Give pyplay's version, what it speaks, and where it runs from."""
    python = f"{sys.version.split()[0].rstrip('+')} ({sys.executable})"
    return "\n".join(
        [
            f"pyplay {_version('pyplay')}",
            "  compatible with ansible-core 2.21",
            f"  package location = {_package()}",
            f"  python version = {python}",
        ]
    )


def about_as(program: Program) -> str:
    """Give the text in the form of ansible-core's `program`.

    Wrappers parse the first line, `config file`, `executable location` and the interpreter at the end of `python
    version`. Source: observed with ansible-core 2.21; what pyplay adds stands in the last line.
    """
    from pyplay.source.settings import load_settings  # noqa: PLC0415  # only for this form

    settings = load_settings(os.environ, os.getcwd())  # noqa: PTH109  # plain text
    return "\n".join(
        [
            f"{program.name} [core {settings.compatible_version}]",
            f"  config file = {settings.config_file}",
            f"  configured module search path = {list(settings.library)}",
            f"  ansible python module location = {_package()}",
            f"  ansible collection location = {':'.join(settings.collections_path)}",
            f"  executable location = {os.path.abspath(sys.argv[0])}",  # noqa: PTH100  # links stay as they are called
            f"  python version = {' '.join(sys.version.split())} ({sys.executable})",
            f"  jinja version = {_version('jinja2')}",
            f"  pyyaml version = {_version('pyyaml')}",
            f"  pyplay version = {_version('pyplay')}",
        ]
    )


def _version(distribution: str) -> str:
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415  # 12 ms, for this alone

    try:
        return version(distribution)
    except PackageNotFoundError:  # run from a source tree that is not installed
        return "unknown"


def _package() -> str:
    return os.path.dirname(os.path.dirname(__file__))  # noqa: PTH120  # pathlib takes 3 ms


def _show(context: click.Context, parameter: click.Parameter, value: Any) -> None:
    del parameter
    if value and not context.resilient_parsing:
        program = context.find_object(Program) or Program()
        click.echo(about_as(program) if program.is_ansible else about())
        context.exit()


version_option = o.option(
    "--version", is_flag=True, expose_value=False, is_eager=True, callback=_show, help="Tell the version and end."
)
