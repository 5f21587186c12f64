"""The table of ssh's words is whole, and the documentation shows it."""

from __future__ import annotations

import re
import shutil
import string
import subprocess
from pathlib import Path

import pytest

from pyplay.connection.ssh_table import ALIASES, FLAGS, WORDS, Way, rows

DOCS = Path(__file__).parents[2] / "docs" / "connections.md"
# Keywords that `ssh -G` shows only where they are set, each with a value that it takes.
UNSHOWN = (
    "BindAddress=::1", "BindInterface=lo", "CASignatureAlgorithms=ssh-ed25519", "CertificateFile=x", "ControlPath=x",
    "DynamicForward=1", "HostKeyAlias=x", "IdentityAgent=x", "IgnoreUnknown=x", "KnownHostsCommand=/x %H",
    "LocalCommand=x", "LocalForward=1 x:2", "PKCS11Provider=x", "PreferredAuthentications=publickey",
    "ProxyCommand=x", "RemoteCommand=x", "RemoteForward=1 x:2", "RevokedHostKeys=x", "SetEnv=A=1", "GSSAPIAuthentication=no",
)  # fmt: skip


@pytest.mark.skipif(not shutil.which("ssh"), reason="needs ssh")
def test_every_option_of_the_installed_ssh_is_in_the_table() -> None:
    words = [word for setting in UNSHOWN for word in ("-o", setting)]
    shown = subprocess.run(
        ["ssh", "-G", "-F", "none", *words, "host"],
        capture_output=True,
        text=True,
        check=True,
        stdin=subprocess.DEVNULL,
    ).stdout
    names = {line.split()[0].lower() for line in shown.splitlines()}
    assert len(names) > 80
    assert names - WORDS.keys() == set()


@pytest.mark.skipif(not shutil.which("ssh"), reason="needs ssh")
def test_every_letter_of_the_installed_ssh_is_in_the_table() -> None:
    usage = subprocess.run(["ssh"], capture_output=True, text=True, check=False).stderr
    plain = re.search(r"\[-(\w+)\]", usage)
    assert plain is not None
    letters = set(plain[1]) | set(re.findall(r"\[-(\w) ", usage))
    assert len(letters) > 30
    assert letters - FLAGS.keys() == set()
    assert {letter for letter in plain[1] if FLAGS[letter].value is None} == set()


def test_rows_are_whole() -> None:
    assert [word.name for word in WORDS.values() if not word.how or (word.harmless and word.way is not Way.SSH)] == []


def test_letters_and_old_names_mean_keywords_of_the_table() -> None:
    assert set(FLAGS) <= set(string.ascii_letters + string.digits)
    assert {flag.keyword.lower() for flag in FLAGS.values() if flag.keyword} <= WORDS.keys()
    assert all(flag.keyword or flag.how for flag in FLAGS.values())
    assert set(ALIASES.values()) <= WORDS.keys()
    assert not ALIASES.keys() & WORDS.keys()


def test_the_documentation_shows_the_table() -> None:
    wanted = [f"| `{word}` | {way} | {how} |" for word, way, how in rows()]
    found = [line for line in DOCS.read_text("utf-8").splitlines() if re.match(r"\| `(-\w|[A-Z]\w+)` \|", line)]
    assert found == wanted, "\n".join(["the table should be:", *wanted])
