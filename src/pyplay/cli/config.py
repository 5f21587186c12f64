"""`pyplay config`: which settings there are, what they are set to and where, and whether a configuration is sound."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pyplay.cli import options as o
from pyplay.cli.about import version_option
from pyplay.diagnostics.errors import OptionsError
from pyplay.diagnostics.render import render_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyplay.source.settings import Settings

HELP = {"help_option_names": ["-h", "--help"]}
KINDS = (
    *("all", "base", "become", "cache", "callback", "cliconf", "connection", "httpapi", "inventory", "lookup"),
    *("netconf", "shell", "vars"),
)
WHERE = (
    click.option("-c", "--config", "config_file", metavar="FILE", help="Read this configuration file."),
    click.option(
        "-t",
        "--type",
        "kind",
        type=click.Choice(KINDS),
        default="base",
        help="Taken for ansible-config's sake: settings of plugins stand among all others here.",
    ),
)
CHANGED = click.option(
    "--only-changed", "--changed-only", "only_changed", is_flag=True, help="Only what is no default."
)
DUMP = click.option(
    "-f", "--format", "form", type=click.Choice(("display", "json", "yaml")), default="display", help="How to show it."
)
LIST = click.option(
    "-f", "--format", "form", type=click.Choice(("yaml", "json")), default="yaml", help="How to show it."
)
INIT = click.option(
    "-f", "--format", "form", type=click.Choice(("ini", "env", "vars")), default="ini", help="What to write."
)
VALIDATE = click.option(
    "-f", "--format", "form", type=click.Choice(("ini", "env")), default="ini", help="What to look at."
)
DISABLED = click.option("--disabled", is_flag=True, help="Write every setting as a comment.")
PLUGINS = click.argument("plugins", nargs=-1, metavar="[PLUGIN]...")


@click.group(context_settings=HELP)
@version_option
def command() -> None:
    """Show settings: which there are, what they are and where they were set."""


@command.command("list", cls=o.Command, context_settings=HELP)
@o.shared(WHERE, (LIST,), o.COMMON)
@PLUGINS
def list_settings(**given: Any) -> int:
    """Describe all settings."""
    from pyplay.cli.config_text import described  # noqa: PLC0415  # the table of settings is long

    return _show(described(), given["form"])


@command.command(cls=o.Command, context_settings=HELP)
@o.shared(WHERE, (DUMP, CHANGED), o.COMMON)
@PLUGINS
def dump(**given: Any) -> int:
    """Show what all settings are set to, and where."""
    from pyplay.cli.config_text import dumped, dumped_text  # noqa: PLC0415  # the table of settings is long

    settings = _settings(given)
    if settings.config_file is None and given["verbose"]:
        sys.stdout.write("# there is no configuration file\n")
    if given["form"] == "display":
        sys.stdout.write(dumped_text(settings, only_changed=given["only_changed"]))
        return 0
    return _show(dumped(settings, only_changed=given["only_changed"]), given["form"])


@command.command(cls=o.Command, context_settings=HELP)
@o.shared(WHERE, o.COMMON)
@PLUGINS
def view(**given: Any) -> int:
    """Show the configuration file that counts."""
    path = _settings(given).config_file
    if path is None:
        raise OptionsError.of("no-config", "there is no configuration file", help="pyplay config init writes one")
    sys.stdout.write(Path(path).read_text(encoding="utf-8-sig"))
    return 0


@command.command(cls=o.Command, context_settings=HELP)
@o.shared(WHERE, (INIT, DISABLED), o.COMMON)
@PLUGINS
def init(**given: Any) -> int:
    """Write a configuration with every setting at its default."""
    from pyplay.cli.config_text import initial  # noqa: PLC0415  # the table of settings is long

    sys.stdout.write(initial(given["form"], disabled=given["disabled"]))
    return 0


@command.command(cls=o.Command, context_settings=HELP)
@o.shared(WHERE, (VALIDATE,), o.COMMON)
@PLUGINS
def validate(**given: Any) -> int:
    """Tell which names in a configuration set nothing.

    Looked at is the configuration file, or the environment.
    """
    from pyplay.cli.config_text import unknown_in_file, unknown_variables  # noqa: PLC0415  # as above

    settings = _settings(given)
    if given["form"] == "env":
        faults = unknown_variables(os.environ)
    else:
        faults = unknown_in_file(settings.config_file) if settings.config_file else []
    for fault in faults:
        click.echo(render_text(fault), err=True)
    if not faults:
        sys.stdout.write("The configuration is sound.\n")
    return 1 if faults else 0


def _settings(given: Mapping[str, Any]) -> Settings:
    """Give the settings. Raises OptionsError, also for a configuration file that is not there."""
    from pyplay.source.settings import load_settings  # noqa: PLC0415  # --help needs no table

    environ = dict(os.environ)
    if given["config_file"]:
        path = Path(given["config_file"]).expanduser()
        if not path.is_file():
            raise OptionsError.of("no-config", f"there is no configuration file {path}")
        environ["PYPLAY_CONFIG"] = str(path)
    settings = load_settings(environ, os.getcwd())  # noqa: PTH109  # plain text
    for warning in settings.warnings:
        click.echo(render_text(warning), err=True)
    return settings


def _show(value: Any, form: str) -> int:
    if form == "json":
        sys.stdout.write(json.dumps(value, indent=4) + "\n")
    else:
        import yaml  # noqa: PLC0415  # only for this form

        write: Any = yaml.safe_dump  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]  # its stubs
        sys.stdout.write(write(value, sort_keys=False, allow_unicode=True))
    return 0
