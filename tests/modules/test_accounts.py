"""user and group with the programs of shadow-utils, busybox and FreeBSD, which stand-ins play."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pyplay.remote.module_utils import account_programs, accounts, process

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.modules.conftest import RunModule

FAMILIES = {
    "shadow": "useradd usermod userdel groupadd groupmod groupdel chpasswd",
    "busybox": "adduser deluser addgroup delgroup passwd chpasswd",
    "freebsd": "pw",
}
STAND_INS = Path(__file__).with_name("account_stand_ins.py")


@pytest.fixture
def family(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Have the modules find one family's programs and work on files under a directory of the test."""
    (tmp_path / "etc").mkdir()
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("ACCOUNTS", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setattr(process, "SYSTEM_DIRS", ())
    monkeypatch.setattr(os, "lchown", lambda *_: None)
    for target, name in ((accounts, "_rows"), (account_programs, "_edit")):
        real: Any = getattr(target, name)
        monkeypatch.setattr(target, name, lambda path, *more, real=real: real(str(tmp_path) + path, *more))
    monkeypatch.setattr(accounts, "may_read_shadow", lambda: True)

    def choose(name: str) -> Path:
        for program in FAMILIES[name].split():
            path = tmp_path / "bin" / program
            path.write_text(f'#!/bin/sh\nexec {sys.executable} {STAND_INS} {program} "$@"\n')
            path.chmod(0o755)
        (tmp_path / "etc/passwd").write_text("root:x:0:0:root:/root:/bin/sh\n")
        (tmp_path / "etc/group").write_text("root:x:0:\nstaff:x:50:\nwheel:x:10:\n")
        (tmp_path / "etc" / ("master.passwd" if name == "freebsd" else "shadow")).write_text("")
        if name == "freebsd":
            kernel = os.uname_result(("FreeBSD", "f", "14.1-RELEASE", "FreeBSD", "amd64"))
            monkeypatch.setattr(os, "uname", lambda: kernel)
        return tmp_path

    return choose


HOME = {"home": "/nowhere/ann", "create_home": False}
STEPS: list[tuple[str, dict[str, Any], dict[str, list[str]]]] = [
    (
        "group",
        {"name": "web", "gid": 900},
        {
            "shadow": ["groupadd -g 900 web"],
            "busybox": ["addgroup -g 900 web"],
            "freebsd": ["pw groupadd web -g 900"],
        },
    ),
    (
        "group",
        {"name": "web", "gid": 901},
        {"shadow": ["groupmod -g 901 web"], "busybox": [], "freebsd": ["pw groupmod web -g 901"]},
    ),
    (
        "user",
        {
            "name": "ann",
            "uid": 2001,
            "group": "web",
            "groups": ["staff"],
            "comment": "Ann B",
            "shell": "/bin/sh",
            **HOME,
        },
        {
            "shadow": ["useradd -u 2001 -g web -G staff -c Ann B -d /nowhere/ann -s /bin/sh -M ann"],
            "busybox": ["adduser -D -g Ann B -h /nowhere/ann -s /bin/sh -G web -u 2001 -H ann", "adduser ann staff"],
            "freebsd": ["pw useradd -n ann -u 2001 -c Ann B -d /nowhere/ann -g web -s /bin/sh -G staff"],
        },
    ),
    (
        "user",
        {"name": "ann", "uid": 2002, "comment": "Ann C", "shell": "/bin/ksh", **HOME},
        {
            "shadow": ["usermod -u 2002 -c Ann C -s /bin/ksh ann"],
            "busybox": [],
            "freebsd": ["pw usermod -n ann -u 2002 -c Ann C -s /bin/ksh"],
        },
    ),
    (
        "user",
        {"name": "ann", "groups": ["wheel"], "append": True, **HOME},
        {
            "shadow": ["usermod -a -G wheel ann"],
            "busybox": ["adduser ann wheel"],
            "freebsd": ["pw usermod -n ann -G staff,wheel"],
        },
    ),
    (
        "user",
        {"name": "ann", "groups": ["wheel"], **HOME},
        {
            "shadow": ["usermod -G wheel ann"],
            "busybox": ["deluser ann staff"],
            "freebsd": ["pw usermod -n ann -G wheel"],
        },
    ),
    (
        "user",
        {"name": "ann", "password": "$6$salt$hash", **HOME},
        {"shadow": ["chpasswd -e"], "busybox": ["chpasswd -e"], "freebsd": ["pw usermod -n ann -H 0"]},
    ),
    (
        "user",
        {"name": "ann", "password_lock": True, **HOME},
        {"shadow": ["usermod -L ann"], "busybox": ["passwd -l ann"], "freebsd": ["pw lock ann"]},
    ),
    (
        "user",
        {"name": "ann", "state": "absent", "remove": True},
        {"shadow": ["userdel -r ann"], "busybox": ["deluser --remove-home ann"], "freebsd": ["pw userdel -n ann -r"]},
    ),
    (
        "group",
        {"name": "web", "state": "absent"},
        {"shadow": ["groupdel web"], "busybox": ["delgroup web"], "freebsd": ["pw groupdel web"]},
    ),
]


@pytest.mark.parametrize("name", FAMILIES)
def test_a_life_of_an_account(module: RunModule, family: Callable[[str], Path], name: str) -> None:
    top = family(name)
    log = top / "log"
    for what, args, expected in STEPS:
        log.write_text("")
        before = {path.name: path.read_text() for path in (top / "etc").iterdir()}
        assert module(what, check=True, local=True, **args)["changed"] is True, args
        assert {path.name: path.read_text() for path in (top / "etc").iterdir()} == before
        first = module(what, local=True, **args)
        assert first["changed"] is True, first
        assert "failed" not in first
        assert log.read_text().splitlines() == expected[name]
        assert module(what, local=True, **args)["changed"] is False, args
        assert log.read_text().splitlines() == expected[name]


def test_what_busybox_wrote_to_its_files(module: RunModule, family: Callable[[str], Path]) -> None:
    top = family("busybox")
    module("user", name="ann", local=True, uid=2001, **HOME)
    module("user", name="ann", local=True, uid=2002, comment="Ann", shell="/bin/x", expires=86400 * 20000, **HOME)
    assert (top / "etc/passwd").read_text().splitlines()[1] == "ann:x:2002:1001:Ann:/nowhere/ann:/bin/x"
    assert (top / "etc/shadow").read_text() == "ann:!:19000:0:99999:7::20000:\n"
    module("user", name="ann", local=True, expires=-1, **HOME)
    assert (top / "etc/shadow").read_text() == "ann:!:19000:0:99999:7:::\n"


@pytest.mark.parametrize(
    ("name", "what", "args", "message"),
    [
        ("busybox", "user", {"non_unique": True, "uid": 0}, "install the package shadow"),
        ("busybox", "user", {"uid_min": 500}, "uid_min"),
        ("busybox", "group", {"gid_max": 500}, "gid_max"),
        ("busybox", "user", {"password_expire_max": 5}, "chage"),
        ("shadow", "user", {"append": True}, "groups"),
        ("shadow", "group", {"state": "absent", "force": True}, "options exclude each other: force, local"),
        ("shadow", "user", {"group": "nope"}, "the group nope is not there"),
    ],
)
def test_what_a_family_cannot_do(
    module: RunModule, family: Callable[[str], Path], name: str, what: str, args: dict[str, Any], message: str
) -> None:
    family(name)
    result = module(what, name="bob", local=True, **args, **({"create_home": False} if what == "user" else {}))
    assert result["failed"] is True
    assert message in result["msg"]


def test_expiry_and_class_on_freebsd(module: RunModule, family: Callable[[str], Path]) -> None:
    top = family("freebsd")
    args = {"name": "ann", "local": True, "expires": 86400 * 20000, "login_class": "staff", **HOME}
    assert module("user", **args)["changed"] is True
    assert module("user", **args)["changed"] is False
    assert (top / "etc/master.passwd").read_text().split(":")[4:7] == ["staff", "0", str(86400 * 20000)]


@pytest.mark.parametrize(
    ("name", "what", "args"),
    [
        ("freebsd", "user", {"profile": "x"}),
        ("freebsd", "user", {"authorization": "x"}),
        ("shadow", "user", {"role": "x"}),
        ("shadow", "user", {"hidden": True}),
        ("shadow", "user", {"login_class": "staff"}),
        ("shadow", "user", {"seuser": "staff_u"}),
    ],
)
def test_an_option_for_other_systems_changes_nothing_and_says_so(
    module: RunModule, family: Callable[[str], Path], name: str, what: str, args: dict[str, Any]
) -> None:
    family(name)
    module(what, name="ann", local=True, **HOME)
    result = module(what, name="ann", local=True, **args, **HOME)
    assert result["changed"] is False
    assert [option in text for option, text in zip(args, result["warnings"], strict=True)] == [True]


def test_a_program_that_refuses_is_told_with_its_words(module: RunModule, family: Callable[[str], Path]) -> None:
    top = family("shadow")
    (top / "bin/useradd").write_text("#!/bin/sh\necho useradd: no >&2; exit 4\n")
    result = module("user", name="ann", local=True, **HOME)
    assert (result["rc"], result["name"], result["msg"]) == (4, "ann", "useradd: no")
