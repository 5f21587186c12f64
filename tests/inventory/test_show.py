from __future__ import annotations

import json
import tomllib
from typing import Any

import pytest
import yaml

from pyplay.diagnostics.errors import OptionsError
from pyplay.inventory.export import InventoryView
from pyplay.inventory.show import graph_text, host_text, list_text

READ: dict[Any, Any] = {"json": json.loads, "yaml": yaml.safe_load, "toml": tomllib.loads}


@pytest.mark.parametrize("form", ["json", "yaml", "toml"])
def test_every_form_holds_the_variables(load: Any, form: Any) -> None:
    view = InventoryView(load({"hosts": "[g]\nh a=1\n"}).inventory)
    assert READ[form](host_text(view, "h", form)) == {"a": 1}
    listed = READ[form](list_text(view, form))
    found = {
        "json": lambda: listed["_meta"]["hostvars"]["h"],
        "yaml": lambda: listed["all"]["children"]["g"]["hosts"]["h"],
        "toml": lambda: listed["g"]["hosts"]["h"],
    }
    assert found[form]() == {"a": 1}


def test_a_graph_starts_at_all_or_at_a_group(load: Any) -> None:
    view = InventoryView(load({"hosts": "[g]\nh\n"}).inventory)
    assert graph_text(view) == "@all:\n  |--@ungrouped:\n  |--@g:\n  |  |--h"
    assert graph_text(view, "g") == "@g:\n  |--h"
    with pytest.raises(OptionsError):
        host_text(view, "g")
