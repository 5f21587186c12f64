"""Passwords that options want: asked for, read from files, told by programs."""

from __future__ import annotations

import os
import sys

import click

from pyplay.diagnostics.errors import AuthorError
from pyplay.source.paths import is_file


def read_password(ask: bool, file: str | None, prompt: str) -> str | None:  # noqa: FBT001  # as the option says
    """Give a password from a file, or from a prompt (without a terminal: the next line of standard input).

    None if neither is wanted. Raises AuthorError.
    """
    if file:
        return _password_from(file)
    if not ask:
        return None
    if sys.stdin.isatty():
        return click.prompt(prompt, hide_input=True, default="", show_default=False, prompt_suffix="", err=True)
    return sys.stdin.readline().rstrip("\r\n")


def _password_from(name: str) -> str:
    if name == "-":
        password = sys.stdin.readline().rstrip("\r\n")
    else:
        path = os.path.expanduser(name)  # noqa: PTH111  # plain text
        try:
            password = _printed(path) if os.stat(path).st_mode & 0o111 else _read(path).strip()  # noqa: PTH116  # plain text
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            message = f"cannot read the password file {name}: {reason}"
            raise AuthorError.of("password-file", message, help=_mend(path)) from error
    if not password:
        message = f"the password from {'standard input' if name == '-' else name} is empty"
        raise AuthorError.of("password-file", message, help="give a file with the password on its first line")
    return password


def _read(path: str) -> str:
    with open(path) as file:  # noqa: PTH123  # plain text
        return file.read()


def _printed(path: str) -> str:
    """Give what the program at `path` prints. It is called by its own name, which it may look at."""
    import subprocess  # noqa: PLC0415  # few passwords come from programs

    done = subprocess.run([os.path.abspath(path)], stdout=subprocess.PIPE, text=True, check=False)  # noqa: PTH100  # links stay
    if done.returncode:
        raise AuthorError.of("password-file", f"the password script {path} ended with {done.returncode}")
    return done.stdout.strip("\r\n")


def _mend(path: str) -> str:
    if os.access(path, os.X_OK) and is_file(path):
        return "a file that is no program must not be executable: chmod -x"
    return "give a file with the password on its first line"
