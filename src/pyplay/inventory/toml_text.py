"""Writing TOML: the part of the language that inventories need. Source: https://toml.io/en/v1.0.0.

Arrays stand one item a line, as the library prints them that `ansible-inventory` uses.
"""

from __future__ import annotations

import datetime as dt
import json
import math
import re
from typing import TYPE_CHECKING, Any

from pyplay.inventory.export import plain
from pyplay.inventory.shapes import as_list, as_mapping

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+\Z")


def toml_text(data: Mapping[str, Any], *, reveal: bool = False) -> str:
    """Give `data` as a TOML document, with `reveal` as in `json_text`.

    TOML has no None: it is left out of tables and becomes an empty string in arrays.
    """
    return "\n".join(_table(plain(data, reveal=reveal), ())).lstrip("\n")


def _table(data: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[str]:
    """Give the lines of one table: plain values first, then the tables within."""
    tables = {str(key): found for key, value in data.items() if (found := as_mapping(value)) is not None}
    plain = {key: value for key, value in data.items() if value is not None and str(key) not in tables}
    if path and (plain or not tables):
        yield ""
        yield f"[{'.'.join(map(_key, path))}]"
    for key, value in plain.items():
        yield f"{_key(str(key))} = {_value(value, 0)}"
    for key, value in tables.items():
        yield from _table(value, (*path, key))


def _key(name: str) -> str:
    return str.__str__(name) if _BARE_KEY.match(name) else _text(name)


def _text(text: str) -> str:
    """Give a basic string: JSON's escapes are TOML's too, but for DEL, which TOML wants escaped."""
    return json.dumps(str.__str__(text), ensure_ascii=False).replace("\x7f", "\\u007f")


def _value(value: Any, depth: int) -> str:
    if value is None:
        return '""'
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else str(value)
    if isinstance(value, dt.datetime):
        return value.isoformat(sep=" ")
    if isinstance(value, dt.date | dt.time):
        return value.isoformat()
    mapping = as_mapping(value)
    if mapping is not None:
        pairs = [f"{_key(str(key))} = {_value(item, 0)}" for key, item in mapping.items() if item is not None]
        return "{ " + ", ".join(pairs) + " }" if pairs else "{}"
    items = as_list(value)
    if items is None:
        return _text(str(value))
    indent = "    " * depth
    lines = [f"{indent}    {_value(item, depth + 1)},\n" for item in items]
    return "[\n" + "".join(lines) + indent + "]" if items else "[]"
