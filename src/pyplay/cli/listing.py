"""The text of --list-hosts, --list-tasks, --list-tags and --syntax-check."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.cli.variables import LateVariables
from pyplay.engine.listing import as_text, check_plays, list_plays

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pyplay.cli.session import Session
    from pyplay.engine.run import Loaded


def listing_text(session: Session, given: Mapping[str, Any], plays: Sequence[Loaded]) -> str:
    """Give what is listed of the `plays` of each playbook. Raises AuthorError."""
    return "".join(_lines(session, given, plays))


def _lines(session: Session, given: Mapping[str, Any], plays: Sequence[Loaded]) -> Iterator[str]:
    what = {"hosts": given["list_hosts"], "tasks": given["list_tasks"], "tags": given["list_tags"]}
    everything = [play for _, each in plays for play in each]
    variables = LateVariables(session, everything)
    check_plays(everything, variables)
    if given["syntax_check"]:
        from pyplay.cli import early  # noqa: PLC0415  # it reads every module's options

        early.check_plays(session, everything, variables, run=False)
    for playbook, each in plays:
        yield f"\nplaybook: {playbook}\n"
        if any(what.values()):
            for listed in list_plays(each, session.inventory, variables, session.options):
                yield "\n" + as_text(listed, **what)
