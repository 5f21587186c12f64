"""The command `pyplay inventory`: from what was asked to the text that answers it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from pyplay.inventory.export import json_text
from pyplay.inventory.toml_text import toml_text
from pyplay.inventory.yaml_text import yaml_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyplay.inventory.export import InventoryView

Form = Literal["json", "yaml", "toml"]


def list_text(view: InventoryView, form: Form = "json", *, reveal: bool = False) -> str:
    """Give what `--list` prints in `form`, without a newline at the end; `reveal` shows text of encrypted files."""
    data = {"json": view.list_data, "yaml": view.tree_data, "toml": view.toml_data}[form]()
    return _text(data, form, reveal=reveal)


def host_text(view: InventoryView, name: str, form: Form = "json", *, reveal: bool = False) -> str:
    """Give what `--host` prints in `form`, without a newline at the end. Raises OptionsError for no such host."""
    return _text(view.host_data(name), form, reveal=reveal)


def graph_text(view: InventoryView, group: str | None = None, *, show_vars: bool = False) -> str:
    """Give what `--graph` prints for `group`, by default all. Raises OptionsError for no such group."""
    return view.graph_text(group or "all", show_vars=show_vars)


def _text(data: Mapping[str, Any], form: Form, *, reveal: bool) -> str:
    write = {"json": json_text, "yaml": yaml_text, "toml": toml_text}[form]
    return write(data, reveal=reveal).rstrip("\n")
