"""yum_repository, subversion and iptables: on files, on a real repository, and on a small program for the rules."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from typing import TYPE_CHECKING, Any

import pytest

from pyplay.remote.module_utils import urls
from pyplay.remote.module_utils.module import Module, call

if TYPE_CHECKING:
    from pathlib import Path

    from tests.modules.conftest import RunModule

EPEL = {
    "name": "epel", "description": "EPEL", "baseurl": ["http://a/", "http://b/%20"], "gpgcheck": False, "exclude": "p q",
    "gpgkey": ["x", "y"], "includepkgs": ["r", "s"], "cost": 5, "metadata_expire": "3h",
}  # fmt: skip
EPEL_TEXT = """[epel]
baseurl = http://a/
\thttp://b/%20
cost = 5
exclude = p q
gpgcheck = 0
gpgkey = x
\ty
includepkgs = r s
metadata_expire = 3h
name = EPEL

"""


def test_a_repository_of_yum_comes_and_goes(module: RunModule, tmp_path: Path) -> None:
    path = tmp_path / "epel.repo"
    predicted = module("yum_repository", check=True, diff=True, reposdir=tmp_path, **EPEL)
    assert not path.exists()
    first = module("yum_repository", diff=True, reposdir=tmp_path, **EPEL)
    assert first == predicted
    assert (first["changed"], first["repo"], first["state"]) == (True, "epel", "present")
    assert path.read_text() == EPEL_TEXT
    assert first["diff"]["after"] == EPEL_TEXT.replace("\n\t", "\n")
    assert module("yum_repository", reposdir=tmp_path, **EPEL)["changed"] is False
    two = {"name": "two", "description": "2", "mirrorlist": "http://m", "file": "epel", "reposdir": tmp_path}
    assert module("yum_repository", **two)["changed"] is True
    assert module("yum_repository", **dict(two, mirrorlist=None, metalink="http://n"))["changed"] is True
    assert path.read_text() == EPEL_TEXT + "[two]\nmetalink = http://n\nname = 2\n\n"
    assert module("yum_repository", name="epel", state="absent", reposdir=tmp_path)["changed"] is True
    assert path.read_text() == "[two]\nmetalink = http://n\nname = 2\n\n"
    gone = {"name": "two", "file": "epel", "state": "absent", "reposdir": tmp_path}
    assert module("yum_repository", check=True, **gone)["changed"] is True
    assert module("yum_repository", **gone)["changed"] is True
    assert not path.exists()
    assert module("yum_repository", **gone)["changed"] is False


def test_a_repository_has_mode_and_hides_passwords(module: RunModule, tmp_path: Path) -> None:
    given = {"name": "e", "description": "e", "baseurl": "u", "password": "geheim", "reposdir": tmp_path}
    result = module("yum_repository", diff=True, mode="0600", **given)
    assert "geheim" not in str(result)
    assert (tmp_path / "e.repo").stat().st_mode & 0o777 == 0o600
    assert "password = geheim" in (tmp_path / "e.repo").read_text()
    assert module("yum_repository", mode="0600", **given)["changed"] is False
    assert module("yum_repository", mode="0640", check=True, **given)["changed"] is True
    assert module("yum_repository", mode="0640", **given)["changed"] is True


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"description": "x"}, "baseurl, mirrorlist, metalink"),
        ({"baseurl": "x"}, "description"),
        ({"description": "x", "baseurl": "x", "reposdir": "/nowhere"}, "/nowhere does not exist"),
        (
            {"description": "x", "baseurl": "x", "params": {}},
            "Unsupported parameters for (yum_repository) module: params",
        ),
    ],
)
def test_what_a_repository_needs(module: RunModule, options: dict[str, Any], message: str) -> None:
    result = module("yum_repository", name="r", **options)
    assert result["failed"] is True
    assert message in result["msg"]


def test_obsolete_settings_are_told(module: RunModule, tmp_path: Path) -> None:
    result = module("yum_repository", reposdir=tmp_path, keepalive=False, **EPEL)
    assert "keepalive" in result["deprecations"][0]["msg"]


@pytest.fixture
def repository(tmp_path: Path) -> str:
    """Make a repository with two revisions of the file f."""
    if shutil.which("svnadmin") is None:
        pytest.skip("subversion is not installed")
    script = (
        "svnadmin create r && svn co -q file://$PWD/r w && cd w && echo 1 > f && svn add -q f && svn ci -q -m 1 && "
        "echo 2 > f && svn ci -q -m 2"
    )
    subprocess.run(script, shell=True, cwd=tmp_path, check=True)
    return f"file://{tmp_path}/r"


def test_a_working_copy_follows_the_repository(module: RunModule, tmp_path: Path, repository: str) -> None:
    dest = tmp_path / "c"
    given = {"repo": repository, "dest": dest}
    assert module("subversion", check=True, revision="1", **given) == {"changed": True}
    assert not dest.exists()
    at_one = ["Revision: 1", f"URL: {repository}"]
    assert module("subversion", revision="1", **given) == {"changed": True, "before": None, "after": at_one}
    assert module("subversion", revision="1", **given) == {"changed": False, "before": at_one, "after": at_one}
    assert module("subversion", update=False, **given) == {"changed": False}
    predicted = module("subversion", check=True, **given)
    assert predicted == {"changed": True, "before": "Revision: 1", "after": "Revision: 2"}
    assert (dest / "f").read_text() == "1\n"
    assert module("subversion", **given)["changed"] is True
    assert (dest / "f").read_text() == "2\n"
    assert module("subversion", check=True, **given)["changed"] is False
    (dest / "f").write_text("mine")
    assert "local changes" in module("subversion", **given)["msg"]
    assert "local changes" in module("subversion", check=True, **given)["msg"]
    assert module("subversion", force=True, **given)["changed"] is True
    assert (dest / "f").read_text() == "2\n"


def test_exports_and_directories_in_the_way(module: RunModule, tmp_path: Path, repository: str) -> None:
    dest = tmp_path / "e"
    given = {"repo": repository, "dest": dest}
    assert module("subversion", export=True, **given) == {"changed": True}
    assert [path.name for path in dest.iterdir()] == ["f"]
    assert module("subversion", export=True, **given)["rc"] == 1
    assert module("subversion", export=True, force=True, **given) == {"changed": True}
    assert "no working copy" in module("subversion", **given)["msg"]
    (dest / "f").write_text("mine")
    assert module("subversion", in_place=True, check=True, **given)["changed"] is True
    assert module("subversion", in_place=True, **given)["changed"] is True
    assert (dest / "f").read_text() == "mine"
    shutil.rmtree(dest / ".svn")
    assert module("subversion", in_place=True, force=True, **given)["changed"] is True
    assert (dest / "f").read_text() == "2\n"


def test_nothing_is_fetched_unless_asked(module: RunModule, tmp_path: Path, repository: str) -> None:
    newest = {"changed": False, "after": "Revision: 2"}
    assert module("subversion", repo=repository, checkout=False, dest=tmp_path / "n") == newest
    assert module("subversion", repo=repository, checkout=False, update=False) == newest
    assert "dest is needed" in module("subversion", repo=repository, checkout=False)["msg"]
    assert not (tmp_path / "n").exists()


def test_a_password_reaches_svn_by_stdin(module: RunModule, tmp_path: Path) -> None:
    program = tmp_path / "svn"
    program.write_text(
        f'#!/bin/sh\ncase $* in *--version*) echo 1.14.2;; *) echo "$*" > {tmp_path}/argv; cat > {tmp_path}/in; exit 1;; esac\n'
    )
    program.chmod(0o755)
    result = module(
        "subversion", repo="svn://h/r", dest=tmp_path / "d", username="u", password="geheim", executable=program
    )
    assert result["failed"] is True
    words = (tmp_path / "argv").read_text()
    assert "--username u --password-from-stdin" in words
    assert "--trust-server-cert" in words
    assert "geheim" not in words + str(result)
    assert (tmp_path / "in").read_text() == "geheim"
    module("subversion", repo="svn://h/r", dest=tmp_path / "d", executable=program, validate_certs=True)
    assert "--trust" not in (tmp_path / "argv").read_text()


# a program that keeps rules as lines `table chain rule` in $RULES, chains as `table chain`
TABLES = r"""
name=$(basename $0); table=$2; action=$3; shift 3
has() { grep -qxF -- "$1" $RULES.$name; }
drop() { grep -vxF -- "$1" $RULES.$name > $RULES.new; mv $RULES.new $RULES.$name; }
echo "$name $action $*" >> $RULES.log
chain=$1
case $action in
-L) case $chain in INPUT|FORWARD|OUTPUT) echo "Chain $chain (policy $(cat $RULES.$chain 2>/dev/null || echo ACCEPT))";;
    *) has "$table $chain" && echo "Chain $chain (0 references)";; esac ;;
-P) echo $2 > $RULES.$chain ;;
-N) echo "$table $chain" >> $RULES.$name ;;
-X) drop "$table $chain" ;;
-C) has "$table $*" ;;
-A|-I) [ "$2" = 1 ] && { shift 2; set -- $chain "$@"; }; echo "$table $*" >> $RULES.$name ;;
-D) drop "$table $*" ;;
-F) : > $RULES.$name ;;
esac
"""


@pytest.fixture
def rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put programs in the place of iptables and ip6tables; gives the log of their calls."""
    for name in ("iptables", "ip6tables"):
        (tmp_path / name).write_text("#!/bin/sh\n" + TABLES)
        (tmp_path / name).chmod(0o755)
        (tmp_path / f"rules.{name}").write_text("")
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setenv("RULES", str(tmp_path / "rules"))
    return tmp_path / "rules.log"


WORDS = [
    ({"source": "8.8.8.8", "jump": "DROP"}, "-s 8.8.8.8 -j DROP"),
    ({"protocol": "!tcp", "jump": "DROP"}, "! -p tcp -j DROP"),
    (
        {"protocol": "tcp", "destination_port": 80, "ctstate": ["NEW", "ESTABLISHED"], "syn": "match", "jump": "ACCEPT", "comment": "hello"},
        "-p tcp -j ACCEPT --destination-port 80 --syn -m conntrack --ctstate NEW,ESTABLISHED -m comment --comment hello",
    ),
    (
        {"protocol": "tcp", "destination_ports": [80, "443:444"], "in_interface": "!eth0", "jump": "LOG", "log_prefix": "x", "log_level": "info", "limit": "2/second", "limit_burst": 20},
        "-p tcp -j LOG --log-prefix x --log-level info -m multiport --dports 80,443:444 ! -i eth0 -m limit --limit 2/second --limit-burst 20",
    ),
    (
        {"tcp_flags": {"flags": "ALL", "flags_set": ["ACK", "RST"]}, "syn": "negate", "jump": "ACCEPT"},
        "--tcp-flags ALL ACK,RST -j ACCEPT ! --syn",
    ),
    (
        {"uid_owner": "!root", "gid_owner": "daemon", "jump": "ACCEPT", "out_interface": "eth0", "destination": "!10.0.0.0/8"},
        "! -d 10.0.0.0/8 -j ACCEPT -o eth0 -m owner ! --uid-owner root --gid-owner daemon",
    ),
    (
        {"src_range": "10.0.0.1-10.0.0.3", "dst_range": "10.0.0.5-10.0.0.6", "jump": "ACCEPT"},
        "-j ACCEPT -m iprange --src-range 10.0.0.1-10.0.0.3 --dst-range 10.0.0.5-10.0.0.6",
    ),
    ({"reject_with": "tcp-reset", "protocol": "tcp"}, "-p tcp -j REJECT --reject-with tcp-reset"),
    ({"protocol": "icmp", "icmp_type": "echo-request", "jump": "ACCEPT"}, "-p icmp -j ACCEPT --icmp-type echo-request"),
    (
        {"protocol": "ipv6-icmp", "icmp_type": "echo-request", "jump": "ACCEPT", "ip_version": "ipv6"},
        "-p ipv6-icmp -j ACCEPT --icmpv6-type echo-request",
    ),
    ({"destination_port": 80, "jump": "REDIRECT", "to_ports": 8600}, "-j REDIRECT --destination-port 80 --to-ports 8600"),
    (
        {"destination_port": 80, "jump": "DNAT", "to_destination": "10.0.0.1:80", "match": ["tcp"], "table": "nat"},
        "-m tcp -j DNAT --to-destination 10.0.0.1:80 --destination-port 80",
    ),
    ({"jump": "SNAT", "to_source": "10.0.0.1"}, "-j SNAT --to-source 10.0.0.1"),
    ({"jump": "DSCP", "set_dscp_mark": "8"}, "-j DSCP --set-dscp 8"),
    ({"jump": "DSCP", "set_dscp_mark_class": "CS1"}, "-j DSCP --set-dscp-class CS1"),
    ({"jump": "TEE", "gateway": "10.0.0.1"}, "-j TEE --gateway 10.0.0.1"),
    ({"match_set": "!foo", "match_set_flags": "src", "jump": "ACCEPT"}, "-j ACCEPT -m set ! --match-set foo src"),
    ({"goto": "OTHER", "fragment": "!", "source_port": "1:2"}, "-g OTHER ! -f --source-port 1:2"),
    ({"jump": "ACCEPT", "match": ["conntrack"], "ctstate": ["NEW"]}, "-m conntrack -j ACCEPT --ctstate NEW"),
    ({"jump": "ACCEPT", "match": ["state"], "ctstate": ["NEW"]}, "-m state -j ACCEPT --state NEW"),
    ({"jump": "ACCEPT", "set_counters": "1 2"}, "-j ACCEPT -c 1 2"),
    ({"log_prefix": "ab"}, "-j LOG --log-prefix ab"),
]  # fmt: skip


@pytest.mark.parametrize(("options", "words"), WORDS, ids=lambda value: value if isinstance(value, str) else "")
def test_a_rule_comes_and_goes(module: RunModule, rules: Path, options: dict[str, Any], words: str) -> None:
    given = dict(options, chain="INPUT")
    predicted = module("iptables", check=True, **given)
    assert "-A" not in rules.read_text()
    first = module("iptables", **given)
    assert first == predicted
    assert (first["changed"], first["rule"]) == (True, words)
    assert rules.read_text().splitlines()[-1].split(" ", 1)[1] == f"-A INPUT {words}"
    assert module("iptables", **given)["changed"] is False
    assert module("iptables", state="absent", check=True, **given)["changed"] is True
    assert module("iptables", state="absent", **given)["changed"] is True
    assert module("iptables", state="absent", **given)["changed"] is False


def test_where_a_rule_is_put_and_the_lock(module: RunModule, rules: Path) -> None:
    given = {"chain": "INPUT", "jump": "ACCEPT", "action": "insert", "wait": "3", "ip_version": "both"}
    result = module("iptables", rule_num="1", **given)
    assert (result["rule"], result["wait"]) == ("-j ACCEPT", "3")
    assert rules.read_text().splitlines() == [
        "iptables -C INPUT -w 3 -j ACCEPT",
        "iptables -I INPUT 1 -w 3 -j ACCEPT",
        "ip6tables -C INPUT -w 3 -j ACCEPT",
        "ip6tables -I INPUT 1 -w 3 -j ACCEPT",
    ]


def test_policies(module: RunModule, rules: Path) -> None:
    given = {"chain": "FORWARD", "policy": "DROP"}
    assert module("iptables", check=True, **given)["changed"] is True
    assert module("iptables", **given)["changed"] is True
    assert module("iptables", numeric=True, **given)["changed"] is False
    assert rules.read_text().splitlines()[-1] == "iptables -L FORWARD --numeric"
    assert module("iptables", chain="OWN", policy="DROP")["failed"] is True


def test_chains(module: RunModule, rules: Path) -> None:
    given = {"chain": "OWN", "chain_management": True}
    assert module("iptables", check=True, **given)["changed"] is True
    assert module("iptables", **given)["changed"] is True
    assert module("iptables", **given)["changed"] is False
    assert module("iptables", state="absent", check=True, **given)["changed"] is True
    assert module("iptables", state="absent", **given)["changed"] is True
    assert module("iptables", state="absent", **given)["changed"] is False
    assert module("iptables", jump="ACCEPT", **given)["changed"] is True
    assert rules.read_text().splitlines()[-3:] == [
        "iptables -N OWN", "iptables -C OWN -j ACCEPT", "iptables -A OWN -j ACCEPT",
    ]  # fmt: skip
    assert module("iptables", flush=True, table="nat", check=True)["changed"] is True
    assert module("iptables", flush=True, chain="OWN")["changed"] is True
    assert rules.read_text().splitlines()[-1] == "iptables -F OWN"


@pytest.mark.usefixtures("rules")
@pytest.mark.parametrize(
    "options",
    [
        {"jump": "ACCEPT"},
        {"chain": "INPUT", "set_dscp_mark": "1", "set_dscp_mark_class": "CS1", "jump": "DSCP"},
        {"chain": "INPUT", "set_dscp_mark": "1"},
        {"chain": "INPUT", "flush": True, "policy": "DROP"},
        {"chain": "INPUT", "jump": "ACCEPT", "log_level": "3"},
        {"chain": "INPUT", "match_set": "a"},
        {"chain": "INPUT", "jump": "TEE"},
        {"chain": "INPUT", "tcp_flags": {"flags": ["ALL"]}},
    ],
    ids=str,
)
def test_rules_that_make_no_sense(module: RunModule, options: dict[str, Any]) -> None:
    assert module("iptables", **options)["failed"] is True


@pytest.mark.parametrize(("options", "attempts"), [({}, 5), ({"update_cache_retries": 2}, 2)])
def test_how_often_lists_are_fetched(
    load: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: dict[str, Any], attempts: int
) -> None:
    (tmp_path / "apt-get").write_text(f"#!/bin/sh\necho >> {tmp_path}/log\nexit 100\n")
    (tmp_path / "apt-get").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setattr(time, "sleep", lambda _seconds: None)
    loaded = load("apt_repository")
    (tmp_path / "sources").mkdir()
    monkeypatch.setattr(loaded, "DIRECTORY", str(tmp_path / "sources"))
    result = call(loaded.run, loaded.OPTIONS, {"repo": "deb http://h/ s main", **options}, "apt_repository")
    assert result["failed"] is True
    assert (tmp_path / "log").read_text() == attempts * "\n"
    assert list((tmp_path / "sources").iterdir()) == []


@pytest.mark.parametrize("wanted", [True, False])
def test_certificates_of_those_who_give_a_ppas_key(load: Any, monkeypatch: pytest.MonkeyPatch, *, wanted: bool) -> None:
    loaded = load("apt_repository")
    asked: list[bool] = []

    def content(request: urls.Request) -> bytes:
        asked.append(request.validate_certs)
        return b'{"signing_key_fingerprint": "F"}'

    monkeypatch.setattr(urls, "content", content)
    monkeypatch.setattr(loaded.files, "replace_content", lambda *_what: None)
    options = {"repo": "ppa:nobody/nowhere", "codename": "s", "update_cache": False, "validate_certs": wanted}
    module = Module("apt_repository", loaded.OPTIONS, options)
    loaded.fetch_key(module, "nobody", "nowhere-at-all")
    assert asked == [wanted, wanted]
