"""The command line options that several commands share, and how their words become values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from pyplay.cli.abbreviations import written_out
from pyplay.diagnostics.deprecated import ADHOC_OPTIONS, OPTIONS, deprecated

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from pyplay.diagnostics.model import Diagnostic


_OLD = "pyplay.deprecated"
EXCLUSIVE = (
    ("ask_pass", "connection_password_file"),
    ("ask_become_pass", "become_password_file"),
    ("ask_vault_pass", "vault_password_file"),
)
"""Options of which one stands in for the other."""


class Option(click.Option):
    """An option whose help is taken as it stands: click looks for indentation in it, with `inspect`."""

    def __init__(self, names: Sequence[str], *, help: str | None = None, **attributes: Any) -> None:  # noqa: A002  # click's
        super().__init__(names, **attributes)
        self.help = help


def option(*names: str, **attributes: Any) -> Callable[[Any], Any]:
    """Give a decorator that adds an option. Takes what `click.option` does."""
    return click.option(*names, cls=Option, **attributes)


def _show_help(context: click.Context, _parameter: click.Parameter, value: Any) -> None:
    if value and not context.resilient_parsing:
        click.echo(context.get_help(), color=context.color)
        context.exit()


class Command(click.Command):
    """A click command that takes its words as argparse does."""

    _help: Option | None = None

    def get_help_option(self, ctx: click.Context) -> Option | None:
        """Give the option `--help`. click's own has a text that is looked up in the user's language, with `locale`."""
        names = self.get_help_option_names(ctx)
        if names and self._help is None:
            attributes = {"is_flag": True, "expose_value": False, "is_eager": True, "callback": _show_help}
            self._help = Option([*names], help="Show this message and exit.", **attributes)
        return self._help

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Write abbreviated options out, parse, and refuse options that exclude each other."""
        parameters = self.get_params(ctx)
        try:
            words = list(written_out(args, parameters))
        except click.UsageError as error:
            error.ctx = ctx
            raise
        ctx.meta[_OLD] = [name for name in OPTIONS if any(word.partition("=")[0] == name for word in words)]
        rest = super().parse_args(ctx, words)
        for pair in EXCLUSIVE:
            if all(ctx.params.get(name) for name in pair):
                shown = {each.name: each.opts[0] for each in parameters}
                raise click.UsageError(" and ".join(shown[name] for name in pair) + " exclude each other", ctx)
        return rest


def deprecations(given: Mapping[str, Any]) -> Iterator[Diagnostic]:
    """Give the warnings for the deprecated ones among the options `given` to the command that runs."""
    context = click.get_current_context(silent=True)
    names: list[str] = list(context.meta.get(_OLD, ())) if context else []
    names += [option for option, name in (("-o", "one_line"), ("-t", "tree")) if given.get(name)]
    for name in names:
        yield deprecated("command-option", {"option": name, "instead": {**OPTIONS, **ADHOC_OPTIONS}[name]})


def shared(*groups: Sequence[Callable[..., Any]]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Give a decorator that adds the options of `groups` in order."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        for group in reversed(groups):
            for option in reversed(group):
                function = option(function)
        return function

    return decorate


INVENTORY = (
    option(
        "-i",
        "--inventory",
        "--inventory-file",
        "inventory",
        multiple=True,
        metavar="SOURCE",
        help="Inventory file, directory, script, or a list of hosts with a comma. May be given several times.",
    ),
    option(
        "-l", "--limit", metavar="PATTERN", help="Only these of the selected hosts; @FILE takes a list from a file."
    ),
    option("--flush-cache", is_flag=True, help="Forget the cached facts of every host in the inventory."),
)
CONNECTION = (
    option("-k", "--ask-pass", is_flag=True, help="Ask for the connection password."),
    option(
        "--connection-password-file",
        "--conn-pass-file",
        "connection_password_file",
        metavar="FILE",
        help="File (or script) with the connection password.",
    ),
    option("--private-key", "--key-file", "private_key", metavar="FILE", help="Private key to log in with."),
    option("-u", "--user", metavar="NAME", help="Log in as this user."),
    option("-c", "--connection", metavar="KIND", help="How hosts are reached: ssh or local."),
    option("-T", "--timeout", type=float, metavar="SECONDS", help="How long connecting may take."),
    option("--ssh-common-args", default="", metavar="WORDS", help="Words for ssh, such as -o ProxyJump=bastion."),
    option("--ssh-extra-args", default="", metavar="WORDS", help="More words for ssh."),
    option(
        "--sftp-extra-args",
        default="",
        metavar="WORDS",
        help="Taken and without effect: files travel over the one connection.",
    ),
    option(
        "--scp-extra-args",
        default="",
        metavar="WORDS",
        help="Taken and without effect: files travel over the one connection.",
    ),
)
BECOME = (
    option("-b", "--become", is_flag=True, help="Run tasks as another user (root, unless said otherwise)."),
    option("--become-method", metavar="METHOD", help="sudo, su or doas."),
    option("--become-user", metavar="NAME", help="The user to become."),
    option("-K", "--ask-become-pass", is_flag=True, help="Ask for the password that becoming needs."),
    option(
        "--become-password-file",
        "--become-pass-file",
        "become_password_file",
        metavar="FILE",
        help="File (or script) with the password that becoming needs.",
    ),
)
RUN = (
    option("-C", "--check", is_flag=True, help="Change nothing; predict what would change."),
    option("-D", "--diff", is_flag=True, help="Show how files change."),
    option("-f", "--forks", type=click.IntRange(min=1), metavar="N", help="At most so many hosts at a time."),
    option(
        "-e",
        "--extra-vars",
        multiple=True,
        metavar="VARS",
        help="Variables: key=value words, JSON or YAML, or @FILE. They win over all others.",
    ),
    option("-M", "--module-path", multiple=True, metavar="PATH", help="More directories to find modules in."),
)
VAULT = (
    option(
        "--vault-id",
        multiple=True,
        metavar="ID@SOURCE",
        help="A vault identity: prompt, or a file or script with the password.",
    ),
    option(
        "--vault-password-file",
        "--vault-pass-file",
        "vault_password_file",
        multiple=True,
        metavar="FILE",
        help="File (or script) with the vault password.",
    ),
    option(
        "-J",
        "--ask-vault-pass",
        "--ask-vault-password",
        "ask_vault_pass",
        is_flag=True,
        help="Ask for the vault password.",
    ),
)
COMMON = (option("-v", "--verbose", count=True, help="Say more; up to -vvvv."),)
