"""The mirror of providers: addresses, hashes, documents, the directory, the server."""

from __future__ import annotations

import json
import os
import shutil
import socket
import ssl
import subprocess
import sys
import threading
import urllib.error
import urllib.request
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pyplay.content.faults import ContentError
from pyplay.mirror.address import read_address, read_archive_name
from pyplay.mirror.documents import Package, read_index, read_packages
from pyplay.mirror.hashes import archive_hashes, check_hashes
from pyplay.mirror.layout import Layout, mirror_sources, zips_of
from pyplay.mirror.serve import Server, nginx_snippet, tls

if TYPE_CHECKING:
    from collections.abc import Iterator

VECTOR = "h1:3n4aAJz1Kv0efEt7tG6ihQDmf1hZGWfu6xy5cDK8h48="
DEMO = {"terraform-provider-demo_v1.0.0_x5": "#!/bin/sh\n", "LICENSE.txt": "MIT\n", "docs/a b.md": "hello\n"}
HOST = "example.com"


def pack(path: Path, files: dict[str, str] = DEMO) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name)
            entry.external_attr = 0o755 << 16
            archive.writestr(entry, content)
    return path


def provider(
    root: Path, version: str = "1.0.0", type_: str = "demo", platform: str = "linux_amd64", host: str = HOST
) -> Path:
    name = f"terraform-provider-{type_}_{version}_{platform}.zip"
    return pack(
        root / host / "acme" / type_ / name,
        {f"terraform-provider-{type_}_v{version}": f"#!/bin/sh\n# {version} {platform}\n"},
    )


def quiet(_: str) -> None:
    pass


def build(root: Path, zips: Path) -> Layout:
    layout = Layout(root)
    layout.publish(zips_of(zips), quiet)
    return layout


def certificate(directory: Path) -> tuple[Path, Path]:
    cert, key = directory / "cert.pem", directory / "key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", cert, "-days", "2",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"],
        check=True, capture_output=True,
    )  # fmt: skip
    return cert, key


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("random", "registry.terraform.io/hashicorp/random"),
        ("acme/demo", "registry.terraform.io/acme/demo"),
        ("Example.COM/Acme/Demo", "example.com/acme/demo"),
        ("bücher.example/acme/demo", "xn--bcher-kva.example/acme/demo"),
    ],
)
def test_addresses_are_of_small_ascii_letters(text: str, expected: str) -> None:
    assert str(read_address(text)) == expected


@pytest.mark.parametrize(
    "text",
    ["", "a//b", "a/b/c/d", "example.com:8443/acme/demo", "localhost/acme/demo", "../a/b", "x.y/../c", "x.y/a/b c"],
)
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(ContentError):
        read_address(text)


def test_names_of_archives() -> None:
    name = read_archive_name("terraform-provider-demo_1.0.0+b.1_linux_amd64.zip")
    assert name is not None
    assert (name.type, name.version, name.platform) == ("demo", "1.0.0+b.1", "linux_amd64")
    for wrong in ("demo.zip", "terraform-provider-demo_one_linux_amd64.zip", "terraform-provider-demo_1.0.0_linux.zip"):
        assert read_archive_name(wrong) is None


def test_h1_is_that_of_names_and_contents(tmp_path: Path) -> None:
    one = pack(tmp_path / "one.zip")
    other = pack(tmp_path / "other.zip", dict(reversed(DEMO.items())))
    assert archive_hashes(one)[0] == archive_hashes(other)[0] == VECTOR
    assert archive_hashes(one)[1] != archive_hashes(other)[1]


@pytest.mark.parametrize(
    ("hashes", "unverified", "fault"),
    [
        ([VECTOR], False, None),
        ([VECTOR, "new:1"], False, None),
        ([VECTOR, "zh:" + "0" * 64], False, "zh:"),  # every known scheme must match
        (["h1:wrong"], True, "h1:wrong"),
        (["new:1"], True, "unknown schemes alone: new"),
        ([], False, "no hash"),
        ([], True, None),
    ],
)
def test_which_hashes_are_enough(tmp_path: Path, hashes: list[str], *, unverified: bool, fault: str | None) -> None:
    path = pack(tmp_path / "one.zip")
    if fault is None:
        check_hashes(path, hashes, "demo", unverified=unverified)
    else:
        with pytest.raises(ContentError, match=fault):
            check_hashes(path, hashes, "demo", unverified=unverified)


def test_an_index_may_hold_more_than_is_read() -> None:
    assert read_index({"versions": {"2.0.0": {"new": 1}, "latest": {}}, "new": []}, "x") == ["2.0.0"]
    data = {"archives": {"linux_amd64": {"url": "a.zip", "new": 1}}, "new": 1}
    assert read_packages(data, "x") == {"linux_amd64": Package("a.zip", ())}


@pytest.mark.parametrize(
    "data", [[], {}, {"versions": []}, {"versions": {"1.0.0": None}}, {"versions": {"1.0.0": "x"}}]
)
def test_an_index_of_another_shape_is_refused(data: object) -> None:
    with pytest.raises(ContentError):
        read_index(data, "x")


@pytest.mark.parametrize(
    "entry", [None, {}, {"url": 1}, {"url": ""}, {"url": "a", "hashes": "h1:x"}, {"url": "a", "hashes": [1]}]
)
def test_packages_of_another_shape_are_refused(entry: object) -> None:
    with pytest.raises(ContentError):
        read_packages({"archives": {"linux_amd64": entry}}, "x")


def test_builds_merge_and_lose_nothing(tmp_path: Path) -> None:
    provider(tmp_path / "a", "1.0.0")
    provider(tmp_path / "b", "1.10.0")
    provider(tmp_path / "b", "1.0.0", platform="darwin_arm64")
    provider(tmp_path / "b", "2.0.0", type_="other", host="registry.terraform.io")
    build(tmp_path / "m", tmp_path / "a")
    layout = build(tmp_path / "m", tmp_path / "b")
    demo, other = layout.addresses()
    assert layout.versions(demo) == ["1.0.0", "1.10.0"]
    assert set(layout.packages(demo, "1.0.0")) == {"linux_amd64", "darwin_arm64"}
    assert str(other) == "registry.terraform.io/acme/other"
    assert json.loads((tmp_path / "m/example.com/acme/demo/index.json").read_text()) == {
        "versions": {"1.0.0": {}, "1.10.0": {}}
    }
    assert layout.faults() == []
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "m").rglob("*.*")}
    build(tmp_path / "m", tmp_path / "b")
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "m").rglob("*.*")} == before


def test_a_published_archive_does_not_change(tmp_path: Path) -> None:
    path = provider(tmp_path / "a")
    build(tmp_path / "m", tmp_path / "a")
    pack(path, {"terraform-provider-demo_v1.0.0": "other"})
    with pytest.raises(ContentError, match="differs from"):
        build(tmp_path / "m", tmp_path / "a")


def test_a_reader_sees_a_whole_site_at_any_moment(tmp_path: Path) -> None:
    """Whatever is published last before a build is killed: what is listed is there."""
    for number in range(3):
        provider(tmp_path / "a", f"1.{number}.0")
    layout = Layout(tmp_path / "m")
    seen: list[list[str]] = []

    def stop_at_second(_: str) -> None:
        seen.append([fault for address in layout.addresses() for fault in layout.faults() if address])
        if len(seen) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        layout.publish(zips_of(tmp_path / "a"), stop_at_second)
    assert seen == [[], []]
    assert not layout.addresses()
    build(tmp_path / "m", tmp_path / "a")
    assert layout.faults() == []
    assert len(layout.versions(layout.addresses()[0])) == 3


def test_verify_names_what_is_wrong(tmp_path: Path) -> None:
    for version in ("1.0.0", "1.1.0", "1.2.0"):
        provider(tmp_path / "a", version)
    layout = build(tmp_path / "m", tmp_path / "a")
    directory = tmp_path / "m/example.com/acme/demo"
    pack(directory / "terraform-provider-demo_1.0.0_linux_amd64.zip")
    (directory / "terraform-provider-demo_1.1.0_linux_amd64.zip").unlink()
    (directory / "1.2.0.json").unlink()
    faults = "\n".join(layout.faults())
    for part in (
        "1.0.0 linux_amd64 has h1:",
        "1.1.0_linux_amd64.zip is not there",
        "1.2.0 is listed, but",
        "is listed nowhere",
    ):
        assert part in faults


def test_mirrors_are_merged_only_if_they_are_whole(tmp_path: Path) -> None:
    path = provider(tmp_path / "a")
    other = build(tmp_path / "one", tmp_path / "a")
    layout = Layout(tmp_path / "two")
    layout.publish(mirror_sources(other), quiet)
    assert layout.addresses() == other.addresses()
    (tmp_path / "one" / path.relative_to(tmp_path / "a")).write_bytes(b"broken")
    with pytest.raises(ContentError, match="damaged"):
        mirror_sources(other)


def test_prune_leaves_the_newest(tmp_path: Path) -> None:
    for version in ("1.2.0", "1.10.0", "1.9.0"):
        provider(tmp_path / "a", version)
    layout = build(tmp_path / "m", tmp_path / "a")
    layout.prune(2, quiet)
    assert layout.versions(layout.addresses()[0]) == ["1.9.0", "1.10.0"]
    assert layout.faults() == []
    assert len(list((tmp_path / "m").rglob("*.zip"))) == 2


@pytest.mark.parametrize(
    ("name", "message"), [("x.zip", "not named"), ("terraform-provider-demo_1.0.0_linux_amd64.zip", "which registry")]
)
def test_zips_must_say_what_they_are(tmp_path: Path, name: str, message: str) -> None:
    pack(tmp_path / name)
    with pytest.raises(ContentError, match=message):
        zips_of(tmp_path)


def test_zips_that_lie_flat_belong_to_whom_is_named(tmp_path: Path) -> None:
    pack(tmp_path / "terraform-provider-demo_1.0.0_linux_amd64.zip")
    assert str(zips_of(tmp_path, "example.com/acme")[0].address) == "example.com/acme/demo"


@pytest.fixture
def site(tmp_path: Path) -> Iterator[tuple[str, ssl.SSLContext, Path]]:
    cert, key = certificate(tmp_path)
    provider(tmp_path / "a")
    build(tmp_path / "m", tmp_path / "a")
    (tmp_path / "secret").write_text("secret")
    with Server(tmp_path / "m", ("127.0.0.1", 0), tls(cert, key), quiet) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"https://localhost:{server.server_address[1]}/", ssl.create_default_context(cafile=str(cert)), cert
        finally:
            server.shutdown()
            thread.join()


def get(site: tuple[str, ssl.SSLContext, Path], path: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
    words = {name.replace("_", "-"): value for name, value in headers.items()}
    try:
        with urllib.request.urlopen(
            urllib.request.Request(site[0] + path, headers=words), context=site[1], timeout=20
        ) as answer:
            return answer.status, dict(answer.headers), answer.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, dict(error.headers), b""


def test_the_server_gives_types_ranges_and_tags(site: tuple[str, ssl.SSLContext, Path]) -> None:
    index = "example.com/acme/demo/index.json"
    archive = "example.com/acme/demo/terraform-provider-demo_1.0.0_linux_amd64.zip"
    code, headers, _ = get(site, index)
    assert (code, headers["Content-Type"]) == (200, "application/json")
    code, headers, whole = get(site, archive)
    assert (code, headers["Content-Type"], headers["Accept-Ranges"]) == (200, "application/zip", "bytes")
    assert get(site, archive, If_None_Match=headers["ETag"])[0] == 304
    for text, part in (("bytes=2-5", whole[2:6]), ("bytes=-4", whole[-4:]), ("bytes=7-", whole[7:])):
        assert get(site, archive, Range=text)[::2] == (206, part)
    assert get(site, archive, Range="bytes=2-5", If_Range='"old"')[::2] == (200, whole)
    assert get(site, archive, Range=f"bytes={len(whole)}-")[0] == 416
    assert get(site, archive, Range="lines=1-2")[::2] == (200, whole)


@pytest.mark.parametrize(
    "path", ["", "example.com", "nothing.json", "../secret", "%2e%2e/secret", ".pyplay-mirror.lock", "example.com/%00"]
)
def test_the_server_gives_files_of_the_mirror_alone(site: tuple[str, ssl.SSLContext, Path], path: str) -> None:
    assert get(site, path)[0] == 404


TERRAFORM = [Path(p) for p in os.environ.get("PYPLAY_TERRAFORM", "").split(":") if p]


def terraform(
    program: Path, directory: Path, url: str, cert: Path, constraint: str = ">= 1.0.0"
) -> subprocess.CompletedProcess[str]:
    (directory / "main.tf").write_text(
        f'terraform {{\n required_providers {{\n  demo = {{\n   source = "example.com/acme/demo"\n   version = "{constraint}"\n  }}\n }}\n}}\n'
    )
    (directory / "rc").write_text(f'provider_installation {{\n network_mirror {{\n  url = "{url}"\n }}\n}}\n')
    environment = {
        "HOME": str(directory), "PATH": os.environ["PATH"], "TF_CLI_CONFIG_FILE": str(directory / "rc"),
        "SSL_CERT_FILE": str(cert), "CHECKPOINT_DISABLE": "1", "TF_IN_AUTOMATION": "1",
    }  # fmt: skip
    return subprocess.run(
        [program, "init", "-no-color", "-input=false", "-upgrade"],
        cwd=directory,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.skipif(not TERRAFORM, reason="PYPLAY_TERRAFORM names no Terraform programs")
@pytest.mark.parametrize("program", TERRAFORM or [Path()], ids=str)
def test_terraform_installs_from_the_server(
    program: Path, site: tuple[str, ssl.SSLContext, Path], tmp_path: Path
) -> None:
    work = tmp_path / "work"
    work.mkdir()
    url, _, cert = site
    first = terraform(program, work, url, cert)
    assert first.returncode == 0, first.stdout + first.stderr
    assert "Installed example.com/acme/demo v1.0.0" in first.stdout
    provider(tmp_path / "b", "1.1.0")
    build(tmp_path / "m", tmp_path / "b")
    upgraded = terraform(program, work, url, cert)
    assert "Installed example.com/acme/demo v1.1.0" in upgraded.stdout, upgraded.stdout + upgraded.stderr
    assert terraform(program, work, url, cert, ">= 9.0.0").returncode != 0  # no such version
    provider(tmp_path / "c", "1.2.0", platform="plan9_386")
    build(tmp_path / "m", tmp_path / "c")
    missing = terraform(program, work, url, cert)
    assert missing.returncode != 0  # the newest version has no archive for this platform
    document = tmp_path / "m/example.com/acme/demo/1.1.0.json"
    data = json.loads(document.read_text())
    data["archives"]["linux_amd64"]["hashes"] = [VECTOR]
    document.write_text(json.dumps(data))
    shutil.rmtree(work / ".terraform")
    (work / ".terraform.lock.hcl").unlink(missing_ok=True)
    wrong = terraform(program, work, url, cert, "1.1.0")
    assert wrong.returncode != 0
    assert "hash" in (wrong.stdout + wrong.stderr).lower() or "checksum" in (wrong.stdout + wrong.stderr).lower()


@pytest.mark.skipif(
    shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin") is None, reason="nginx is not installed"
)
def test_nginx_serves_the_mirror_by_the_printed_lines(tmp_path: Path) -> None:
    nginx = shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin")
    assert nginx
    cert, key = certificate(tmp_path)
    provider(tmp_path / "a")
    build(tmp_path / "m", tmp_path / "a")
    tmp_path.chmod(0o755)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    temporary = "".join(
        f"{name}_temp_path {tmp_path}/t;\n" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    user = "user root;\n" if os.geteuid() == 0 else ""
    (tmp_path / "nginx.conf").write_text(
        f"{user}daemon off;\nmaster_process off;\npid {tmp_path}/pid;\nerror_log stderr;\nevents {{}}\nhttp {{\naccess_log off;\n{temporary}"
        f"server {{\nlisten 127.0.0.1:{port} ssl;\nssl_certificate {cert};\nssl_certificate_key {key};\n{nginx_snippet(tmp_path / 'm')}}}\n}}\n"
    )
    process = subprocess.Popen(
        [nginx, "-p", tmp_path, "-c", tmp_path / "nginx.conf", "-e", "stderr"], stderr=subprocess.PIPE
    )
    site = (f"https://localhost:{port}/providers/", ssl.create_default_context(cafile=str(cert)), cert)
    try:
        for _ in range(2000):
            try:
                code, headers, _body = get(site, "example.com/acme/demo/index.json")
                break
            except urllib.error.URLError:
                assert process.poll() is None, process.stderr.read() if process.stderr else ""
        else:
            pytest.fail("nginx does not listen")
        assert (code, headers["Content-Type"]) == (200, "application/json")
        assert (
            get(site, "example.com/acme/demo/terraform-provider-demo_1.0.0_linux_amd64.zip")[1]["Content-Type"]
            == "application/zip"
        )
        assert get(site, "example.com/acme/nothing/index.json")[0] == 404
        for program in TERRAFORM:
            work = tmp_path / f"w{TERRAFORM.index(program)}"
            work.mkdir()
            answer = terraform(program, work, site[0], cert)
            assert answer.returncode == 0, answer.stdout + answer.stderr
    finally:
        process.terminate()
        process.communicate()


def test_the_commands_build_list_and_verify(tmp_path: Path) -> None:
    provider(tmp_path / "a")

    def run(*words: str | Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "pyplay", "mirror", *words], capture_output=True, text=True, timeout=60, check=False
        )

    made = run("build", tmp_path / "m", "--from", tmp_path / "a")
    assert (made.returncode, "location /providers/" in made.stdout) == (0, True), made.stderr
    assert run("list", tmp_path / "m").stdout == "example.com/acme/demo 1.0.0 linux_amd64\n"
    assert run("merge", tmp_path / "n", tmp_path / "m").returncode == 0
    assert run("verify", tmp_path / "n").returncode == 0
    next((tmp_path / "n").rglob("*.zip")).unlink()
    assert run("verify", tmp_path / "n").returncode == 1
    refused = run("build", tmp_path / "m", "--from", tmp_path / "none")
    assert refused.returncode != 0
    assert "Traceback" not in refused.stderr
    assert "is no directory" in refused.stderr
