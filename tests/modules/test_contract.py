"""What every module that changes something keeps to: check predicts, check never writes, the second run is unchanged."""

from __future__ import annotations

import ast
import copy
import importlib
import os
import shutil
import stat
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from contract_rows import ELSEWHERE, READERS, ROWS, TREE, Row

from pyplay.remote.module_utils.module import call

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.modules.conftest import RunModule

HERE = Path(__file__).parent
MODULES = HERE.parents[1] / "modules"


def snapshot(top: Path) -> dict[str, Any]:
    """Give all that can be seen of a tree, but for the database of svn, which writes it while it looks."""
    seen: dict[str, Any] = {}
    for path in sorted(top.rglob("*")):
        if ".svn" in path.parts:
            continue
        status = path.lstat()
        content: Any = None
        if stat.S_ISLNK(status.st_mode):
            content = path.readlink()
        elif stat.S_ISREG(status.st_mode):
            content = path.read_bytes()
        seen[str(path)] = (status.st_mode, status.st_mtime_ns, status.st_ino, content)
    return seen


def contents(seen: dict[str, Any]) -> dict[str, Any]:
    """Give a snapshot without the times of directories: a download is compared beside the file that is there."""
    return {path: (mode, ino, stat.S_ISDIR(mode) or (time, data)) for path, (mode, time, ino, data) in seen.items()}


def placed(value: Any, top: Path) -> Any:
    """Give a value with the tree's path in place of `@`, wherever it stands alone or before a slash."""
    if isinstance(value, str):
        return str(top) if value == "@" else value.replace("@/", f"{top}/")
    if isinstance(value, list):
        return [placed(each, top) for each in value]
    return value


def comparable(diff: Any) -> Any:
    """Give a diff without times of now, which no check can foretell."""
    diff = copy.deepcopy(diff)
    for part in diff if isinstance(diff, list) else [diff]:
        for side in ("before", "after"):
            if part and isinstance(part.get(side), dict):
                part[side].pop("atime", None)
    return diff


@pytest.fixture
def prepared(load: Callable[[str], Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Row], Any]:
    """Give a function that builds a row's tree and gives a function that runs its module there."""
    monkeypatch.setenv("TOP", str(tmp_path))
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    os.umask(0o022)

    def prepare(row: Row) -> Any:
        subprocess.run(["/bin/sh", "-ec", TREE + row.prepare], cwd=tmp_path, check=True, capture_output=True)
        for name, text in row.programs.items():
            (tmp_path / "bin" / name).write_text("#!/bin/sh\n" + text)
            (tmp_path / "bin" / name).chmod(0o755)
        loaded = load(row.module)
        for name, value in row.constants.items():
            owner, _, attribute = name.rpartition(".")
            monkeypatch.setattr(getattr(loaded, owner) if owner else loaded, attribute, placed(value, tmp_path))
        for name, value in row.parts.items():
            owner, _, attribute = name.rpartition(".")
            monkeypatch.setattr(importlib.import_module(f"pyplay.remote.module_utils.{owner}"), attribute, value)
        args = {key: placed(value, tmp_path) for key, value in row.args.items()}

        def run(*, check: bool = False) -> dict[str, Any]:
            given = dict(args, _ansible_check_mode=check, _ansible_diff=True)
            return call(loaded.run, loaded.OPTIONS, given, row.module)

        return run

    return prepare


def rows(*, skips: bool) -> list[Any]:
    return [pytest.param(row, id=f"{row.module}: {row.label}") for row in ROWS if row.skips is skips]


def missing(row: Row) -> list[str]:
    return [name for name in row.needs if shutil.which(name) is None]


@pytest.mark.parametrize("row", rows(skips=False))
def test_check_predicts_and_the_second_run_is_unchanged(
    prepared: Callable[[Row], Any], tmp_path: Path, row: Row
) -> None:
    if missing(row):
        pytest.skip(f"not installed: {missing(row)}")
    run = prepared(row)
    before = snapshot(tmp_path)
    predicted = run(check=True)
    assert snapshot(tmp_path) == before, "check mode wrote"
    first = run()
    assert not predicted.get("failed"), predicted
    assert not first.get("failed"), first
    assert predicted["changed"] is True
    assert first["changed"] is True
    assert comparable(predicted.get("diff")) == comparable(first.get("diff"))
    after = snapshot(tmp_path)
    assert after != before
    assert run(check=True)["changed"] is False
    second = run()
    assert not second.get("failed"), second
    assert second["changed"] is False
    assert contents(snapshot(tmp_path)) == contents(after), "the second run wrote"


@pytest.mark.parametrize("row", rows(skips=True))
def test_check_passes_over_what_cannot_be_foretold(prepared: Callable[[Row], Any], tmp_path: Path, row: Row) -> None:
    run = prepared(row)
    before = snapshot(tmp_path)
    predicted = run(check=True)
    assert snapshot(tmp_path) == before, "check mode wrote"
    assert predicted["skipped"] is True
    assert not predicted.get("changed")


def test_every_module_keeps_to_it_or_changes_nothing() -> None:
    tried = {row.module for row in ROWS}
    assert tried | READERS | ELSEWHERE.keys() == {path.stem for path in MODULES.glob("*.py")}
    assert not tried & READERS


@pytest.mark.parametrize(("name", "file"), ELSEWHERE.items())
def test_what_is_tried_elsewhere_is_tried_there(name: str, file: str) -> None:
    constants = {
        node.value for node in ast.walk(ast.parse((HERE / f"{file}.py").read_text())) if isinstance(node, ast.Constant)
    }
    assert name in constants


@pytest.mark.parametrize("name", ["owner", "group"])
def test_an_account_that_is_not_there_yet_is_a_change_in_check_mode(
    module: RunModule, tmp_path: Path, name: str
) -> None:
    path = tmp_path / "f"
    path.write_text("x")
    wanted: dict[str, Any] = {name: "no-such-account"}
    for options in ({"path": path}, {"path": tmp_path / "new", "state": "touch"}):
        result = module("file", check=True, **options, **wanted)
        assert (result["changed"], result.get("failed", False)) == (True, False)
    assert f"cannot make 'no-such-account' the {name}" in module("file", path=path, **wanted)["msg"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
@pytest.mark.parametrize("owner", ["daemon", "1", 1])
def test_owner_and_group(module: RunModule, tmp_path: Path, owner: str | int) -> None:
    path = tmp_path / "f"
    path.write_text("x")
    assert module("file", path=path, owner=owner, group=owner, check=True)["changed"] is True
    assert path.stat().st_uid == 0
    assert module("file", path=path, owner=owner, group=owner)["changed"] is True
    assert (path.stat().st_uid, path.stat().st_gid) == (1, 1)
    assert module("file", path=path, owner=owner, group=owner)["changed"] is False
    assert module("copy", dest=path, content="y")["changed"] is True
    assert (path.stat().st_uid, path.stat().st_gid) == (1, 1), "a replaced file keeps its owner"
