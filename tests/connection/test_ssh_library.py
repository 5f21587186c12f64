"""Loading asyncssh without what it does not need; each case in a Python of its own."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from pyplay.connection.ssh_library import _plain_annotations

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


@pytest.mark.parametrize(
    "holds",
    [
        pytest.param("Dict[str, int] is Dict", id="as an annotation"),
        pytest.param("str | Dict is Dict and Dict | None is Dict", id="in a union"),
        pytest.param("Own.__mro__[1] is dict", id="as a base"),
        pytest.param("isinstance({}, Dict) and not isinstance([], Dict)", id="asked about"),
        pytest.param("Dict.__origin__ is dict", id="looked at"),
        pytest.param("pairs == {1: 2}", id="cast to"),
    ],
)
def test_a_type_whose_brackets_are_left_unread_is_else_the_real_one(holds: str) -> None:
    names: dict[str, Any] = {}
    with _plain_annotations():
        exec("from typing import Dict, Sequence, cast", names)
        exec("class Own(Dict[str, int], Sequence[str]): pass\npairs = cast(Dict[int, int], {1: 2})", names)
    assert eval(holds, names)


def test_one_that_reads_its_annotations_is_loaded_as_usual(tmp_path: Path) -> None:
    text = "from typing import Optional, Union\nassert Optional[int].__args__, 'no types'\n"
    (tmp_path / "asyncssh.py").write_text(text)
    code = "import sys; from pyplay.connection import ssh_library as s\ntry: s.load_ssh()\nexcept ImportError: pass\n"
    code += "import asyncssh; sys.exit(asyncssh.Optional[int] is asyncssh.Optional)"
    command = [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(tmp_path)!r}); {code}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
