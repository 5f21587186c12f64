"""Roles and collections that are kept in git: the system's git clones them, and asks nobody for a password."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import TYPE_CHECKING

from pyplay.content.faults import ContentError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


def clone(url: str, version: str, target: Path, environ: Mapping[str, str] | None = None) -> str:
    """Clone `url` into the new directory `target` at a branch, tag or commit; return the commit.

    `target` holds the files alone afterwards, without git's own. Raise ContentError in git's words.
    """
    environ = {**(os.environ if environ is None else environ), "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
    environ.setdefault("GIT_SSH_COMMAND", "ssh -o BatchMode=yes")
    _git(["clone", "--quiet", "--", url, str(target)], url, environ)
    if version and version.upper() != "HEAD":
        _git(["-C", str(target), "checkout", "--quiet", version, "--"], url, environ)
    if (target / ".gitmodules").is_file():
        _git(["-C", str(target), "submodule", "update", "--quiet", "--init", "--recursive"], url, environ)
    commit = _git(["-C", str(target), "rev-parse", "HEAD"], url, environ).strip()
    shutil.rmtree(target / ".git")
    return commit


def _git(words: list[str], url: str, environ: Mapping[str, str]) -> str:
    try:
        done = subprocess.run(["git", *words], env=environ, capture_output=True, check=False, stdin=subprocess.DEVNULL)
    except FileNotFoundError as error:
        raise ContentError.of("no-git", f"{url} needs git, which is not here", help="install git") from error
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        last = said[-1] if said else f"git ended with {done.returncode}"
        raise ContentError.of("git", f"{url}: {last}", help="see whether URL and version are right: git clone URL")
    return done.stdout.decode()
