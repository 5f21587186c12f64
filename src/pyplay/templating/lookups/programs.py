"""Lookups that ask the controller's system: programs and environment."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING, Any

from pyplay.templating.filters.plain import shown
from pyplay.templating.lookups.base import LookupFailed
from pyplay.templating.lookups.options import as_terms, text, warn_unknown

if TYPE_CHECKING:
    from pyplay.templating.lookups.base import LookupCall


def env(terms: Any, call: LookupCall, *, default: Any = "", **unknown: Any) -> list[Any]:
    """Give environment variables of the controller; `default` (empty) for those not set."""
    warn_unknown(unknown, "env", call)
    found: list[Any] = []
    for term in as_terms(terms):
        value: Any = os.environ.get(text(term, "env", "a name").strip(), default)
        found.append("" if value is None else value)
    return found


def pipe(terms: Any, call: LookupCall, **unknown: Any) -> list[str]:
    """Give what shell commands on the controller print, white space at the end taken off. They must not fail."""
    warn_unknown(unknown, "pipe", call)
    return [_output(text(term, "pipe", "a command"), call, "pipe").rstrip() for term in as_terms(terms)]


def lines(terms: Any, call: LookupCall, **unknown: Any) -> list[str]:
    """Give the lines that shell commands on the controller print. A failing one is a failure."""
    warn_unknown(unknown, "lines", call)
    return [
        line
        for term in as_terms(terms)
        for line in _output(text(term, "lines", "a command"), call, "lines").splitlines()
    ]


def _output(command: str, call: LookupCall, lookup: str) -> str:
    """Run `command` by the shell in the playbook's directory."""
    try:
        done = subprocess.run(  # noqa: S602  # that is what these lookups are for
            command, shell=True, cwd=call.templar.basedir or None, stdin=subprocess.DEVNULL, capture_output=True,
            check=False,
        )  # fmt: skip
    except (OSError, ValueError) as error:
        raise LookupFailed(f"lookup '{lookup}': cannot run {shown(command)}: {error}") from error
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip()
        message = f"lookup '{lookup}': {shown(command)} ended with {done.returncode}"
        raise LookupFailed(f"{message}: {said}" if said else message)
    return done.stdout.decode("utf-8", "surrogateescape")
