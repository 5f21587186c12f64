"""The modules of ansible.posix: on files, with the real programs where they are harmless, else with small ones."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import pytest

from pyplay.remote.module_utils import files
from pyplay.remote.module_utils.module import call

if TYPE_CHECKING:
    from tests.modules.conftest import RunModule

ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="only root may do this")


def needs(*programs: str) -> pytest.MarkDecorator:
    missing = [name for name in programs if shutil.which(name) is None]
    return pytest.mark.skipif(bool(missing), reason=f"not installed: {missing}")


def program(folder: Path, name: str, text: str) -> None:
    (folder / name).write_text("#!/bin/sh\n" + text)
    (folder / name).chmod(0o755)


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a directory that comes first on PATH."""
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    monkeypatch.setenv("STORE", str(tmp_path / "store"))
    return tmp_path / "bin"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Give a file on a file system that keeps ACLs."""
    path = tmp_path / "f"
    path.write_text("x")
    path.chmod(0o640)
    if subprocess.run(["setfacl", "-m", "user:daemon:r", path], capture_output=True, check=False).returncode:
        pytest.skip("the file system has no ACLs")
    subprocess.run(["setfacl", "-b", path], check=True)
    return path


@needs("setfacl")
def test_entries_of_acls_come_and_go(module: RunModule, file: Path) -> None:
    given = {"path": file, "entity": "daemon", "etype": "user", "permissions": "rw"}
    assert module("acl", path=file)["acl"] == ["user::rw-", "group::r--", "other::---"]
    assert module("acl", state="present", check=True, **given)["changed"] is True
    assert len(module("acl", path=file)["acl"]) == 3
    first = module("acl", state="present", **given)
    assert (first["changed"], first["msg"]) == (True, "user:daemon:rw is present")
    assert first["acl"] == ["user::rw-", "user:daemon:rw-", "group::r--", "mask::rw-", "other::---"]
    assert module("acl", state="present", **given)["changed"] is False
    assert module("acl", state="present", path=file, entry="user:daemon:rw")["changed"] is False
    assert module("acl", state="present", path=file, entry="u:daemon:r", recalculate_mask="no_mask")["changed"] is True
    assert "mask::rw-" in module("acl", path=file)["acl"]
    gone = {"path": file, "entity": "daemon", "etype": "user", "state": "absent"}
    assert module("acl", check=True, **gone)["changed"] is True
    assert module("acl", **gone)["changed"] is True
    assert module("acl", **gone)["changed"] is False


@needs("setfacl")
def test_acls_of_directories(module: RunModule, file: Path) -> None:
    top = file.parent / "d"
    (top / "below").mkdir(parents=True)
    given = {"path": top, "entity": "daemon", "etype": "group", "permissions": "rx", "state": "present"}
    assert module("acl", default=True, **given)["changed"] is True
    assert "group:daemon:r-x" in module("acl", path=top, default=True)["acl"]
    assert module("acl", path=top, entry="default:group:daemon:rx", state="present")["changed"] is False
    assert module("acl", recursive=True, **given)["changed"] is True
    assert "group:daemon:r-x" in module("acl", path=top / "below")["acl"]
    (top.parent / "link").symlink_to(top)
    linked = dict(given, path=top.parent / "link")
    assert module("acl", **linked)["changed"] is False


@needs("setfacl")
@pytest.mark.parametrize(
    "options",
    [
        {"state": "present", "etype": "user"},
        {"state": "present", "permissions": "r"},
        {"state": "absent", "entry": "user:daemon:r"},
        {"state": "present", "entry": "user:daemon"},
        {"state": "present", "entry": "nobody knows:x:r"},
        {"entry": "user:daemon:r", "etype": "user"},
        {"recursive": True},
        {"path": "/nowhere"},
    ],
    ids=str,
)
def test_what_acl_refuses(module: RunModule, file: Path, options: dict[str, Any]) -> None:
    assert module("acl", **{"path": file, **options})["failed"] is True


def test_acls_of_nfs(module: RunModule, programs: Path, tmp_path: Path) -> None:
    (tmp_path / "store").write_text("A::OWNER@:rw\n")
    program(programs, "nfs4_getfacl", "cat $STORE")
    program(programs, "nfs4_setfacl", 'echo "$*" >> $STORE.log; [ $1 = -a ] && echo "$2" >> $STORE')
    given = {"path": tmp_path, "use_nfsv4_acls": True, "state": "present", "entry": "A::joe@x:r"}
    assert module("acl", check=True, **given)["changed"] is True
    assert module("acl", **given)["changed"] is True
    assert (tmp_path / "store.log").read_text() == f"-a A::joe@x:r {tmp_path}\n"
    assert module("acl", **given)["changed"] is False


AT = """case $1 in
-c) cat $STORE/$2 2>/dev/null ;;
-r) rm $STORE/$2 ;;
*) n=$(ls $STORE | wc -l); [ "$1" = -f ] && cat $2 > $STORE/$n || cat > $STORE/$n; echo "$*" >> $STORE.log ;;
esac
"""


def test_jobs_of_at(module: RunModule, programs: Path, tmp_path: Path) -> None:
    (tmp_path / "store").mkdir()
    program(programs, "at", AT)
    program(programs, "atq", 'for f in $(ls $STORE); do echo "$f Mon"; done')
    given = {"command": "echo hi", "count": 20, "units": "minutes"}
    assert module("at", check=True, **given)["changed"] is True
    assert not list((tmp_path / "store").iterdir())
    assert module("at", **given) == {
        "changed": True, "state": "present", "script_file": None, "count": 20, "units": "minutes",
    }  # fmt: skip
    assert (tmp_path / "store.log").read_text() == "now + 20 minutes\n"
    assert module("at", unique=True, **given)["changed"] is False
    assert module("at", command="echo hi", state="absent", check=True)["changed"] is True
    assert module("at", command="echo hi", state="absent")["changed"] is True
    assert module("at", command="echo hi", state="absent")["changed"] is False
    (tmp_path / "s.sh").write_text("echo script\n")
    assert module("at", script_file=tmp_path / "s.sh", count=1, units="days")["changed"] is True
    assert module("at", script_file=tmp_path / "s.sh", count=1, units="days", unique=True)["changed"] is False
    assert module("at", command="x")["failed"] is True
    assert module("at", count=1, units="days")["failed"] is True
    assert module("at", command="x", script_file="y", state="absent")["failed"] is True


FSTAB = "# kept\nUUID=a\t/\text4\tdefaults\t0\t1\n"


def test_lines_of_fstab(module: RunModule, tmp_path: Path) -> None:
    fstab = tmp_path / "fstab"
    fstab.write_text(FSTAB)
    given = {"path": "/mnt/a b", "src": "/dev/sdz1", "fstype": "xfs", "fstab": fstab}
    predicted = module("mount", state="present", check=True, diff=True, **given)
    assert fstab.read_text() == FSTAB
    first = module("mount", state="present", diff=True, **given)
    assert first == predicted
    assert first["changed"] is True
    assert fstab.read_text() == FSTAB + "/dev/sdz1 /mnt/a\\040b xfs defaults 0 0\n" == first["diff"]["after"]
    assert module("mount", state="present", **given)["changed"] is False
    changed = module("mount", state="present", opts="ro", boot=False, passno=2, dump="1", backup=True, **given)
    assert fstab.read_text() == FSTAB + "/dev/sdz1 /mnt/a\\040b xfs ro,noauto 1 2\n"
    assert list(tmp_path.glob("fstab.*~")) == [Path(changed["backup_file"])]
    gone = {"path": "/mnt/a b", "fstab": fstab}
    assert module("mount", state="absent_from_fstab", check=True, **gone)["changed"] is True
    assert module("mount", state="absent_from_fstab", **gone)["changed"] is True
    assert fstab.read_text() == FSTAB
    assert module("mount", state="absent_from_fstab", **gone)["changed"] is False
    assert module("mount", state="unmounted", **gone)["changed"] is False
    assert module("mount", state="remounted", **gone)["failed"] is True
    assert module("mount", state="present", path="/x")["failed"] is True


def test_options_can_be_secret(module: RunModule, tmp_path: Path) -> None:
    given = {"path": "/m", "src": "//h/s", "fstype": "cifs", "fstab": tmp_path / "new" / "fstab", "state": "present"}
    result = module("mount", diff=True, opts="user=u,password=geheim", opts_no_log=True, **given)
    assert "geheim" not in str(result)
    assert "geheim" in (tmp_path / "new" / "fstab").read_text()


def test_two_areas_for_swapping(module: RunModule, tmp_path: Path) -> None:
    for source in ("/dev/a", "/dev/b"):
        given = {"path": "none", "src": source, "fstype": "swap", "fstab": tmp_path / "fstab", "state": "present"}
        assert module("mount", **given)["changed"] is True
        assert module("mount", **given)["changed"] is False
    assert len((tmp_path / "fstab").read_text().splitlines()) == 2


def may_mount() -> bool:
    return (
        os.geteuid() == 0
        and subprocess.run(["unshare", "-m", "true"], capture_output=True, check=False).returncode == 0
    )


@pytest.mark.skipif(not may_mount(), reason="mounting is not allowed here")
def test_mounting(module: RunModule, tmp_path: Path) -> None:
    there = tmp_path / "mnt"
    fstab = tmp_path / "fstab"
    given = {"path": there, "src": "tmpfs", "fstype": "tmpfs", "fstab": fstab, "opts": "size=1m"}
    try:
        assert module("mount", state="mounted", check=True, **given)["changed"] is True
        assert not there.exists()
        assert module("mount", state="mounted", **given)["changed"] is True
        assert os.path.ismount(there)
        assert module("mount", state="mounted", check=True, **given)["changed"] is False
        assert module("mount", state="mounted", **given)["changed"] is False
        assert module("mount", state="mounted", **dict(given, opts="size=1m,nosuid"))["changed"] is True
        assert module("mount", state="remounted", path=there, fstab=fstab)["changed"] is True
        assert module("mount", state="unmounted", path=there, check=True)["changed"] is True
        assert module("mount", state="unmounted", path=there)["changed"] is True
        assert not os.path.ismount(there)
        assert module("mount", state="unmounted", path=there)["changed"] is False
        assert module("mount", state="absent", path=there, fstab=fstab, check=True)["changed"] is True
        assert module("mount", state="absent", path=there, fstab=fstab)["changed"] is True
        assert not there.exists()
        assert fstab.read_text() == ""
        assert module("mount", state="absent", path=there, fstab=fstab)["changed"] is False
        assert module("mount", state="ephemeral", **given)["changed"] is True
        assert module("mount", state="ephemeral", **given)["changed"] is False
        assert fstab.read_text() == ""
        (tmp_path / "src").mkdir()
        bind = {"path": tmp_path / "bind", "src": tmp_path / "src", "fstype": "none", "opts": "bind", "fstab": fstab}
        assert module("mount", state="mounted", **bind)["changed"] is True
        assert module("mount", state="mounted", **bind)["changed"] is False
    finally:
        for path in (there, tmp_path / "bind"):
            subprocess.run(["umount", path], capture_output=True, check=False)


PATCH = """--- a/f
+++ b/f
@@ -1,2 +1,2 @@
 one
-two
+2
"""


@needs("patch")
def test_patches_are_applied_and_taken_back(module: RunModule, tmp_path: Path) -> None:
    (tmp_path / "p.diff").write_text(PATCH)
    path = tmp_path / "f"
    path.write_text("one\ntwo\n")
    given = {"src": tmp_path / "p.diff", "dest": path, "remote_src": True}
    assert module("patch", check=True, **given)["changed"] is True
    assert path.read_text() == "one\ntwo\n"
    assert module("patch", **given)["changed"] is True
    assert path.read_text() == "one\n2\n"
    assert module("patch", **given)["changed"] is False
    assert module("patch", state="absent", check=True, **given)["changed"] is True
    assert module("patch", state="absent", **given)["changed"] is True
    assert module("patch", state="absent", **given)["changed"] is False
    assert path.read_text() == "one\ntwo\n"
    based = {"src": tmp_path / "p.diff", "basedir": tmp_path, "remote_src": True}
    assert module("patch", strip=1, backup=True, **based)["changed"] is True
    assert (tmp_path / "f.~1~").read_text() == "one\ntwo\n"
    path.write_text("other\n")
    assert module("patch", strip=1, **based)["failed"] is True
    path.write_text("one \ntwo\n")
    assert module("patch", strip=1, ignore_whitespace=True, **based)["changed"] is True
    assert module("patch", src=tmp_path / "nowhere", dest=path, remote_src=True)["failed"] is True
    assert module("patch", src=tmp_path / "p.diff")["failed"] is True


class RunLoaded(Protocol):
    def __call__(self, *, check: bool = False, **args: Any) -> dict[str, Any]: ...


@pytest.fixture
def run_selinux(load: Any, tmp_path: Path, programs: Path) -> RunLoaded:
    """Run selinux with a configuration and a kernel of the test."""
    loaded = load("selinux")
    loaded.ENFORCE = str(tmp_path / "enforce")
    (tmp_path / "enforce").write_text("1")
    (tmp_path / "config").write_text("# c\nSELINUX=enforcing\nSELINUXTYPE=targeted\n")
    (tmp_path / "targeted").mkdir()
    (tmp_path / "mls").mkdir()
    program(programs, "setenforce", f"printf %s $1 > {tmp_path}/enforce")
    program(programs, "grubby", f'echo "$*" >> {tmp_path}/grubby; echo \'args="ro quiet"\'')

    def run(*, check: bool = False, **args: Any) -> dict[str, Any]:
        given = dict(args, configfile=str(tmp_path / "config"), _ansible_check_mode=check)
        return call(loaded.run, loaded.OPTIONS, given, "selinux")

    return run


def test_the_mode_of_selinux(run_selinux: RunLoaded, tmp_path: Path) -> None:
    assert run_selinux(state="enforcing", policy="targeted")["changed"] is False
    assert run_selinux(state="permissive", policy="targeted", check=True)["changed"] is True
    assert "SELINUX=enforcing" in (tmp_path / "config").read_text()
    first = run_selinux(state="permissive", policy="targeted")
    assert (first["changed"], first["reboot_required"]) == (True, False)
    assert (tmp_path / "enforce").read_text() == "0"
    assert (tmp_path / "config").read_text() == "# c\nSELINUX=permissive\nSELINUXTYPE=targeted\n"
    assert run_selinux(state="permissive", policy="targeted")["changed"] is False
    assert run_selinux(state="permissive", policy="mls")["policy"] == "mls"
    off = run_selinux(state="disabled", update_kernel_param=True)
    assert (off["changed"], off["reboot_required"]) == (True, True)
    assert (tmp_path / "grubby").read_text().splitlines()[-1] == "--update-kernel=ALL --args selinux=0"
    assert run_selinux(state="disabled")["changed"] is False
    assert run_selinux(state="enforcing")["failed"] is True
    assert run_selinux(state="enforcing", policy="nope")["failed"] is True


def test_booleans_of_selinux(
    module: RunModule, programs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "store").write_text("off off")
    program(
        programs, "getsebool", '[ $1 = b ] && echo "b --> $(cut -d" " -f1 $STORE)" || { echo unknown >&2; exit 1; }'
    )
    program(programs, "semanage", 'read now kept < $STORE; printf "b   (%s   ,   %s)  text\\n" $now $kept')
    program(
        programs,
        "setsebool",
        'read now kept < $STORE; [ $1 = -P ] && { shift; kept=${1#*=}; }; now=${1#*=}; echo "$now $kept" > $STORE',
    )
    assert module("seboolean", name="b", state=True)["failed"] is not files.selinux_enabled()
    monkeypatch.setattr(files, "selinux_enabled", lambda: True)
    given = {"name": "b", "state": True}
    assert module("seboolean", check=True, **given)["changed"] is True
    assert module("seboolean", **given) == {"changed": True, "name": "b", "state": True, "persistent": False}
    assert (tmp_path / "store").read_text().split() == ["on", "off"]
    assert module("seboolean", **given)["changed"] is False
    assert module("seboolean", persistent=True, check=True, **given)["changed"] is True
    assert module("seboolean", persistent=True, **given)["changed"] is True
    assert module("seboolean", persistent=True, **given)["changed"] is False
    assert module("seboolean", name="nope", state=True)["failed"] is True


@needs("rsync")
def test_trees_are_copied(module: RunModule, tmp_path: Path) -> None:
    (tmp_path / "a" / "sub").mkdir(parents=True)
    (tmp_path / "a" / "sub" / "f").write_text("x")
    given = {"src": f"{tmp_path}/a/", "dest": f"{tmp_path}/b"}
    predicted = module("synchronize", check=True, diff=True, **given)
    assert not (tmp_path / "b").exists()
    first = module("synchronize", diff=True, **given)
    assert predicted["changed"] is True
    assert predicted["stdout_lines"] == first["stdout_lines"]
    assert first["diff"] == {"prepared": first["msg"]}
    assert (tmp_path / "b" / "sub" / "f").read_text() == "x"
    assert module("synchronize", **given)["changed"] is False
    (tmp_path / "b" / "more").write_text("y")
    shutil.copystat(tmp_path / "a", tmp_path / "b")  # its time, which the new file changed, is copied, too
    assert module("synchronize", **given)["changed"] is False
    assert module("synchronize", delete=True, **given)["changed"] is True
    assert not (tmp_path / "b" / "more").exists()
    assert module("synchronize", src="/nowhere", dest=tmp_path / "b")["rc"] == 23


WORDS = [
    ({}, "--delay-updates -F --compress --archive"),
    ({"archive": False, "recursive": True, "times": True}, "--delay-updates -F --compress --recursive --times"),
    ({"owner": False, "group": False}, "--delay-updates -F --compress --archive --no-owner --no-group"),
    ({"delay_updates": False, "compress": False}, "-F --archive"),
    ({"checksum": True, "copy_links": True, "dirs": True}, "--delay-updates -F --compress --checksum --copy-links --dirs --archive"),
    ({"existing_only": True, "partial": True, "rsync_timeout": 5}, "--delay-updates -F --compress --existing --partial --timeout=5 --archive"),
    ({"rsync_path": "sudo rsync", "link_dest": ["/l"], "rsync_opts": ["--exclude=.git"], "quiet": True}, "--delay-updates -F --compress --archive --rsync-path=sudo rsync --link-dest=/l --exclude=.git --quiet"),
    ({"dest": "u@h:/d"}, "--delay-updates -F --compress --archive --rsh=ssh -S none -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR"),
    (
        {"src": "h:/s", "private_key": "/k", "dest_port": 22, "verify_host": True, "ssh_connection_multiplexing": True, "ssh_args": "-C"},
        "--delay-updates -F --compress --archive --rsh=ssh -i /k -o Port=22 -C",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("options", "words"), WORDS, ids=str)
def test_the_words_for_rsync(module: RunModule, programs: Path, options: dict[str, Any], words: str) -> None:
    program(programs, "rsync", 'echo "$*"')
    given = {"src": "/s", "dest": "/d", **options}
    result = module("synchronize", **given)
    assert result["msg"] == f"{words} --out-format=%i %n%L {given['src']} {given['dest']}\n"
