from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pyplay.content.faults import ContentError
from pyplay.content.signatures import Keys, check
from pyplay.content.web import HttpWeb

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.skipif(shutil.which("gpg") is None, reason="there is no gpg")


@pytest.fixture(scope="module")
def home() -> Iterator[Path]:
    """A home of gpg with a key, in a short path (its agent's socket stands there), and a signed collection."""
    with tempfile.TemporaryDirectory(prefix="gpg") as name:
        root = Path(name)

        def gpg(*words: str) -> None:
            base = ["gpg", "--homedir", name, "--batch", "--passphrase", "", "--pinentry-mode", "loopback"]
            subprocess.run([*base, *words], check=True, capture_output=True)

        gpg("--quick-generate-key", "acme <acme@example.com>", "ed25519", "sign")
        (root / "unpacked").mkdir()
        (root / "unpacked/MANIFEST.json").write_text("{}")
        gpg("--armor", "--detach-sign", "-o", f"{root}/good.asc", f"{root}/unpacked/MANIFEST.json")
        (root / "other").write_text("other")
        gpg("--armor", "--detach-sign", "-o", f"{root}/bad.asc", f"{root}/other")
        (root / "empty.kbx").touch()
        yield root
        subprocess.run(["gpgconf", "--homedir", name, "--kill", "gpg-agent"], check=False, capture_output=True)


CASES = [
    pytest.param(["good"], "pubring", "1", "", id="good"),
    pytest.param(["bad"], "pubring", "1", "BADSIG", id="of something else"),
    pytest.param(["good", "bad"], "pubring", "1", "", id="one good is enough"),
    pytest.param(["good", "bad"], "pubring", "all", "BADSIG", id="all must be good"),
    pytest.param(["good"], "pubring", "2", "there are no more", id="too few"),
    pytest.param(["good"], "empty", "1", "NO_PUBKEY", id="unknown key"),
    pytest.param([], "pubring", "1", "", id="none, and none must be"),
    pytest.param([], "pubring", "+1", "there are no more", id="none, and there must be"),
    pytest.param(["good"], "pubring", "x", "no number", id="no number"),
    pytest.param(["good"], "", "1", "without a keyring", id="no keyring"),
    pytest.param(["missing"], "pubring", "1", "cannot be read", id="no signature there"),
]


@pytest.mark.parametrize(("names", "ring", "required", "fault"), CASES)
def test_too_few_good_signatures_are_refused(
    home: Path, tmp_path: Path, names: list[str], ring: str, required: str, fault: str
) -> None:
    directory = tmp_path / "unpacked"
    shutil.copytree(home / "unpacked", directory)
    keys = Keys(home / f"{ring}.kbx" if ring else None, required)
    named = [str(home / f"{name}.asc") for name in names]
    if not fault:
        check("acme.app", directory, named, (), keys=keys, web=HttpWeb())
        return
    with pytest.raises(ContentError, match=fault):
        check("acme.app", directory, named, (), keys=keys, web=HttpWeb())


def test_what_a_server_gives_is_checked_and_faults_can_be_passed_over(home: Path, tmp_path: Path) -> None:
    shutil.copytree(home / "unpacked", tmp_path / "unpacked")
    served = ((home / "good.asc").read_text(),)
    unknown = Keys(home / "empty.kbx", "1", frozenset({"NO_PUBKEY", "ERRSIG"}))
    check("acme.app", tmp_path / "unpacked", (), served, keys=unknown, web=HttpWeb())
