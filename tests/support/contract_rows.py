"""What modules that change something are tried with: a tree, small programs in the place of the system's, options.

In a row `@` is a directory of the test's own, in which `TREE` stands. Programs find it as `$TOP`, and keep what they
are told in it, so that a check that wrote is seen.
"""

from __future__ import annotations

import os
import pwd
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

TEXT = "first\nsecond\nthird\n"

TREE = f"""
printf '{TEXT}' > text; mkdir -p dir/below parts bin
printf leaf > dir/below/leaf; printf other > dir/other; ln -s text link
printf 'one\\n' > parts/1; printf 'two\\n' > parts/2
"""


@dataclass(frozen=True, slots=True)
class Row:
    """One call of a module: `prepare` is a shell script run in the tree, `programs` come first on PATH.

    `constants` are set in the module's file, `parts` in modules of `module_utils` ("files.selinux_enabled");
    `needs` are programs without which it is skipped; `skips`: check mode skips the module, as the table declares.
    """

    module: str
    label: str
    args: Mapping[str, Any]
    prepare: str = ""
    programs: Mapping[str, str] = field(default_factory=dict[str, str])
    constants: Mapping[str, Any] = field(default_factory=dict[str, Any])
    parts: Mapping[str, Any] = field(default_factory=dict[str, Any])
    needs: tuple[str, ...] = ()
    skips: bool = False


def row(module: str, label: str, **args: Any) -> Row:
    """Give a row that needs the tree alone."""
    return Row(module, label, args)


AT = """case $1 in
-c) cat $TOP/jobs/$2 2>/dev/null ;;
-r) rm $TOP/jobs/$2 ;;
*) n=$(ls $TOP/jobs | wc -l); cat > $TOP/jobs/$n ;;
esac
"""
CRONTAB = """[ "$1" = -u ] && shift 2
case $1 in
-l) cat $TOP/crontab 2>/dev/null || { echo no crontab for me >&2; exit 1; } ;;
-) cat > $TOP/crontab ;;
esac
"""
DEBCONF = {
    "debconf-show": """while read name question kind value; do
case $name in "$1") echo "* $question: $value";; esac; done < $TOP/answers
""",
    "debconf-set-selections": "cat >> $TOP/answers\n",
    "debconf-get-selections": """while read name question kind value; do
printf '%s\\t%s\\t%s\\t%s\\n' "$name" "$question" "$kind" "$value"; done < $TOP/answers
""",
}
DPKG = """case $1 in
--get-selections) grep "^$2 " $TOP/selections || true ;;
--set-selections) cat > $TOP/selections ;;
esac
"""
HOSTNAMECTL = 'case $1 in --static) echo "$3" > $TOP/hostname ;; esac\n'
IPTABLES = """table=$2; action=$3; shift 3
case $action in
-C) grep -qxF -- "$table $*" $TOP/rules ;;
-A) echo "$table $*" >> $TOP/rules ;;
-D) grep -vxF -- "$table $*" $TOP/rules > $TOP/rules.new; mv $TOP/rules.new $TOP/rules ;;
-L) [ $1 = INPUT ] && echo "Chain INPUT (policy $(cat $TOP/policy))" || grep -qxF "$table $1" $TOP/rules ;;
-P) echo $2 > $TOP/policy ;;
-N) echo "$table $1" >> $TOP/rules ;;
esac
"""
NFS = {"nfs4_getfacl": "cat $TOP/entries\n", "nfs4_setfacl": '[ $1 = -a ] && echo "$2" >> $TOP/entries\n'}
PIP = """case $1 in
list) cat $TOP/packages ;;
install) for last; do :; done; echo "${last%%=*}==2.0" >> $TOP/packages ;;
uninstall) : > $TOP/packages ;;
esac
"""
SEBOOLEAN = {
    "getsebool": 'echo "b --> $(cat $TOP/boolean)"\n',
    "semanage": 'printf "b   (%s   ,   off)  text\\n" $(cat $TOP/boolean)\n',
    "setsebool": "echo ${1#*=} > $TOP/boolean\n",
}
SELINUX = {"setenforce": "printf %s $1 > $TOP/enforce\n"}
SYSCTL = """case $1 in
-n) cat $TOP/kernel ;;
-w) echo ${2#*=} > $TOP/kernel ;;
-p) sed -n 's/^a.b *= *//p' $2 > $TOP/kernel ;;
esac
"""
SYSTEMCTL = """case $1 in
show) cat $TOP/unit ;;
is-enabled) grep -q UnitFileState=enabled $TOP/unit && echo enabled || { echo disabled; exit 1; } ;;
start) sed -i s/inactive/active/ $TOP/unit ;;
enable) sed -i s/=disabled/=enabled/ $TOP/unit ;;
mask) sed -i s/=loaded/=masked/ $TOP/unit ;;
esac
"""
UNIT = r"printf 'LoadState=loaded\nActiveState=inactive\nSubState=dead\nUnitFileState=disabled\n' > unit"
PATCH = r"printf -- '--- a/text\n+++ b/text\n@@ -1,3 +1,3 @@\n first\n-second\n+2nd\n third\n' > p.diff"
REPOSITORY = """git init -q r && cd r && git config user.name n && git config user.email n@example.org
echo 1 > f && git add f && git commit -qm 1 && git tag one && echo 2 > f && git commit -qam 2
"""
SVN = "svnadmin create r && svn co -q file://$PWD/r w && cd w && echo 1 > f && svn add -q f && svn ci -q -m 1"
ME = pwd.getpwuid(os.geteuid()).pw_name
ED25519 = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFlnZ2dnZ2dnZ2dnZ2dnZ2dnZ2dnZ2dnZ2dnZ2dnZ2dn"


def unit(label: str, **args: Any) -> list[Row]:
    """Give the same row for both names of the module."""
    return [
        Row(name, label, {"name": "u", **args}, UNIT, {"systemctl": SYSTEMCTL})
        for name in ("systemd", "systemd_service")
    ]


FILES = [
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
    row("assemble", "parts", src="@/parts", dest="@/new", delimiter="--", mode="0600"),
    row("assemble", "some of the parts", src="@/parts", dest="@/text", regexp="^1"),
    row(
        "replace",
        "between two lines, kept as it was",
        path="@/text",
        before="third",
        regexp="s",
        replace="S",
        backup=False,
    ),
]
"""Rows that need the tree alone."""

SYSTEM = [
    Row(
        "acl",
        "an entry",
        {"path": "@/dir", "use_nfsv4_acls": True, "state": "present", "entry": "A::joe@x:r"},
        "echo A::OWNER@:rw > entries",
        NFS,
    ),
    Row(
        "apt_repository",
        "a source",
        {"repo": "deb http://h/d s main", "update_cache": False},
        "mkdir sources",
        constants={"DIRECTORY": "@/sources"},
    ),
    Row(
        "apt_repository",
        "a source in a file of its name, with a mode",
        {"repo": "deb http://h/d s main", "update_cache": False, "filename": "own", "mode": "0600"},
        "mkdir sources",
        constants={"DIRECTORY": "@/sources"},
    ),
    Row(
        "apt_repository",
        "a source removed",
        {"repo": "deb http://h/d s main", "update_cache": False, "state": "absent"},
        "mkdir sources; echo deb http://h/d s main > sources/h.list",
        constants={"DIRECTORY": "@/sources"},
    ),
    Row(
        "at",
        "a job",
        {"command": "echo hi", "count": 2, "units": "minutes", "unique": True},
        "mkdir jobs",
        {"at": AT, "atq": 'for f in $(ls $TOP/jobs); do echo "$f Mon"; done\n'},
    ),
    Row(
        "authorized_key",
        "a key",
        {"user": ME, "path": "@/keys", "manage_dir": False, "key": f"{ED25519} me@x", "key_options": "no-pty"},
    ),
    Row(
        "authorized_key",
        "a key removed",
        {"user": ME, "path": "@/keys", "manage_dir": False, "key": f"{ED25519} me@x", "state": "absent"},
        f"echo {ED25519} you@x > keys",
    ),
    Row(
        "authorized_key",
        "this key and no other",
        {"user": ME, "path": "@/keys", "manage_dir": False, "key": f"{ED25519} me@x", "exclusive": True},
        "echo ssh-ed25519 AAAAother you@x > keys",
    ),
    Row("command", "what makes a file", {"_raw_params": "touch @/new", "creates": "@/new"}),
    Row("command", "what removes a file", {"argv": ["rm", "@/text"], "removes": "@/text"}),
    Row("shell", "what makes a file", {"_raw_params": "echo > @/new", "creates": "@/new"}),
    Row("expect", "what makes a file", {"command": "touch @/new", "responses": {}, "creates": "@/new"}, skips=True),
    Row("cron", "a job in a file", {"name": "j", "job": "true", "user": "root", "cron_file": "@/cron", "hour": "5"}),
    Row("cron", "a job", {"name": "j", "job": "true", "minute": "*/5", "weekday": "1"}, programs={"crontab": CRONTAB}),
    Row(
        "cron",
        "a variable before another",
        {"name": "A", "job": "1", "env": True, "insertbefore": "B"},
        "echo B=2 > crontab",
        {"crontab": CRONTAB},
    ),
    Row(
        "cron",
        "a job removed",
        {"name": "j", "state": "absent"},
        "printf '#Ansible: j\\n* * * * * true\\n' > crontab",
        {"crontab": CRONTAB},
    ),
    Row(
        "deb822_repository",
        "a source",
        {"name": "n", "uris": "http://h/", "suites": "s/", "mode": "0640"},
        "mkdir sources",
        constants={"SOURCES": "@/sources", "KEYRINGS": "@/rings"},
    ),
    Row(
        "deb822_repository",
        "a source removed",
        {"name": "n", "state": "absent"},
        "mkdir sources; echo Types: deb > sources/n.sources",
        constants={"SOURCES": "@/sources", "KEYRINGS": "@/rings"},
    ),
    Row(
        "debconf",
        "an answer",
        {"name": "p", "question": "p/q", "vtype": "string", "value": "v"},
        ": > answers",
        DEBCONF,
    ),
    Row(
        "dpkg_selections",
        "hold",
        {"name": "tar", "selection": "hold"},
        "echo tar install > selections",
        {"dpkg": DPKG},
    ),
    Row("get_url", "a new file", {"url": "file://@/text", "dest": "@/new", "mode": "0600"}),
    Row("get_url", "a file that differs", {"url": "file://@/text", "dest": "@/dir/other", "force": True}),
    Row("git", "a clone", {"repo": "@/r", "dest": "@/c", "version": "one"}, REPOSITORY, needs=("git",)),
    Row(
        "git",
        "another version",
        {"repo": "@/r", "dest": "@/c", "version": "one"},
        REPOSITORY + "git clone -q . ../c",
        needs=("git",),
    ),
    Row(
        "hostname",
        "the name for the next boot",
        {"name": os.uname().nodename, "use": "systemd"},
        "echo old > hostname",
        {"hostnamectl": HOSTNAMECTL},
        constants={"Static.path": "@/hostname"},
    ),
    Row("iptables", "a rule", {"chain": "INPUT", "jump": "DROP"}, ": > rules", {"iptables": IPTABLES}),
    Row(
        "iptables",
        "a rule removed",
        {"chain": "INPUT", "jump": "DROP", "state": "absent"},
        "echo 'filter INPUT -j DROP' > rules",
        {"iptables": IPTABLES},
    ),
    Row("iptables", "a policy", {"chain": "INPUT", "policy": "DROP"}, "echo ACCEPT > policy", {"iptables": IPTABLES}),
    Row("iptables", "a chain", {"chain": "OWN", "chain_management": True}, ": > rules", {"iptables": IPTABLES}),
    Row("known_hosts", "a key", {"name": "h", "key": f"h {ED25519}", "path": "@/known"}),
    Row(
        "known_hosts",
        "a key, hashed",
        {"name": "h", "key": f"h {ED25519}", "path": "@/known", "hash_host": True},
        constants={"os.urandom": bytes},
    ),
    Row(
        "known_hosts",
        "a key removed",
        {"name": "h", "path": "@/known", "state": "absent"},
        f"echo h {ED25519} > known",
    ),
    Row(
        "mount",
        "a line of fstab",
        {"path": "/a", "src": "h:/x", "fstype": "nfs", "state": "present", "fstab": "@/fstab"},
        "echo UUID=a / ext4 defaults 0 1 > fstab",
    ),
    Row(
        "mount",
        "a line removed",
        {"path": "/a", "state": "absent_from_fstab", "fstab": "@/fstab"},
        "echo h:/x /a nfs defaults 0 0 > fstab",
    ),
    Row("patch", "a patch", {"src": "@/p.diff", "dest": "@/text", "remote_src": True}, PATCH, needs=("patch",)),
    Row("pip", "a package", {"name": "p", "executable": "@/bin/pip"}, ": > packages", {"pip": PIP}),
    Row(
        "pip",
        "a version",
        {"name": "p", "version": "2.0", "executable": "@/bin/pip"},
        "echo q==1 > packages",
        {"pip": PIP},
    ),
    Row(
        "pip",
        "a package removed",
        {"name": "p", "state": "absent", "executable": "@/bin/pip"},
        "echo p==1 > packages",
        {"pip": PIP},
    ),
    Row(
        "seboolean",
        "a boolean",
        {"name": "b", "state": True},
        "echo off > boolean",
        SEBOOLEAN,
        parts={"files.selinux_enabled": lambda: True},
    ),
    Row(
        "selinux",
        "permissive",
        {"state": "permissive", "policy": "targeted", "configfile": "@/config"},
        "printf 1 > enforce; printf 'SELINUX=enforcing\\nSELINUXTYPE=targeted\\n' > config; mkdir targeted",
        SELINUX,
        constants={"ENFORCE": "@/enforce"},
    ),
    Row("subversion", "a working copy", {"repo": "file://@/r", "dest": "@/c"}, SVN, needs=("svn", "svnadmin")),
    Row("synchronize", "a tree", {"src": "@/dir/", "dest": "@/new"}, needs=("rsync",)),
    Row(
        "synchronize", "no more than is there", {"src": "@/dir/", "dest": "@/parts/", "delete": True}, needs=("rsync",)
    ),
    Row(
        "sysctl",
        "a parameter kept and set",
        {"name": "a.b", "value": "1", "sysctl_set": True, "sysctl_file": "@/conf"},
        "echo 0 > kernel",
        {"sysctl": SYSCTL},
        constants={"proc_path": lambda _name: os.environ["TOP"] + "/kernel"},
    ),
    Row(
        "sysctl",
        "a parameter no longer kept",
        {"name": "a.b", "state": "absent", "reload": False, "sysctl_file": "@/conf"},
        "echo a.b=1 > conf",
        {"sysctl": SYSCTL},
    ),
    *unit("started", state="started"),
    *unit("enabled", enabled=True),
    *unit("masked", masked=True),
    *unit("enabled and started", enabled=True, state="started"),
    Row("tempfile", "a directory", {"path": "@", "state": "directory", "prefix": "a", "suffix": "z"}, skips=True),
    Row(
        "unarchive",
        "an archive",
        {"src": "@/a.tar.gz", "dest": "@/parts", "remote_src": True},
        "tar czf a.tar.gz dir",
        needs=("tar",),
    ),
    Row("uri", "a page kept in a file", {"url": "http://127.0.0.1:1/", "dest": "@/new"}, skips=True),
    Row(
        "yum_repository",
        "a repository",
        {"name": "r", "description": "d", "baseurl": "http://h/", "reposdir": "@/dir", "mode": "0600"},
    ),
    Row(
        "yum_repository",
        "a repository removed",
        {"name": "r", "state": "absent", "reposdir": "@/dir"},
        "printf '[r]\\nname = d\\n' > dir/r.repo",
    ),
]
"""Rows that need programs, or files that are the system's elsewhere."""

ROWS = [*FILES, *SYSTEM]

READERS = {
    "async_status", "fetch", "find", "getent", "mount_facts", "package_facts", "ping", "service_facts", "setup",
    "slurp", "stat", "wait_for",
}  # fmt: skip
"""Modules that change nothing on the host."""

ELSEWHERE = {
    "apt": "test_lab",
    "apt_key": "test_rpm",
    "dnf": "test_rpm",
    "dnf5": "test_rpm",
    "group": "test_lab",
    "rpm_key": "test_rpm",
    "service": "test_lab",
    "sysvinit": "test_lab",
    "user": "test_lab",
}
"""Modules that need the databases of a real system, and the test file that has it."""
