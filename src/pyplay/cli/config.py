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
from pyplay.diagnostics.errors import AuthorError, OptionsError
from pyplay.diagnostics.render import render_text
from pyplay.diagnostics.suggest import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pyplay.source.settings import Settings

HELP = {"help_option_names": ["-h", "--help"]}
KINDS = (
    *("all", "base", "become", "cache", "callback", "cliconf", "connection", "httpapi", "inventory", "lookup"),
    *("netconf", "shell", "vars"),
)
WHERE = (
    o.option("-c", "--config", "config_file", metavar="FILE", help="Read this configuration file."),
    o.option(
        "-t",
        "--type",
        "kind",
        type=click.Choice(KINDS),
        default="base",
        help="Settings of plugins of this type, of all, or (base) those that are no plugin's.",
    ),
)
CHANGED = o.option("--only-changed", "--changed-only", "only_changed", is_flag=True, help="Only what is no default.")
DUMP = o.option(
    "-f", "--format", "form", type=click.Choice(("display", "json", "yaml")), default="display", help="How to show it."
)
LIST = o.option("-f", "--format", "form", type=click.Choice(("yaml", "json")), default="yaml", help="How to show it.")
INIT = o.option(
    "-f", "--format", "form", type=click.Choice(("ini", "env", "vars")), default="ini", help="What to write."
)
VALIDATE = o.option("-f", "--format", "form", type=click.Choice(("ini", "env")), default="ini", help="What to look at.")
DISABLED = o.option("--disabled", is_flag=True, help="Write every setting as a comment.")
PLUGINS = click.argument("plugins", nargs=-1, metavar="[PLUGIN]...")


@click.group(context_settings=HELP)
@o.shared(o.COMMON)
@version_option
def command(**_given: Any) -> None:
    """Show settings: which there are, what they are and where they were set."""


@command.command("list", cls=o.Command, context_settings=HELP)
@o.shared(WHERE, (LIST,), o.COMMON)
@PLUGINS
def list_settings(**given: Any) -> int:
    """Describe all settings."""
    from pyplay.cli.config_text import described  # noqa: PLC0415  # the tables of settings are long

    return _show(described(given["kind"], _plugins(given)), given["form"])


@command.command(cls=o.Command, context_settings=HELP)
@o.shared(WHERE, (DUMP, CHANGED), o.COMMON)
@PLUGINS
def dump(**given: Any) -> int:
    """Show what all settings are set to, and where."""
    from pyplay.cli.config_text import dumped, dumped_text  # noqa: PLC0415  # the tables of settings are long
    from pyplay.source.catalogue import Catalogue  # noqa: PLC0415  # as above

    settings = _settings(given)
    if settings.config_file is None and given["verbose"]:
        sys.stdout.write("No config file found; using defaults\n")
    catalogue = Catalogue(settings, _environ(given), os.getcwd())  # noqa: PTH109  # plain text
    found = dumped(
        catalogue,
        given["kind"],
        _plugins(given),
        config_file=settings.config_file,
        only_changed=given["only_changed"],
    )
    if given["form"] == "display":
        sys.stdout.write(dumped_text(found))
        return 0
    return _show(found, given["form"])


@command.command(cls=o.Command, context_settings=HELP)
@o.shared(WHERE, o.COMMON)
@PLUGINS
def view(**given: Any) -> int:
    """Show the configuration file that counts."""
    path = _settings(given).config_file
    if path is None:
        raise AuthorError.of("no-config", "there is no configuration file", help="pyplay config init writes one")
    sys.stdout.write(Path(path).read_text(encoding="utf-8-sig"))
    return 0


@command.command(cls=o.Command, context_settings=HELP)
@o.shared(WHERE, (INIT, DISABLED), o.COMMON)
@PLUGINS
def init(**given: Any) -> int:
    """Write a configuration with every setting at its default."""
    from pyplay.cli.config_text import initial  # noqa: PLC0415  # the tables of settings are long

    sys.stdout.write(initial(given["form"], given["kind"], _plugins(given), disabled=given["disabled"]))
    return 0


@command.command(cls=o.Command, context_settings=HELP)
@o.shared(WHERE, (VALIDATE,), o.COMMON)
@PLUGINS
def validate(**given: Any) -> int:
    """Tell which names in a configuration set nothing.

    Looked at is the configuration file, or the environment. Settings of all plugins count as names.
    """
    from pyplay.cli.config_check import unknown_in_file, unknown_variables  # noqa: PLC0415  # as above
    from pyplay.source.catalogue import Catalogue  # noqa: PLC0415  # as above

    settings = _settings(given)
    Catalogue(settings, _environ(given), os.getcwd()).base()  # noqa: PTH109  # raises for values that do not fit
    if given["form"] == "env":
        faults = unknown_variables(os.environ)
    else:
        faults = unknown_in_file(settings.config_file) if settings.config_file else []
    for fault in faults:
        click.echo(render_text(fault), err=True)
    if not faults:
        sys.stdout.write("The configuration is sound.\n")
    return 1 if faults else 0


def _plugins(given: Mapping[str, Any]) -> Sequence[str]:
    """Give the plugins that the command names. Raises OptionsError for one that has no settings, or has no type."""
    from pyplay.source.plugin_settings import PLUGIN_OPTIONS  # noqa: PLC0415  # the tables of settings are long

    kind, named = given["kind"], [name.removeprefix("ansible.builtin.") for name in given["plugins"]]
    if kind in ("base", "all"):
        return ()
    known = {option.plugin for option in PLUGIN_OPTIONS if option.type == kind}
    for name in named:
        if name not in known:
            raise OptionsError.of(
                "unknown-plugin", f"no settings of a {kind} plugin '{name}' are known", help=did_you_mean(name, known)
            )
    return named


def _environ(given: Mapping[str, Any]) -> dict[str, str]:
    """Give the environment that counts. Raises OptionsError for a configuration file that is not there."""
    environ = dict(os.environ)
    if given["config_file"]:
        path = Path(given["config_file"]).expanduser()
        if not path.is_file():
            raise OptionsError.of("no-config", f"there is no configuration file {path}")
        environ["PYPLAY_CONFIG"] = str(path)
    return environ


def _settings(given: Mapping[str, Any]) -> Settings:
    """Give the settings. Raises OptionsError."""
    from pyplay.source.settings import load_settings  # noqa: PLC0415  # --help needs no table

    settings = load_settings(_environ(given), os.getcwd())  # noqa: PTH109  # plain text
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
