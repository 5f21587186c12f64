"""Keywords of a task that are read on the worker, rendered for one host and item."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from types import NoneType
from typing import TYPE_CHECKING, Any, cast

from pyplay.diagnostics.dataclass import dataclass, replace
from pyplay.diagnostics.errors import AuthorError, PlaybookError, UndefinedError
from pyplay.diagnostics.model import Diagnostic, Severity
from pyplay.playbook.builtin import short_name
from pyplay.playbook.fields import READERS, BadValueError
from pyplay.playbook.keywords import TASK, Takes, keywords_of
from pyplay.source.text import Trusted, origin_of
from pyplay.templating.omit import OMIT
from pyplay.templating.syntax import is_template
from pyplay.workers.values import KEYWORD, number, resolve_keyword, truth

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyplay.playbook.model import Task
    from pyplay.templating.templar import Templar

DEBUGGER = ("always", "never", "on_failed", "on_unreachable", "on_skipped")
_GATHERS = ("setup", "gather_facts")
_DEFAULT_RETRIES = 3
_DEFAULT_DELAY = 5.0  # seconds
_LONGEST_TIMEOUT = 100_000_000  # seconds; the bound that ansible-core 2.21 names
_CHECKED = tuple(
    row for row in keywords_of(TASK).values() if row.takes in (Takes.BOOL, Takes.INT, Takes.NUMBER)
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Refused:
    """A condition that did not hold, as written."""

    condition: Any


def flag(templar: Templar, raw: Any, keyword: str, default: bool = False) -> bool:  # noqa: FBT001, FBT002  # goes through Evaluator.run
    """Give a boolean keyword, `default` where it is not set or rendered to `omit`."""
    if raw is None:
        return default
    value = resolve_keyword(templar, raw, keyword)
    return default if value is OMIT or value is None else truth(value, keyword)


_TEXTS = ("become_user", "become_method", "become_exe", "become_flags", "connection", "remote_user")


def is_unsure(task: Task) -> bool:
    """Tell whether `check_values` has something to look at in `task`."""
    values = (getattr(task, row.field) for row in _CHECKED)
    if task.debugger is not None or any(not isinstance(value, (bool, int, float, NoneType)) for value in values):
        return True
    return any(isinstance(text := getattr(task, name), str) and is_template(text) for name in _TEXTS)


def check_values(templar: Templar, task: Task) -> None:
    """Raise AuthorError for the first keyword with a value that is no boolean or number, or cannot be rendered.

    Those that are used late, or in this task not at all, fail it as well (observed with ansible-core 2.21).
    """
    check_debugger(task)
    for row in _CHECKED:
        raw = getattr(task, row.field)
        if raw is None or isinstance(raw, (bool, int, float)):
            continue
        value = resolve_keyword(templar, raw, row.name)
        if value is None or value is OMIT:
            continue
        try:
            READERS[row.takes](value)
        except BadValueError as error:
            message = f"{KEYWORD.format(row.name)} it {error}"
            raise PlaybookError.of("bad-value", message, origin_of(raw), help=error.mend) from error
    for name in _TEXTS:
        raw = getattr(task, name)
        if isinstance(raw, str) and is_template(raw):
            resolve_keyword(templar, raw, name)


def check_debugger(task: Task) -> None:
    """Raise PlaybookError for a `debugger` that is none of its choices; as core, a template is not looked at."""
    when = task.debugger
    if when is not None and not is_template(when) and when not in DEBUGGER:
        message = f"'debugger' takes {', '.join(DEBUGGER)}, not {when!r}"
        raise PlaybookError.of("bad-value", message, origin_of(when) or task.origin)


def lenient_flag(templar: Templar, raw: Any, keyword: str) -> bool:
    """Give a boolean keyword that is read once the work is done; what cannot be rendered counts as not set."""
    if raw is None:
        return False
    try:
        return flag(templar, raw, keyword)
    except AuthorError:
        return False


def first_false(templar: Templar, conditions: Sequence[Any], keyword: str) -> Refused | None:
    """Give the first of `conditions` that does not hold, None if all do. Faults are told with `keyword` before them."""
    for condition in conditions:
        try:
            verdict = templar.check(condition)
        except AuthorError as error:
            raise error.led(f"{keyword}:") from error
        if not verdict.holds:
            return Refused(verdict.condition)
    return None


def attempts_of(templar: Templar, task: Task) -> int:
    """Give how often the action may run: once, and as often again as `retries` says."""
    if task.retries is None:
        return _DEFAULT_RETRIES + 1 if task.until else 1
    value = resolve_keyword(templar, task.retries, "retries")
    if value is None or value is OMIT:
        return _DEFAULT_RETRIES + 1 if task.until else 1
    return max(0, int(number(value, "retries"))) + 1


def delay_of(templar: Templar, task: Task) -> float:
    """Give the seconds to wait between attempts."""
    value = resolve_keyword(templar, task.delay, "delay")
    return _DEFAULT_DELAY if value is None or value is OMIT else max(0.0, number(value, "delay"))


def timeout_of(templar: Templar, task: Task) -> float | None:
    """Give the seconds the action may take, None for no bound. Raises PlaybookError for what is out of range."""
    value = resolve_keyword(templar, task.timeout, "timeout") if task.timeout is not None else None
    if value is None or value is OMIT:
        return None
    seconds = number(value, "timeout")
    if not 0 <= seconds <= _LONGEST_TIMEOUT:
        raise PlaybookError.of(
            "timeout", f"Timeout {seconds:.12g} is invalid: 'timeout' takes seconds from 0 to {_LONGEST_TIMEOUT}",
            origin_of(task.timeout) or task.origin,
        )  # fmt: skip
    return (int(seconds) if seconds == int(seconds) else seconds) or None


def delegate_of(templar: Templar, task: Task) -> str | None:
    """Give the name of the host that does the task's work. Raises PlaybookError for what names none."""
    value = resolve_keyword(templar, task.delegate_to, "delegate_to")
    if value is None or value is OMIT:
        return None
    if not isinstance(value, str) or not value.strip():
        raise PlaybookError.of("delegate", f"delegate_to names no host: {value!r}", origin_of(task.delegate_to))
    return str(value)


def address_of(templar: Templar, delegate: str | None, host: str) -> str | None:
    """Give the `ansible_host` of a delegate for the lines of results, None where there is none to be shown."""
    if delegate is None or delegate == host:
        return None
    text = Trusted("{{ hostvars[%s].ansible_host | default('') }}" % json.dumps(delegate))  # noqa: UP031  # braces
    try:
        return str(templar.resolve(text) or "") or None
    except AuthorError:
        return None


def without_omitted(templar: Templar, task: Task) -> Task:
    """Return `task` with the values around it in place of keywords that render to `omit`."""
    changes: dict[str, Any] = {}
    for name, around in task.outer.items():
        raw = inherited_if_omitted(templar, getattr(task, name), around)
        if raw is not getattr(task, name):
            changes[name] = raw
    return replace(task, **changes) if changes else task


def inherited_if_omitted(templar: Templar, raw: Any, around: Sequence[Any]) -> Any:
    """Return the first of `raw` and the values `around`, nearest first, that does not render to `omit`."""
    for outer in around:
        try:
            if templar.resolve(raw) is not OMIT:
                break
        except AuthorError:
            break
        raw = outer
    return raw


def notifications_of(templar: Templar, task: Task) -> tuple[str, ...]:
    """Give the names of the handlers (or topics) that the task notifies."""
    names: list[str] = []
    for raw in task.notify:
        value = templar.resolve(raw)
        names.extend(str(name) for name in (value if isinstance(value, (list, tuple)) else [value]) if name)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]  # names
    return tuple(names)


def environment_of(templar: Templar, task: Task) -> dict[str, str]:
    """Give the environment of the task's module: outer levels first, inner ones win."""
    found: dict[str, str] = {}
    for level in task.environment:
        value = _level(templar, level, task)
        for entry in value if isinstance(value, (list, tuple)) else [value]:  # pyright: ignore[reportUnknownVariableType]  # checked below
            if entry is None or entry is OMIT:
                continue
            if not isinstance(entry, Mapping):
                message = f"environment needs a mapping, {entry!r} is passed over"
                origin = origin_of(level) or task.origin
                templar.notices.append(Diagnostic("environment", message, origin, severity=Severity.WARNING))
                continue
            found.update(_words(entry))  # pyright: ignore[reportUnknownArgumentType]  # checked there
    return found


def _level(templar: Templar, level: Any, task: Task) -> Any:
    """Return one level of `environment`, without the members that ask for `ansible_env` before there are facts.

    A play adds to the PATH of its hosts this way, and its facts are gathered in that environment.
    Source: observed with ansible-core 2.21, which forgives this in every task.
    """
    try:
        return templar.resolve(level)
    except UndefinedError:
        if isinstance(level, Mapping):
            pairs = cast("Mapping[Any, Any]", level).items()
            return {name: _member(templar, value, task) for name, value in pairs}
        if isinstance(level, list):
            return [_level(templar, entry, task) for entry in cast("list[Any]", level)]
        raise


def _member(templar: Templar, value: Any, task: Task) -> Any:
    """Return a member of `environment`, OMIT where it needs facts of the environment that are not known yet."""
    try:
        return templar.resolve(value)
    except UndefinedError as error:
        message = str(error)
        if "ansible_env" in message or (
            "ansible_facts.env" in message and short_name(task.resolved_action) in _GATHERS
        ):
            return OMIT
        raise


def _words(entry: Mapping[Any, Any]) -> Iterable[tuple[str, str]]:
    return ((str(name), str(value)) for name, value in entry.items() if value is not OMIT and value is not None)
