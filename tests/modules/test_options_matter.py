"""Leaving an option out changes the outcome."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
from typing import TYPE_CHECKING, Any

import pytest
from contract_rows import TREE
from option_rows import ROWS, WEB_ROWS, Base, Varied
from web import web

from pyplay.remote.module_utils.module import call

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path


def placed(value: Any, top: Path) -> Any:
    """Give a value with the tree's path in place of `@`."""
    if isinstance(value, str):
        return str(top) if value == "@" else value.replace("@/", f"{top}/")
    if isinstance(value, list):
        return [placed(each, top) for each in value]
    if isinstance(value, dict):
        return {key: placed(each, top) for key, each in value.items()}
    return value


def tree(top: Path) -> dict[str, Any]:
    """Give the files of a tree with their modes and contents, by name."""
    seen: dict[str, Any] = {}
    for path in sorted(top.rglob("*")):
        status = path.lstat()
        if "bin" not in path.relative_to(top).parts[:1] and stat.S_ISREG(status.st_mode):
            seen[str(path.relative_to(top))] = (oct(status.st_mode), path.read_bytes())
    return seen


def spoken(value: Any, words: Mapping[str, str]) -> Any:
    """Give a value with what the server's words mean in their place."""
    if isinstance(value, str):
        for word, meaning in words.items():
            value = value.replace(word, meaning)
    return value


def outcome(
    base: Base, options: dict[str, Any], top: Path, patch: pytest.MonkeyPatch, load: Any, words: Mapping[str, str]
) -> str:
    """Run a module in a tree of its own and give all that can be seen of it: its result, and the files."""
    top.mkdir()
    with patch.context() as changes:
        changes.setenv("TOP", str(top))
        changes.setenv("PATH", f"{top / 'bin'}:{os.environ['PATH']}")
        changes.setenv("GIT_CONFIG_GLOBAL", str(top / "gitconfig"))
        changes.setenv("HOME", str(top))
        for name, value in base.environment.items():
            changes.setenv(name, spoken(value, words))
        changes.chdir(top)
        subprocess.run(["/bin/sh", "-ec", TREE + base.prepare], cwd=top, check=True, capture_output=True)
        for name, text in base.programs.items():
            if not (top / "bin" / name).exists():
                (top / "bin" / name).write_text("#!/bin/sh\n" + text + "\n")
            (top / "bin" / name).chmod(0o755)
        loaded = load(base.module)
        for name, value in base.constants.items():
            owner, _, attribute = name.rpartition(".")
            changes.setattr(getattr(loaded, owner) if owner else loaded, attribute, placed(value, top))
        mask = os.umask(0o022)
        try:
            given = {key: spoken(placed(value, top), words) for key, value in {**base.args, **options}.items()}
            result = call(loaded.run, loaded.OPTIONS, given, base.module)
        finally:
            os.umask(mask)
        result.pop("invocation")
        return f"{result}\n{tree(top)}".replace(str(top), "@")


def check(load: Any, top: Path, patch: pytest.MonkeyPatch, row: Varied, words: Mapping[str, str]) -> None:
    """Run a row's module with the option and without it, and compare."""
    missing = [name for name in row.base.needs if shutil.which(name) is None]
    if missing:
        pytest.skip(f"not installed: {missing}")
    if row.base.root and os.geteuid() != 0:
        pytest.skip("only root may do this")
    without = outcome(row.base, {}, top / "without", patch, load, words)
    given = outcome(row.base, {row.option: row.value}, top / "given", patch, load, words)
    assert given != without
    if row.shown.startswith("not: "):
        given, without = without, given
    shown = row.shown.removeprefix("not: ")
    assert shown in given
    assert shown not in without


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.base.module}: {row.option}")
def test_leaving_it_out_changes_the_outcome(
    load: Callable[[str], Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, row: Varied
) -> None:
    check(load, tmp_path, monkeypatch, row, {})


@pytest.fixture(scope="module")
def words(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """Serve the web; gives the words for it."""
    if shutil.which("openssl") is None:
        pytest.skip("not installed: openssl")
    with web(tmp_path_factory.mktemp("web")) as words:
        yield words


@pytest.mark.parametrize("row", WEB_ROWS, ids=lambda row: f"{row.base.module}: {row.option}")
def test_leaving_it_out_changes_what_is_asked_of_a_server(
    load: Callable[[str], Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, row: Varied, words: dict[str, str]
) -> None:
    check(load, tmp_path, monkeypatch, row, words)
