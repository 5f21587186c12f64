"""dpkg_selections, debconf, mount_facts, expect and the like, with small programs in the place of Debian's."""

from __future__ import annotations

import os
import socket
from typing import TYPE_CHECKING, Any

import pytest

from pyplay.remote.module_utils.module import call

if TYPE_CHECKING:
    from pathlib import Path

    from tests.modules.conftest import RunModule


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a directory that comes first on PATH."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    monkeypatch.setenv("STORE", str(tmp_path / "store"))
    (tmp_path / "store").write_text("")
    return folder


def program(folder: Path, name: str, text: str) -> None:
    path = folder / name
    path.write_text("#!/bin/sh\n" + text)
    path.chmod(0o755)


DPKG = """case $1 in
--get-selections) grep "^$2 " $STORE || true ;;
--set-selections) cat > $STORE ;;
esac
"""


def test_dpkg_selections(module: RunModule, programs: Path, tmp_path: Path) -> None:
    program(programs, "dpkg", DPKG)
    (tmp_path / "store").write_text("tar install\n")
    predicted = module("dpkg_selections", check=True, diff=True, name="tar", selection="hold")
    assert (tmp_path / "store").read_text() == "tar install\n"
    assert module("dpkg_selections", diff=True, name="tar", selection="hold") == predicted
    assert predicted == {
        "changed": True, "before": "install", "after": "hold", "diff": {"before": "tar install\n", "after": "tar hold\n"},
    }  # fmt: skip
    assert module("dpkg_selections", name="tar", selection="hold")["changed"] is False
    assert module("dpkg_selections", name="nope", selection="hold")["failed"] is True


SHOW = r"""while read name question kind value; do
  case $name in "$1") echo "* $question: $( [ $kind = password ] && echo '(password omitted)' || echo "$value")";; esac
done < $STORE
"""
SET = r"""[ "$1" = -u ] && echo unseen >&2
read name question kind value
grep -v " $question " $STORE > $STORE.new; echo "$name $question $kind $value" >> $STORE.new; mv $STORE.new $STORE
"""
GET = r"""while read name question kind value; do printf '%s\t%s\t%s\t%s\n' "$name" "$question" "$kind" "$value"; done < $STORE
"""


@pytest.fixture
def debconf(programs: Path) -> None:
    program(programs, "debconf-show", SHOW)
    program(programs, "debconf-set-selections", SET)
    program(programs, "debconf-get-selections", GET)


@pytest.mark.usefixtures("debconf")
@pytest.mark.parametrize(
    ("kind", "value", "stored", "same"),
    [
        ("string", "a b", "a b", "a b"),
        ("boolean", True, "true", "yes"),
        ("boolean", "no", "false", False),
        ("multiselect", ["b", "a"], "b, a", ["a", "b"]),
        ("password", "secret", None, "secret"),
    ],
)
def test_debconf(module: RunModule, tmp_path: Path, kind: str, value: object, stored: str | None, same: object) -> None:
    given = {"name": "pkg", "question": "pkg/q", "vtype": kind}
    predicted = module("debconf", check=True, diff=True, value=value, **given)
    assert (tmp_path / "store").read_text() == ""
    first = module("debconf", diff=True, value=value, **given)
    assert first == predicted
    assert first["changed"] is True
    assert first["previous"] == {"pkg/q": ""}
    if stored is not None:
        assert first["current"] == {"pkg/q": stored}
        assert first["diff"] == {"before": {"pkg/q": ""}, "after": {"pkg/q": stored}}
    else:
        assert "secret" not in str(first)
    assert module("debconf", value=same, **given)["changed"] is False
    assert module("debconf", name="pkg")["current"].keys() == {"pkg/q"}


@pytest.mark.usefixtures("debconf")
def test_debconf_wants_question_kind_and_value_together(module: RunModule) -> None:
    assert module("debconf", name="pkg", question="pkg/q")["failed"] is True


FSTAB = r"""# a comment
UUID=abc / ext4 defaults,noatime 0 1
LABEL=x /x\040y xfs ro
x:/a /nfs nfs defaults 0 0
x:/b /nfs nfs defaults 0 0
"""


def test_mounts_of_a_table(module: RunModule, tmp_path: Path) -> None:
    table = tmp_path / "fstab"
    table.write_text(FSTAB)
    (tmp_path / "again").symlink_to(table)
    sources = [str(table), str(tmp_path / "again"), "/nowhere"]
    result = module("mount_facts", sources=sources)
    facts = result["ansible_facts"]
    assert list(facts["mount_points"]) == ["/", "/x y", "/nfs"]
    assert "one mount point" in result["warnings"][0]
    root = facts["mount_points"]["/"]
    assert (root["uuid"], root["passno"], root["dump"], root["options"]) == ("abc", 1, 0, "defaults,noatime")
    assert root["size_total"] > 0
    assert root["ansible_context"] == {
        "source": str(table), "source_data": "UUID=abc / ext4 defaults,noatime 0 1",
    }  # fmt: skip
    assert facts["mount_points"]["/x y"].keys() == {"device", "mount", "fstype", "options", "uuid", "ansible_context"}
    assert facts["mount_points"]["/nfs"]["device"] == "x:/a"
    assert facts["aggregate_mounts"] == []


@pytest.mark.parametrize(
    ("options", "found"),
    [
        ({"devices": ["x:*"]}, ["/nfs", "/nfs"]),
        ({"fstypes": ["ext*", "xfs"]}, ["/", "/x y"]),
        ({"devices": ["UUID*"], "fstypes": ["nfs"]}, []),
    ],
)
def test_mounts_are_filtered(
    module: RunModule, tmp_path: Path, options: dict[str, list[str]], found: list[str]
) -> None:
    (tmp_path / "fstab").write_text(FSTAB)
    result = module("mount_facts", sources=[str(tmp_path / "fstab")], include_aggregate_mounts=True, **options)
    assert [mount["mount"] for mount in result["ansible_facts"]["aggregate_mounts"]] == found
    assert "warnings" not in result


@pytest.mark.parametrize(
    ("line", "device", "mount", "fstype", "options"),
    [
        ("proc on /proc type proc (rw,relatime)", "proc", "/proc", "proc", "rw,relatime"),
        ("/dev/sda1 on /a b type ext4 (rw) [data]", "/dev/sda1", "/a b", "ext4", "rw"),
        (
            "/dev/ada0p2 on / (ufs, local, journaled soft-updates)",
            "/dev/ada0p2",
            "/",
            "ufs",
            "local,journaled soft-updates",
        ),
        ("devfs on /dev (devfs)", "devfs", "/dev", "devfs", ""),
        (
            "         /dev/hd4         /                jfs2   Nov 10 12:00 rw,log=/dev/hd8",
            "/dev/hd4",
            "/",
            "jfs2",
            "rw,log=/dev/hd8",
        ),
        ("server   /exports         /mnt             nfs3   Nov 10 12:00 ro", "server:/exports", "/mnt", "nfs3", "ro"),
    ],
)
def test_the_output_of_mount_on_several_systems(
    load: Any, line: str, device: str, mount: str, fstype: str, options: str
) -> None:
    ((shown, info),) = load("mount_facts").listing(line.strip() + "\n")
    assert shown == line.strip()
    assert info == {"device": device, "mount": mount, "fstype": fstype, "options": options}


def test_mounts_by_the_program(module: RunModule, programs: Path) -> None:
    program(programs, "mymount", "echo 'proc on /proc type proc (rw)'")
    result = module("mount_facts", sources=["mount"], mount_binary="mymount")
    assert result["ansible_facts"]["mount_points"]["/proc"]["ansible_context"]["source"] == "mount"
    assert module("mount_facts", sources=["mount"], mount_binary=None)["ansible_facts"]["mount_points"] == {}


@pytest.mark.parametrize("what", ["error", "warn", "ignore"])
def test_a_program_that_hangs(module: RunModule, programs: Path, what: str) -> None:
    program(programs, "mymount", "sleep 9")
    result = module("mount_facts", sources=["mount"], mount_binary="mymount", timeout=0.2, on_timeout=what)
    assert result.get("failed", False) is (what == "error")
    assert ("warnings" in result) is (what == "warn")


def test_the_timeout_of_mounts_is_positive(module: RunModule) -> None:
    assert module("mount_facts", timeout=-1)["failed"] is True


ASK = "sh -c 'printf name?; read x; echo hi $x; printf name?; read y; echo bye $y; exit 3'"


def test_questions_are_answered_in_turn(module: RunModule) -> None:
    result = module("expect", command=ASK, responses={"name": ["a", "b"]})
    assert (result["rc"], result["failed"], result["changed"]) == (3, True, True)
    assert result["stdout"] == "name?hi a\r\nname?bye b"


def test_one_answer_serves_again_and_may_be_shown(module: RunModule) -> None:
    result = module("expect", command=ASK.replace("exit 3", "exit 0"), responses={"(?i)NAME": "a"}, echo=True)
    assert result["stdout"] == "name?a\r\nhi a\r\nname?a\r\nbye a"
    assert result["rc"] == 0
    assert {"start", "end", "delta", "cmd"} <= set(result)


def test_the_first_question_in_the_output_is_answered_first(module: RunModule) -> None:
    command = "sh -c 'printf one?two?; read a; read b; echo $a $b'"
    assert module("expect", command=command, responses={"two": "2", "one": "1"})["stdout"] == "one?two?1 2"


def test_a_password_is_asked_on_the_terminal_itself(module: RunModule) -> None:
    command = "sh -c 'exec < /dev/null; printf pw: > /dev/tty; read p < /dev/tty; test $p = s; echo $?'"
    assert module("expect", command=command, responses={"pw:": "s"})["stdout"] == "pw:0"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"command": "sleep 9", "responses": {"x": "y"}, "timeout": 1}, "asked nothing"),
        ({"command": ASK, "responses": {"name": ["a"]}}, "no answer left for 'name'"),
        ({"command": "nowhere_x", "responses": {"x": "y"}}, "cannot run nowhere_x"),
        ({"command": " ", "responses": {"x": "y"}}, "no command was given"),
        ({"command": "true", "responses": {"(": "y"}}, "no regular expression"),
        ({"command": "true", "responses": {"x": "y"}, "timeout": "abc"}, "timeout must be a number"),
        ({"command": "true", "responses": {"x": "y"}, "chdir": "/nowhere"}, "cannot change to the directory"),
    ],
)
def test_what_can_go_wrong_in_a_dialogue(module: RunModule, options: dict[str, object], message: str) -> None:
    result = module("expect", **options)
    assert result["failed"] is True
    assert message in result["msg"]


def test_a_dialogue_may_not_be_needed(module: RunModule, tmp_path: Path) -> None:
    given = {"command": "touch new", "responses": {"x": 5}, "chdir": str(tmp_path)}
    assert module("expect", creates="/", **given)["stdout"] == "skipped, since / exists"
    assert module("expect", removes="/nowhere", **given)["changed"] is False
    assert not (tmp_path / "new").exists()
    assert module("expect", check=True, **given)["skipped"] is True
    assert module("expect", timeout=None, **given)["rc"] == 0
    assert (tmp_path / "new").exists()


POLICY = r"""if [ -z "$2" ]; then cat <<'END'
Package files:
 100 /var/lib/dpkg/status
     release a=now
 500 http://deb.example/debian stable/main amd64 Packages
     release v=12.1,o=Debian,a=stable,n=bookworm,l=Debian,c=main,b=amd64
     origin deb.example
 -10 http://ppa.example/x stable/main amd64 Packages
     release o=Somebody Else,a=stable
     origin ppa.example
END
else cat <<'END'
ours:
  Installed: 2
  Candidate: 3
  Version table:
     3 500
        500 http://deb.example/debian stable/main amd64 Packages
 *** 2 100
        100 /var/lib/dpkg/status
theirs:
  Installed: 1
  Candidate: 1
  Version table:
 *** 1 500
        -10 http://ppa.example/x stable/main amd64 Packages
        100 /var/lib/dpkg/status
debian:
  Installed: 1
  Candidate: 1
  Version table:
 *** 1 500
        500 http://deb.example/debian stable/main amd64 Packages
        100 /var/lib/dpkg/status
END
fi
"""


def test_packages_of_debian_tell_their_origin(module: RunModule, programs: Path) -> None:
    lines = "".join(f"installed\\t{name}\\t1\\tall\\tutils\\n" for name in ("ours", "theirs", "debian"))
    program(programs, "dpkg-query", f"printf '{lines}'")
    program(programs, "apt-cache", POLICY)
    packages = module("package_facts", manager=["apt"])["ansible_facts"]["packages"]
    assert {name: entry["origin"] for name, (entry,) in packages.items()} == {
        "ours": "", "theirs": "Somebody Else", "debian": "Debian",
    }  # fmt: skip


@pytest.mark.parametrize(("strategy", "sources"), [("first", ["apt"]), ("all", ["apt", "rpm"])])
def test_two_package_managers(module: RunModule, programs: Path, strategy: str, sources: list[str]) -> None:
    program(programs, "dpkg-query", r"printf 'installed\tp\t1\tall\tutils\n'")
    program(programs, "apt-cache", "exit 1")
    program(programs, "rpm", r"printf 'p\t1\t2\t(none)\tnoarch\n'")
    packages = module("package_facts", manager=["apt", "rpm"], strategy=strategy)["ansible_facts"]["packages"]
    assert [entry["source"] for entry in packages["p"]] == sources


@pytest.mark.parametrize(("options", "patience"), [({}, 5), ({"connect_timeout": 2}, 2)])
def test_how_long_a_port_may_take_to_answer(
    load: Any, monkeypatch: pytest.MonkeyPatch, options: dict[str, Any], patience: int
) -> None:
    loaded = load("wait_for")
    asked: list[float] = []
    near, far = socket.socketpair()

    def connect(_address: Any, seconds: float) -> socket.socket:
        asked.append(seconds)
        if len(asked) == 1:
            raise TimeoutError
        return near

    monkeypatch.setattr(loaded.socket, "create_connection", connect)
    monkeypatch.setattr(loaded.time, "sleep", lambda _seconds: None)
    with near, far:
        result = call(loaded.run, loaded.OPTIONS, {"port": 80, "timeout": 60, **options}, "wait_for")
    assert (result["state"], asked) == ("started", [patience, patience])
