"""service and hostname on hosts of several families; stand-ins play their programs."""

from __future__ import annotations

import os
import socket
import time
from typing import TYPE_CHECKING, Any

import pytest

from pyplay.remote.module_utils import files, initscripts, process
from pyplay.remote.module_utils.facts.root import Root
from pyplay.remote.module_utils.module import Module

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.modules.conftest import RunModule

RC_SERVICE = """case $2 in
status) [ -e $STORE/$1.up ] && exit 0; exit 3;;
start) : > $STORE/$1.up;;
stop) rm $STORE/$1.up;;
restart|reload) [ -e $STORE/$1.up ];;
*) echo "unknown $2" >&2; exit 1;;
esac
"""
RC_UPDATE = """case $1 in
add) : > $STORE/etc/runlevels/$3/$2;;
delete) rm $STORE/etc/runlevels/$3/$2;;
*) exit 1;;
esac
"""
SERVICE = r"""case $2 in
rcvar) v=NO; [ -e $STORE/$1.rc ] && read v < $STORE/$1.rc; printf '# %s\n#\n%s_enable="%s"\n#   (default: "")\n' $1 $1 $v;;
onestatus) [ -e $STORE/$1.up ] && exit 0; echo "$1 is not running."; exit 1;;
onestart) : > $STORE/$1.up;;
onestop) rm $STORE/$1.up;;
onerestart|onereload) [ -e $STORE/$1.up ];;
*) echo "Cannot '$2' $1" >&2; exit 1;;
esac
"""
SYSRC = """name=${1%%_enable=*}; echo ${1#*=} > $STORE/$name.rc"""
FAMILIES: dict[str, tuple[list[str], dict[str, str], dict[str, list[str]]]] = {
    "openrc": (
        ["sbin/openrc", "etc/init.d/web", "etc/runlevels/default/"],
        {"rc-service": RC_SERVICE, "rc-update": RC_UPDATE},
        {
            "started": ["rc-service web start"],
            "restarted": ["rc-service web restart"],
            "reloaded": ["rc-service web reload"],
            "stopped": ["rc-service web stop"],
            "enabled": ["rc-update add web default"],
            "disabled": ["rc-update delete web default"],
        },
    ),
    "freebsd": (
        ["usr/local/etc/rc.d/web"],
        {"service": SERVICE, "sysrc": SYSRC},
        {
            "started": ["service web onestart"],
            "restarted": ["service web onerestart"],
            "reloaded": ["service web onereload"],
            "stopped": ["service web onestop"],
            "enabled": ["sysrc web_enable=YES"],
            "disabled": ["sysrc web_enable=NO"],
        },
    ),
}
STEPS: list[tuple[dict[str, Any], bool]] = [
    ({"enabled": True}, False),
    ({"state": "started"}, False),
    ({"state": "restarted"}, True),
    ({"state": "reloaded"}, True),
    ({"state": "stopped"}, False),
    ({"enabled": False}, False),
]


@pytest.fixture
def host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """Have modules see files of a directory as those of the host, and find no programs but those given."""
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("STORE", str(tmp_path))
    monkeypatch.setenv("PATH", f"{tmp_path}/bin:/bin")
    monkeypatch.setattr(process, "SYSTEM_DIRS", ())
    for name in ("exists", "lexists", "isdir"):
        real: Any = getattr(os.path, name)

        def there(path: Any, real: Any = real) -> bool:
            ours = str(path).startswith(("/etc/", "/run/", "/sbin/", "/usr/local/etc/"))
            return real(str(tmp_path) + str(path)) if ours else real(path)

        monkeypatch.setattr(os.path, name, there)

    def build(present: list[str], programs: dict[str, str], system: str = "Linux", node: str = "old") -> Path:
        for name in present:
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.mkdir() if name.endswith("/") else path.touch()
        for name, text in programs.items():
            path = tmp_path / "bin" / name
            path.write_text(f'#!/bin/sh\necho {name} "$@" >> $STORE/log\n{text}')
            path.chmod(0o755)
        kernel = os.uname_result((system, node, "1", "1", "x86_64"))
        monkeypatch.setattr(os, "uname", lambda: kernel)
        return tmp_path

    return build


@pytest.mark.parametrize("family", FAMILIES)
def test_a_life_of_a_service(module: RunModule, host: Callable[..., Path], family: str) -> None:
    present, programs, expected = FAMILIES[family]
    top = host(present, programs, "FreeBSD" if family == "freebsd" else "Linux")
    asks = ("rc-service web status", "service web rcvar", "service web onestatus")

    def changes(args: dict[str, Any], *, check: bool = False) -> tuple[bool, list[str]]:
        (top / "log").write_text("")
        result = module("service", check=check, name="web", **args)
        assert "failed" not in result, result
        return result["changed"], [line for line in (top / "log").read_text().splitlines() if line not in asks]

    for args, always in STEPS:
        key = args.get("state") or ("enabled" if args["enabled"] else "disabled")
        assert changes(args, check=True) == (True, [])
        assert changes(args) == (True, expected[key])
        if not always:
            assert changes(args) == (False, [])


@pytest.mark.parametrize(
    ("present", "system", "words"),
    [
        (["run/runit/"], "Linux", "community.general.runit"),
        (["run/s6/"], "Linux", "s6"),
        ([], "Linux", "/etc/init.d/web is not there"),
        ([], "FreeBSD", "/usr/local/etc/rc.d"),
    ],
)
def test_a_service_that_is_not_there(
    module: RunModule, host: Callable[..., Path], present: list[str], system: str, words: str
) -> None:
    host(present, {}, system)
    result = module("service", name="web", state="started")
    assert result["failed"] is True
    assert words in result["msg"]


ALPINE = "ID=alpine\nVERSION_ID=3.20.3\n"
NAMES: list[tuple[str, dict[str, str], str, str, str]] = [
    ("Alpine", {"etc/os-release": ALPINE, "etc/hostname": "old\n"}, "Linux", "etc/hostname", "new\n"),
    ("Debian", {"etc/os-release": "ID=debian\n", "etc/hostname": "old\n"}, "Linux", "etc/hostname", "new\n"),
    (
        "old RedHat",
        {"etc/os-release": "ID=centos\n", "etc/sysconfig/network": "NETWORKING=yes\nHOSTNAME=old\n"},
        "Linux",
        "etc/sysconfig/network",
        "NETWORKING=yes\nHOSTNAME=new\n",
    ),
    ("RedHat", {"etc/os-release": "ID=rocky\n", "etc/hostname": "old\n"}, "Linux", "etc/hostname", "new\n"),
    ("SUSE", {"etc/os-release": "ID=sles\n", "etc/HOSTNAME": "old\n"}, "Linux", "etc/HOSTNAME", "new\n"),
    (
        "Gentoo",
        {"etc/os-release": "ID=gentoo\nNAME=Gentoo\n", "etc/conf.d/hostname": '# mine\nhostname="old"\n'},
        "Linux",
        "etc/conf.d/hostname",
        '# mine\nhostname="new"\n',
    ),
    (
        "FreeBSD",
        {"etc/rc.conf": 'sshd_enable="YES"\nhostname="old"\n'},
        "FreeBSD",
        "etc/rc.conf",
        'sshd_enable="YES"\nhostname="new"\n',
    ),
    ("OpenBSD", {"etc/myname": "old\n"}, "OpenBSD", "etc/myname", "new\n"),
]


@pytest.mark.parametrize(("family", "given", "system", "kept", "text"), NAMES, ids=[row[0] for row in NAMES])
def test_where_a_host_keeps_its_name(
    load: Any, host: Callable[..., Path], monkeypatch: pytest.MonkeyPatch,
    family: str, given: dict[str, str], system: str, kept: str, text: str,
) -> None:  # fmt: skip
    top = host([], {}, system)
    for name, content in given.items():
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_text(content)
    hostname = load("hostname")
    kernel = os.uname()
    monkeypatch.setattr(hostname, "Root", lambda: Root(str(top), kernel))
    real = files.replace_content
    monkeypatch.setattr(files, "replace_content", lambda path, data: real(str(top) + path, data))
    now: list[str] = []
    monkeypatch.setattr(socket, "sethostname", now.append)
    from pyplay.remote.module_utils.module import call  # noqa: PLC0415  # as the fixture `module` does

    def run(*, check: bool) -> dict[str, Any]:
        return call(hostname.run, hostname.OPTIONS, {"name": "new", "_ansible_check_mode": check}, "hostname")

    assert run(check=True)["changed"] is True
    assert ((top / kept).read_text(), now) == (given[kept], [])
    assert run(check=False)["changed"] is True
    assert ((top / kept).read_text(), now) == (text, ["new"])
    host([], {}, system, "new")
    kernel = os.uname()
    assert run(check=False)["changed"] is False, family


def test_a_host_with_systemd_asks_hostnamectl(
    module: RunModule, host: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    top = host(["run/systemd/system/"], {"hostnamectl": ""})
    monkeypatch.setattr(socket, "getfqdn", lambda: "new")
    assert module("hostname", name="new")["changed"] is True
    wanted = [f"hostnamectl --{kind} set-hostname new" for kind in ("transient", "static", "pretty")]
    assert (top / "log").read_text().splitlines() == wanted


INIT_SCRIPT = """case $2 in
status) [ -e $STORE/$1.up ] && exit 0; exit 3;;
start) : > $STORE/$1.up;;
stop) rm $STORE/$1.up;;
esac
"""


@pytest.fixture
def naps(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Give the seconds that modules meant to sleep."""
    taken: list[float] = []
    monkeypatch.setattr(time, "sleep", taken.append)
    return taken


@pytest.fixture
def scripted(host: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """Make a host with an init script: the program `service`, which is run in the place of the script, too."""
    real: Any = Module.run_command

    def run_command(module: Module, argv: list[str], **how: Any) -> tuple[int, str, str]:
        words = [[word] if word != "/etc/init.d/web" else ["service", "web"] for word in argv]
        return real(module, [word for each in words for word in each], **how)

    monkeypatch.setattr(Module, "run_command", run_command)
    return lambda *more, **programs: host(["etc/init.d/web", *more], {"service": INIT_SCRIPT, **programs})


def lines_of(top: Path) -> list[str]:
    """Give what init scripts were told, but for questions."""
    lines = (top / "log").read_text().splitlines() if (top / "log").exists() else []
    return [line for line in lines if " status" not in line]


@pytest.mark.parametrize("name", ["service", "sysvinit"])
def test_a_text_in_the_process_list_tells_that_a_script_runs(
    module: RunModule, scripted: Callable[..., Path], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    top = scripted()
    monkeypatch.setattr(initscripts, "process_lines", lambda: ["/usr/bin/webd --now"])
    assert module(name, name="web", state="started", pattern="webd --now")["changed"] is False
    assert lines_of(top) == []
    assert module(name, name="web", state="started", pattern="other")["changed"] is True
    assert lines_of(top) == ["service web start"]


@pytest.mark.parametrize("name", ["service", "sysvinit"])
def test_a_restart_rests_between_stop_and_start(
    module: RunModule, scripted: Callable[..., Path], naps: list[float], name: str
) -> None:
    top = scripted("web.up")
    assert module(name, name="web", state="restarted", sleep=7)["changed"] is True
    assert (lines_of(top), naps) == (["service web stop", "service web start"], [7])


def test_words_for_a_script(module: RunModule, scripted: Callable[..., Path]) -> None:
    top = scripted()
    assert module("sysvinit", name="web", state="started", arguments="-a 'b'")["changed"] is True
    assert lines_of(top) == ["service web start -a 'b'"]


def test_a_script_may_get_a_session_of_its_own(module: RunModule, scripted: Callable[..., Path]) -> None:
    top = scripted(setsid="")
    assert module("sysvinit", name="web", state="started", daemonize=True)["changed"] is True
    assert lines_of(top) == ["setsid -f service web start"]


@pytest.mark.parametrize(("given", "level"), [({}, "default"), ({"runlevel": "boot"}, "boot")])
def test_the_runlevel_of_openrc(
    module: RunModule, host: Callable[..., Path], given: dict[str, Any], level: str
) -> None:
    present, programs, _ = FAMILIES["openrc"]
    top = host([*present, "etc/runlevels/boot/"], programs)
    assert module("service", name="web", enabled=True, **given)["changed"] is True
    assert lines_of(top) == [f"rc-update add web {level}"]
