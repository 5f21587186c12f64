"""Plays that differ in one keyword: with it, and without it. What they show is told in short lines.

An entry of the table gives for one keyword: `value`; `tasks`, the tasks that show what it does; `with` and `without`,
the lines that are expected. The keyword is put on the object that it is tried on: the play, a role that holds the
tasks, a block around them, each of them, or, as handlers, each of them. Further words of an entry:

- `objects`: the objects, for words that are not in pyplay's table (options of `loop_control`, older spellings)
- `hosts`: the names of the hosts, by default `[a]`; `@` becomes the play's number, so that no two plays share a host
- `more`: further keywords of the play; `after`: tasks of its `post_tasks`; `notifies`: what the first task notifies
- `alone`: each variant is a run of its own (it fails, or is refused), and its exit code is a line, too
- `banners`, `unordered`, `sees`: task names are lines; the order does not matter; what a pattern finds is a line, once
- `arguments`, `stdin` of the command; `core`: why ansible-core's lines are others
- `same`: why leaving the keyword out changes nothing on this object
- `play`, `role`, `block`, `task`, `handler`: words that are different on this object
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml
from outcome import parse

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

PROJECT = Path(__file__).parents[1] / "keywords" / "project"
KINDS = ("play", "role", "block", "task", "handler")
GIVEN, LEFT_OUT = "with", "without"
_PLAY = re.compile(r"^PLAY \[(.*)\] \*{3,}$")
_HOSTS = {
    "u": "ansible_connection=ssh ansible_host=127.0.0.1 ansible_port=1",
    "p": "ansible_connection=ssh ansible_host=127.0.0.1",
    "s": "ansible_host=127.0.0.1 ansible_port=1",
    "n": "",
}
"""What the inventory says of hosts by their first letter: unreachable, unreachable unless local, nothing; else local."""


@dataclass(frozen=True)
class Variant:
    """One play: `keyword` on an object of `kind`, or left out; `number` makes its names its own."""

    keyword: str
    kind: str
    variant: str
    number: int
    entry: Mapping[str, Any]

    @property
    def id(self) -> str:
        return f"{self.keyword} on {self.kind}, {self.variant}"

    @property
    def expected(self) -> list[str]:
        return list(self.entry[self.variant] or ())

    @property
    def hosts(self) -> list[str]:
        return [f"{name}{self.number}" for name in self.entry.get("hosts", ["a"])]

    def play(self) -> dict[str, Any]:
        """Give the play as data."""
        play: dict[str, Any] = {"name": f"p{self.number}", "hosts": f"g{self.number}", "gather_facts": False}
        play |= self.entry.get("more") or {}
        tasks = [dict(task) for task in self.entry.get("tasks") or ()]
        if self.kind == "play":
            play["tasks"] = tasks
            self._set(play)
        elif self.kind == "role":
            role: dict[str, Any] = {} if self.keyword == "name" else {"role": f"r{self.number}"}
            self._set(role)
            play["roles"] = [role]
        elif self.kind == "block":
            block: dict[str, Any] = {"block": tasks}
            self._set(block)
            play["tasks"] = [block]
        else:
            for task in tasks:
                self._set(task)
            if self.kind == "handler":
                notified = self.entry.get("notifies") or [task["name"] for task in tasks]
                start = {"name": "start", "debug": {}, "changed_when": True, "notify": notified, "tags": "always"}
                play["tasks"] = [start]
                play["handlers"] = [*tasks, *play.get("handlers", ())]
            else:
                play["tasks"] = tasks
        if after := self.entry.get("after"):
            play["post_tasks"] = after
        return self._numbered(play)

    def _set(self, target: dict[str, Any]) -> None:
        outer, _, inner = self.keyword.partition(".")
        if self.variant == GIVEN:
            target[outer] = {inner: self.entry["value"]} if inner else self.entry["value"]
        elif not inner:
            target.pop(outer, None)

    def _numbered(self, value: Any) -> Any:
        return yaml.safe_load(json.dumps(value).replace("@", str(self.number)))

    def write(self, directory: Path) -> None:
        """Put the play's role where it is found."""
        if self.kind == "role":
            path = directory / "roles" / f"r{self.number}" / "tasks" / "main.yml"
            path.parent.mkdir(parents=True)
            path.write_text(yaml.safe_dump(self._numbered(list(self.entry.get("tasks") or ()))))


def variants(keyword: str, entry: Mapping[str, Any], kinds: frozenset[str], number: int = 0) -> Iterator[Variant]:
    """Give the plays that `entry` describes for the objects `kinds`, numbered from after `number`."""
    for kind in (kind for kind in KINDS if kind in kinds):
        merged = {**entry, **(entry.get(kind) or {})}
        for variant in (GIVEN, LEFT_OUT):
            number += 1
            yield Variant(keyword, kind, variant, number, merged)


def run(command: list[str], directory: Path, plays: list[Variant]) -> list[list[str]]:
    """Run `plays` in turn with `command` in `directory`, and give what each showed."""
    shutil.copytree(PROJECT, directory)
    (directory / "home").mkdir()
    inventory = []
    for play in plays:
        inventory += [
            f"{host} {_HOSTS.get(host[0], 'ansible_connection=local')}" for host in (*play.hosts, f"o{play.number}")
        ]
        inventory += [f"[g{play.number}]", *play.hosts, "[ungrouped]"]
        play.write(directory)
    (directory / "inventory.ini").write_text("\n".join(inventory) + "\n")
    (directory / "site.yml").write_text(yaml.safe_dump([play.play() for play in plays], sort_keys=False))
    entry = plays[0].entry
    given = {"input": entry["stdin"]} if "stdin" in entry else {"stdin": subprocess.DEVNULL}
    done = subprocess.run(
        [*command, "-v", "-i", "inventory.ini", *map(str, entry.get("arguments", ())), "site.yml"],
        cwd=directory, env=environment(directory), capture_output=True, text=True, timeout=180, check=False, **given,
    )  # fmt: skip
    assert "Traceback (most recent" not in done.stdout + done.stderr, done.stderr
    parts = _parts(done.stdout)
    if entry.get("alone"):
        shown = [line for part in parts for line in lines(part, plays[0])]
        return [[*shown, f"exit {done.returncode}"]]
    assert len(parts) == len(plays), done.stdout + done.stderr
    return [lines(part, play) for part, play in zip(parts, plays, strict=True)]


def environment(directory: Path) -> dict[str, str]:
    """Give an environment without settings, in which `sudo` and `su` are the stand-ins of the project."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("ANSIBLE_", "PYPLAY_"))}
    python = "/usr/bin/python3" if Path("/usr/bin/python3").exists() else sys.executable
    return (
        kept
        | {
            "HOME": str(directory / "home"),
            "PATH": f"{directory / 'bin'}:{os.environ['PATH']}",
            "ANSIBLE_NOCOLOR": "1",
            "ANSIBLE_PYTHON_INTERPRETER": python,
            "ANSIBLE_SSH_ARGS": "-C",  # no control socket: ssh refuses one whose path is as long as that of a test's directory
            "LC_ALL": "C.UTF-8",
        }
    )


def _parts(stdout: str) -> list[str]:
    """Give what was shown play by play; the batches of one play follow each other and are one part."""
    parts: list[str] = []
    last = None
    for line in stdout.splitlines():
        if line.startswith("PLAY RECAP"):
            break
        if match := _PLAY.match(line):
            if match[1] != last:
                parts.append("")
            last = match[1]
        if parts:
            parts[-1] += line + "\n"
    return parts


def lines(part: str, play: Variant) -> list[str]:
    """Give in short lines what a play showed: `state host (item) text`, text being what a task printed."""
    found: list[str] = []
    for banner, entries in parse(0, part).tasks:
        name = re.sub(r"\d+", "", banner).strip()
        if play.entry.get("banners") and not name.endswith(" start"):
            found.append(name)
        if name != "TASK start":
            found += [_line(entry) for entry in entries]
    if pattern := play.entry.get("sees"):
        found += dict.fromkeys(re.findall(pattern, part))
    return sorted(found) if play.entry.get("unordered") else found


def _line(entry: tuple[Any, ...]) -> str:
    if len(entry) == 1:
        return entry[0]
    state, hosts, path, bad, item, value = entry
    value = value if isinstance(value, dict) else {}
    word = "unreachable" if value.get("unreachable") else "failed" if bad or state == "failed" else state
    shown = "hidden" if "censored" in value else _printed(value) if word != "failed" else ""
    words = [word, re.sub(r"\d+", "", ",".join(hosts)), f"({item})" if item is not None else "", path and "file", shown]
    return " ".join(str(each) for each in words if each not in ("", None))


def _printed(result: dict[str, Any]) -> Any:
    return next((value for value in (result.get("msg"), result.get("stdout")) if value not in ("", None)), "")
