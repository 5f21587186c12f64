"""JSON without `json`: the same text, values and faults on every Python; and what else hosts do without."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hosts import PYTHONS

import pyplay.remote
from pyplay.shipping.search import builtin_directory

SOURCE = Path(pyplay.remote.__file__).parent.parent.parent

COMPARED = """
import sys
sys.path.insert(0, sys.argv[1])
from pyplay.remote.module_utils import json_text
plain = {"a": [1, 2.5, None, True, "\\u00fc\\n\\U0001f600", {"b": {}}], "c": -1, "d": 10**30, "e": 1e300}
assert json_text.read(json_text.write(plain)) == plain
assert not {"json", "re", "enum"} & set(sys.modules)
import json
def told(function, given):
    try:
        return function(given)
    except TypeError as error:  # each Python has words of its own
        return type(error)
    except ValueError as error:
        return type(error), str(error)
loop = []
loop.append(loop)
values = [plain, {3: 4, None: 2, True: 1}, {}, [], (1,), "x", 1.0, float("nan"), -float("inf"), loop, {"a": {1}}, b"x"]
for value in values:
    assert told(json_text.write, value) == told(json.dumps, value), value
    text = told(json.dumps, value)
    if isinstance(text, str):
        assert json.dumps(json_text.read(" %s\\n" % text)) == text
for broken in ("", "{", "{]", "[1,]", "tru", '{"a":1} x', "\\0", '"\\n"', "\\ufeff1", "\\u00a01"):
    assert told(json_text.read, broken) == told(json.loads, broken), broken
assert json_text.write({"x": {2}}, default=list) == '{"x": [2]}'
"""

LOADED = """
HEAVY = {"json", "re", "enum", "functools", "collections", "subprocess", "hashlib", "socket", "signal"}
import sys
sys.path.insert(0, sys.argv[1])
import pyplay.remote.runner
for path in sys.argv[2:]:
    exec(compile(open(path).read(), path, "exec"), {"__name__": "defined"})
    print(path, sorted(HEAVY & set(sys.modules)))
"""


@pytest.mark.parametrize("python", [*PYTHONS, Path(sys.executable)], ids=lambda path: path.parts[-3])
def test_it_does_as_json_does(python: Path) -> None:
    command = [str(python), "-I", "-S", "-c", COMPARED, str(SOURCE)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stderr == ""


def test_where_there_is_no_such_library_json_does_it(monkeypatch: pytest.MonkeyPatch) -> None:
    from pyplay.remote.module_utils import json_text  # noqa: PLC0415  # as above

    monkeypatch.setattr(json_text, "make_encoder", None)
    monkeypatch.setattr(json_text, "make_scanner", None)
    assert json_text.read(json_text.write({"a": [1]})) == {"a": [1]}


def test_small_modules_load_little_of_the_standard_library() -> None:
    names = ("ping", "file", "copy", "lineinfile", "stat", "command", "setup")
    paths = [str(builtin_directory() / f"{name}.py") for name in names]
    command = [sys.executable, "-I", "-S", "-c", LOADED, str(SOURCE), *paths]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [f"{path} []" for path in paths]
