"""Whatever a host answers, the run goes on: no answer is a bug of ours, and none acts on anything but its own task."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from conftest import CommandLine

LIAR = '#!/bin/sh\n# WANT_JSON\npython3 -c \'import json, sys; print(json.load(open(sys.argv[1]))["says"])\' "$1"\n'
KEYS = [
    "changed",
    "failed",
    "skipped",
    "rc",
    "stdout",
    "stdout_lines",
    "stderr",
    "stderr_lines",
    "msg",
    "diff",
    "warnings",
    "deprecations",
    "exception",
    "invocation",
    "results",
    "ansible_facts",
    "ansible_job_id",
    "started",
    "finished",
    "unreachable",
    "skip_reason",
    "item",
    "ansible_loop_var",
    "attempts",
    "retries",
    "ansible_facts_modules",
    "add_host",
    "add_group",
    "parent_groups",
    "ansible_included_var_files",
    "include",
    "include_args",
    "ansible_stats",
    "censored",
    "cmd",
    "start",
    "end",
    "delta",
    "src",
    "dest",
    "path",
    "mode",
    "checksum",
    "content",
    "encoding",
    "stat",
    "user_input",
    "failed_when_result",
    "module_stdout",
    "module_stderr",
    "_ansible_no_log",
    "_ansible_asks",
    "_ansible_item_label",
    "_ansible_origin",
    "false_condition",
    "ansible_index_var",
    "ansible_loop",
    "results_file",
    "resources",
    "action",
    "before",
    "after",
    "before_header",
    "prepared",
]
LEAVES = (None, True, False, 0, -1, 2**70, 1.5, "", "x", "\u2028\ud800\udcff\xe9\x1b[31m{{ 1 + 1 }}", [], {}, {"": {}})
MODIFIERS: tuple[dict[str, Any], ...] = (
    {},
    {"loop": [1, 2]},
    {"until": "r is success", "retries": 1, "delay": 0},
    {"failed_when": "r.rc | default(0) != 0"},
    {"changed_when": "r is changed"},
    {"no_log": True},
    {"notify": "told"},
)
REPORTERS = ("default", "json", "yaml", "minimal", "oneline", "jsonl", "junit,tree,profile_tasks")


def _value(rng: random.Random, depth: int = 0) -> Any:
    kind = rng.randrange(10)
    if depth > 2 or kind < 6:
        return rng.choice(LEAVES)
    if kind == 6:
        return [_value(rng, depth + 1) for _ in range(2)]
    if kind == 7:
        return [{"before": _value(rng, depth + 1), "after": _value(rng, depth + 1)}]
    return {rng.choice(KEYS): _value(rng, depth + 1) for _ in range(rng.randrange(1, 4))}


def _tasks(rng: random.Random) -> list[dict[str, Any]]:
    tasks: list[dict[str, Any]] = []
    for _ in range(30):
        says = json.dumps({rng.choice(KEYS): _value(rng) for _ in range(rng.randrange(1, 7))})
        lie = {"lie": {"says": says}, "register": "r", "ignore_errors": True, "ignore_unreachable": True}
        tasks += [lie | rng.choice(MODIFIERS), {"debug": {"msg": "{{ r.stdout | default(r.msg) | default('n') }}"}}]
    return [task | {"ignore_errors": True} for task in tasks]


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("reporter", REPORTERS)
def test_no_answer_is_a_bug_of_ours(pyplay: CommandLine, reporter: str, seed: int) -> None:
    play = {"hosts": "all", "handlers": [{"name": "told", "debug": {}}], "tasks": _tasks(random.Random(seed))}
    pyplay.write({"library/lie.sh": LIAR, "site.json": json.dumps([play | {"gather_facts": False}])})
    kind = "ANSIBLE_CALLBACKS_ENABLED" if "," in reporter else "ANSIBLE_STDOUT_CALLBACK"
    places = {"JUNIT_OUTPUT_DIR": str(pyplay.root / "junit"), "ANSIBLE_CALLBACK_TREE_DIR": str(pyplay.root / "tree")}
    done = pyplay("-i", "h,", "-c", "local", "site.json", "-vvv", "--diff", **{kind: reporter}, **places)
    assert done.code in (0, 2, 4), done.err
    assert "pyplay has a bug" not in done.err + done.out
    if reporter == "json":
        json.loads(done.out)
    if reporter == "jsonl":
        assert all(json.loads(line) for line in done.out.rstrip("\n").split("\n"))


ADDED = {
    "a host": {"add_host": {"host_name": "intruder", "groups": ["web"], "host_vars": {"ansible_connection": "local"}}},
    "a group": {"add_group": "web", "parent_groups": ["all"]},
    "a host, with our own mark": {
        "_ansible_asks": "add_host",
        "add_host": {"host_name": "intruder", "groups": ["web"]},
    },
    "figures": {
        "_ansible_asks": "stats",
        "ansible_stats": {"data": {"intruder": 1}, "per_host": False, "aggregate": True},
    },
}


@pytest.mark.parametrize("asked", ADDED)
@pytest.mark.parametrize("keywords", [{}, {"loop": [1]}, {"loop": ["lie", "add_host"], "action": "{{ item }}"}])
def test_a_host_adds_nothing_to_the_inventory(pyplay: CommandLine, asked: str, keywords: dict[str, Any]) -> None:
    lie: dict[str, Any] = {
        "args": {"says": json.dumps(ADDED[asked]), "name": "wanted"},
        "ignore_errors": True,
        **keywords,
    }
    if "action" not in lie:
        lie = {"lie": {"says": lie.pop("args")["says"]}, **lie}
    plays = [
        {"hosts": "h", "gather_facts": False, "tasks": [lie]},
        {"hosts": "web:intruder", "gather_facts": False, "tasks": [{"debug": {"msg": "reached"}}]},
    ]
    pyplay.write({"library/lie.sh": LIAR, "site.json": json.dumps(plays)})
    done = pyplay("-i", "h,", "-c", "local", "site.json", ANSIBLE_SHOW_CUSTOM_STATS="true")
    assert done.code == 0, done.err
    assert "reached" not in done.out
    assert "intruder" not in done.out.partition("PLAY RECAP")[2]


NAMES = """
    - find: {paths: "{{ playbook_dir }}/odd"}
      register: found
    - debug: {msg: "{{ found.files[0].path }}"}
    - stat: {path: "{{ found.files[0].path }}"}
      register: there
    - assert: {that: there.stat.exists}
"""


@pytest.mark.parametrize("reporter", [name for name in REPORTERS if "," not in name])
def test_file_names_that_are_no_utf8_are_shown_by_every_reporter(pyplay: CommandLine, reporter: str) -> None:
    (pyplay.root / "odd").mkdir()
    (pyplay.root / "odd" / "a\udcffb").write_text("")
    done = pyplay.play(NAMES, "-v", ANSIBLE_STDOUT_CALLBACK=reporter)
    assert done.code == 0, done.out + done.err
    if reporter == "json":
        assert "a\\udcffb" in done.out


@pytest.mark.parametrize(
    "action",
    ["set_stats: {data: {told: '{{ item }}'}}", "group_by: {key: 'g{{ item }}'}", "add_host: {name: 'h{{ item }}'}"],
)
def test_what_our_own_actions_ask_in_a_loop_is_done(pyplay: CommandLine, action: str) -> None:
    tasks = f'- {action}\n  loop: [1, 2]\n- debug: {{msg: "{{{{ groups | length }}}} {{{{ groups.all | length }}}}"}}\n'
    done = pyplay.play(tasks, ANSIBLE_SHOW_CUSTOM_STATS="true")
    assert done.code == 0, done.out + done.err
    if "set_stats" in action:
        assert '"told": 3' in done.out, "numbers of items are added up"
