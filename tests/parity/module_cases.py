"""Parity cases of modules: from a file of `modules/` to the playbook that both implementations run, and what it gave.

`modules/NAME.yml` is a mapping:

    where: local | lab      # local (the default): this machine, the variable `d` names a directory of the run's own;
                            # lab: two equal real hosts over SSH, as root, one for each implementation
    needs: [programs]       # skipped where one of them is not installed
    network: own            # local: without the machine's network, in one of its own
    vars: {…}               # variables of the play
    module_defaults: {…}    # the play's
    prepare: [tasks]        # run once before, not compared
    present: [tasks]        # run three times: in check mode (`checking` is true), then really, then again; with diff
    absent: [tasks]         # the same three times
    errors: [tasks]         # each fails
    cleanup: [tasks]        # run at the end, not compared
    ignored: [keys]         # keys of results that are not compared, each with a comment that says why
    words: [keys]           # keys that hold our own words (msg): compared is only whether they are there
    web: true               # the variable `web` is the address of the web server of `tests/support/web.py`

Beside the playbook stand the files of `modules/files`. Each task is registered; a name that a task itself registers is
given another one in all but the last of the three runs, where other tasks of the phase read it, too.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from outcome import MESSAGES, VOLATILE

CASES = Path(__file__).parent / "modules"
SECTIONS = {
    "where", "needs", "network", "vars", "module_defaults", "prepare", "present", "absent", "errors", "cleanup", "ignored",
    "words", "web",
}  # fmt: skip
THRICE = ("present", "absent")
BLOCKS = ("block", "rescue", "always")
UNREGISTERED = re.compile(r"^(ansible\.builtin\.)?(import_\w+|include_tasks|include_role|meta)$")
DROPPED = {"invocation", "exception", "warnings", "deprecations"}
MADE = re.compile(r"ansible-tmp-[\w.-]+|\.ansible_tmp\w+|tmp\w{8}|ansible\.\w{8}|\.?\d+\.\d{4}-\d\d-\d\d@[\d:]+~")

Task = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Case:
    """One file of `modules/`, read."""

    name: str
    where: str
    sections: dict[str, Any]

    @property
    def ignored(self) -> set[str]:
        return set(self.sections.get("ignored", ()))

    @property
    def needs(self) -> list[str]:
        return self.sections.get("needs", [])

    @property
    def own_network(self) -> bool:
        return self.sections.get("network") == "own"

    @property
    def web(self) -> bool:
        return bool(self.sections.get("web"))

    @property
    def words(self) -> set[str]:
        return set(self.sections.get("words", ()))


def read(path: Path) -> Case:
    """Give the case that a file describes; raises AssertionError for sections that there are not."""
    sections = yaml.safe_load(path.read_text())
    assert sections.keys() <= SECTIONS, f"{path.name}: unknown {sections.keys() - SECTIONS}"
    assert "present" in sections, f"{path.name}: nothing is tried"
    where = sections.get("where", "local")
    assert where in ("local", "lab"), path.name
    return Case(path.stem, where, sections)


def playbook(case: Case, variables: dict[str, str], results: Path) -> tuple[str, list[str]]:
    """Give the text of the playbook that writes all results to `results`, and the names they have there, in order.

    `variables` are those that every run has, such as `d`.
    """
    names: list[str] = []
    steps: list[Task] = []
    for section in THRICE:
        tasks = case.sections.get(section, [])
        own = set(_registered(tasks))
        for run in ("check", "first", "again") if tasks else ():
            suffix = "" if run == "again" else f"_{run}"
            told = _renamed(tasks, {name: name + suffix for name in own})
            block: Task = {"name": f"{section} {run}", "block": _named(told, f"{section}_{run}", names), "diff": True}
            block["vars"] = {"checking": run == "check"}
            steps.append({**block, **({"check_mode": True} if run == "check" else {}), "ignore_errors": True})
    if case.sections.get("errors"):
        tasks = _named(case.sections["errors"], "errors", names)
        steps.append({"name": "errors", "block": tasks, "ignore_errors": True})
    kept = "{{ {" + ", ".join(f"'{name}': {name} | default(none)" for name in names) + "} | to_json }}"
    written = {"name": "results", "copy": {"content": kept, "dest": str(results)}, "delegate_to": "here"}
    last = {**written, "become": False, "check_mode": False, "diff": False, "no_log": True}
    play: Task = {
        "hosts": "host",
        "gather_facts": False,
        "vars": {**case.sections.get("vars", {}), **variables},
        "module_defaults": case.sections.get("module_defaults", {}),
        "tasks": [
            {"block": [*case.sections.get("prepare", []), *steps], "always": [last, *case.sections.get("cleanup", [])]}
        ],
    }
    return yaml.safe_dump([play], sort_keys=False, width=1000), names


def _registered(tasks: list[Task]) -> list[str]:
    """Give the names that tasks register themselves, those in blocks included."""
    inner = [name for task in tasks for key in BLOCKS for name in _registered(task.get(key, []))]
    return [task["register"] for task in tasks if "register" in task] + inner


def _renamed(value: Any, names: dict[str, str]) -> Any:
    """Give tasks with other names for what they register."""
    if isinstance(value, dict):
        return {key: _renamed(each, names) for key, each in value.items()}
    if isinstance(value, list):
        return [_renamed(each, names) for each in value]
    if isinstance(value, str) and names:
        return re.sub(rf"\b({'|'.join(map(re.escape, names))})\b", lambda found: names[found[1]], value)
    return value


def _named(tasks: list[Task], prefix: str, names: list[str]) -> list[Task]:
    """Give tasks that all register something, and add the names to `names`."""
    given: list[Task] = []
    for number, task in enumerate(tasks, 1):
        name = f"{prefix}_{number}"
        if "block" in task:
            blocks = {key: _named(task[key], f"{name}_{key}", names) for key in BLOCKS if key in task}
            given.append({**task, **blocks})
        elif any(UNREGISTERED.match(key) for key in task):
            given.append(task)
        else:
            registered = task.get("register", name)
            names.append(registered)
            given.append({**task, "register": registered})
    return given


def tasks_by_name(case: Case) -> dict[str, Task]:
    """Give the task that each registered name of the errors and of the runs that change stands for."""
    found: dict[str, Task] = {}
    for section in (*THRICE, "errors"):
        for number, task in enumerate(case.sections.get(section, []), 1):
            for prefix in (f"{section}_first", f"{section}_again") if section in THRICE else (section,):
                found[f"{prefix}_{number}"] = task
    return found


def shape(value: Any, case: Case) -> Any:
    """Give a result as it is compared: what differs between any two runs is left as the name of its type alone.

    Of failures and skipped tasks our own words are left out, too.
    """
    if isinstance(value, dict):
        dropped = DROPPED | case.ignored | (MESSAGES if value.get("failed") or value.get("skipped") else set())
        return {key: _shape_of(key, each, case) for key, each in sorted(value.items()) if key not in dropped}
    if isinstance(value, list):
        return [shape(each, case) for each in value]
    return value


def _shape_of(key: str, value: Any, case: Case) -> Any:
    if key in case.words and isinstance(value, str):
        return bool(value)
    return type(value).__name__ if key in VOLATILE and not isinstance(value, (dict, list)) else shape(value, case)


def kinder(actual: Any, expected: Any, name: str) -> Any:
    """Give our result without what it may tell beyond ansible-core's.

    That is more of a failure, more of what check mode would do (all, where ansible-core only skips), a diff where it has
    none, and the attributes that change behind the diff of a file's content.
    """
    if not isinstance(actual, dict) or not isinstance(expected, dict):
        return actual
    if "_check_" in name and expected.get("skipped") and not actual.get("skipped"):
        return expected  # what has no check mode there
    if "results" in expected and isinstance(actual.get("results"), list):
        pairs = zip(actual["results"], expected["results"], strict=False)
        actual = {**actual, "results": [kinder(mine, theirs, name) for mine, theirs in pairs]}
    if expected.get("diff") == []:
        actual = {**actual, "diff": []}
    if isinstance(expected.get("diff"), dict) and isinstance(actual.get("diff"), list):
        actual = {**actual, "diff": actual["diff"][0]}  # the attributes of a file that check mode would make
    if isinstance(expected.get("diff"), list) and isinstance(actual.get("diff"), list):
        actual = {**actual, "diff": actual["diff"][: len(expected["diff"])]}
    free = "_check_" in name or (actual.get("failed") and expected.get("failed"))
    more = actual.keys() - expected.keys() if free else {"diff"}
    return {key: value for key, value in actual.items() if key in expected or key not in more}


def differences(actual: Any, expected: Any, where: str = "") -> list[str]:
    """Give a line for every place in which two values differ."""
    if isinstance(actual, dict) and isinstance(expected, dict):
        missing = object()
        pairs = [
            (f"{where}.{key}", actual.get(key, missing), expected.get(key, missing)) for key in {**expected, **actual}
        ]
        told = [
            f"{name}: {'not there' if mine is missing else repr(mine)} for {'nothing' if theirs is missing else repr(theirs)}"
            for name, mine, theirs in pairs if mine is missing or theirs is missing
        ]  # fmt: skip
        both = [pair for pair in pairs if missing not in pair[1:]]
        return told + [line for name, mine, theirs in both for line in differences(mine, theirs, name)]
    if isinstance(actual, list) and isinstance(expected, list) and len(actual) == len(expected):
        pairs = enumerate(zip(actual, expected, strict=True))
        return [line for number, (mine, theirs) in pairs for line in differences(mine, theirs, f"{where}[{number}]")]
    same = actual == expected and type(actual) is type(expected)
    return [] if same else [f"{where}: {actual!r} for {expected!r}"]


def load(path: Path, renamed: dict[str, str], case: Case) -> dict[str, Any]:
    """Give the results that a run wrote, as they are compared; the words of `renamed` are replaced in all texts."""
    text = path.read_text()
    for word, other in renamed.items():
        text = re.sub(
            rf"(?:(?<![\w.])|(?<=\\[nt])){re.escape(word)}(?![\w])", other, text
        )  # \n and \t of JSON are no words
    return shape(json.loads(MADE.sub("MADE", text)), case)


def tree(directory: Path, own: str) -> dict[str, tuple[int, bytes]]:
    """Give names, modes and contents below `directory`; names made at random are not told."""
    found: dict[str, tuple[int, bytes]] = {}
    for path in sorted(directory.rglob("*")):
        name = MADE.sub("MADE", str(path.relative_to(directory)))
        mode = path.lstat().st_mode
        content = path.read_bytes() if path.is_file() else b""
        if path.is_symlink():
            content = str(path.readlink()).encode()
        found[name] = (mode, content.replace(own.encode(), b"@"))
    return found
