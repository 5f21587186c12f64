"""`pyplay module run` and `pyplay module pack`."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import CommandLine

OURS = """
from pyplay.remote.module_utils.module import main

OPTIONS = {"options": {"word": {"required": True}, "count": {"type": "int", "default": 1}}, "check_mode": "full", "diff": True}


def run(module):
    text = module.args["word"] * module.args["count"]
    result = {"changed": True, "text": text, "check": module.check_mode}
    if module.diff:
        result["diff"] = {"before": "", "after": text}
    return result


if __name__ == "__main__":
    main(run, OPTIONS)
"""
THEIRS = """
from ansible.module_utils.basic import AnsibleModule
from ..module_utils.sums import doubled

module = AnsibleModule(dict(n=dict(type="int", required=True)))
module.exit_json(n=doubled(module.params["n"]), version=module.ansible_version)
"""
SHELL = """#!/bin/sh
# WANT_JSON
echo "{\\"changed\\": false, \\"given\\": $(cat "$1")}"
"""
COLL = "collections/ansible_collections/ns/coll/plugins"


@pytest.fixture
def tree(pyplay: CommandLine) -> CommandLine:
    pyplay.write({
        "library/ours.py": OURS,
        "library/speak.sh": SHELL,
        "roles/web/library/inrole.py": OURS,
        "more/extra.py": OURS,
        "home/own.py": OURS,
        f"{COLL}/modules/theirs.py": THEIRS,
        f"{COLL}/module_utils/sums.py": "def doubled(n):\n    return 2 * n\n",
    })  # fmt: skip
    return pyplay


@pytest.mark.parametrize(
    "where",
    [
        pytest.param(["./library/ours.py"], id="path"),
        pytest.param(["ours"], id="library"),
        pytest.param(["inrole"], id="role"),
        pytest.param(["extra", "-M", "more"], id="module path"),
        pytest.param(["own"], id="setting"),
    ],
)
def test_a_module_is_found_where_tasks_find_it(tree: CommandLine, where: list[str]) -> None:
    done = tree("module", "run", *where, "-a", "word=ab count=2", ANSIBLE_LIBRARY="home")
    assert (done.code, json.loads(done.out)["text"]) == (0, "abab")


@pytest.mark.parametrize("form", ["word=x", '{"word": "x"}', "@args.json", '{"ANSIBLE_MODULE_ARGS": {"word": "x"}}'])
def test_arguments_come_in_all_forms_and_check_and_diff_are_told(tree: CommandLine, form: str) -> None:
    tree.write({"args.json": '{"word": "x"}'})
    plain = json.loads(tree("module", "run", "ours", "-a", form).out)
    assert (plain["text"], plain["check"], "diff" in plain) == ("x", False, False)
    told = json.loads(tree("module", "run", "ours", "-a", form, "--check", "--diff").out)
    assert (told["check"], told["diff"]["after"]) == (True, "x")


def test_modules_of_collections_and_other_languages_run(tree: CommandLine) -> None:
    theirs = json.loads(tree("module", "run", "ns.coll.theirs", "-a", "n=4").out)
    assert (theirs["n"], theirs["version"]) == (8, "2.21.5")
    assert json.loads(tree("module", "run", "speak", "-a", "a=1").out)["given"]["a"] == "1"


def test_a_failed_module_shows_its_result(tree: CommandLine) -> None:
    done = tree("module", "run", "ours")
    assert done.code == 2
    assert "missing required arguments: word" in json.loads(done.out)["msg"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        pytest.param(["run", "debug"], "works on the controller", id="action"),
        pytest.param(["pack", "copy"], "works on the controller", id="half of an action"),
        pytest.param(["run", "oours"], "did you mean `ours`?", id="no module"),
        pytest.param(["run", "ours", "-a", "{"], "are not JSON", id="no JSON"),
        pytest.param(["run", "ours", "-a", "@absent"], "cannot read absent", id="no file"),
        pytest.param(["pack", "speak"], "copy speak.sh", id="no Python"),
        pytest.param(["pack", "ours", "-o", "absent/x.pyz"], "cannot write absent/x.pyz", id="no directory"),
    ],
)
def test_what_cannot_be_done_is_told(tree: CommandLine, words: list[str], told: str) -> None:
    done = tree("module", *words)
    assert done.code not in (0, 2, 250)
    assert told in done.err
    assert "Traceback" not in done.err


def test_a_packed_module_runs_by_itself(tree: CommandLine) -> None:
    packed = tree.root / "theirs.pyz"
    assert tree("module", "pack", "ns.coll.theirs").out == "theirs.pyz\n"
    data = '{"ANSIBLE_MODULE_ARGS": {"n": 3}}'
    piped = subprocess.run(
        [sys.executable, "-I", "-S", str(packed)], input=data, capture_output=True, text=True, check=False
    )
    assert json.loads(piped.stdout)["n"] == 6
    file = tree.root / "args.json"
    file.write_text(data)
    named = subprocess.run([str(packed), str(file)], capture_output=True, text=True, check=False)
    assert json.loads(named.stdout)["n"] == 6
