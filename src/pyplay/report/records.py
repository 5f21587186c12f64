"""Plays, tasks, results and figures as the mappings that machine-readable reports consist of.

Their keys are those of Ansible's callbacks `json` and `jsonl`, which existing parsers expect.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.report.places import line_of
from pyplay.report.shown import censored

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyplay.report.events import HostStats, PlayStart, TaskStart

_ONLY_VERBOSE = ("invocation", "exception")


def identifier(number: int) -> str:
    """Give the id of the task or play `number`, unique within a run, in the form of a UUID."""
    return f"00000000-0000-4000-8000-{number:012x}"


def play_record(play: PlayStart, number: int, duration: Mapping[str, str]) -> dict[str, Any]:
    """Give the record of a play, the run's `number`th."""
    return {
        "duration": duration,
        "id": identifier(number),
        "name": play.name,
        "path": line_of(play.path),
    }


def task_record(task: TaskStart, duration: Mapping[str, str]) -> dict[str, Any]:
    """Give the record of a task."""
    return {"duration": duration, "id": identifier(task.id), "name": task.name, "path": line_of(task.path)}


def result_record(result: Mapping[str, Any], action: str, *, private: bool, verbosity: int) -> dict[str, Any]:
    """Give the record of a result: all that was registered, and the `action` as the playbook names it."""
    kept = _kept(censored(result, private=private), verbosity)
    items = kept.get("results")
    if isinstance(items, list):
        kept["results"] = [_kept(item, verbosity) if isinstance(item, dict) else item for item in items]  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]  # any values
    kept["action"] = action
    return kept


def _kept(result: Mapping[str, Any], verbosity: int) -> dict[str, Any]:
    hidden = () if verbosity >= 3 else _ONLY_VERBOSE
    kept = {key: value for key, value in result.items() if key not in hidden and not str(key).startswith("_ansible_")}
    if not kept.get("failed"):
        kept.pop("failed", None)  # it is there where it holds
    return kept


def stats_record(stats: Mapping[str, HostStats]) -> dict[str, dict[str, int]]:
    """Give the figures of each host."""
    return {
        host: {
            "changed": s.changed,
            "failures": s.failed,
            "ignored": s.ignored,
            "ok": s.ok,
            "rescued": s.rescued,
            "skipped": s.skipped,
            "unreachable": s.unreachable,
        }
        for host, s in sorted(stats.items())
    }


def custom_records(custom: Mapping[str, Any], *, shown: bool) -> dict[str, Any]:
    """Give what set_stats collected, per host and for the run, where the settings let it be `shown`."""
    if not shown:
        return {"custom_stats": {}, "global_custom_stats": {}}
    per_host = {host: values for host, values in custom.items() if host != "_run"}
    return {"custom_stats": per_host, "global_custom_stats": custom.get("_run", {})}
