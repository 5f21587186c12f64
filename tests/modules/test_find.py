"""find: what is found, how much was looked at, what could not be."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from conftest import RunModule


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A tree with hidden names on two levels, a link to a directory and one to a file."""
    for name in (".h/1", ".h/s/2", "v/.w/3", "v/4", "v/.5"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x\n")
    (tmp_path / "l").symlink_to("v")
    (tmp_path / "lf").symlink_to("v/4")
    return tmp_path


def names(result: dict[str, Any]) -> list[str]:
    """Give the base names found, sorted."""
    return sorted(Path(entry["path"]).name for entry in result["files"])


@pytest.mark.parametrize(
    ("options", "found", "examined"),
    [
        pytest.param({"file_type": "link"}, ["l", "lf"], 4, id="this directory alone"),
        pytest.param({"recurse": True}, ["1", "2", "3", "4"], 11, id="hidden directories are entered, not found"),
        pytest.param({"recurse": True, "file_type": "directory"}, ["s", "v"], 11, id="hidden directories"),
        pytest.param(
            {"recurse": True, "file_type": "directory", "hidden": True}, [".h", ".w", "s", "v"], 11, id="hidden"
        ),
        pytest.param(
            {"recurse": True, "excludes": "v"}, ["1", "2", "3", "4"], 11, id="excluded directories are entered"
        ),
        pytest.param(
            {"recurse": True, "depth": 1, "file_type": "any"}, ["l", "lf", "v"], 9, id="depth counts one more"
        ),
        pytest.param({"recurse": True, "depth": 2}, ["1", "4"], 11, id="depth"),
        pytest.param({"depth": 2}, [], 4, id="depth without recurse"),
        pytest.param({"recurse": True, "limit": 1, "file_type": "any"}, ["lf"], 4, id="limit"),
        pytest.param({"file_type": "any", "size": "1g"}, ["l", "lf", "v"], 4, id="size counts for files"),
        pytest.param({"recurse": True, "contains": "y"}, [], 11, id="content"),
        pytest.param(
            {"recurse": True, "file_type": "any", "contains": "y", "patterns": "4"}, ["4"], 11, id="of file_type"
        ),
        pytest.param({"follow": True}, [], 4, id="a link to a file stays a link"),
        pytest.param({"follow": True, "recurse": True}, ["1", "2", "3", "3", "4", "4"], 15, id="links are entered"),
    ],
)
def test_find(module: RunModule, tree: Path, options: dict[str, Any], found: list[str], examined: int) -> None:
    result = module("find", paths=tree, **options)
    assert (names(result), result["examined"]) == (found, examined)


def test_the_message_tells_whether_all_was_looked_at(module: RunModule, tree: Path) -> None:
    assert module("find", paths=tree)["msg"] == "All paths examined"
    assert module("find", paths=tree, recurse=True, limit=1)["msg"] == "Limit of matches reached"
    nowhere = os.fspath(tree / "nowhere")
    result = module("find", paths=[nowhere, tree])
    assert "Not all paths examined" in result["msg"]
    assert list(result["skipped_paths"]) == [nowhere]
    assert "is not a directory" in result["warnings"][0]


@pytest.mark.parametrize("options", [{"age": "1x"}, {"size": "1x"}])
def test_an_amount_of_an_unknown_unit_is_refused(module: RunModule, tree: Path, options: dict[str, Any]) -> None:
    result = module("find", paths=tree, **options)
    assert result["failed"] is True
    assert f"failed to process {next(iter(options))}" in result["msg"]
