"""Where vault passwords come from: files, programs that print them, a prompt."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from pyplay.diagnostics.dataclass import replace
from pyplay.diagnostics.errors import AuthorError, OptionsError
from pyplay.diagnostics.model import Origin, Severity
from pyplay.source.paths import can_be_read
from pyplay.source.vault import DEFAULT_LABEL, VaultSecret, VaultSecrets, is_vault_text, unlock

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pyplay.diagnostics.model import Diagnostic

    Ask = Callable[[str], str]

PROMPTS = ("prompt", "prompt_ask_vault_pass")


def load_vault_secrets(
    *,
    ids: Sequence[str] = (),
    password_files: Sequence[str] = (),
    ask: bool = False,
    prompt: Ask | None = None,
    default_label: str = DEFAULT_LABEL,
    match: bool = False,
    on_warning: Callable[[Diagnostic], None] | None = None,
    to_encrypt: bool = False,
) -> VaultSecrets:
    """Give the passwords that the options and settings name, in the order in which they are to be tried.

    `ids` are `LABEL@SOURCE` or a source alone, a source being a file, a program, or `prompt`; `password_files` are
    sources without a label; `ask` asks for one more. `prompt` takes the text to show and gives what was typed.
    A password file may be a vault itself, which a password before it opens. A source that gives no password is warned
    about if another one gives one; but not where they are wanted `to_encrypt`: what was meant for one password must not
    be encrypted with another. Raises OptionsError if no source gives one.
    """
    sources = [split_id(text, default_label) for text in ids]
    sources += [(default_label, path) for path in password_files]
    if ask:
        sources.append((default_label, "prompt"))
    secrets: list[VaultSecret] = []
    failures: list[AuthorError] = []
    for label, source in sources:
        try:
            secrets.append(_load(label, source, prompt, secrets))
        except AuthorError as error:
            failures.append(error)
    if failures and (to_encrypt or not secrets):
        raise failures[-1]
    for diagnostic in (each for failure in failures for each in failure.diagnostics):
        if on_warning:
            on_warning(replace(diagnostic, severity=Severity.WARNING))
    return VaultSecrets(tuple(dict.fromkeys(secrets)), match)


def split_id(text: str, default_label: str = DEFAULT_LABEL) -> tuple[str, str]:
    """Give label and source of a vault id `LABEL@SOURCE`; text without `@` is a source."""
    label, at, source = text.partition("@")
    return (label or default_label, source) if at else (default_label, text)


def read_password(source: str, label: str) -> bytes:
    """Give the password in the file `source`, or what it prints if it is a program. Raises OptionsError.

    A program whose name ends in `-client` (before its extension) is told the label with `--vault-id`.
    """
    path = os.path.expanduser(source)  # noqa: PTH111  # plain text
    origin = Origin(path)
    if not can_be_read(path):
        raise OptionsError.of("no-vault-password", f"the vault password file {path} does not exist", origin)
    try:
        data = _run(path, label) if os.access(path, os.X_OK) else _read(path)
    except OSError as error:
        reason = error.strerror or str(error)
        mend = "a file that is no program must not be executable (chmod -x)" if os.access(path, os.X_OK) else ""
        raise OptionsError.of("no-vault-password", f"cannot use {path}: {reason}", origin, help=mend) from error
    password = data.strip(b"\r\n") if os.access(path, os.X_OK) else data.strip()
    if not password:
        raise OptionsError.of("no-vault-password", f"the vault password from {path} is empty", origin)
    return password


def _read(path: str) -> bytes:
    with open(path, "rb") as file:  # noqa: PTH123  # plain text
        return file.read()


def _run(path: str, label: str) -> bytes:
    argv = [os.path.abspath(path)]  # noqa: PTH100  # links stay: what they point to may look at its own name
    if os.path.splitext(path)[0].endswith("-client"):  # noqa: PTH122  # plain text
        argv += ["--vault-id", label]
    import subprocess  # noqa: PLC0415  # only where a program is asked

    done = subprocess.run(argv, capture_output=True, check=False)
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip()
        message = f"the vault password program {path} ended with {done.returncode}"
        raise OptionsError.of("no-vault-password", message, Origin(path), label=said)
    return done.stdout


def _load(label: str, source: str, prompt: Ask | None, known: Sequence[VaultSecret]) -> VaultSecret:
    if source not in PROMPTS:
        password = read_password(source, label)
        if is_vault_text(password):
            password = unlock(password.decode(), VaultSecrets(tuple(known)), Origin(source)).plain.strip()
        return VaultSecret(label, password)
    if prompt is None:
        raise OptionsError.of("no-vault-password", "there is no terminal to ask for the vault password on")
    shown = "Vault password: " if label == DEFAULT_LABEL else f"Vault password ({label}): "
    typed = prompt(shown).strip()
    if not typed:
        raise OptionsError.of("no-vault-password", "the vault password that was typed is empty")
    return VaultSecret(label, typed.encode())
