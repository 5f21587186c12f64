"""Replacing files, and what is left behind when that is interrupted."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from pyplay.remote.module_utils import files
from pyplay.remote.module_utils.module import ModuleFailed


def leftovers(directory: Path) -> list[str]:
    return [path.name for path in directory.iterdir() if ".pyplay-" in path.name]


def test_a_replacement_keeps_mode_and_extended_attributes(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_text("old")
    path.chmod(0o640)
    try:
        os.setxattr(path, "user.note", b"kept")
    except OSError:
        pytest.skip("the file system has no extended attributes")
    files.replace_content(str(path), b"new")
    assert path.read_bytes() == b"new"
    assert path.stat().st_mode & 0o7777 == 0o640
    assert os.getxattr(path, "user.note") == b"kept"
    assert leftovers(tmp_path) == []


def test_a_new_file_honours_the_umask(tmp_path: Path) -> None:
    old = os.umask(0o027)
    try:
        files.replace_content(str(tmp_path / "f"), b"x")
    finally:
        os.umask(old)
    assert (tmp_path / "f").stat().st_mode & 0o777 == 0o640


def test_a_secret_is_never_readable_on_the_way(tmp_path: Path) -> None:
    with files.Replacement(str(tmp_path / "f"), files.Wanted(mode="0600")) as new:
        new.write(b"secret")
        assert Path(new.temporary).stat().st_mode & 0o777 == 0o600
        new.commit()
    assert (tmp_path / "f").stat().st_mode & 0o777 == 0o600


def test_a_link_stays_and_its_target_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "target").write_text("old")
    (tmp_path / "link").symlink_to("target")
    files.replace_content(str(tmp_path / "link"), b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_text() == "new"


def test_what_does_not_pass_its_validation_is_not_put_in_place(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_text("old")
    with pytest.raises(ModuleFailed) as caught:
        files.replace_content(str(path), b"new", None, "grep -q old %s")
    assert caught.value.result["exit_status"] == 1
    assert path.read_text() == "old"
    assert leftovers(tmp_path) == []
    files.replace_content(str(path), b"an old new", None, "grep -q old %s")
    assert path.read_text() == "an old new"


def test_the_next_run_removes_what_a_killed_one_left_but_not_what_is_in_use(tmp_path: Path) -> None:
    left = tmp_path / ".f.pyplay-0123"
    left.write_text("half")
    used = tmp_path / ".f.pyplay-4567"
    used.write_text("half")
    other = tmp_path / ".g.pyplay-0123"
    other.write_text("of another target")
    with used.open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        files.replace_content(str(tmp_path / "f"), b"new")
    assert not left.exists()
    assert used.exists()
    assert other.exists()


def test_a_module_that_is_ended_removes_its_temporary_file(tmp_path: Path) -> None:
    program = textwrap.dedent(f"""
        import json, sys, time
        from pyplay.remote.module_utils import files
        from pyplay.remote.module_utils.module import main
        def run(module):
            with files.Replacement({str(tmp_path / "f")!r}) as new:
                new.write(b"half")
                print("ready", file=sys.stderr, flush=True)
                time.sleep(30)
        main(run, {{"options": {{}}}})
    """)
    child = subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert child.stdin is not None
    assert child.stderr is not None
    child.stdin.write(b"{}")
    child.stdin.close()
    assert child.stderr.readline() == b"ready\n"
    assert leftovers(tmp_path)
    child.send_signal(signal.SIGTERM)
    child.wait(10)
    assert child.stdout is not None
    child.stdout.close()
    child.stderr.close()
    assert leftovers(tmp_path) == []


def test_two_runs_at_once_leave_one_of_the_two_contents(tmp_path: Path) -> None:
    path = str(tmp_path / "f")
    first = files.Replacement(path)
    second = files.Replacement(path)
    first.write(b"1")
    second.write(b"2")
    second.commit()
    first.commit()
    first.close()
    second.close()
    assert (tmp_path / "f").read_bytes() == b"1"
    assert leftovers(tmp_path) == []


@pytest.mark.skipif(not Path("/proc/self/mountinfo").exists(), reason="Linux only")
def test_a_missing_directory_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModuleFailed, match=r"cannot write into the directory .*/nope"):
        files.replace_content(str(tmp_path / "nope" / "f"), b"x")


def test_backups_keep_content_mode_and_times(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_text("old")
    path.chmod(0o600)
    os.utime(path, (1000, 2000))
    copy = Path(files.backup(str(path)))
    assert copy.name.startswith(f"f.{os.getpid()}.{time.strftime('%Y-%m-%d@')}")
    assert copy.name.endswith("~")
    assert (copy.read_text(), copy.stat().st_mode & 0o777, copy.stat().st_mtime) == ("old", 0o600, 2000)
    assert files.backup(str(tmp_path / "absent")) == ""


def test_backups_of_one_process_and_second_are_each_a_file(tmp_path: Path) -> None:
    path = tmp_path / "f"
    for text in "abc":
        path.write_text(text)
        files.backup(str(path))
    assert sorted(copy.read_text() for copy in tmp_path.glob("f.*~")) == ["a", "b", "c"]


def test_a_backup_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    path = tmp_path / ("f" * 250)  # the copy's name is too long for a file
    path.write_text("x")
    with pytest.raises(ModuleFailed, match=r"cannot keep a copy of .*: File name too long"):
        files.backup(str(path))
    assert leftovers(tmp_path) == []


def test_a_large_content_is_not_held_in_memory(tmp_path: Path) -> None:
    source = tmp_path / "big"
    with source.open("wb") as stream:
        stream.truncate(50 << 20)
    with files.Replacement(str(tmp_path / "copy")) as new:
        files.copy_into(str(source), new)
        assert new.size == 50 << 20
        assert new.checksum == files.checksum(str(source))
