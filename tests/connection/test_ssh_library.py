"""Loading asyncssh without what it does not need; each case in a Python of its own."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from pyplay.connection import ssh_library
from pyplay.connection.ssh_library import find_library

LOADED = """
import sys
from pyplay.connection.ssh_library import load_ssh
load_ssh()
import asyncssh
import ctypes.util
"""


@pytest.mark.parametrize(
    "holds",
    [
        pytest.param("'cryptography.x509' not in sys.modules", id="no X.509"),
        pytest.param("'typing_extensions' not in sys.modules", id="no typing_extensions"),
        pytest.param("ctypes.util.find_library.__module__ == 'ctypes.util'", id="find_library is back"),
        pytest.param("__import__('typing_extensions').deprecated", id="others get the real typing_extensions"),
        pytest.param("__import__('cryptography.x509').x509.Name", id="others get X.509"),
        pytest.param("asyncssh.connection.Optional[int] is asyncssh.connection.Optional", id="no types of annotations"),
        pytest.param("__import__('typing').Optional[int] == (int | None)", id="others get the real typing"),
        pytest.param("asyncssh.generate_private_key('ssh-ed25519').sign(b'x', b'ssh-ed25519')", id="keys sign"),
    ],
)
def test_asyncssh_is_loaded_quickly_and_leaves_no_trace(holds: str) -> None:
    code = f"{LOADED}\nsys.exit(not ({holds}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_one_that_wants_more_is_loaded_as_usual(tmp_path: Path) -> None:
    (tmp_path / "asyncssh.py").write_text("from typing_extensions import deprecated\n")
    code = "import sys; from pyplay.connection import ssh_library as s\ntry: s.load_ssh()\nexcept ImportError: pass\n"
    code += "import asyncssh; sys.exit(asyncssh.deprecated is None)"
    command = [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(tmp_path)!r}); {code}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_one_that_reads_its_annotations_is_loaded_as_usual(tmp_path: Path) -> None:
    text = "from typing import Optional, Union\nassert Optional[int].__args__, 'no types'\n"
    (tmp_path / "asyncssh.py").write_text(text)
    code = "import sys; from pyplay.connection import ssh_library as s\ntry: s.load_ssh()\nexcept ImportError: pass\n"
    code += "import asyncssh; sys.exit(asyncssh.Optional[int] is asyncssh.Optional)"
    command = [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(tmp_path)!r}); {code}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("listed", "found"),
    [
        pytest.param("libodd.so.5", "libodd.so.5", id="listed"),
        pytest.param("libeven.so", None, id="not listed"),
        pytest.param(None, "libodd.so.5", id="no list"),
    ],
)
def test_directories_are_read_for_what_ldconfig_lists(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, listed: str | None, found: str | None
) -> None:
    (tmp_path / "libodd.so.5").touch()
    if listed is not None:
        (tmp_path / "cache").write_bytes(b"ld.so-1.7.0\0" + listed.encode() + b"\0")
    monkeypatch.setattr(ssh_library, "DIRECTORIES", (str(tmp_path),))
    monkeypatch.setattr(ssh_library, "LIST", str(tmp_path / "cache"))
    assert find_library("odd") == found
    monkeypatch.setenv("LD_LIBRARY_PATH", str(tmp_path))
    assert find_library("odd") == "libodd.so.5"


def test_what_is_listed_here_is_found() -> None:
    if not Path(ssh_library.LIST).exists():
        pytest.skip("this C library keeps no list")
    listed = set(re.findall(rb"lib([a-z]+)\.so\.\d+\0", Path(ssh_library.LIST).read_bytes()))
    assert {"c", "m"} <= {name.decode() for name in listed}
    assert all(find_library(name) for name in ("c", "m"))
