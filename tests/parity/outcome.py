"""Reads what a run printed into values that can be compared between two implementations."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

RESULT = re.compile(
    r"^(?P<state>ok|changed|skipping|failed|fatal|included): (?:\[(?P<host>[^\]]*)\]|(?P<path>\S+) for (?P<hosts>.*?)(?= => |$))"
    r"(?P<bad>: (?:FAILED|UNREACHABLE)!)?(?: (?:=> )?\(item=(?P<item>.*?)\))?\s*(?:=> (?P<json>\{.*))?$"
)
BANNER = re.compile(r"^(?P<kind>PLAY|TASK|RUNNING HANDLER)(?: \[(?P<name>.*)\])? \*{3,}$")
RECAP = re.compile(r"^(?P<host>\S+)\s+: (?P<counts>ok=.*)$")
VOLATILE = {"start", "end", "delta", "invocation", "exception", "warnings", "deprecations", "checksum_src", "uid_src", "src", "backup_file",
            "atime", "mtime", "ctime", "inode", "dev", "elapsed", "ansible_job_id", "results_file"}  # fmt: skip
MESSAGES = {"msg", "argument_errors"}  # our own words


@dataclass
class Outcome:
    """One run: its exit code, per task the sorted results, and the recap."""

    code: int
    tasks: list[tuple[str, list[Any]]] = field(default_factory=list)
    recap: dict[str, str] = field(default_factory=dict)


def parse(code: int, stdout: str) -> Outcome:
    """Give the outcome that `stdout` of an ansible-playbook compatible command tells."""
    outcome = Outcome(code)
    lines = iter(stdout.splitlines())
    for line in lines:
        if match := BANNER.match(line):
            outcome.tasks.append((f"{match['kind']} {match['name']}", []))
        elif (match := RECAP.match(line)) and outcome.tasks:
            outcome.recap[match["host"]] = " ".join(match["counts"].split())
        elif (match := RESULT.match(line)) and outcome.tasks:
            outcome.tasks[-1][1].append(_entry(match, lines))
        elif line == "...ignoring":
            outcome.tasks[-1][1].append(("...ignoring",))
    for _, entries in outcome.tasks:
        entries.sort(key=repr)
    return outcome


def _entry(match: re.Match[str], lines: Any) -> tuple[Any, ...]:
    text = match["json"]
    value = None
    if text:
        while text.strip() == "{" or (text.startswith("{\n") and not _complete(text)):
            text += "\n" + next(lines)
        value = normal(json.loads(text), failed=match["state"] in {"failed", "fatal"})
    hosts = tuple(sorted(h.strip() for h in (match["hosts"] or match["host"] or "").split(",")))
    path = (match["path"] or "").rpartition("/")[2]
    return match["state"], hosts, path, bool(match["bad"]), match["item"], value


def _complete(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def normal(value: Any, *, failed: bool = False) -> Any:
    """Give `value` without what differs between any two runs; of failures, our own words are left out, too."""
    if isinstance(value, dict):
        dropped = VOLATILE | (MESSAGES if failed or value.get("failed") or value.get("skipped") else set())
        return {k: normal(v) for k, v in sorted(value.items()) if k not in dropped}
    if isinstance(value, list):
        return [normal(v) for v in value]
    return value
