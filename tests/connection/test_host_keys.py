"""known_hosts(5): what is found in which lines."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

import asyncssh
import pytest

from pyplay.connection.host_keys import KnownHosts, KnownKeys

if TYPE_CHECKING:
    from pathlib import Path

KEYS = [asyncssh.generate_private_key("ssh-ed25519").export_public_key().decode().strip() for _ in range(3)]
HASHED = "|1|TKkgIjNDLwh7NtzrKu2q5J8T8LU=|"


@pytest.mark.parametrize(
    ("lines", "name", "port", "found"),
    [
        pytest.param(["h1 K0"], "h1", 22, (1, 0, 0), id="name"),
        pytest.param(["h1,1.2.3.4 K0"], "1.2.3.4", 22, (1, 0, 0), id="second name"),
        pytest.param(["H1 K0"], "h1", 22, (1, 0, 0), id="case"),
        pytest.param(["[h1]:2222 K0"], "h1", 2222, (1, 0, 0), id="port"),
        pytest.param(["h1 K0"], "h1", 2222, (0, 0, 0), id="another port"),
        pytest.param(["[h1]:2222 K0"], "h1", 22, (0, 0, 0), id="the port only"),
        pytest.param(["*.example.com,!db.* K0"], "web.example.com", 22, (1, 0, 0), id="pattern"),
        pytest.param(["*.example.com,!db.* K0"], "db.example.com", 22, (0, 0, 0), id="pattern excludes"),
        pytest.param(
            ["@cert-authority *.example.com K0", "@revoked * K1"], "a.example.com", 22, (0, 1, 1), id="markers"
        ),
        pytest.param(
            ["# h1 K0", "", "h1", "h1 ssh-ed25519 garbage", "h1 K0 a comment"], "h1", 22, (1, 0, 0), id="odd lines"
        ),
        pytest.param(["h1 K0", "h1 K1"], "h1", 22, (2, 0, 0), id="two keys"),
    ],
)
def test_lookup(tmp_path: Path, lines: list[str], name: str, port: int, found: tuple[int, int, int]) -> None:
    text = re.sub(r"K(\d)", lambda found: KEYS[int(found[1])], "\n".join(lines))  # once: keys may hold such words
    (tmp_path / "known").write_text(text)
    keys = KnownHosts([str(tmp_path / "known")]).lookup(name, port)
    assert (len(keys.trusted), len(keys.authorities), len(keys.revoked)) == found


@pytest.mark.parametrize(("port", "hashed"), [(22, False), (2222, False), (22, True), (2222, True)])
def test_what_is_remembered_is_found_again(tmp_path: Path, port: int, *, hashed: bool) -> None:
    file = tmp_path / "known"
    key = asyncssh.import_public_key(KEYS[0])
    known = KnownHosts([str(file)])
    known.remember("Host1", port, key, str(file), hashed=hashed)
    assert ("host1" in file.read_text()) is not hashed
    for each in (known, KnownHosts([str(file)])):
        assert each.lookup("host1", port).trusted == [key]
        assert not each.lookup("host2", port).trusted


def test_the_place_of_a_key_is_told(tmp_path: Path) -> None:
    (tmp_path / "known").write_text(f"# first\nh1 {KEYS[0]}\n")
    assert KnownHosts([str(tmp_path / "known")]).lookup("h1", 22).places == {"ssh-ed25519": f"{tmp_path}/known:2"}


def test_many_hosts_are_looked_up_by_name(tmp_path: Path) -> None:
    (tmp_path / "known").write_text("".join(f"host{number} {KEYS[0]}\n" for number in range(20000)))
    known = KnownHosts([str(tmp_path / "known")])
    start = time.perf_counter()
    for number in range(0, 20000, 100):
        assert known.lookup(f"host{number}", 22).trusted
    assert time.perf_counter() - start < 1


def test_small_rsa_keys_are_not_trusted() -> None:
    small, large = (asyncssh.generate_private_key("ssh-rsa", key_size=bits) for bits in (1024, 2048))
    other = asyncssh.generate_private_key("ssh-ed25519")
    keys = KnownKeys(trusted=[small, large, other])
    keys.drop_small(2048)
    assert keys.trusted == [large, other]
    keys.drop_small(0)
    assert keys.trusted == [large, other]
