"""`pyplay [-i INVENTORY] PLAYBOOK…`: run playbooks, or tell what a run would do."""

from __future__ import annotations

from typing import Any

import click

from pyplay.cli import options as o
from pyplay.cli.about import version_option
from pyplay.cli.names import Program

TAGS = (
    o.option("-t", "--tags", multiple=True, metavar="TAGS", help="Only plays and tasks with these tags."),
    o.option("--skip-tags", multiple=True, metavar="TAGS", help="No plays and tasks with these tags."),
)
PLAYBOOK = (
    o.option("--force-handlers", is_flag=True, help="Run handlers of hosts that failed, too."),
    o.option("--start-at-task", metavar="NAME", help="Begin with the task of this name."),
    o.option("--step", is_flag=True, help="Ask before each task."),
)
TELL = (
    o.option("--list-hosts", is_flag=True, help="Tell which hosts each play would run on, and end."),
    o.option("--list-tasks", is_flag=True, help="Tell which tasks would be run, and end."),
    o.option("--list-tags", is_flag=True, help="Tell which tags there are, and end."),
    o.option("--syntax-check", is_flag=True, help="Read everything, tell what is wrong, and end."),
)


@click.command(
    cls=o.Command,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Other commands: pyplay adhoc, inventory, vault, config, doc, links; each has --help.",
)
@o.shared(o.INVENTORY, TAGS, o.RUN, PLAYBOOK, o.CONNECTION, o.BECOME, o.VAULT, TELL, o.COMMON)
@version_option
@click.argument("playbooks", nargs=-1, required=True, metavar="PLAYBOOK...")
def command(**given: Any) -> int:
    """Run playbooks written for Ansible: walk the hosts through them in lock-step and report."""
    from pyplay.cli.session import Session  # noqa: PLC0415  # --help and --version need none of it

    session = Session(given)
    with session.screen.keeping_faults():
        plays = session.load_plays()
        session.check_hosts()
        session.check_limit()
        if given["list_hosts"] or given["list_tasks"] or given["list_tags"] or given["syntax_check"]:
            return _tell(session, given, plays)
        from pyplay.cli.run import run_playbooks  # noqa: PLC0415  # asyncio and all that a run needs

        program = click.get_current_context().find_object(Program) or Program()
        return run_playbooks(session, plays, program.zygote)


def _tell(session: Any, given: dict[str, Any], plays: Any) -> int:
    from pyplay.cli.listing import listing_text  # noqa: PLC0415  # only for the options that list

    session.screen.say(listing_text(session, given, plays))
    return 0
