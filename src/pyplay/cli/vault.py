"""`pyplay vault`: create, edit, view, encrypt, decrypt and rekey encrypted files; encrypt single values."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import click

from pyplay.cli import options as o
from pyplay.cli import vault_files as files
from pyplay.cli.about import version_option
from pyplay.cli.vault_secrets import ask_hidden, vault_secrets
from pyplay.diagnostics.errors import OptionsError
from pyplay.diagnostics.render import render_text
from pyplay.source.settings import load_settings
from pyplay.source.vault import VaultSecret, VaultSecrets, encrypt
from pyplay.source.vault_sources import load_vault_secrets, split_id

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyplay.diagnostics.model import Diagnostic

HELP = {"help_option_names": ["-h", "--help"]}
INDENT = " " * 10
ENCRYPT_ID = (
    o.option(
        "--encrypt-vault-id", metavar="ID", help="The identity to encrypt with, where there are several passwords."
    ),
)
OUTPUT = (o.option("--output", metavar="FILE", help="Write here instead; - is standard output."),)
NEW = (
    o.option("--new-vault-password-file", metavar="FILE", help="File (or script) with the new password."),
    o.option("--new-vault-id", metavar="ID@SOURCE", help="The new identity and where its password is."),
)
STRING = (
    o.option("-p", "--prompt", is_flag=True, help="Ask for the value."),
    o.option("--show-input", is_flag=True, help="Show the value while it is typed."),
    o.option("-n", "--name", "names", multiple=True, metavar="NAME", help="Name of the variable; once per value."),
    o.option("--stdin-name", metavar="NAME", help="Name of the variable whose value is read from standard input."),
)
NO_TERMINAL = o.option("--skip-tty-check", is_flag=True, help="Open the editor without a terminal, too.")
FILES = click.argument("names", nargs=-1, metavar="[FILE]...")


class Vault:
    """What a subcommand works with: settings, the passwords, and how to say something."""

    def __init__(self, given: dict[str, Any]) -> None:
        self.given = given
        self.words = SimpleNamespace(**given)
        if given.get("new_vault_id") and given.get("new_vault_password_file"):
            raise click.UsageError("--new-vault-password-file and --new-vault-id exclude each other")
        self.settings = load_settings(os.environ, os.getcwd())  # noqa: PTH109  # plain text
        for warning in self.settings.warnings:
            say(warning)
        salt = self.settings.vault_encrypt_salt
        self.salt = salt.encode() if salt else None

    def old(self) -> VaultSecrets:
        """Give the passwords to open texts with; one is asked for if none is named."""
        return vault_secrets(self.words, self.settings, say, ask=True)

    def new(self) -> VaultSecret:
        """Return the password to encrypt with.

        Raises OptionsError where one that was named is not to be had (a confirmation was mistyped), or where there are
        several and none is chosen.
        """
        secrets = vault_secrets(self.words, self.settings, say, ask=True, prompt=ask_twice, to_encrypt=True)
        return self.pick(secrets)

    def pick(self, secrets: VaultSecrets) -> VaultSecret:
        """Give the one of `secrets` to encrypt with."""
        label = self.given.get("encrypt_vault_id") or self.settings.vault_encrypt_identity
        if label is None and len(secrets.secrets) > 1:
            known = ", ".join(secret.label for secret in secrets.secrets)
            raise OptionsError.of(
                "which-vault-id", "several vault passwords are given", help=f"choose with --encrypt-vault-id: {known}"
            )
        return secrets.pick(label)

    def rekeyed(self) -> VaultSecret:
        """Give the password that `rekey` encrypts with."""
        file, identity = self.given["new_vault_password_file"], self.given["new_vault_id"]
        label = self.settings.vault_identity
        if identity:
            label = split_id(identity, label)[0]
        secrets = load_vault_secrets(
            ids=[identity] if identity else [],
            password_files=[file] if file else [],
            ask=not (file or identity),
            prompt=ask_twice,
            default_label=label,
        )
        return secrets.pick(self.given["encrypt_vault_id"])

    def edit(self, data: bytes, name: str) -> bytes:
        """Give what a person makes of `data`.

        Raises OptionsError where there is neither a terminal nor an editor that somebody chose: vi would wait for ever.
        """
        if "editor" not in self.settings.origins and not (sys.stdin.isatty() and sys.stdout.isatty()):
            mend = "name a program with EDITOR, or use `pyplay vault decrypt` and `encrypt`"
            raise OptionsError.of("no-terminal", f"there is no terminal for {self.settings.editor}", help=mend)
        return files.edited(data, self.settings.editor, suffix=Path(name).suffix)


def ask_twice(text: str) -> str:
    """Ask for a new password, and once more. Raises OptionsError where the answers differ."""
    shown = text.removesuffix(": ")
    first = ask_hidden(f"New {shown}: ")
    if first != ask_hidden(f"Confirm new {shown}: "):
        raise OptionsError.of("no-vault-password", "the two passwords differ")
    return first


def say(what: Diagnostic | str) -> None:
    """Show a warning or a line on standard error."""
    click.echo(what if isinstance(what, str) else render_text(what), err=True)


def done(text: str) -> int:
    """Tell a person, not a program that reads the output, that all went well."""
    if sys.stdout.isatty():
        say(text)
    return 0


@click.group(context_settings=HELP)
@o.shared(o.COMMON)
@version_option
def command(**_given: Any) -> None:
    """Encrypt files and values that playbooks may read but others must not."""


@command.command(cls=o.Command, context_settings=HELP)
@o.shared(ENCRYPT_ID, o.VAULT, o.COMMON)
@NO_TERMINAL
@FILES
def create(**given: Any) -> int:
    """Write a new encrypted file in an editor."""
    vault, name = Vault(given), _one(given["names"])
    if name is None:
        raise OptionsError.of("one-file", "create makes one file", help="give its name")
    if Path(name).expanduser().exists():
        raise files.VaultFileError.of("file-exists", f"{name} is there already", help=f"pyplay vault edit {name}")
    secret = vault.new()
    if not sys.stdout.isatty() and not given["skip_tty_check"]:
        raise OptionsError.of(
            "no-terminal", "there is no terminal for an editor", help="--skip-tty-check opens it anyway"
        )
    plain = vault.edit(b"", name)
    files.write(name, files.encrypted(plain, secret, name=name, salt=vault.salt))
    return 0


@command.command(cls=o.Command, context_settings=HELP)
@o.shared(ENCRYPT_ID, o.VAULT, o.COMMON)
@FILES
def edit(**given: Any) -> int:
    """Change encrypted files in an editor.

    Identity and password stay.
    """
    vault = Vault(given)
    secrets = vault.old()
    for name in _some(given["names"]):
        unlocked = files.opened(files.read(name), secrets, name=name)
        plain = vault.edit(unlocked.plain, name)
        if plain != unlocked.plain:
            secret = vault.pick(secrets) if given["encrypt_vault_id"] else unlocked.secret
            files.write(name, files.encrypted(plain, secret, name=name, salt=vault.salt))
    return 0


@command.command(cls=o.Command, context_settings=HELP)
@o.shared(o.VAULT, o.COMMON)
@FILES
def view(**given: Any) -> int:
    """Show what encrypted files hold."""
    secrets = Vault(given).old()
    for name in given["names"] or (files.STANDARD,):
        files.write(files.STANDARD, files.opened(files.read(name), secrets, name=name).plain)
    return 0


@command.command("encrypt", cls=o.Command, context_settings=HELP)
@o.shared(o.VAULT, o.COMMON, OUTPUT, ENCRYPT_ID)
@FILES
def encrypt_files(**given: Any) -> int:
    """Encrypt files; without a file, standard input."""
    vault, names = Vault(given), given["names"] or (files.STANDARD,)
    files.one_output(names, given["output"])
    secret = vault.new()
    for name in names:
        files.write(given["output"] or name, files.encrypted(files.read(name), secret, name=name, salt=vault.salt))
    return done("Encryption successful")


@command.command("decrypt", cls=o.Command, context_settings=HELP)
@o.shared(OUTPUT, o.VAULT, o.COMMON)
@FILES
def decrypt_files(**given: Any) -> int:
    """Decrypt files; without a file, standard input."""
    vault, names = Vault(given), given["names"] or (files.STANDARD,)
    files.one_output(names, given["output"])
    secrets = vault.old()
    for name in names:
        files.write(given["output"] or name, files.opened(files.read(name), secrets, name=name).plain)
    return done("Decryption successful")


@command.command(cls=o.Command, context_settings=HELP)
@o.shared(o.VAULT, o.COMMON, ENCRYPT_ID, NEW)
@FILES
def rekey(**given: Any) -> int:
    """Give encrypted files another password."""
    vault = Vault(given)
    names, secrets = _some(given["names"]), vault.old()
    plain = {name: files.opened(files.read(name), secrets, name=name).plain for name in names}
    secret = vault.rekeyed()
    for name, data in plain.items():
        files.write(name, files.encrypted(data, secret, name=name, salt=vault.salt))
    return done("Rekey successful")


@command.command("encrypt_string", cls=o.Command, context_settings=HELP)
@o.shared(o.VAULT, o.COMMON, OUTPUT, ENCRYPT_ID, STRING)
@click.argument("texts", nargs=-1, metavar="[TEXT]...")
def encrypt_string(**given: Any) -> int:
    """Encrypt values for use in YAML files."""
    vault = Vault(given)
    secret = vault.new()
    values = _values(given)
    shown = "\n".join(_yaml(name, encrypt(text.encode(), secret, salt=vault.salt)) for name, text in values)
    files.write(given["output"] or files.STANDARD, f"{shown}\n".encode())
    return done("Encryption successful")


def _values(given: dict[str, Any]) -> list[tuple[str | None, str]]:
    """Give the values to encrypt with their names: the one asked for, the one from standard input, those given."""
    values: list[tuple[str | None, str]] = []
    names, texts = list(given["names"]), [text for text in given["texts"] if text != files.STANDARD]
    if given["prompt"]:
        name = given["stdin_name"] or (names.pop(0) if names else None)
        values.append((name, _asked(show=given["show_input"])))
    elif not texts or len(texts) < len(given["texts"]):
        values.append((given["stdin_name"], _from_stdin()))
    values += [(names.pop(0) if names else None, text) for text in texts]
    if any(not text for _, text in values):
        raise OptionsError.of("empty-value", "the value to encrypt is empty")
    return values


def _asked(*, show: bool) -> str:
    if show and sys.stdin.isatty():
        return click.prompt("String to encrypt", default="", show_default=False, err=True)
    return ask_hidden("String to encrypt: ")


def _from_stdin() -> str:
    if sys.stdin.isatty():
        say("Type the value to encrypt; ctrl-d ends it (twice, unless at the beginning of a line).")
    return sys.stdin.read()


def _yaml(name: str | None, text: str) -> str:
    """Give a variable with its encrypted value as YAML."""
    head = f"{name}: !vault |" if name else "!vault |"
    return "\n".join([head, *(INDENT + line for line in text.splitlines())])


def _one(names: Sequence[str]) -> str | None:
    return names[0] if len(names) == 1 else None


def _some(names: Sequence[str]) -> Sequence[str]:
    if not names:
        raise OptionsError.of("no-file", "no file is given", help="name the encrypted files")
    return names
