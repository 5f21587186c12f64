"""`pyplay links DIRECTORY`: make the names of Ansible's programs lead to pyplay."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import click

from pyplay.cli import options as o
from pyplay.cli.about import version_option
from pyplay.cli.names import ANSIBLE_NAMES
from pyplay.diagnostics.errors import OptionsError
from pyplay.diagnostics.model import Diagnostic

SCRIPT = "pyplay"


@click.command(cls=o.Command, context_settings={"help_option_names": ["-h", "--help"]})
@o.option("--force", is_flag=True, help="Replace what stands there under these names.")
@o.shared(o.COMMON)
@version_option
@click.argument("directory", metavar="DIRECTORY")
def command(directory: str, *, force: bool, **_given: Any) -> int:
    """Make links named ansible-playbook, ansible, … to pyplay in DIRECTORY; on PATH, they are found there."""
    script = _script()
    for name in make_links(Path(directory).expanduser(), script, force=force):
        sys.stdout.write(f"{name} -> {script}\n")
    return 0


def make_links(directory: Path, script: Path, *, force: bool) -> list[str]:
    """Make the links to `script` that are not there yet; give their names.

    Raises OptionsError, before anything is made, for names that something else has (unless `force`).
    """
    faults = [fault for name in ANSIBLE_NAMES if (fault := _fault(directory / name, script, force=force))]
    if faults:
        raise OptionsError(faults)
    made: list[str] = []
    try:
        directory.mkdir(parents=True, exist_ok=True)
        for name in ANSIBLE_NAMES:
            if not _leads_to(directory / name, script):
                _link(directory / name, script)
                made.append(name)
    except OSError as error:
        message = f"cannot make links in {directory}: {error.strerror}"
        raise OptionsError.of("links", message, help="name a directory that you may write to") from error
    return made


def _fault(path: Path, script: Path, *, force: bool) -> Diagnostic | None:
    if path.is_dir() and not path.is_symlink():
        return Diagnostic("links", f"{path} is a directory", help="name another directory")
    if force or _leads_to(path, script) or not os.path.lexists(path):
        return None
    return Diagnostic("links", f"{path} is there and is no link to pyplay", help="--force replaces it")


def _leads_to(path: Path, script: Path) -> bool:
    return path.is_symlink() and path.readlink() == script


def _link(path: Path, script: Path) -> None:
    """Make or replace the link in one step: whoever looks finds the old one or the new one."""
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    fresh.symlink_to(script)
    fresh.replace(path)


def _script() -> Path:
    """Give the absolute path of pyplay's own script: the one that runs, or the one beside the interpreter."""
    for candidate in (Path(sys.argv[0]), Path(sys.executable).with_name(SCRIPT)):
        if candidate.name == SCRIPT and candidate.is_file():
            return candidate.absolute()
    message = "cannot tell where the script `pyplay` is"
    raise OptionsError.of("links", message, help="install pyplay as a package, then run `pyplay links DIRECTORY`")
