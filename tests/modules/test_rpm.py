"""dnf and rpm_key against an rpm database and repository made on the spot; dnf5 against its words."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING, Any, Protocol

import pytest

from pyplay.remote.module_utils import dnf, openpgp
from pyplay.remote.module_utils.module import call

if TYPE_CHECKING:
    from pathlib import Path

    from tests.modules.conftest import RunModule

REAL = pytest.mark.skipif(
    not all(map(shutil.which, ("dnf", "rpm", "rpmbuild", "createrepo_c"))), reason="dnf, rpmbuild or createrepo_c is not installed"
)  # fmt: skip
SPEC = """Name: {name}
Version: {version}
Release: 1
Summary: a package
License: MIT
BuildArch: noarch
{requires}
%description
a package
%install
mkdir -p %{{buildroot}}/opt/{name}
echo {version} > %{{buildroot}}/opt/{name}/version
%files
/opt/{name}/version
"""
CONF = """[main]
gpgcheck=0
reposdir=/nonexistent
cachedir={top}/cache
persistdir={top}/persist
logdir={top}/log
pluginpath=/nonexistent
[local]
name=local
baseurl=file://{top}/repo
"""


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a repository: foo 1.0 and 2.0, bar which requires foo, baz."""
    top = tmp_path_factory.mktemp("rpm")
    (top / "repo").mkdir()
    for name, version, requires in (("foo", "1.0", ""), ("foo", "2.0", ""), ("bar", "1.0", "foo"), ("baz", "1.0", "")):
        spec = top / f"{name}.spec"
        spec.write_text(SPEC.format(name=name, version=version, requires=f"Requires: {requires}" if requires else ""))
        defines = ["--define", f"_topdir {top}/build", "--define", f"_rpmdir {top}/repo"]
        subprocess.run(["rpmbuild", "--quiet", "-bb", *defines, spec], check=True, capture_output=True)
    subprocess.run(["createrepo_c", "-q", top / "repo"], check=True)
    (top / "dnf.conf").write_text(CONF.format(top=top))
    return top


class RunDnf(Protocol):
    """Runs dnf on the root of the test."""

    def __call__(self, *, check: bool = False, **args: Any) -> dict[str, Any]: ...


@pytest.fixture
def run_dnf(module: RunModule, repository: Path, tmp_path: Path) -> RunDnf:
    (tmp_path / "root").mkdir()

    def run(*, check: bool = False, **args: Any) -> dict[str, Any]:
        args.setdefault("disable_gpg_check", True)
        return module(
            "dnf", check=check, installroot=tmp_path / "root", conf_file=repository / "dnf.conf", releasever="1", **args
        )

    return run


def both(run_dnf: RunDnf, **args: Any) -> list[str]:
    """Run with and without check mode, which must foretell the results; the second run changes nothing."""
    predicted = run_dnf(check=True, **args)
    done = run_dnf(**args)
    assert not done.get("failed"), done
    assert done["changed"] is True
    assert predicted["results"] == done["results"]
    assert predicted["changed"] is True
    assert run_dnf(**args)["changed"] is False
    return done["results"]


@REAL
def test_packages_come_are_updated_and_go(run_dnf: RunDnf, repository: Path) -> None:
    assert both(run_dnf, name="bar") == ["Installed: bar-1.0-1.noarch", "Installed: foo-2.0-1.noarch"]
    assert run_dnf(name="foo-1.0") == {"changed": False, "msg": "Nothing to do", "rc": 0, "results": []}
    back = ["Installed: foo-1.0-1.noarch", "Removed: foo-2.0-1.noarch"]
    assert both(run_dnf, name="foo-1.0", allow_downgrade=True) == back
    assert run_dnf(name="foo")["changed"] is False
    assert both(run_dnf, name="foo", state="latest") == ["Installed: foo-2.0-1.noarch", "Removed: foo-1.0-1.noarch"]
    assert both(run_dnf, name="foo <= 1.5") == back
    assert both(run_dnf, name="*", state="latest") == ["Installed: foo-2.0-1.noarch", "Removed: foo-1.0-1.noarch"]
    assert both(run_dnf, name="foo", state="absent") == ["Removed: bar-1.0-1.noarch", "Removed: foo-2.0-1.noarch"]
    package = next((repository / "repo").rglob("baz-*.rpm"))
    assert both(run_dnf, name=str(package)) == ["Installed: baz-1.0-1.noarch"]


@REAL
def test_dependencies_are_removed_where_asked(run_dnf: RunDnf) -> None:
    run_dnf(name="bar,baz")
    assert both(run_dnf, name="bar", state="absent", autoremove=True) == [
        "Removed: bar-1.0-1.noarch", "Removed: foo-2.0-1.noarch",
    ]  # fmt: skip
    run_dnf(name="/opt/bar/version")
    assert run_dnf(name="b*", state="absent")["results"] == ["Removed: bar-1.0-1.noarch", "Removed: baz-1.0-1.noarch"]
    assert both(run_dnf, autoremove=True) == ["Removed: foo-2.0-1.noarch"]


@REAL
def test_what_is_not_there(run_dnf: RunDnf) -> None:
    missing = run_dnf(name="nope")
    assert (missing["failed"], missing["rc"], missing["failures"]) == (True, 1, ["No package nope available."])
    assert run_dnf(name="foo >= 3")["failures"] == ["No package foo >= 3 available."]
    assert run_dnf(name="nope", state="absent")["results"] == ["No match for argument: nope"]
    skipped = run_dnf(name=["nope", "baz"], skip_broken=True)
    assert skipped["results"] == ["No package nope available.", "Installed: baz-1.0-1.noarch"]
    assert run_dnf(name="foo", exclude="foo")["failed"] is True
    assert run_dnf(name="foo", disablerepo="local")["failures"] == ["No package foo available."]
    assert run_dnf(name="foo", state="latest", update_only=True)["changed"] is False
    assert run_dnf(name="@nothing")["failed"] is True
    assert run_dnf(name="/nowhere.rpm")["failed"] is True
    assert run_dnf(name="foo", list="foo")["failed"] is True
    assert run_dnf() == {"changed": False, "msg": "Nothing to do", "rc": 0, "results": []}


@REAL
def test_unsigned_packages_are_refused(run_dnf: RunDnf) -> None:
    result = run_dnf(name="foo", disable_gpg_check=False)
    assert result["failed"] is True
    assert "not signed" in result["msg"]


@REAL
def test_downloads_and_lists(run_dnf: RunDnf, tmp_path: Path) -> None:
    done = run_dnf(name="baz", download_only=True, download_dir=str(tmp_path / "dl"))
    assert (done["changed"], done["results"]) == (True, ["Downloaded: baz-1.0-1.noarch"])
    assert [path.name for path in (tmp_path / "dl").iterdir()] == ["baz-1.0-1.noarch.rpm"]
    run_dnf(name="foo <= 1.5")
    listed = run_dnf(list="installed")["results"]
    assert listed == [
        {
            "name": "foo", "epoch": "0", "version": "1.0", "release": "1", "arch": "noarch", "repo": "@System",
            "nevra": "0:foo-1.0-1.noarch", "envra": "0:foo-1.0-1.noarch", "yumstate": "installed",
        }
    ]  # fmt: skip
    assert [item["nevra"] for item in run_dnf(list="updates")["results"]] == ["0:foo-2.0-1.noarch"]
    assert {item["name"] for item in run_dnf(list="available")["results"]} == {"foo", "bar", "baz"}
    assert [item["yumstate"] for item in run_dnf(list="foo")["results"]][:1] == ["installed"]
    assert run_dnf(list="repos")["results"] == [{"repoid": "local", "state": "enabled"}]
    assert run_dnf(update_cache=True)["msg"] == "Cache updated"


FIVE = """Package   Arch   Version   Repository      Size
Upgrading:
 foo      noarch 0:2.0-1   local        5.9 KiB
   replacing foo noarch 0:1.0-1 local  4.0 B
Installing dependencies:
 a-very-long-name-of-a-package-that-wraps
          noarch 1:3.0-1   local        5.9 KiB

Transaction Summary:
 Installing:        1 package
"""


def test_the_table_of_dnf5_is_read() -> None:
    table = dnf.read_table(FIVE)
    assert table.installed == ["foo-2.0-1.noarch", "a-very-long-name-of-a-package-that-wraps-1:3.0-1.noarch"]
    assert table.removed == ["foo-1.0-1.noarch"]


PROGRAM = """#!/bin/sh
echo "$*" >> {top}/log
case $* in *repolist*) printf 'repo id  repo name\\nlocal  local\\n';; *) echo Nothing to do;; esac
"""


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"name": "a"}, "-y install a"),
        ({"name": "a", "nobest": True, "allowerasing": True}, "-y install --allowerasing --no-best a"),
        ({"name": "a", "best": True, "skip_broken": True}, "-y install --best --skip-broken --skip-unavailable a"),
        ({"name": "a", "download_only": True, "download_dir": "/d"}, "-y install --downloadonly --destdir=/d a"),
        ({"name": "*", "state": "latest", "security": True}, "-y upgrade --security"),
        ({"autoremove": True}, "-y autoremove"),
        ({"name": "a", "enablerepo": "x", "disablerepo": ["y"]}, "--disable-repo=y --enable-repo=x -y install a"),
        ({"name": "a", "exclude": "e", "cacheonly": True}, "--exclude=e --cacheonly -y install a"),
        ({"name": "a", "enable_plugin": "p", "releasever": "9"}, "--releasever=9 --enable-plugin=p -y install a"),
        ({"name": "a", "update_cache": True, "disable_excludes": "all"}, "--setopt=disable_excludes=all --refresh -y install a"),
        ({"name": "a", "install_weak_deps": False, "sslverify": False}, "--setopt=install_weak_deps=0 --setopt=sslverify=0 -y install a"),
        ({"name": "http://x/a.rpm", "validate_certs": False, "disable_plugin": "q"}, "--setopt=sslverify=0 --disable-plugin=q -y install http://x/a.rpm"),
    ],
    ids=str,
)  # fmt: skip
def test_the_words_for_dnf5(
    module: RunModule, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: dict[str, Any], words: str
) -> None:
    (tmp_path / "dnf5").write_text(PROGRAM.format(top=tmp_path))
    (tmp_path / "rpm").write_text("#!/bin/sh\nexit 1\n")
    for name in ("dnf5", "rpm"):
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    for name, extra in (("dnf5", {}), ("dnf", {"use_backend": "dnf5"})):
        (tmp_path / "log").write_text("")
        assert module(name, **options, **extra)["changed"] is bool(options.get("download_only") and False)
        called = (tmp_path / "log").read_text().splitlines()[-1]
        assert called == f"--setopt=pkg_gpgcheck=1 --setopt=localpkg_gpgcheck=1 {words}"


@pytest.fixture
def key(tmp_path: Path) -> Path:
    """Make a key; gives the file of its public half, armored, and beside it the binary one."""
    if shutil.which("gpg") is None:
        pytest.skip("gpg is not installed")
    home = tmp_path / "gpg"
    home.mkdir(mode=0o700)
    gpg = ["gpg", "--batch", "--homedir", str(home), "--passphrase", ""]
    subprocess.run(
        [*gpg, "--quick-gen-key", "T <t@example.org>", "default", "default", "never"], check=True, capture_output=True
    )
    for name, how in (("key.asc", ["--armor"]), ("key.gpg", [])):
        done = subprocess.run([*gpg, *how, "--export"], check=True, capture_output=True)
        (tmp_path / name).write_bytes(done.stdout)
    listed = subprocess.run(
        [*gpg, "--list-keys", "--with-colons", "--with-subkey-fingerprint"], check=True, capture_output=True, text=True
    )
    (tmp_path / "fingerprints").write_text(
        "".join(line.split(":")[9] + "\n" for line in listed.stdout.splitlines() if line.startswith("fpr"))
    )
    subprocess.run(["gpgconf", "--homedir", home, "--kill", "all"], check=False)
    return tmp_path / "key.asc"  # fmt: skip


def test_keys_are_read_without_gpg(key: Path) -> None:
    fingerprints = key.with_name("fingerprints").read_text().split()
    for name in ("key.asc", "key.gpg"):
        found = openpgp.keys_in(key.with_name(name).read_bytes())
        assert [item.fingerprint for item in found] == fingerprints
        assert [item.subkey for item in found] == [False] + [True] * (len(found) - 1)
        assert found[0].key_id == fingerprints[0][-16:]


@pytest.mark.parametrize("data", [b"", b"nonsense", b"\x99\x01", b"\xc6\xff", b"\xb4\x00", b"\x9b"])
def test_what_is_no_key(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"it|length"):
        openpgp.keys_in(data)


@REAL
def test_rpm_key(module: RunModule, key: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".rpmmacros").write_text(f"%_dbpath {tmp_path}/db\n")
    monkeypatch.setenv("HOME", str(tmp_path))
    fingerprint = key.with_name("fingerprints").read_text().split()[0]
    assert "not 00" in module("rpm_key", key=key, fingerprint="00")["msg"]
    assert module("rpm_key", key=key, check=True)["changed"] is True
    assert module("rpm_key", key=key, fingerprint=[f"{fingerprint[:20]} {fingerprint[20:]}".lower()])["changed"] is True
    for other in (key, key.with_name("key.gpg"), f"file://{key}", fingerprint[-8:], f"0x{fingerprint}"):
        assert module("rpm_key", key=other)["changed"] is False
    assert module("rpm_key", key=fingerprint[-8:], state="absent", check=True)["changed"] is True
    assert module("rpm_key", key=fingerprint, state="absent")["changed"] is True
    assert module("rpm_key", key=key, state="absent")["changed"] is False
    assert module("rpm_key", key=key)["changed"] is True
    assert module("rpm_key", key=key, state="absent")["changed"] is True
    assert "must be a URL or a file" in module("rpm_key", key=fingerprint)["msg"]
    assert "neither a URL" in module("rpm_key", key="/nowhere")["msg"]
    assert "no public key" in module("rpm_key", key="/etc/passwd")["msg"]


@pytest.mark.skipif(shutil.which("apt-key") is None, reason="apt-key is not installed")
def test_apt_key(module: RunModule, key: Path, tmp_path: Path) -> None:
    fingerprint = key.with_name("fingerprints").read_text().split()[0]
    identity = fingerprint[-16:]
    given = {"file": key, "keyring": tmp_path / "ring.gpg"}
    predicted = module("apt_key", check=True, **given)
    first = module("apt_key", **given)
    assert identity in first.pop("after")
    assert first == predicted
    assert first == {
        "changed": True, "before": [], "id": identity, "key_id": identity, "fp": identity, "short_id": identity[-8:],
    }  # fmt: skip
    assert module("apt_key", **given)["changed"] is False
    ring = {"keyring": tmp_path / "ring.gpg"}
    for other in (fingerprint, f"0x{fingerprint}", identity[-8:], identity):
        assert module("apt_key", id=other, **ring)["changed"] is False
    assert module("apt_key", id=fingerprint, **ring)["fp"] == identity
    assert module("apt_key", data=key.read_text(), state="absent", check=True, **ring)["changed"] is True
    assert module("apt_key", id=fingerprint, state="absent", **ring)["changed"] is True
    assert module("apt_key", id=fingerprint, state="absent", **ring)["changed"] is False
    assert module("apt_key", url=f"file://{key}", **ring)["changed"] is True
    assert module("apt_key", id="0BADC0DE", file=key, **ring)["failed"] is True


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "no key id"),
        ({"id": "zzz", "state": "absent"}, "no key id"),
        ({"keyserver": "x"}, "keyserver needs id"),
        ({"data": "nonsense"}, "no key in data"),
        ({"file": "/nowhere"}, "cannot read the key"),
        ({"file": "/nowhere", "url": "x"}, "exclusive"),
    ],
)
def test_what_apt_key_needs(module: RunModule, options: dict[str, Any], message: str) -> None:
    assert message in module("apt_key", **options)["msg"]


SOURCE = {
    "name": "PP debian X_y", "types": ["deb", "deb-src"], "uris": "https://packages.example.org", "suites": ["stable"],
    "components": ["main", "contrib"], "architectures": ["amd64"], "allow_insecure": True, "date_max_future": 10,
    "enabled": True, "languages": ["en"], "signed_by": "/etc/x.gpg", "pdiffs": False, "by_hash": True,
    "check_date": False, "check_valid_until": True, "allow_weak": False, "allow_downgrade_to_insecure": True,
    "inrelease_path": "x", "targets": ["a", "b"], "trusted": False, "include": ["p", "q"],
}  # fmt: skip
SOURCE_TEXT = """Allow-Downgrade-To-Insecure: yes
Allow-Insecure: yes
Allow-Weak: no
Architectures: amd64
By-Hash: yes
Check-Date: no
Check-Valid-Until: yes
Components: main contrib
Date-Max-Future: 10
Enabled: yes
Include: p q
Inrelease-Path: x
Languages: en
X-Repolib-Name: PP debian X_y
Pdiffs: no
Signed-By: /etc/x.gpg
Suites: stable
Targets: a b
Trusted: no
Types: deb deb-src
URIs: https://packages.example.org
"""


def test_sources_of_apt(load: Any, tmp_path: Path, key: Path) -> None:
    loaded = load("deb822_repository")
    loaded.SOURCES, loaded.KEYRINGS = str(tmp_path / "sources"), str(tmp_path / "rings")

    def run(*, check: bool = False, **args: Any) -> dict[str, Any]:
        given = dict(args, _ansible_check_mode=check, _ansible_diff=True)
        return call(loaded.run, loaded.OPTIONS, given, "deb822_repository")

    path = tmp_path / "sources" / "PP-debian-X_y.sources"
    predicted = run(check=True, **SOURCE)
    assert not path.exists()
    first = run(**SOURCE)
    assert path.read_text() == SOURCE_TEXT == first["repo"]
    assert predicted["diff"] == first["diff"]
    assert (predicted["changed"], first["changed"], first["mode"], first["dest"]) == (True, True, "0644", str(path))
    assert run(**SOURCE)["changed"] is False
    assert run(mode="0600", check=True, **SOURCE)["changed"] is True
    assert run(mode="0600", **SOURCE)["mode"] == "0600"
    short = {"name": "PP debian X_y", "uris": "u", "suites": "s/"}
    armored = run(signed_by=key.read_text(), **short)["repo"]
    assert "Signed-By:\n    -----BEGIN PGP PUBLIC KEY BLOCK-----\n    .\n    " in armored
    fetched = run(signed_by=f"file://{key}", **short)
    ring = tmp_path / "rings" / "PP-debian-X_y.asc"
    assert fetched["key_filename"] == str(ring)
    assert f"Signed-By: {ring}\n" in fetched["repo"]
    assert ring.read_bytes() == key.read_bytes()
    assert run(signed_by=f"file://{key}", **short)["changed"] is False
    assert run(signed_by="http://127.0.0.1:1/x", **short)["failed"] is True
    assert run(exclude=["a"], include=["b"], **short)["failed"] is True
    assert run(name="PP debian X_y", state="absent", check=True)["changed"] is True
    gone = run(name="PP debian X_y", state="absent")
    assert (gone["changed"], gone["repo"]) == (True, None)
    assert not path.exists()
    assert not ring.exists()
    assert run(name="PP debian X_y", state="absent")["changed"] is False
