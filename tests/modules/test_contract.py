"""What every module that changes something keeps to: check predicts, check never writes, the second run is unchanged."""

from __future__ import annotations

import copy
import os
import stat
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tests.modules.conftest import RunModule

TEXT = "first\nsecond\nthird\n"


def snapshot(top: Path) -> dict[str, Any]:
    """Give all that can be seen of a tree."""
    seen: dict[str, Any] = {}
    for path in sorted(top.rglob("*")):
        status = path.lstat()
        content: Any = None
        if stat.S_ISLNK(status.st_mode):
            content = path.readlink()
        elif stat.S_ISREG(status.st_mode):
            content = path.read_bytes()
        seen[str(path)] = (status.st_mode, status.st_mtime_ns, status.st_ino, content)
    return seen


def build(top: Path) -> None:
    """Make the tree that the rows below work on."""
    (top / "text").write_text(TEXT)
    (top / "dir" / "below").mkdir(parents=True)
    (top / "dir" / "below" / "leaf").write_text("leaf")
    (top / "dir" / "other").write_text("other")
    (top / "link").symlink_to("text")
    (top / "parts").mkdir()
    (top / "parts" / "1").write_text("one\n")
    (top / "parts" / "2").write_text("two\n")


def row(name: str, label: str, **args: Any) -> Any:
    return pytest.param(name, args, id=f"{name}: {label}")


ROWS = [
    row("file", "a directory", path="@/new/deep", state="directory", mode="0750"),
    row("file", "mode of a file", path="@/text", mode="0600"),
    row("file", "symbolic mode", path="@/text", mode="u=rw,g-r,o="),
    row("file", "recursive mode", path="@/dir", state="directory", recurse=True, mode="u=rwX,go="),
    row("file", "absent file", path="@/text", state="absent"),
    row("file", "absent tree", path="@/dir", state="absent"),
    row("file", "a link", path="@/new", src="text", state="link"),
    row("file", "a link elsewhere", path="@/link", src="dir", state="link"),
    row("file", "a link in place of a file", path="@/text", src="dir", state="link", force=True),
    row("file", "a link to nothing", path="@/new", src="nowhere", state="link", force=True),
    row("file", "a hard link", path="@/new", src="@/text", state="hard"),
    row("file", "a new empty file", path="@/new", state="touch", access_time="preserve", modification_time="preserve"),
    row("file", "a time", path="@/text", state="file", modification_time="202001020304.05"),
    row("copy", "a new file", dest="@/new", content="x\n", mode="0640"),
    row("copy", "other content", dest="@/text", content="x\n"),
    row("copy", "through a link", dest="@/link", content="x\n", follow=True),
    row("copy", "in place of a link", dest="@/link", content="x\n"),
    row("copy", "only the mode", dest="@/text", content=TEXT, mode="0600"),
    row("copy", "a file of the host", dest="@/new", src="@/text", remote_src=True),
    row("copy", "a file with its mode", dest="@/new", src="@/text", remote_src=True, mode="preserve"),
    row("copy", "a tree of the host", dest="@/new", src="@/dir", remote_src=True),
    row("copy", "the content of a tree", dest="@/new", src="@/dir/", remote_src=True, mode="0600"),
    row("lineinfile", "a line", path="@/text", line="fourth"),
    row("lineinfile", "another line", path="@/text", line="2nd", regexp="^sec"),
    row("lineinfile", "a line removed", path="@/text", regexp="^sec", state="absent"),
    row("lineinfile", "a new file", path="@/new/er", line="only", create=True, mode="0600"),
    row("lineinfile", "only the mode", path="@/text", line="second", mode="0600"),
    row("blockinfile", "a block", path="@/text", block="a\nb"),
    row("blockinfile", "a marker of two lines", path="@/text", block="a\nb", marker="\n# {mark} ours"),
    row("blockinfile", "before a line", path="@/text", block="a", insertbefore="^second"),
    row(
        "blockinfile",
        "empty lines around",
        path="@/text",
        block="a",
        insertafter="^first",
        append_newline=True,
        prepend_newline=True,
    ),
    row("blockinfile", "a new file", path="@/new", block="a", create=True),
    row("replace", "a word", path="@/text", regexp="second", replace="2nd"),
    row("replace", "after a line", path="@/text", after="second\n", regexp="^t", replace="T"),
]


def placed(args: Mapping[str, Any], top: Path) -> dict[str, Any]:
    return {key: value.replace("@", str(top)) if isinstance(value, str) else value for key, value in args.items()}


def comparable(diff: Any) -> Any:
    """Give a diff without times of now, which no check can foretell."""
    diff = copy.deepcopy(diff)
    for part in diff if isinstance(diff, list) else [diff]:
        for side in ("before", "after"):
            if part and isinstance(part.get(side), dict):
                part[side].pop("atime", None)
    return diff


@pytest.mark.parametrize(("name", "args"), ROWS)
def test_check_predicts_and_the_second_run_is_unchanged(
    module: RunModule, tmp_path: Path, name: str, args: dict[str, Any]
) -> None:
    build(tmp_path)
    args = placed(args, tmp_path)
    before = snapshot(tmp_path)
    predicted = module(name, check=True, diff=True, **args)
    assert snapshot(tmp_path) == before, "check mode wrote"
    first = module(name, diff=True, **args)
    assert not predicted.get("failed"), predicted
    assert not first.get("failed"), first
    assert predicted["changed"] is True
    assert first["changed"] is True
    assert comparable(predicted.get("diff")) == comparable(first.get("diff"))
    after = snapshot(tmp_path)
    assert after != before
    assert module(name, check=True, diff=True, **args)["changed"] is False
    second = module(name, diff=True, **args)
    assert second["changed"] is False
    assert snapshot(tmp_path) == after, "the second run wrote"


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
