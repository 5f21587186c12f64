"""Options of modules, each with a call for which leaving it out changes the outcome.

As in `contract_rows`, `@` is a directory with a tree, and programs in the place of the system's find it as `$TOP`;
what they are told they write to `$TOP/log`.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from contract_rows import CRONTAB, DEBCONF, ME, PATCH, REPOSITORY, SEBOOLEAN, UNIT

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Base:
    """A call of a module to which options are added; the fields are those of `contract_rows.Row`."""

    module: str
    args: Mapping[str, Any] = field(default_factory=dict[str, Any])
    prepare: str = ""
    programs: Mapping[str, str] = field(default_factory=dict[str, str])
    constants: Mapping[str, Any] = field(default_factory=dict[str, Any])
    needs: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict[str, str])
    root: bool = False  # only root may do it

    def but(self, **args: Any) -> Base:
        """Give the same with other arguments too."""
        return replace(self, args={**self.args, **args})

    def after(self, prepare: str) -> Base:
        """Give the same in a tree where more was done."""
        return replace(self, prepare=f"{self.prepare}\n{prepare}")


@dataclass(frozen=True, slots=True)
class Varied:
    """A base and an option: what is `shown` stands in the outcome with the value, and not in that without it.

    After `not: ` it is the other way round.
    """

    base: Base
    option: str
    value: Any
    shown: str


LOG = 'echo "${0##*/} $*" >> $TOP/log\n'

MKENV = (
    LOG
    + """for last; do :; done
mkdir -p $last/bin; printf '#!/bin/sh\\n' > $last/bin/pip; chmod +x $last/bin/pip"""
)
APT = Base(
    "apt",
    {"name": ["p"]},
    programs={
        "apt-get": LOG + "cat $TOP/policy-rc.d >> $TOP/log 2>&1; echo '1 upgraded'",
        "apt-cache": LOG + r"printf 'p:\n  Candidate: 2\n  Version table:\n     2 500\n     1 500\n'",
        "dpkg-query": "cat $TOP/installed 2>/dev/null",
        "dpkg": "exit ${DPKG_SAYS:-1}",
        "apt-mark": LOG,
    },
    constants={"apt.LISTS": "@/none", "apt.STAMP": "@/none", "RcPolicy.PATH": "@/policy-rc.d"},
)
INSTALLED = r"printf 'p\tall\t3\tinstalled\n' > installed; printf 'exit 0' > bin/dpkg"
GROUP = Base("group", {"name": "nobodyknows"}, programs=dict.fromkeys(("groupadd", "groupdel", "lgroupadd"), LOG))
USER = Base(
    "user",
    {"name": "nobodyknows"},
    programs=dict.fromkeys(("useradd", "usermod", "userdel", "chage", "luseradd", "chpasswd"), LOG),
)
ROOT = replace(USER.but(name="root"), root=True)
GIT = Base("git", {"repo": "@/r", "dest": "@/c"}, REPOSITORY, needs=("git",))
GIT_LOGGED = replace(
    GIT,
    programs={
        "git": 'echo "$GIT_SSH_COMMAND" >> $TOP/log\ncase $1 in verify-*) echo "[GNUPG:] VALIDSIG AA 1 BB" >&2;; '
        '*) exec /usr/bin/git "$@";; esac'
    },
)
CLONED = GIT.after("git clone -q . ../c")
SUBMODULE = f"""printf '[protocol "file"]\\nallow = always\\n' > gitconfig
mkdir outer; cd outer; {REPOSITORY}
cd ../..; mv outer/r s; {REPOSITORY}
git submodule --quiet add $TOP/s sub; git -C sub checkout -q one; git commit -qam sub"""
FIND = Base("find", {"paths": ["@/dir"]})
PIP = Base(
    "pip",
    {"name": ["p"], "executable": "@/bin/pip"},
    ": > packages",
    {
        "mkenv": MKENV,
        "pip": LOG + 'echo "in $PWD umask $(umask)" >> $TOP/log; case $1 in list) cat $TOP/packages;; *) :;; esac',
    },
)
VENV = Base(
    "pip",
    {"name": ["p"], "virtualenv": "@/v", "virtualenv_command": "mkenv"},
    programs={
        "mkenv": MKENV,
        "virtualenv": MKENV,
    },
)
YUM = Base("yum_repository", {"name": "r", "description": "d", "baseurl": ["http://h/"], "reposdir": "@/dir"})
CRON = Base("cron", {"name": "j", "job": "true"}, programs={"crontab": CRONTAB})
SYSTEMCTL = {"systemctl": LOG + "case $* in *show*) cat $TOP/unit;; *is-enabled*) echo disabled; exit 1;; esac"}
UNITS = [Base(name, {"name": "u", "state": "started"}, UNIT, SYSTEMCTL) for name in ("systemd", "systemd_service")]
DNF5 = Base(
    "dnf5",
    {"name": ["a"]},
    programs={"dnf5": LOG + "echo Nothing to do", "rpm": "exit 1"},
)
ARCHIVE = Base("unarchive", {"src": "@/a.tar.gz", "dest": "@/parts", "remote_src": True}, "tar czf a.tar.gz dir")
RSYNC = Base("synchronize", {"src": "@/dir/", "dest": "@/new"}, programs={"rsync": LOG})
DEB822 = Base(
    "deb822_repository",
    {"name": "n", "uris": ["http://h/"], "suites": ["s/"]},
    "mkdir sources",
    constants={"SOURCES": "@/sources", "KEYRINGS": "@/rings"},
)
SVN_BRANCH = Base(
    "subversion",
    {"repo": "file://@/r/b", "dest": "@/c"},
    "svnadmin create r; u=file://$PWD/r; svn mkdir -q -m t $u/t; svn cp -q -m b $u/t $u/b; svn co -q $u/t c",
    needs=("svn", "svnadmin"),
)
SUPER = replace(GIT, prepare=SUBMODULE)
KEYGEN = replace(
    ROOT.but(generate_ssh_key=True, ssh_key_file="@/k"),
    programs={
        **ROOT.programs,
        "ssh-keygen": LOG
        + "while [ $# -gt 1 ]; do [ $1 = -f ] && echo > $2 && echo > $2.pub; shift; done; echo 256 SHA256:x",
    },
)


def nap(seconds: float) -> None:
    """Note a pause, in place of making it."""
    with (Path(os.environ["TOP"]) / "log").open("a") as log:
        log.write(f"nap {seconds:g}\n")


def short_nap(seconds: float, sleep: Any = time.sleep) -> None:
    """Note a pause, and make a short one."""
    nap(seconds)
    sleep(0.2)


APT_FAILS = replace(
    APT.but(update_cache=True),
    programs={**APT.programs, "apt-get": LOG + "exit 100"},
    constants={**APT.constants, "time.sleep": nap, "random.random": int},
)
PPA = Base(
    "apt_repository",
    {"repo": "ppa:a/b", "update_cache": False},
    "mkdir sources",
    constants={"DIRECTORY": "@/sources", "fetch_key": lambda *_about: None},
)

ROWS = [
    *(
        Varied(base, option, value, shown)
        for base, option, value, shown in (
            (APT, "allow_unauthenticated", True, "--allow-unauthenticated"),
            (APT, "allow_change_held_packages", True, "--allow-change-held-packages"),
            (APT, "force", True, "--allow-unauthenticated"),
            (APT, "default_release", "s", "-t s"),
            (APT, "install_recommends", False, "APT::Install-Recommends=no"),
            (APT, "dpkg_options", "force-all", "Dpkg::Options::=--force-all"),
            (APT, "lock_timeout", 7, "DPkg::Lock::Timeout=7"),
            (APT, "fail_on_autoremove", True, "--no-remove"),
            (APT, "policy_rc_d", 101, "exit 101"),
            (APT, "only_upgrade", True, "'changed': False"),
            (APT, "update_cache", True, "any update"),
            (APT, "cache_valid_time", 5, "any update"),
            (APT, "clean", True, "apt-get clean"),
            (APT, "autoclean", True, "apt-get autoclean"),
            (APT.but(name=["p=1"]).after(INSTALLED), "allow_downgrade", True, "--allow-downgrades"),
            (GROUP, "gid_min", 5, "GID_MIN=5"),
            (GROUP, "gid_max", 9, "GID_MAX=9"),
            (GROUP, "system", True, "groupadd -r"),
            (GROUP, "local", True, "lgroupadd"),
            (GROUP.but(gid=4321), "non_unique", True, "-g 4321 -o"),
            (GROUP.but(name="daemon", state="absent"), "force", True, "groupdel -f daemon"),
            (USER, "uid", 4321, "-u 4321"),
            (USER, "uid_min", 5, "UID_MIN=5"),
            (USER, "uid_max", 9, "UID_MAX=9"),
            (USER, "system", True, "-r"),
            (USER, "local", True, "luseradd"),
            (USER, "create_home", False, "-M"),
            (USER, "skeleton", "/s", "-k /s"),
            (USER, "umask", "0077", "UMASK=0077"),
            (USER.but(uid=0), "non_unique", True, "-u 0 -o"),
            (ROOT, "password_expire_min", 3, "-m 3"),
            (ROOT, "password_expire_warn", 3, "-W 3"),
            (ROOT, "password_expire_account_disable", 3, "-I 3"),
            (GIT, "version", "one", r"'c/f': ('0o100644', b'1\n')"),
            (GIT, "remote", "upstream", 'remote "upstream"'),
            (GIT, "bare", True, "bare = true"),
            (GIT, "clone", False, "not: 'c/"),
            (GIT.after("cd ..").but(repo="file://@/r"), "depth", 1, "c/.git/shallow"),
            (GIT.after("git branch side").but(version="master"), "single_branch", True, "/master:refs/remotes"),
            (GIT, "separate_git_dir", "@/g", "g/HEAD"),
            (GIT.after("cd ..; git clone -q r r2"), "reference", "@/r2", "alternates"),
            (GIT, "archive", "@/a.tar", "'a.tar'"),
            (GIT.but(archive="@/a.tar"), "archive_prefix", "pre/", "pre/f"),
            (GIT, "umask", "0077", "'c/f': ('0o100600'"),
            (GIT.after("git update-ref refs/x/y HEAD"), "refspec", "refs/x/y:refs/x/z", "refs/x/z"),
            (CLONED.after("echo 3 > f; git commit -qam 3"), "update", False, "'changed': False"),
            (CLONED.after("echo mine > ../c/f"), "force", True, "'changed': True"),
            (GIT_LOGGED, "key_file", "/k", "-i /k"),
            (GIT_LOGGED, "ssh_opts", "-C -4", "-C -4"),
            (GIT_LOGGED, "accept_hostkey", True, "StrictHostKeyChecking=no"),
            (GIT_LOGGED, "accept_newhostkey", True, "StrictHostKeyChecking=accept-new"),
            (GIT_LOGGED.but(verify_commit=True), "gpg_allowlist", ["CC"], "by a key that is not allowed"),
            (GIT, "verify_commit", True, "signature"),
            (FIND.but(patterns=["^o"]), "use_regex", True, "'path': '@/dir/other'"),
            (
                FIND.but(age="-1h").after("touch -m -d '2 days ago' dir/other"),
                "age_stamp",
                "ctime",
                "'path': '@/dir/other'",
            ),
            (FIND.but(mode="0404").after("chmod 0604 dir/other"), "exact_mode", False, "'path': '@/dir/other'"),
            (
                FIND.but(contains=r"o.*\n?r$").after(r"printf 'o\nr' > dir/other"),
                "read_whole_file",
                True,
                "'path': '@/dir/other'",
            ),
            (FIND, "get_checksum", True, "d0941e68da8f38151ff86a61fc59f7c5cf9fcaa2"),
            (FIND.but(get_checksum=True), "checksum_algorithm", "md5", "795f3202b17cb6bc3d4b771d8c6c9eaf"),
            (PIP, "version", "2", "install p==2"),
            (PIP.but(name=None), "requirements", "r.txt", "install -r r.txt"),
            (PIP, "extra_args", "-q --pre", "-q --pre p"),
            (PIP, "editable", True, "-e p"),
            (PIP, "break_system_packages", True, "--break-system-packages"),
            (PIP, "chdir", "@/dir", "in @/dir"),
            (PIP, "umask", "0077", "umask 0077"),
            (VENV, "virtualenv_site_packages", True, "--system-site-packages"),
            (VENV, "virtualenv_python", "py", "-ppy"),
            (VENV, "virtualenv_command", "virtualenv --x", "virtualenv --x"),
            (VENV, "virtualenv", "@/w", "w/bin/pip"),
            *(
                (YUM, option, value, f"{option} = {shown}")
                for option, value, shown in (
                    ("enabled", False, "0"),
                    ("repo_gpgcheck", True, "1"),
                    ("gpgcakey", "k", "k"),
                    ("async", False, "0"),
                    ("bandwidth", "5", "5"),
                    ("countme", True, "1"),
                    ("deltarpm_metadata_percentage", "5", "5"),
                    ("deltarpm_percentage", "5", "5"),
                    ("enablegroups", False, "0"),
                    ("include", "/i", "/i"),
                    ("failovermethod", "priority", "priority"),
                    ("http_caching", "none", "none"),
                    ("metadata_expire_filter", "never", "never"),
                    ("mirrorlist_expire", "5", "5"),
                    ("module_hotfixes", True, "1"),
                    ("priority", "5", "5"),
                    ("protect", True, "1"),
                    ("proxy", "p", "p"),
                    ("proxy_password", "pw", "pw"),
                    ("proxy_username", "u", "u"),
                    ("retries", "5", "5"),
                    ("s3_enabled", True, "1"),
                    ("skip_if_unavailable", True, "1"),
                    ("sslverify", False, "0"),
                    ("ssl_check_cert_permissions", False, "0"),
                    ("sslcacert", "/c", "/c"),
                    ("throttle", "5", "5"),
                    ("sslclientcert", "/c", "/c"),
                    ("sslclientkey", "/k", "/k"),
                    ("timeout", "5", "5"),
                    ("ui_repoid_vars", "v", "v"),
                    ("username", "u", "u"),
                )
            ),
            (CRON, "day", "3", "* * 3 * *"),
            (CRON, "month", "3", "* * * 3 *"),
            (Base("command", {"argv": ["cat"]}), "stdin", "in", "'stdout': 'in'"),
            (Base("command", {"argv": ["wc", "-c"], "stdin": "in"}), "stdin_add_newline", False, "'stdout': '2'"),
            (Base("command", {"argv": ["echo", "a\n"]}), "strip_empty_ends", False, r"'stdout': 'a\n\n'"),
            (Base("command", {"argv": ["echo", "$TOP"]}), "expand_argument_vars", False, "'stdout': '$TOP'"),
            (Base("shell", {"_raw_params": "cat"}), "stdin", "in", "'stdout': 'in'"),
            (Base("shell", {"_raw_params": "wc -c", "stdin": "in"}), "stdin_add_newline", False, "'stdout': '2'"),
            (Base("shell", {"_raw_params": "echo; echo a; echo"}), "strip_empty_ends", False, r"'stdout': '\na\n\n'"),
            (Base("file", {"path": "@/text", "modification_time": "2020"}), "modification_time_format", "%Y", "1577"),
            (Base("file", {"path": "@/text", "access_time": "2020"}), "access_time_format", "%Y", "1577"),
            (
                Base("lineinfile", {"path": "@/text", "line": "x", "insertafter": "^[fs]"}),
                "firstmatch",
                True,
                r"first\nx\nsecond",
            ),
            (Base("stat", {"path": "@/link"}), "follow", True, "'isreg': True"),
            (Base("stat", {"path": "@/text"}), "get_checksum", False, "not: 'checksum'"),
            (
                Base("patch", {"src": "@/p.diff", "dest": "@/text", "remote_src": True}, PATCH, {"patch": LOG}),
                "binary",
                True,
                "--binary",
            ),
            (
                Base(
                    "debconf",
                    {"name": "p", "question": "q", "vtype": "string", "value": "v"},
                    ": > answers",
                    {**DEBCONF, "debconf-set-selections": LOG},
                ),
                "unseen",
                True,
                "-u",
            ),
            (
                Base("getent", {"database": "passwd", "key": "root"}),
                "split",
                "/",
                "'getent_passwd': {'root:x:0:0:root:':",
            ),
            (
                Base("getent", {"database": "passwd", "key": "root"}, programs={"getent": "echo root:$*"}),
                "service",
                "files",
                "-s",
            ),
            (
                Base("assemble", {"src": "@/parts", "dest": "@/new"}, "echo h > parts/.h"),
                "ignore_hidden",
                True,
                r"b'one\ntwo\n'",
            ),
            (RSYNC, "links", False, "--no-links"),
            (RSYNC, "perms", False, "--no-perms"),
            (
                Base("sysctl", {"name": "a.b", "value": "1", "sysctl_file": "@/conf"}, programs={"sysctl": LOG}),
                "ignoreerrors",
                True,
                "sysctl -e",
            ),
            *((base, "no_block", True, "--no-block") for base in UNITS),
            *((base, "daemon_reload", True, "daemon-reload") for base in UNITS),
            *((base, "daemon_reexec", True, "daemon-reexec") for base in UNITS),
            *((base, "scope", "user", "--user") for base in UNITS),
            *((base, "force", True, "--force") for base in UNITS),
            (DNF5, "conf_file", "/c", "--config=/c"),
            (DNF5, "disable_gpg_check", True, "gpgcheck=0"),
            (DNF5, "installroot", "@/dir", "--installroot=@/dir"),
            (ARCHIVE, "exclude", ["dir/other"], "not: 'parts/dir/other'"),
            (ARCHIVE, "include", ["dir/other"], "not: 'parts/dir/below/leaf'"),
            (ARCHIVE, "extra_opts", ["--strip-components=1"], "'parts/other'"),
            (
                ARCHIVE.after("mkdir -p parts/dir; echo newer > parts/dir/other; touch -d '+1 day' parts/dir/other"),
                "keep_newer",
                True,
                r"newer\n",
            ),
            (
                Base("copy", {"src": "@/text", "dest": "@/new", "remote_src": True}),
                "checksum",
                "0" * 40,
                "'failed': True",
            ),
            (Base("stat", {"path": "@/text"}), "get_selinux_context", True, "'selinux_context'"),
            (Base("stat", {"path": "@/text"}), "get_mime", False, "not: 'mimetype'"),
            (Base("stat", {"path": "@/text"}), "get_attributes", False, "not: 'attr_flags'"),
            (SVN_BRANCH, "switch", False, "not: URL: file://@/r/b"),
            (SUPER, "recursive", False, "not: 'c/sub/f'"),
            (SUPER, "track_submodules", True, r"'c/sub/f': ('0o100644', b'2\n')"),
            (ROOT.but(password="$6$a$b"), "update_password", "on_create", "not: 'log': ("),
            (KEYGEN, "ssh_key_bits", 4096, "-b 4096"),
            (KEYGEN, "ssh_key_comment", "me", "-C me"),
            (KEYGEN, "ssh_key_file", "@/k2", "@/k2"),
            (
                Base("setup", {"gather_subset": ["!all", "local"]}, "mkdir facts; echo '{\"a\": 1}' > facts/own.fact"),
                "fact_path",
                "@/facts",
                "'own': {'a': 1}",
            ),
            (
                APT_FAILS.but(update_cache_retry_max_delay=0),
                "update_cache_retries",
                2,
                "not: " + r"nap 0\napt-get -q -o APT::Update::Error-Mode=any update\nnap 0\n",
            ),
            (APT_FAILS, "update_cache_retry_max_delay", 0, r"nap 0\n"),
            (PPA, "codename", "zesty", "ubuntu zesty main"),
            (DNF5.but(name=["*"], state="latest"), "bugfix", True, "--bugfix"),
            (DNF5.but(state="latest"), "update_only", True, "not: install a"),
            (
                Base("seboolean", {"name": "b", "state": True}, "echo off > boolean", SEBOOLEAN),
                "ignore_selinux_state",
                True,
                "'changed': True",
            ),
            (
                Base("wait_for", {"path": "@/none", "timeout": 1}, constants={"time.sleep": short_nap}),
                "sleep",
                0,
                r"nap 0\n",
            ),
            (Base("wait_for", {"port": 1, "timeout": 1}), "host", "localhost", "localhost"),
        )
    ),
]

URI = Base("uri", {"url": "%http/echo"})
URI_TLS = URI.but(url="%https/echo")
URI_TRUSTED = URI_TLS.but(ca_path="%pki/server.crt")
GET = Base("get_url", {"url": "%http/echo", "dest": "@/new"})
GET_TLS = GET.but(url="%https/echo")
PROXY = {"http_proxy": "%http", "no_proxy": ""}
NETRC = "echo machine 127.0.0.1 login n password hidden > .netrc; chmod 0600 .netrc"
BASIC = "Basic dTpzZWNyZXQ="  # u:secret

WEB_ROWS = [
    Varied(base, option, value, shown)
    for base, option, value, shown in (
        (URI, "method", "PUT", "'method': 'PUT'"),
        (URI.but(method="POST"), "body", "some text", "'body': 'some text'"),
        (URI.but(method="POST", body={"a": 1}), "body_format", "json", "'Content-Type': 'application/json'"),
        (URI, "headers", {"X-A": "b"}, "'X-A': 'b'"),
        (URI.but(url="%http/missing"), "status_code", [404], "not: 'failed': True"),
        (URI, "return_content", True, "'content': '{"),
        (URI.but(url="%http/moved"), "follow_redirects", "none", "'status': 302"),
        (URI.but(url="%http/slow"), "timeout", 1, "'failed': True"),
        (URI, "force", True, "no-cache"),
        (URI.but(url_password="secret", force_basic_auth=True), "url_username", "u", BASIC),
        (URI.but(url_username="u", force_basic_auth=True), "url_password", "secret", BASIC),
        (URI.but(url_username="u", url_password="secret"), "force_basic_auth", True, BASIC),
        (URI, "http_agent", "me/1", "'me/1'"),
        (URI.but(url="http://nowhere.invalid/echo"), "unix_socket", "%socket", "'status': 200"),
        (replace(URI.but(url="http://nowhere.invalid/echo"), environment=PROXY), "use_proxy", False, "not: 'status': 200"),
        (URI.after(NETRC), "use_netrc", False, "not: 'Authorization'"),
        (URI, "use_gssapi", True, "gssapi"),
        (URI.but(url="%http/moved", headers={"X-A": "b"}), "unredirected_headers", ["X-A"], "not: 'X-A': 'b'"),
        (URI.but(url="%http/packed", return_content=True), "decompress", False, "not: unpacked text"),
        (URI_TLS, "validate_certs", False, "'status': 200"),
        (URI_TLS, "ca_path", "%pki/server.crt", "'status': 200"),
        (URI_TRUSTED, "ciphers", ["ECDHE-RSA-AES128-GCM-SHA256"], "'ECDHE-RSA-AES128-GCM-SHA256', 'TLSv1.2'"),
        (URI_TRUSTED, "client_cert", "%pki/client.pem", "the-client"),
        (URI_TRUSTED.but(client_cert="%pki/client.crt"), "client_key", "%pki/client.key", "the-client"),
        (GET, "headers", {"X-A": "b"}, '"X-A": "b"'),
        (GET.but(url="%http/slow"), "timeout", 1, "'failed': True"),
        (GET, "checksum", "sha1:" + "0" * 40, "'failed': True"),
        (GET, "tmp_dest", "@/none", "tmp_dest @/none"),
        (GET.but(url_password="secret", force_basic_auth=True), "url_username", "u", BASIC),
        (GET.but(url_username="u", force_basic_auth=True), "url_password", "secret", BASIC),
        (GET.but(url_username="u", url_password="secret"), "force_basic_auth", True, BASIC),
        (GET, "http_agent", "me/1", '"me/1"'),
        (replace(GET.but(url="http://nowhere.invalid/echo"), environment=PROXY), "use_proxy", False, "not: 'new'"),
        (GET.after(NETRC), "use_netrc", False, 'not: "Authorization"'),
        (GET, "use_gssapi", True, "gssapi"),
        (GET.but(url="%http/moved", headers={"X-A": "b"}), "unredirected_headers", ["X-A"], 'not: "X-A": "b"'),
        (GET.but(url="%http/packed"), "decompress", False, "not: unpacked text"),
        (GET_TLS, "validate_certs", False, "'new'"),
        (GET_TLS.but(validate_certs=False), "ciphers", ["ECDHE-RSA-AES128-GCM-SHA256"], '"ECDHE-RSA-AES128-GCM-SHA256"'),
        (GET_TLS.but(validate_certs=False), "client_cert", "%pki/client.pem", "the-client"),
        (GET_TLS.but(validate_certs=False, client_cert="%pki/client.crt"), "client_key", "%pki/client.key", "the-client"),
        (
            Base("authorized_key", {"user": ME, "path": "@/keys", "manage_dir": False, "key": "%https/key"}),
            "validate_certs", False, "me@x",
        ),
        (
            Base("unarchive", {"src": "%https/a.tar.gz", "dest": "@/parts", "remote_src": True}),
            "validate_certs", False, "'parts/packed'",
        ),
        (Base("rpm_key", {"key": "%https/key"}, programs={"rpm": LOG, "rpmkeys": LOG}), "validate_certs", False, "no public key"),
        (Base("apt_key", {"url": "%https/key"}, programs={"apt-key": LOG}), "validate_certs", False, "not: certificate"),
    )
]  # fmt: skip
"""Rows that need the web server of `web`, whose words they use."""
