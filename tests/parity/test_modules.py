"""Each module by itself through ansible-core and through pyplay: results, diffs, and the files they leave are the same.

The cases are files of `modules/`; `module_cases` tells what stands in them. Three variables of the environment:
PYPLAY_ORACLE names the directory of ansible-playbook, PYPLAY_ORACLE_COLLECTIONS the one that holds the collection
ansible.posix for it, PYPLAY_PARITY_HOSTS two lab hosts, which are h1,h2 otherwise.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from hosts import LAB, LAB_DIR
from module_cases import CASES, Case, differences, kinder, load, playbook, read, tasks_by_name, tree
from web import plain_web

from pyplay.playbook.builtin import BUILTIN, POSIX
from pyplay.playbook.statements import STATEMENTS

ORACLE = os.environ.get("PYPLAY_ORACLE")
COLLECTIONS = os.environ.get("PYPLAY_ORACLE_COLLECTIONS")
HOSTS = os.environ.get("PYPLAY_PARITY_HOSTS", "h1,h2").split(",")
PYTHON = "/usr/bin/python3" if Path("/usr/bin/python3").exists() else sys.executable
LAB_DIRECTORY = "/var/tmp/parity"

pytestmark = [
    pytest.mark.parity,
    pytest.mark.skipif(not ORACLE, reason="PYPLAY_ORACLE names no directory with ansible-playbook"),
]


def cases() -> list[object]:
    """Give the cases; those that need real hosts are marked, those of ansible.posix skipped without the collection."""
    given: list[object] = []
    for path in sorted(CASES.glob("*.yml")):
        case = read(path)
        marks = [pytest.mark.skipif(not COLLECTIONS, reason="no ansible.posix for ansible-core")] * (path.stem in POSIX)
        marks += [
            pytest.mark.skipif(shutil.which(program) is None, reason=f"{program} is not installed")
            for program in case.needs
        ]
        if case.own_network:
            marks.append(pytest.mark.skipif(os.geteuid() != 0, reason="only root makes a network of its own"))
        if case.where == "lab":
            marks += [pytest.mark.lab, pytest.mark.skipif(not LAB, reason="PYPLAY_LAB names no lab command")]
        given.append(pytest.param(case, id=case.name, marks=marks))
    return given


def inventory(case: Case, host: str) -> str:
    """Give an inventory with the host `host` of the case, and `here`, which is where results are written."""
    here = f"here ansible_connection=local ansible_python_interpreter={PYTHON}\n"
    if case.where == "local":
        return f"host ansible_connection=local ansible_python_interpreter={PYTHON}\n{here}"
    text = (LAB_DIR / "inventory.ini").read_text()
    address = re.search(rf"^{host} ansible_host=(\S+)", text, re.MULTILINE)
    assert address, f"the lab has no {host}"
    common = text.partition("[lab:vars]\n")[2].partition("\n[")[0]
    line = f"host ansible_host={address[1]} ansible_become=true ansible_python_interpreter=/usr/bin/python3\n"
    return f"{here}[lab]\n{line}[lab:vars]\n{common}\n"


def run(command: list[str], case: Case, directory: Path, host: str, web: str) -> tuple[str, list[str]]:
    """Run the case's playbook in `directory`; give the output, and the names under which results were written."""
    (directory / "work").mkdir(parents=True)
    (directory / "home").mkdir()
    if (CASES / "files").exists():
        shutil.copytree(CASES / "files", directory / "files")
    where = str(directory / "work") if case.where == "local" else LAB_DIRECTORY
    text, names = playbook(case, {"d": where, "web": web}, directory / "results.json")
    (directory / "site.yml").write_text(text)
    (directory / "inventory.ini").write_text(inventory(case, host))
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("ANSIBLE_", "PYPLAY_"))}
    kept |= {"HOME": str(directory / "home"), "ANSIBLE_NOCOLOR": "1", "LC_ALL": "C.UTF-8"}
    if COLLECTIONS and "pyplay" not in command:
        kept["ANSIBLE_COLLECTIONS_PATH"] = COLLECTIONS
    with tempfile.TemporaryDirectory(prefix="cp") as sockets:  # their names must be short
        kept |= {
            "ANSIBLE_PIPELINING": "1",
            "ANSIBLE_SSH_CONTROL_PATH_DIR": sockets,
            "ANSIBLE_SSH_ARGS": "-o ControlMaster=auto -o ControlPersist=3s",
        }
        done = subprocess.run(
            [*command, "-i", "inventory.ini", "site.yml"],
            cwd=directory, env=kept, capture_output=True, text=True, timeout=300, check=False, stdin=subprocess.DEVNULL,
        )  # fmt: skip
    output = done.stdout + done.stderr
    assert "Traceback (most recent" not in output, output
    assert done.returncode == 0, output
    return output, names


@pytest.mark.parametrize("case", cases())
def test_a_module_does_what_it_does_under_ansible_core(case: Case, tmp_path: Path) -> None:
    theirs, ours = tmp_path / "core" / "case", tmp_path / "pyplay" / "case"
    alone = ["unshare", "--net"] if case.own_network else []
    with plain_web() if case.web else contextlib.nullcontext("") as web:
        their_output, names = run([*alone, f"{ORACLE}/ansible-playbook"], case, theirs, HOSTS[0], web)
        run([*alone, sys.executable, "-m", "pyplay"], case, ours, HOSTS[1], web)
    expected = load(theirs / "results.json", words(theirs, HOSTS[0]), case)
    actual = load(ours / "results.json", words(ours, HOSTS[1]), case)
    for name, task in tasks_by_name(case).items():
        result = expected.get(name)
        if result is not None and not {"ignore_errors", "failed_when"} & task.keys():
            failed = bool(result.get("failed"))
            assert failed == name.startswith("errors"), f"under ansible-core {name} ends so: {result}\n{their_output}"
    told = [
        line for name in names for line in differences(kinder(actual[name], expected[name], name), expected[name], name)
    ]
    if case.where == "local":
        told += differences(tree(ours / "work", str(ours)), tree(theirs / "work", str(theirs)), "work")
    assert told == [], "pyplay for ansible-core\n" + "\n".join(told)


def words(directory: Path, host: str) -> dict[str, str]:
    """Give what is told of the place of a run, and the word that stands for it in comparisons."""
    return {str(directory): "@", host: "HOST", f"198.18.0.1{host[1:]}": "ADDRESS"}


WITHOUT = {
    **dict.fromkeys(("import_playbook", "import_tasks", "include_tasks"), "the case includes of tests/parity/cases"),
    **dict.fromkeys(("import_role", "include_role"), "the case roles of tests/parity/cases"),
    "meta": "the cases flow and inventory_changes of tests/parity/cases",
    **dict.fromkeys(("firewalld", "firewalld_info"), "names that lead to ansible.posix, but no modules of ours"),
}
"""What has no file of its own, and what is tried instead."""


def test_every_module_has_a_case() -> None:
    names = BUILTIN | POSIX | STATEMENTS.keys()
    have = {path.stem for path in CASES.glob("*.yml")}
    assert names - have == WITHOUT.keys()
    assert have <= names
