"""Writing TOML: the part of the language that inventories need. Source: https://toml.io/en/v1.0.0."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from datetime import date, datetime, time
from typing import Any

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+\Z")


def toml_text(data: Mapping[str, Any]) -> str:
    """Give `data` as a TOML document; None, which TOML does not have, is left out of tables and an empty string in lists."""
    lines = list(_table(data, ()))
    return "\n".join(lines).lstrip("\n") + "\n" if lines else ""


def _table(data: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[str]:
    """Give the lines of one table: plain values first, then the tables within."""
    plain = {key: value for key, value in data.items() if value is not None and not isinstance(value, Mapping)}
    tables = {key: value for key, value in data.items() if isinstance(value, Mapping)}
    if path and (plain or not tables):
        yield ""
        yield f"[{'.'.join(map(_key, path))}]"
    for key, value in plain.items():
        yield f"{_key(str(key))} = {_value(value)}"
    for key, value in tables.items():
        yield from _table(value, (*path, str(key)))  # pyright: ignore[reportUnknownArgumentType]  # any mapping


def _key(name: str) -> str:
    return str.__str__(name) if _BARE_KEY.match(name) else _text(name)


def _text(text: str) -> str:
    """Give a basic string: JSON's escapes are TOML's too, but for DEL, which TOML wants escaped."""
    return json.dumps(str.__str__(text), ensure_ascii=False).replace("\x7f", "\\u007f")


def _value(value: Any) -> str:
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
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, Mapping):
        pairs = (f"{_key(str(key))} = {_value(item)}" for key, item in value.items() if item is not None)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]  # any mapping
        return "{" + ", ".join(pairs) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_value(item) for item in value) + "]"  # pyright: ignore[reportUnknownVariableType]  # any list
    return _text(str(value))
