"""Checking what a task says about files before anything runs: modes read as decimal, sources that are missing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.actions.option_check import is_unknown
from pyplay.diagnostics.late_modules import late_modules
from pyplay.diagnostics.model import Diagnostic, Severity
from pyplay.diagnostics.patterns import late_pattern
from pyplay.playbook.arguments import RAW, VARIABLE
from pyplay.playbook.builtin import short_name
from pyplay.playbook.workspace import similar_file
from pyplay.source.booleans import may_be_true, read_boolean
from pyplay.source.text import origin_of
from pyplay.templating.lookups.search import candidates, find_file

with late_modules("pyplay.diagnostics.render", "pyplay.source.text_place"):
    from pyplay.diagnostics import render
    from pyplay.source import text_place

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pyplay.playbook.model import Task

_MODES = ("mode", "directory_mode")
_OCTAL = late_pattern(r"[0-7]{3,4}")
_WRITTEN = late_pattern(r"\s*:\s*([0-9]+)\s*(?:[#,}].*)?")
_SUBDIRS = {
    "ansible.builtin.template": "templates",
    "ansible.builtin.copy": "files",
    "ansible.builtin.script": "files",
    "ansible.builtin.include_vars": "vars",
    "ansible.builtin.unarchive": "files",
}
"""Modules that read a local file, and the directory that it is searched in first."""


def mode_faults(task: Task) -> Iterator[Diagnostic]:
    """Warn of a file mode written as `644`: YAML reads a decimal number, whose bits are those of another mode."""
    for name in _MODES:
        value = task.args.get(name)
        if type(value) is not int or not _OCTAL.fullmatch(str(value)):
            continue
        origin = task.arg_origins.get(name)
        line = render.source_line(origin) if origin else None
        if origin is None or line is None:
            continue
        written = _WRITTEN.fullmatch(line, origin.column - 1 + len(name))
        if written and not written[1].startswith("0"):  # 0644 is octal in YAML 1.1
            yield Diagnostic(
                "decimal-mode",
                "file mode is read as a decimal number",
                type(origin)(origin.path, origin.line, written.start(1) + 1),
                length=len(written[1]),
                label=f"means {value:#o}",
                help=f"quote it: '0{written[1]}'" if len(written[1]) == 3 else f"quote it: '{written[1]}'",
                severity=Severity.WARNING,
                key=name,
            )


def reads_file(task: Task) -> bool:
    """Tell whether the task's module reads a local file."""
    return task.resolved_action in _SUBDIRS


def missing_source(task: Task, search_path: Sequence[str], basedir: str) -> Diagnostic | None:
    """Give the fault of a local file that the task names and that is nowhere; None where all is well or not known.

    The task's module `reads_file`.
    """
    name = _local_source(task)
    if name is None:
        return None
    subdir = _SUBDIRS[task.resolved_action]
    if find_file(search_path, basedir, subdir, name) is not None:
        return None
    searched = list(candidates(search_path, basedir, subdir, name))
    key = _key(task)
    written = task.args.get(key)
    origin = origin_of(written) or task.arg_origins.get(key) or task.origin
    exact = isinstance(written, str) and str(written) == name and origin_of(written) is not None
    length = len(name) if exact else 0
    if exact and key != RAW and origin == task.arg_origins.get(key):
        origin, length = text_place.place_in_text(origin, key, name)
    return Diagnostic(
        "missing-file",
        f"{task.action}: there is no file '{name}'",
        origin,
        length=length,
        help=next((text for path in searched if (text := similar_file(path))), ""),
        notes=(f"searched: {', '.join(searched)}",),
        key=key,
    )


def _key(task: Task) -> str:
    names = {"script": (RAW, "cmd"), "include_vars": (RAW, "file")}.get(short_name(task.resolved_action), ("src",))
    return next((name for name in names if task.args.get(name)), names[-1])


def _local_source(task: Task) -> str | None:
    """Give the local file or directory that a task names, None where it names none, or not literally."""
    short, args = short_name(task.resolved_action), task.args
    if VARIABLE in args:
        return None
    value = args.get(_key(task))
    if not isinstance(value, str) or is_unknown(value) or not value.strip():
        return None
    if task.module_defaults or (RAW in args and short not in ("script", "include_vars")):
        return None
    if short == "script":
        return _first_word(value)
    if short == "copy" and ("content" in args or may_be_true(args.get("remote_src"))):
        return None
    if short == "unarchive" and _is_remote_archive(args, value):
        return None
    return str(value)


def _is_remote_archive(args: Any, src: str) -> bool:
    unless = "creates" in args or may_be_true(args.get("remote_src")) or "://" in src
    return unless or ("copy" in args and read_boolean(args["copy"]) is not True)


def _first_word(line: str) -> str | None:
    from shlex import split  # noqa: PLC0415  # for scripts alone

    try:
        words = split(line)
    except ValueError:
        return None
    return words[0] if words else None
