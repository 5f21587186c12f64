"""What is kept beside the compiled files of Python."""

from __future__ import annotations

import os
import stat
import sys
from typing import TYPE_CHECKING

import pytest

from pyplay.shipping.kept import kept

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


class Maker:
    """Counts how often something is made."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self) -> tuple[bytes, int]:
        """Make it."""
        self.times += 1
        return b"made", self.times


@pytest.fixture(autouse=True)
def _writing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "pycache_prefix", None)


def test_it_is_made_once_for_each_key(tmp_path: Path) -> None:
    make = Maker()
    assert kept(tmp_path / "a.py", "one", make) == (b"made", 1)
    assert kept(tmp_path / "a.py", "one", make) == (b"made", 1)
    assert kept(tmp_path / "b.py", "one", make) == (b"made", 2)
    assert kept(tmp_path / "a.py", "two", make) == (b"made", 3)
    assert kept(tmp_path / "a.py", "two", make) == (b"made", 3)
    names = sorted(path.name for path in (tmp_path / "__pycache__").iterdir())
    assert names == [f"{name}.{sys.implementation.cache_tag}.opt-pyplay.pyc" for name in "ab"]


def test_what_is_broken_anywhere_is_made_anew(tmp_path: Path) -> None:
    make = Maker()
    kept(tmp_path / "a.py", "one", make)
    place = next((tmp_path / "__pycache__").iterdir())
    good = place.read_bytes()
    broken = [good[:length] for length in range(len(good))]
    broken += [good[:at] + bytes([good[at] ^ 1 << at % 8]) + good[at + 1 :] for at in range(len(good))]
    broken += [
        good[:at] + b"\0" * (len(good) - at) for at in range(len(good) - 8)
    ]  # blocks that never came to the disk
    for times, data in enumerate(broken, start=2):
        place.write_bytes(data)
        assert kept(tmp_path / "a.py", "one", make) == (b"made", times), data
        assert kept(tmp_path / "a.py", "one", make) == (b"made", times), data


def test_nothing_is_kept_where_python_keeps_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make = Maker()
    (tmp_path / "file").touch()
    assert kept(tmp_path / "file" / "a.py", "one", make) is None  # no directory can be made there
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert kept(tmp_path / "a.py", "one", make) is None
    with monkeypatch.context() as without:
        without.setattr(sys.implementation, "cache_tag", None)
        assert kept(tmp_path / "a.py", "one", make) is None
    assert (make.times, [path.name for path in tmp_path.iterdir()]) == (0, ["file"])
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    kept(tmp_path / "a.py", "one", make)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert kept(tmp_path / "a.py", "one", make) == (b"made", 1)


def _link(place: Path) -> None:
    place.rename(place.with_name("elsewhere"))
    place.symlink_to("elsewhere")


def _pipe(place: Path) -> None:
    place.unlink()
    os.mkfifo(place)


def _given_away(place: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root gives files away")
    os.chown(place, 12345, -1)


@pytest.mark.parametrize("change", [_link, _pipe, _given_away, lambda place: place.chmod(0o646)])
def test_what_others_decide_about_counts_as_nothing(tmp_path: Path, change: Callable[[Path], object]) -> None:
    make = Maker()
    (tmp_path / "a.py").touch()
    kept(tmp_path / "a.py", "one", make)
    place = next((tmp_path / "__pycache__").iterdir())
    assert stat.S_IMODE(place.stat().st_mode) & 0o022 == 0
    change(place)
    assert kept(tmp_path / "a.py", "one", make) == (b"made", 2)
    assert kept(tmp_path / "a.py", "one", make) == (b"made", 2)


def test_what_the_owner_of_the_source_kept_counts(tmp_path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root gives files away")
    make = Maker()
    (tmp_path / "a.py").touch()
    kept(tmp_path / "a.py", "one", make)
    for path in (tmp_path / "a.py", next((tmp_path / "__pycache__").iterdir())):
        os.chown(path, 12345, -1)
    assert kept(tmp_path / "a.py", "one", make) == (b"made", 1)
