"""Functions whose modules are loaded late."""

from __future__ import annotations

import inspect
import sys

import pytest

from pyplay.templating.filters.registry import FILTERS
from pyplay.templating.late import LateFunctions
from pyplay.templating.lookups.registry import LOOKUPS
from pyplay.templating.tests.registry import TESTS


@pytest.mark.parametrize("table", [FILTERS, LOOKUPS, TESTS], ids=["filters", "lookups", "tests"])
def test_every_name_leads_to_a_documented_function(table: LateFunctions) -> None:
    for name, function in table.items():
        assert callable(function), name
        assert inspect.getdoc(function), name


def test_a_module_is_loaded_for_the_first_of_its_functions(monkeypatch: pytest.MonkeyPatch) -> None:
    table = LateFunctions("encodings", {"ours": "rot_13.rot13"}).prefixed("ansible.builtin.")
    monkeypatch.delitem(sys.modules, "encodings.rot_13", raising=False)
    assert list(table) == ["ansible.builtin.ours"]
    assert "ansible.builtin.ours" in table
    assert "ours" not in table
    assert "encodings.rot_13" not in sys.modules
    assert table["ansible.builtin.ours"] is table["ansible.builtin.ours"] is sys.modules["encodings.rot_13"].rot13
    with pytest.raises(KeyError):
        table["other"]
