"""Checking the arguments of a task before anything runs: what is known by then, against the table of its module."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.actions.spec import validated
from pyplay.diagnostics.late_modules import late_modules
from pyplay.diagnostics.model import Diagnostic, Origin, Severity
from pyplay.diagnostics.patterns import late_pattern
from pyplay.diagnostics.suggest import did_you_mean
from pyplay.playbook.arguments import RAW, VARIABLE
from pyplay.playbook.builtin import short_name
from pyplay.source.shapes import is_list, is_map
from pyplay.source.text import SourceMap, Trusted, origin_of
from pyplay.source.vault import VaultText

with late_modules("pyplay.source.text_place"):
    from pyplay.source import text_place

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pyplay.actions.spec import Fault
    from pyplay.actions.tables import OptionTable
    from pyplay.playbook.model import Task

_GROUP = "group/"
_PART = late_pattern(r"[^.\[\]]+")


def is_unknown(value: Any) -> bool:
    """Tell whether a raw value is known only when the task is reached: a template, or something sealed."""
    if isinstance(value, VaultText):
        return True
    return isinstance(value, str) and ("{{" in value or "{%" in value or "{#" in value)


def option_faults(task: Task, table: OptionTable) -> list[Diagnostic]:
    """Give the faults of the task's arguments as far as they are known, each placed where it is written.

    Options that a template or `module_defaults` may add are not missed.
    """
    names, args = table.names, task.args
    open_ended = VARIABLE in args or (RAW in args and RAW not in names) or _has_defaults(task)
    shape = _shape(args, table, open_ended=open_ended)
    if shape in table.clean:
        return []
    given = {name: value for name, value in args.items() if name in names}
    others = [name for name in args if name not in names and name not in (RAW, VARIABLE) and not is_unknown(name)]
    found = list(_other_faults(task, table, others))
    faults = validated(table.spec, given, is_unknown).faults
    found += [_placed(fault, task, table) for fault in faults if fault.code != "missing-option" or not open_ended]
    if not found and shape is not None:
        table.clean.add(shape)
    return found


def _shape(args: Mapping[str, Any], table: OptionTable, *, open_ended: bool) -> Any:
    """Give what the verdict depends on: the names, and the values that are judged; None if that cannot be told."""
    names, judged, taken = table.names, table.judged, table.spec.get("others") == "taken"
    parts: list[Any] = [open_ended]
    for name, value in args.items():
        own = names.get(name)
        if own is None and taken:
            continue
        parts.append(name)
        kind = judged.get(own) if own is not None else None
        if is_unknown(value):
            parts.append("{{")
        elif value is None or kind is None:
            parts.append(value is None)
        elif kind == "int" and type(value) is int:
            parts.append(int)
        elif kind == "words" and (isinstance(value, str) or _is_words(value)):
            parts.append(str)
        elif isinstance(value, (str, int, float)):
            parts.append((type(value) is bool, isinstance(value, str), value))
        else:
            return None
    return tuple(parts)


def _is_words(value: Any) -> bool:
    return is_list(value) and all(isinstance(item, str) for item in value)


def _has_defaults(task: Task) -> bool:
    """Tell whether `module_defaults` may add options to the task."""
    if not task.module_defaults:
        return False
    names = {short_name(task.action), short_name(task.resolved_action)}
    for level in task.module_defaults:
        if not is_map(level):
            return True
        if any(short_name(str(key)) in names or str(key).startswith(_GROUP) or is_unknown(key) for key in level):
            return True
    return False


def _other_faults(task: Task, table: OptionTable, others: list[str]) -> Iterator[Diagnostic]:
    """Give the options that the table does not name; they are ignored where it says so, and taken where it does."""
    how = table.spec.get("others")
    if how == "taken":
        return
    known = sorted(name for name in table.names if not name.startswith("_"))
    for name in others:
        if name in table.spec.get("also", ()) or name.startswith("_"):
            continue
        origin, length = text_place.name_place(name, task.args, task.arg_origins)
        yield Diagnostic(
            "unknown-option",
            f"'{task.action}' has no option '{name}'" + (" and passes over it" if how == "ignored" else ""),
            origin or task.origin,
            length=length,
            help=did_you_mean(name, known) or f"options are: {', '.join(known)}",
            severity=Severity.WARNING if how == "ignored" else Severity.ERROR,
            key=name,
        )


def _placed(fault: Fault, task: Task, table: OptionTable) -> Diagnostic:
    key, origin, length = _place(fault, task, table)
    secret = bool(table.options.get(table.names.get(key, key), {}).get("no_log")) or task.no_log is not None
    message = "a value of this option does not fit" if secret and fault.code != "missing-option" else fault.message
    return Diagnostic(
        fault.code,
        f"{task.action}: {message}",
        origin,
        length=length,
        help="" if secret else fault.help,
        key=fault.option,
    )


def _place(fault: Fault, task: Task, table: OptionTable) -> tuple[str, Origin, int]:
    """Give the argument that a fault is about as it was written, and where it, or the wrong value in it, stands."""
    parts: list[str] = _PART.findall(fault.option)
    head = parts[0] if parts else ""
    key = next((name for name in task.args if table.names.get(name) == head), head)
    origin, length = text_place.name_place(key, task.args, task.arg_origins)
    if key not in task.args:
        return key, task.origin, 0
    value: Any = task.args[key]
    for part in parts[1:]:
        inner, place = place_inside(value, part)
        if place is not None:
            origin, length = place, len(part)
        if inner is None:
            break
        value = inner
    if fault.code in ("bad-choice", "wrong-type") and isinstance(value, Trusted) and (place := origin_of(value)):
        if place == task.arg_origins.get(key):
            origin, length = text_place.place_in_text(place, key, value)
        else:
            origin, length = place, len(value) if "\n" not in value else 0
    return key, origin or task.origin, length if origin else 0


def place_inside(value: Any, part: str) -> tuple[Any, Origin | None]:
    """Give what stands under a key or index of a value, and where the key stands."""
    if isinstance(value, SourceMap):
        return value.get(part), value.key_origins.get(part)
    if is_list(value) and part.isdigit() and int(part) < len(value):
        return value[int(part)], origin_of(value[int(part)])
    return None, None
