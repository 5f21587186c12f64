"""What a Runner does before it forks: bodies of our own modules run there, once, and do nothing but define."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import pyplay.remote
from pyplay.shipping.search import builtin_directory

SOURCE = Path(pyplay.remote.__file__).parent.parent.parent

PROGRAM = """
import json, os, signal, sys
sys.path.insert(0, sys.argv[1])
import pyplay.remote.module_utils.module
def state():
    old = os.umask(0)
    os.umask(old)
    return [os.getcwd(), old, dict(os.environ), sorted(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else [],
            [str(signal.getsignal(n)) for n in (1, 2, 13, 15, 17)], sys.argv[1:], sys.flags.bytes_warning]
before = state()
space = {"__name__": "__prepared__", "__file__": sys.argv[2]}
with open(sys.argv[2]) as stream:
    code = compile(stream.read(), sys.argv[2], "exec")
exec(code, space)
assert state() == before, (before, state())
assert callable(space["run"]) and isinstance(space["OPTIONS"], dict)
print(json.dumps("fine"))
"""


@pytest.mark.parametrize("path", sorted(builtin_directory().glob("*.py")), ids=lambda path: path.stem)
def test_bodies_only_define(path: Path) -> None:
    command = [sys.executable, "-I", "-S", "-c", PROGRAM, str(SOURCE), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == "fine"
