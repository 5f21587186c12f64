"""Which of our reporters a callback's name means."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyplay.diagnostics.dataclass import dataclass
from pyplay.diagnostics.deprecated import CALLBACKS, deprecated
from pyplay.diagnostics.model import Diagnostic, Severity

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

_HOMES = frozenset({"ansible.builtin", "ansible.legacy", "ansible.posix", "community.general"})
SHOWING = frozenset(
    {
        *("default", "yaml", "debug", "skippy", "actionable", "stderr", "default_without_diff"),
        *("minimal", "oneline", "json", "jsonl", "dense", "unixy", "null"),
    }
)
"""Reporters that show the whole run: one of them has standard output."""
BESIDE = frozenset({"timer", "profile_tasks", "profile_roles", "junit", "tree"})
"""Reporters that go with another one."""

LIVE = frozenset({"default", "yaml", "debug", "skippy", "actionable", "default_without_diff"})
"""Reporters under whose lines a progress line may stand on a terminal."""

FOR_PROGRAMS = frozenset({"json", "jsonl"})
"""Reporters whose output programs read: nothing else may stand on standard output."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The reporters of a run: `stdout` shows it, `beside` are those that go with it, in order."""

    stdout: str
    beside: tuple[str, ...] = ()
    warnings: tuple[Diagnostic, ...] = ()


def choose(stdout: str, enabled: Sequence[str]) -> Choice:
    """Give the reporters that the names of callbacks, short or full, mean.

    One of those that go with another may be named for standard output, too: then nothing else is written there. What
    we do not have is a warning, and the run goes on with the rest.
    """
    shows = _ours(stdout, SHOWING | BESIDE)
    beside = [name for name in map(_short, enabled) if name in BESIDE]
    if shows in BESIDE:
        beside.insert(0, shows)
    warnings = (*_of_stdout(stdout, shows), *_of_enabled(enabled, shows))
    old = CALLBACKS.intersection((shows, *beside))
    warnings += tuple(deprecated("callback", {"name": name}) for name in sorted(old))
    return Choice("null" if shows in BESIDE else shows or "default", tuple(dict.fromkeys(beside)), warnings)


def _of_stdout(stdout: str, shows: str) -> Iterator[Diagnostic]:
    if not shows:
        yield _foreign(f"the callback {stdout} is not there: the run is shown as by `default`", SHOWING)


def _of_enabled(enabled: Sequence[str], shows: str) -> Iterator[Diagnostic]:
    for name in dict.fromkeys(enabled):
        short = _short(name)
        if short in SHOWING and short not in (shows, "default"):
            text = f"the callback {name} shows a run alone, it does not go with another"
            yield Diagnostic("callback", text, severity=Severity.WARNING, help=f"set stdout_callback = {name}")
        elif short not in SHOWING | BESIDE:
            yield _foreign(f"the callback {name} is not there: the run goes on without it", BESIDE)


def _foreign(text: str, known: Collection[str]) -> Diagnostic:
    help_ = f"callback plugins of others do not run here; there are {', '.join(sorted(known))}"
    return Diagnostic("callback", text, severity=Severity.WARNING, help=help_)


def _ours(name: str, known: Collection[str]) -> str:
    short = _short(name)
    return short if short in known else ""


def _short(name: str) -> str:
    """Give the name without the collections that our reporters stand for; that of another one stays whole."""
    home, _, short = name.strip().rpartition(".")
    return short if not home or home in _HOMES else name
