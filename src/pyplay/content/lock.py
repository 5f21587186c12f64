"""`pyplay.lock`: one line for each role and collection that was chosen, so that every install gives the same.

A line is `KIND NAME VERSION SOURCE HASH…`, words between single spaces; lines are in order of kind and name, so the
locks of two branches merge line by line.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from pyplay.content.faults import ContentError
from pyplay.content.names import Kind
from pyplay.diagnostics.dataclass import dataclass
from pyplay.diagnostics.model import Diagnostic, Origin

NAME = "pyplay.lock"
if TYPE_CHECKING:
    from pathlib import Path

_HEAD = "# Written by `pyplay install`; keep it with requirements.yml. kind name version source hashes\n"
_HASHES = ("h1:", "zh:")


@dataclass(frozen=True, slots=True)
class Locked:
    """What was chosen. `version` of what comes from git is a commit; `hashes` begin with their scheme."""

    kind: Kind
    name: str
    version: str
    source: str
    hashes: tuple[str, ...]

    @property
    def line(self) -> str:
        """The line that stands for it."""
        return " ".join((self.kind, self.name, self.version, self.source.replace(" ", "%20"), *sorted(self.hashes)))


def write_lock(path: Path, entries: list[Locked]) -> bool:
    """Write the lock at `path` in one step; whether it changed."""
    lines = sorted(entry.line for entry in entries)
    text = _HEAD + "".join(line + "\n" for line in lines)
    if path.is_file() and path.read_text(encoding="utf-8") == text:
        return False
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        fresh.write_text(text, encoding="utf-8")
        fresh.replace(path)
    except OSError as error:
        message = f"cannot write {path}: {error.strerror}"
        raise ContentError.of("unwritable", message, help="--no-lock installs without one") from error
    finally:
        fresh.unlink(missing_ok=True)
    return True


def read_lock(path: Path) -> dict[tuple[Kind, str], Locked]:
    """Return what the lock at `path` holds, by kind and name. Raise ContentError with every fault and its line."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError as error:
        help_ = "make it with `pyplay install -r requirements.yml`"
        raise ContentError.of("no-lock", f"there is no {path}", help=help_) from error
    except (OSError, UnicodeError) as error:
        raise ContentError.of("bad-lock", f"{path} cannot be read: {error}") from error
    entries: dict[tuple[Kind, str], Locked] = {}
    faults: list[Diagnostic] = []
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        entry = _entry(line)
        if isinstance(entry, str):
            faults.append(Diagnostic("bad-lock", entry, Origin(str(path), number, 1), help=_mend(line)))
        elif (entry.kind, entry.name) in entries:
            message = f"the {entry.kind} {entry.name} is locked twice"
            faults.append(Diagnostic("bad-lock", message, Origin(str(path), number, 1), help="keep one of the lines"))
        else:
            entries[entry.kind, entry.name] = entry
    if faults:
        raise ContentError(faults)
    return entries


def _entry(line: str) -> Locked | str:
    words = line.split(" ")
    if line.startswith(("<<<<<<<", "=======", ">>>>>>>")):
        return "git could not merge this place"
    if len(words) < 5 or words[0] not in list(Kind) or not all(word.startswith(_HASHES) for word in words[4:]):
        return "a line of the lock is `KIND NAME VERSION SOURCE HASH…`"
    return Locked(Kind(words[0]), words[1], words[2], words[3].replace("%20", " "), tuple(words[4:]))


def _mend(line: str) -> str:
    if line.startswith(("<", "=", ">")):
        return "keep the lines that you want, or remove the lock and make it anew"
    return "make it anew with `pyplay install -r requirements.yml`"
