"""password_hash and the crypt(3) schemes behind it."""

from __future__ import annotations

from typing import Any

import pytest

from pyplay.templating.filters import crypt, passwords
from pyplay.templating.filters.errors import FilterError


@pytest.mark.parametrize("rounds", [1000, 5000, 1234])
@pytest.mark.parametrize("salt", ["a", "saltsalt"])
@pytest.mark.parametrize("password", ["", "a", "secret", "x" * 70, "é" * 40])
def test_our_code_and_libcrypt_agree(password: str, salt: str, rounds: int) -> None:
    data = password.encode()
    mark = "" if rounds == 5000 else f"rounds={rounds}$"
    if crypt.libcrypt(data, "$6$a") is None:
        pytest.skip("no libcrypt here")
    assert crypt.sha512_crypt(data, salt, rounds) == crypt.libcrypt(data, f"$6${mark}{salt}")
    assert crypt.sha256_crypt(data, salt, rounds) == crypt.libcrypt(data, f"$5${mark}{salt}")
    assert crypt.md5_crypt(data, salt) == crypt.libcrypt(data, f"$1${salt}")


def test_hash_without_libcrypt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crypt, "libcrypt", lambda *_: None)
    expected = "$5$saltstring$5B8vYYiY.CVt1RlTTf8KbXBH3hsxY/GNooZaBBGWEc5"
    assert passwords.password_hash("Hello world!", "sha256", "saltstring", rounds=5000) == expected
    assert passwords.password_hash("secret", "md5", "saltsalt") == "$1$saltsalt$9xy1btjgzLYfb7hivXtC//"


def test_default_rounds_are_written_down_and_the_salt_is_the_one_given() -> None:
    assert passwords.password_hash("secret", "sha512", "saltsalt", rounds=5000).startswith("$6$saltsalt$")
    assert passwords.password_hash("secret", "sha256", "salt", rounds=1).startswith("$5$rounds=1000$salt$")
    assert passwords.SCHEMES["sha512"].default_rounds == 656_000


def test_the_same_salt_gives_the_same_hash_and_none_a_new_one() -> None:
    first = [passwords.password_hash("x", "md5", "abc"), passwords.password_hash("x", "md5")]
    second = [passwords.password_hash("x", "md5", "abc"), passwords.password_hash("x", "md5")]
    assert first[0] == second[0]
    assert first[1] != second[1]


def test_bcrypt_comes_from_the_system() -> None:
    if crypt.libcrypt(b"x", "$2b$04$" + "a" * 21 + "u") is None:
        pytest.skip("this crypt(3) has no bcrypt")
    assert passwords.password_hash("secret", "bcrypt", "abcdefghijklmnopqrstuu", rounds=4, ident="2y").startswith(
        "$2y$04$abcdefghijklmnopqrstuu"
    )


def test_bcrypt_without_the_system_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crypt, "libcrypt", lambda *_: None)
    with pytest.raises(FilterError, match="no bcrypt"):
        passwords.password_hash("secret", "blowfish")


@pytest.mark.parametrize(("arguments", "message"), [
    (("secret", "bcrypt", None, None, 99), "4 to 31"),
    (("secret", "bcrypt", None, None, 4, "9z"), "ident"),
    (("a\0b",), "NUL"),
    ((["a"],), "not list"),
    (("x", "sha512", "a", None, "many"), "number"),
])  # fmt: skip
def test_what_cannot_be_hashed(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(FilterError, match=message):
        passwords.password_hash(*arguments)


@pytest.mark.parametrize(
    ("hashtype", "size", "length"), [("sha512", 6, 6), ("sha256", None, 16), ("md5", 0, 8), ("bcrypt", 22, 22)]
)
def test_a_new_salt_has_the_size_asked_for(hashtype: str, size: int | None, length: int) -> None:
    made = passwords.password_hash("x", hashtype, None, size, 5 if hashtype == "bcrypt" else 1000)
    tail = made.rpartition("$")[2 if hashtype == "bcrypt" else 0].rpartition("$")[2]
    assert len(tail) - (31 if hashtype == "bcrypt" else 0) == length


@pytest.mark.parametrize(("hashtype", "size"), [("sha512", 17), ("bcrypt", 5), ("md5", -1)])
def test_a_salt_size_that_the_scheme_cannot_have_is_refused(hashtype: str, size: int) -> None:
    with pytest.raises(FilterError, match="invalid salt size"):
        passwords.password_hash("x", hashtype, salt_size=size)


@pytest.mark.parametrize("size", ["8", True])
def test_a_salt_size_is_a_number(size: object) -> None:
    with pytest.raises(FilterError, match="salt_size must be an integer"):
        passwords.password_hash("x", salt_size=size)  # type: ignore[arg-type]  # what playbooks may give
