"""Root in a directory of another user who swaps names for links at every moment: no file outside is touched or told."""

from __future__ import annotations

import contextlib
import os
import stat
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pyplay.remote.module_utils import files
from pyplay.remote.module_utils.module import ModuleFailed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="needs root, whom an attacker wants to lead astray")

NOBODY = 65534
ROUNDS = 2000
SWAP = """

os.chdir(sys.argv[1])
libc, here = ctypes.CDLL(None, use_errno=True), -100
print("ready", flush=True)
while True:
    libc.renameat2(here, b"mine", here, b"link", 2)
"""
PLANT = """

os.chdir(sys.argv[1])
print("ready", flush=True)
while True:
    for name in os.listdir("."):
        if ".pyplay-" in name and not os.path.islink(name):
            try:
                os.unlink(name)
                os.symlink(sys.argv[2], name)
            except OSError:
                pass
"""


@pytest.fixture
def place() -> Iterator[Path]:
    """A directory that others may enter, as those of pytest may not be."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@pytest.fixture
def victim(place: Path) -> Path:
    """A file that root alone may read."""
    path = place / "victim"
    path.write_text("of root alone")
    path.chmod(0o600)
    return path


@pytest.fixture
def lair(place: Path, victim: Path) -> Path:
    """The attacker's directory, with a file and a link to the victim in it."""
    path = place / "lair"
    path.mkdir()
    (path / "mine").write_text("mine")
    (path / "link").symlink_to(victim)
    for each in (path, path / "mine", path / "link"):
        os.chown(each, NOBODY, NOBODY, follow_symlinks=False)
    return path


@contextlib.contextmanager
def attack(program: str, *words: object) -> Iterator[None]:
    humble = f"import ctypes, os, sys; os.setgroups([]); os.setgid({NOBODY}); os.setuid({NOBODY})\n"
    attacker = subprocess.Popen(
        [sys.executable, "-c", humble + program, *map(str, words)], stdout=subprocess.PIPE, text=True
    )
    assert attacker.stdout is not None
    try:
        assert attacker.stdout.readline() == "ready\n"
        yield
    finally:
        attacker.kill()
        attacker.wait()
        attacker.stdout.close()


def mode(lair: Path) -> None:
    files.apply(str(lair / "mine"), files.Wanted(mode="0666"), check=False)
    files.apply(str(lair / "mine"), files.Wanted(mode="0640"), check=False)


def owner(lair: Path) -> None:
    files.apply(str(lair / "mine"), files.Wanted(owner="65533", group="65533"), check=False)
    files.apply(str(lair / "mine"), files.Wanted(owner="65534", group="65534"), check=False)


def content(lair: Path) -> None:
    with files.Replacement(str(lair / "new"), files.Wanted(mode="0666", owner="65534"), follow=False) as new:
        new.write(b"x" * 10000)
        new.commit()


def copies(lair: Path) -> None:
    made = Path(files.backup(str(lair / "mine")) or "nowhere")
    if made.exists():
        status = made.stat()
        readable = stat.S_IMODE(status.st_mode) & 0o044 or status.st_uid != 0
        assert not (readable and "root" in made.read_text()), "a copy that others may read holds the victim's content"
        made.unlink()


@pytest.mark.parametrize(
    ("work", "program"), [(mode, SWAP), (owner, SWAP), (content, PLANT), (content, SWAP), (copies, SWAP)]
)
def test_root_is_not_led_to_another_file(lair: Path, victim: Path, work: Callable[[Path], None], program: str) -> None:
    end = time.monotonic() + 6
    with attack(program, lair, victim):
        for _ in range(ROUNDS):
            with contextlib.suppress(ModuleFailed):
                work(lair)
            status = victim.stat()
            assert (stat.S_IMODE(status.st_mode), status.st_uid, victim.read_text()) == (0o600, 0, "of root alone")
            if time.monotonic() > end:
                break
