"""`pyplay module run|pack`: for authors of modules, to try one here or make it one file that runs by hand."""

from __future__ import annotations

from typing import Any

import click

from pyplay.cli import options as o
from pyplay.cli.about import version_option

WHERE = (
    o.option("-M", "--module-path", multiple=True, metavar="PATH", help="More directories to find modules in."),
    o.option(
        "--playbook-dir", metavar="DIRECTORY", help="Take roles and library from here as from a playbook's directory."
    ),
)
_HELP = {"help_option_names": ["-h", "--help"]}


@click.group(context_settings=_HELP)
@version_option
def command() -> None:
    """Run a module on this machine, or pack it into one file."""


@command.command(cls=o.Command, context_settings=_HELP)
@o.option(
    "-a", "--args", "words", default="", metavar="ARGS", help="Its arguments: key=value words, JSON, @FILE of JSON."
)
@o.option("-C", "--check", is_flag=True, help="Tell what would change, change nothing.")
@o.option("-D", "--diff", is_flag=True, help="Have the module tell differences.")
@o.option("--python", "interpreter", metavar="PATH", help="The Python to run it (default: as on hosts).")
@o.shared(WHERE, o.COMMON)
@click.argument("module")
def run(**given: Any) -> int:
    """Run MODULE, a name or the path of a file, on this machine and show its result as JSON.

    Arguments are taken as they are: templates are not rendered.
    """
    from pyplay.cli.module_files import run_module  # noqa: PLC0415  # --help needs none of it

    return run_module(given)


@command.command(cls=o.Command, context_settings=_HELP)
@o.option("-o", "--output", metavar="FILE", help="Where to write it (default: NAME.pyz in this directory).")
@o.shared(WHERE, o.COMMON)
@click.argument("module")
def pack(**given: Any) -> int:
    """Write MODULE, with all that it imports of ours and its collection, into one file that any Python 3 runs.

    Its arguments are JSON, on standard input or in a file that is named: {"ANSIBLE_MODULE_ARGS": {"option": "value"}}.
    """
    from pyplay.cli.module_files import pack_module  # noqa: PLC0415  # --help needs none of it

    return pack_module(given)
