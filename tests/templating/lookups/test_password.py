"""The password lookup keeps what it made, in files as core writes and reads them."""

from __future__ import annotations

import stat
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyplay.templating.lookups.base import LookupCall, LookupFailed
from pyplay.templating.lookups.password import Kept, password

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def call(tmp_path: Path) -> LookupCall:
    return LookupCall(SimpleNamespace(search_path=[], basedir=str(tmp_path)))  # type: ignore[arg-type]


def test_a_password_is_made_once_and_kept(call: LookupCall, tmp_path: Path) -> None:
    first = password("deep/er/secret length=12 chars=digits", call)
    assert password(["deep/er/secret"], call) == first
    assert first[0].isdigit()
    assert len(first[0]) == 12
    path = tmp_path / "deep" / "er" / "secret"
    assert path.read_text() == f"{first[0]}\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_the_salt_is_kept_beside_it(call: LookupCall, tmp_path: Path) -> None:
    plain = password(["p"], call)[0]
    hashed = password(["p encrypt=md5_crypt"], call)
    assert password(["p"], call, encrypt="md5_crypt") == hashed
    kept = Kept.parse((tmp_path / "p").read_text())
    assert (kept.password, kept.ident) == (plain, None)
    assert hashed[0].split("$")[2] == kept.salt


def test_what_core_wrote_is_read(call: LookupCall, tmp_path: Path) -> None:
    (tmp_path / "c").write_text("g-S6PcxYFPJjySq.kNh5 salt=cUHPxi00\n")
    assert password(["c"], call) == ["g-S6PcxYFPJjySq.kNh5"]
    assert password(["c encrypt=md5_crypt"], call)[0].startswith("$1$cUHPxi00$")
    assert (tmp_path / "c").read_text() == "g-S6PcxYFPJjySq.kNh5 salt=cUHPxi00\n"


@pytest.mark.parametrize(("line", "kept"), [
    ("abc", Kept("abc")),
    ("a b c\n", Kept("a b c")),
    ("abc salt=xy", Kept("abc", "xy")),
    ("abc salt=xy ident=2a\n", Kept("abc", "xy", "2a")),
    ("odd salt=x y", Kept("odd salt=x y")),
])  # fmt: skip
def test_lines(line: str, kept: Kept) -> None:
    assert Kept.parse(line) == kept


words = st.text("abcXYZ019./", min_size=1, max_size=8)


@given(st.builds(Kept, words, words, st.none() | words))
def test_lines_are_read_as_they_are_written(kept: Kept) -> None:
    assert Kept.parse(kept.line()) == kept


@pytest.mark.parametrize(("term", "options", "message"), [
    ("", {}, "names no file"),
    ("/dev/null length=x", {}, "whole number"),
    ("/dev/null nope=1", {}, "no option"),
    ("/dev/null encrypt=rot13", {}, "rot13"),
    ("/dev/null", {"encrypt": True}, "name a hash"),
    ("/dev/null", {"chars": []}, "no characters"),
    ("/dev/null", {"length": -1}, "negative"),
    (".", {}, "directory"),
    (["list"], {}, "text"),
])  # fmt: skip
def test_what_is_refused(call: LookupCall, term: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(LookupFailed, match=message):
        password([term], call, **options)


def test_another_ident_than_the_kept_one_is_refused(call: LookupCall, tmp_path: Path) -> None:
    (tmp_path / "b").write_text("x salt=Xtc5EF.3D/FwTlhHjTjc9Z ident=2a\n")
    with pytest.raises(LookupFailed, match="2a"):
        password(["b encrypt=bcrypt ident=2b"], call)


def test_unknown_options_are_warned_about(tmp_path: Path) -> None:
    warnings: list[Any] = []
    call = LookupCall(SimpleNamespace(search_path=[], basedir=str(tmp_path)), on_warning=warnings.append)  # type: ignore[arg-type]
    password(["/dev/null"], call, lenght=3)
    assert [warning.message for warning in warnings] == ["lookup 'password' has no option 'lenght'"]
