"""Modules that are loaded when something of them is asked for."""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING

import pytest

from pyplay.diagnostics.late_modules import late_modules

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def heavy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Give the name of a module that can be imported, and that `sys.modules` forgets afterwards."""
    name = "heavy_of_late_modules"
    (tmp_path / f"{name}.py").write_text("ANSWER = 42\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(sys.modules, name, sys)  # so that what stands there now, nothing, is put back at the end
    monkeypatch.delitem(sys.modules, name)
    return name


def test_a_module_is_loaded_when_something_of_it_is_asked_for(heavy: str) -> None:
    with late_modules(heavy):
        late = importlib.import_module(heavy)
    assert heavy not in sys.modules
    assert late.ANSWER == 42
    assert late.ANSWER == sys.modules[heavy].ANSWER
    with pytest.raises(AttributeError, match="QUESTION"):
        _ = late.QUESTION


def test_what_is_asked_for_meanwhile_is_there(heavy: str) -> None:
    with late_modules(heavy):
        assert importlib.import_module(heavy).ANSWER == 42
        loaded = sys.modules[heavy]
    assert sys.modules[heavy] is loaded is importlib.import_module(heavy)


def test_others_import_the_module_itself_afterwards(heavy: str) -> None:
    with late_modules(heavy):
        late = importlib.import_module(heavy)
    assert importlib.import_module(heavy) is not late
    assert late.ANSWER == 42


def test_a_module_that_is_loaded_stays(heavy: str) -> None:
    loaded = importlib.import_module(heavy)
    with late_modules(heavy):
        assert importlib.import_module(heavy) is loaded
    assert sys.modules[heavy] is loaded


def test_a_function_loads_its_module_when_it_is_called(heavy: str, tmp_path: Path) -> None:
    (tmp_path / f"{heavy}.py").write_text("def double(number, *, plus=0):\n    return 2 * number + plus\n")
    with late_modules(functions=(f"{heavy}.double",)):
        double = importlib.import_module(heavy).double
    assert heavy not in sys.modules
    assert double.__name__ == "double"
    assert double(4, plus=1) == 9
    loaded = sys.modules[heavy]
    assert importlib.import_module(heavy).double is not double
    assert double(1) == 2
    assert sys.modules[heavy] is loaded


def test_a_function_that_is_called_meanwhile_does_its_work(heavy: str, tmp_path: Path) -> None:
    (tmp_path / f"{heavy}.py").write_text("ANSWER = 42\ndef answer():\n    return ANSWER\n")
    with late_modules(heavy, functions=(f"{heavy}.answer",)):
        late = importlib.import_module(heavy)
        assert late.answer() == 42
        assert sys.modules[heavy] is not late
    assert late.ANSWER == 42


def test_a_module_that_is_not_there_is_missed_when_it_is_used(heavy: str) -> None:
    with late_modules(f"{heavy}_2"):
        late = importlib.import_module(f"{heavy}_2")
    with pytest.raises(ModuleNotFoundError, match=f"{heavy}_2"):
        _ = late.ANSWER


def test_a_package_has_its_late_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package, module = "package_of_late_modules", "package_of_late_modules.heavy"
    (tmp_path / package).mkdir()
    (tmp_path / package / "__init__.py").write_text(f"import {module}\n")
    (tmp_path / package / "heavy.py").write_text("ANSWER = 42\n")
    monkeypatch.syspath_prepend(tmp_path)
    for name in (package, module):  # so that what stands there now, nothing, is put back at the end
        monkeypatch.setitem(sys.modules, name, sys)
        monkeypatch.delitem(sys.modules, name)
    with late_modules(module):
        loaded = importlib.import_module(package)
    assert module not in sys.modules
    assert loaded.heavy.ANSWER == 42
    assert loaded.heavy is sys.modules[module]
