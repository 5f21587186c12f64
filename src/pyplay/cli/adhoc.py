"""`pyplay adhoc PATTERN -m MODULE -a ARGS`: run one module on some hosts."""

from __future__ import annotations

from functools import partial
from typing import Any

import click

from pyplay.cli import options as o
from pyplay.cli.about import version_option
from pyplay.cli.names import Program

ADHOC = (
    o.option("-m", "--module-name", default=None, metavar="NAME", help="The module to run (default: command)."),
    o.option(
        "-a",
        "--args",
        "module_args",
        default="",
        metavar="ARGS",
        help="Its arguments: key=value words, JSON, or a command line.",
    ),
    o.option(
        "-B", "--background", type=int, default=0, metavar="SECONDS", help="Run in the background, for at most so long."
    ),
    o.option(
        "-P",
        "--poll",
        type=int,
        metavar="SECONDS",
        help="How often a background job is asked (0: not at all).",
    ),
    o.option("-o", "--one-line", is_flag=True, help="One line per host."),
    o.option("-t", "--tree", metavar="DIRECTORY", help="Write each host's result into a file there."),
    o.option("--list-hosts", is_flag=True, help="Tell which hosts match, and end."),
    o.option(
        "--playbook-dir",
        metavar="DIRECTORY",
        help="Take roles, library, group_vars from here as from a playbook's directory.",
    ),
    o.option("--task-timeout", type=int, default=0, metavar="SECONDS", help="How long the task may take."),
)


@click.command(cls=o.Command, context_settings={"help_option_names": ["-h", "--help"]})
@o.shared(ADHOC, o.INVENTORY, o.RUN, o.CONNECTION, o.BECOME, o.VAULT, o.COMMON)
@version_option
@click.argument("pattern", metavar="PATTERN")
def command(**given: Any) -> int:
    """Run one module on the hosts that PATTERN matches."""
    from pyplay.cli.adhoc_run import list_hosts, reporters, run  # noqa: PLC0415  # --help and --version need none of it
    from pyplay.cli.session import Session  # noqa: PLC0415  # as above

    session = Session(given, choose_reporters=partial(reporters, one_line=given["one_line"]))
    with session.screen.keeping_faults():
        if given["list_hosts"]:
            session.screen.say(list_hosts(session, given["pattern"]))
            return 0
        program = click.get_current_context().find_object(Program) or Program()
        return run(session, given, program.zygote)
