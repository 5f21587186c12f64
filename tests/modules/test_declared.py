"""What every module's file declares: read as data, compiled with the oldest Python that is promised."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hosts import OLDEST_AND_NEWEST

from pyplay.remote.module_utils.options import CONVERTERS, options_of, validate

ROOT = Path(__file__).resolve().parents[2]
MODULES = sorted(path for path in (ROOT / "modules").glob("*.py"))
HOST_CODE = [*MODULES, *sorted((ROOT / "src/pyplay/remote").rglob("*.py"))]
KEYS = {
    "options", "mutually_exclusive", "required_together", "required_one_of", "required_if", "required_by", "file_options",
    "check_mode", "diff", "identity", "absent_undoes", "platforms", "needs_site", "returns", "free_form", "finish",
    "shared",
}  # fmt: skip
STRICT = ("-W", "error", "-I")  # what a Python of tomorrow refuses, its warnings name today
RUNNER = "import sys, runpy; sys.path.insert(0, sys.argv.pop(1)); del sys.argv[0]; runpy.run_path(sys.argv[0], run_name='__main__')"


def declared(path: Path) -> dict[str, Any]:
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "OPTIONS":
            return ast.literal_eval(node.value)
    raise AssertionError(f"{path} has no OPTIONS")


def walk(options: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    found = []
    for name, option in options.items():
        found.append((name, option))
        found.extend(walk(option.get("suboptions", {})))
    return found


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_options_are_literal_data_that_hold_together(path: Path) -> None:
    spec = declared(path)
    assert set(spec) <= KEYS
    assert spec["check_mode"] in ("full", "partial", "none")
    options = options_of(spec)
    assert set(spec["identity"]) <= set(options)
    names = [name for option in options.values() for name in option.get("aliases", ())] + list(options)
    assert len(names) == len(set(names)), "a name means two options"
    for name, option in walk(options):
        assert option.get("type", "str") in CONVERTERS, name
        assert option.get("elements", "str") in CONVERTERS, name
        assert option.get("doc", "").endswith((".", "?")), f"{name} has no sentence of documentation"
        assert not (option.get("required") and "default" in option), name
    for rule in ("mutually_exclusive", "required_together", "required_one_of"):
        for group in spec.get(rule, ()):
            assert set(group) <= set(options), rule
    for rule in spec.get("required_if", ()):
        assert {rule[0], *rule[2]} <= set(options)
    assert not [fault for fault in validate(spec, {}).faults if fault.code in ("wrong-type", "bad-choice")], (
        "bad default"
    )
    assert all(text.endswith(".") for text in spec["returns"].values())


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_the_module_has_its_parts(path: Path) -> None:
    tree = ast.parse(path.read_text())
    assert ast.get_docstring(tree)
    assert [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "run"]


@pytest.mark.parametrize("python", OLDEST_AND_NEWEST, ids=lambda path: path.parts[-3])
def test_host_code_compiles_everywhere(python: Path) -> None:
    program = "import sys\nfor path in sys.argv[1:]:\n    compile(open(path, encoding='utf-8').read(), path, 'exec')"
    subprocess.run([python, *STRICT, "-c", program, *map(str, HOST_CODE)], check=True, capture_output=True)


def call(python: Path, name: str, args: dict[str, Any]) -> dict[str, Any]:
    """Run a module as an ordinary program."""
    argv = [str(python), *STRICT, "-c", RUNNER, str(ROOT / "src"), str(ROOT / "modules" / (name + ".py"))]
    done = subprocess.run(
        argv, input=json.dumps({"ANSIBLE_MODULE_ARGS": args}).encode(), capture_output=True, check=False
    )
    assert done.stderr == b"", done.stderr.decode()
    result = json.loads(done.stdout)
    assert done.returncode == (1 if result.get("failed") else 0)
    return result


@pytest.mark.parametrize("python", OLDEST_AND_NEWEST, ids=lambda path: path.parts[-3])
@pytest.mark.parametrize(
    ("name", "args", "expected"),
    [
        ("ping", {}, {"ping": "pong", "changed": False}),
        ("ping", {"data": "crash"}, {"failed": True}),
        (
            "ping",
            {"dat": 1},
            {
                "failed": True,
                "msg": "Unsupported parameters for (ping) module: dat. Supported parameters include: data. (did you mean 'data'?)",
            },
        ),
        ("command", {"_raw_params": "echo hi"}, {"stdout": "hi", "rc": 0, "changed": True, "cmd": ["echo", "hi"]}),
        ("shell", {"_raw_params": "echo $((1+1)); exit 3"}, {"stdout": "2", "rc": 3, "failed": True}),
        ("copy", {"dest": "@/f", "content": "x"}, {"changed": True, "size": 1, "mode": "0644"}),
        ("file", {"path": "@/d/e", "state": "directory"}, {"changed": True, "state": "directory"}),
        ("stat", {"path": "@"}, {"changed": False}),
        ("lineinfile", {"path": "@/n", "line": "x", "create": True}, {"changed": True, "msg": "line added"}),
        ("blockinfile", {"path": "@/n", "block": "x", "create": True}, {"changed": True}),
        ("find", {"paths": "@"}, {"matched": 0}),
        ("slurp", {"src": "/dev/null"}, {"content": "", "encoding": "base64"}),
        ("tempfile", {"path": "@"}, {"changed": True, "mode": "0600"}),
        ("setup", {"gather_subset": ["all"]}, {"changed": False}),
        ("setup", {"gather_subset": ["bogus"]}, {"failed": True}),
        ("wait_for", {"path": "@", "timeout": 3}, {"state": "directory"}),
        ("get_url", {"url": "file:///dev/null", "dest": "@/u"}, {"changed": True, "size": 0}),
        ("rpm_key", {"key": "file:///dev/null"}, {"failed": True}),
        ("get_url", {"url": "file:///x", "dest": "@/u", "checksum": "sha256:file:///dev/null"}, {"failed": True}),
        ("authorized_key", {"user": "root", "path": "@/k", "key": "file:///dev/null", "manage_dir": False}, {}),
        ("getent", {"database": "passwd", "key": "root"}, {"changed": False}),
        ("async_status", {"jid": "1.2", "_async_dir": "@"}, {"failed": True, "finished": True}),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_modules_run_as_programs(
    python: Path, name: str, args: dict[str, Any], expected: dict[str, Any], tmp_path: Path
) -> None:
    tmp_path.chmod(0o755)
    args = {key: value.replace("@", str(tmp_path)) if isinstance(value, str) else value for key, value in args.items()}
    result = call(python, name, args)
    assert {key: result.get(key) for key in expected} == expected
    assert "warnings" not in result
    assert set(args) <= set(result["invocation"]["module_args"])


def test_importing_host_code_has_no_effect() -> None:
    """The Runner imports these before it forks: no output, no file, no change of the process."""
    program = """
import importlib.util, os, pathlib, signal, sys, threading
sys.path.insert(0, sys.argv[1])
before = (os.getcwd(), dict(os.environ), os.umask(0o22), signal.getsignal(signal.SIGTERM), threading.active_count(), len(os.listdir("/proc/self/fd")))
for name in sys.argv[2:]:
    __import__(name)
after = (os.getcwd(), dict(os.environ), os.umask(0o22), signal.getsignal(signal.SIGTERM), threading.active_count(), len(os.listdir("/proc/self/fd")))
assert before[:2] + before[3:] == after[:2] + after[3:], (before, after)
"""
    source = ROOT / "src"
    names = [
        ".".join(path.relative_to(source).with_suffix("").parts)
        for path in sorted((source / "pyplay/remote/module_utils").rglob("*.py"))
        if path.name != "__init__.py"
    ]
    done = subprocess.run([sys.executable, "-I", "-c", program, str(source), *names], capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_small_modules_start_without_heavy_imports() -> None:
    program = "import sys; sys.path.insert(0, sys.argv[1]); from pyplay.remote.module_utils import module, files, channel; print(sorted({'subprocess', 'socket', 'ssl', 'urllib', 'tempfile', 'shutil', 'threading', 'difflib', 'traceback'} & set(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program, str(ROOT / "src")], capture_output=True, check=True
    )
    assert done.stdout == b"[]\n"
