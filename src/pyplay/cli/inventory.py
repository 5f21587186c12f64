"""`pyplay inventory`: show what the inventory says."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pyplay.cli import options as o
from pyplay.cli.about import version_option
from pyplay.diagnostics.errors import OptionsError

if TYPE_CHECKING:
    from pyplay.inventory.varfiles import VarsFiles

SHOW = (
    o.option("--list", "as_list", is_flag=True, help="All hosts and groups, as JSON."),
    o.option("--host", metavar="NAME", help="The variables of one host."),
    o.option("--graph", is_flag=True, help="Groups and hosts as a tree; give a group to start there."),
    o.option("--vars", "show_vars", is_flag=True, help="With --graph: variables, too."),
    o.option("-y", "--yaml", "as_yaml", is_flag=True, help="YAML instead of JSON."),
    o.option("--toml", "as_toml", is_flag=True, help="TOML instead of JSON."),
    o.option("--export", is_flag=True, help="Show variables where they were set, as a source that can be read again."),
    o.option("--reveal", is_flag=True, help="Show values from vaults; without it they are masked."),
    o.option("--output", metavar="FILE", help="Write to a file."),
    o.option("--playbook-dir", metavar="DIRECTORY", help="Take group_vars and host_vars from here, too."),
    o.option("-e", "--extra-vars", multiple=True, metavar="VARS", help="Variables that win over all others."),
)


@click.command(cls=o.Command, context_settings={"help_option_names": ["-h", "--help"]})
@o.shared(SHOW, o.INVENTORY, o.VAULT, o.COMMON)
@version_option
@click.argument("group", required=False, metavar="[GROUP]")
def command(**given: Any) -> int:
    """Show hosts, groups and variables of an inventory."""
    from pyplay.cli.session import Session  # noqa: PLC0415  # --help and --version need none of it

    chosen = [name for name in ("as_list", "host", "graph") if given[name]]
    if len(chosen) != 1:
        raise OptionsError.of("no-action", "give one of --list, --host NAME, --graph")
    text = _text(Session(given), given)
    if given["output"]:
        Path(given["output"]).write_text(text)
    else:
        sys.stdout.write(text)
    return 0


def _playbook_vars(session: Any) -> list[VarsFiles]:
    """Give the variables in files beside the playbook, nothing if the settings want none."""
    from pyplay.inventory.varfiles import VarsFiles  # noqa: PLC0415  # as below

    settings = session.settings
    if not settings.reads_vars_files:
        return []
    files = VarsFiles(
        session.directory,
        vault=session.vault,
        extensions=settings.yaml_valid_extensions,
        on_warning=session.warn,
        duplicates=settings.duplicate_dict_key,
    )
    return [files]


def _text(session: Any, given: dict[str, Any]) -> str:
    from pyplay.inventory import show  # noqa: PLC0415  # as above
    from pyplay.inventory.export import InventoryView  # noqa: PLC0415  # as above
    from pyplay.inventory.patterns import names_within  # noqa: PLC0415  # as above

    limit = session.options.limit
    hosts = names_within(session.inventory, limit, session.warn) if limit else None
    view = InventoryView(
        session.inventory,
        export=given["export"] or session.settings.inventory_export,
        hosts=hosts,
        playbook_vars=_playbook_vars(session),
        extra_vars=session.extra_vars,
    )
    reveal = given["reveal"]
    if given["graph"]:
        return show.graph_text(view, given["group"], show_vars=given["show_vars"]) + "\n"
    form = "toml" if given["as_toml"] else "yaml" if given["as_yaml"] else "json"
    if given["host"]:
        return show.host_text(view, given["host"], form, reveal=reveal) + "\n"
    return show.list_text(view, form, reveal=reveal) + "\n"
