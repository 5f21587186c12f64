"""Loading asyncssh without what it does not need; each case in a Python of its own."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

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
