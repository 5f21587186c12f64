"""Running modules in tests: in this process, through the same code as on a host."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import pytest

from pyplay.remote.module_utils.module import call

if TYPE_CHECKING:
    from collections.abc import Iterator

MODULES = Path(__file__).resolve().parents[2] / "modules"


class RunModule(Protocol):
    """Runs a module with the given options and gives its result."""

    def __call__(self, name: str, /, *, check: bool = False, diff: bool = False, **args: Any) -> dict[str, Any]: ...


def load_module(name: str) -> Any:
    """Import a module's file under a name of its own (`copy` and `tempfile` are modules of Python, too)."""
    spec = importlib.util.spec_from_file_location("pyplay_module_" + name, MODULES / (name + ".py"))
    assert spec is not None
    assert spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


def run_module(name: str, /, *, check: bool = False, diff: bool = False, **args: Any) -> dict[str, Any]:
    """Run a module and give its result without what was asked."""
    loaded = load_module(name)
    given = {key: str(value) if isinstance(value, Path) else value for key, value in args.items()}
    given.update(_ansible_check_mode=check, _ansible_diff=diff)
    result = call(loaded.run, loaded.OPTIONS, given, name)
    assert "module_args" in result.pop("invocation")
    return result


@pytest.fixture
def module() -> Iterator[RunModule]:
    """Run a module; directory and umask are put back afterwards."""
    directory = Path.cwd()
    mask = os.umask(0o022)
    yield run_module
    os.umask(mask)
    os.chdir(directory)


@pytest.fixture
def load() -> Any:
    """Import a module's file and give it."""
    return load_module
