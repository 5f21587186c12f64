"""Values as JSON text."""

from __future__ import annotations

import json
from typing import Any

_LONG = 4096  # bits; longer numbers are shown in hexadecimal, for Python refuses to write them in decimal


def dump(value: Any, *, indent: int | None = None, separators: tuple[str, str] | None = None) -> str:
    """Give `value` as JSON with sorted keys; what JSON cannot hold is shown as text."""
    form: dict[str, Any] = {"sort_keys": True, "indent": indent, "separators": separators, "ensure_ascii": False}
    try:
        return json.dumps(value, default=str, **form)
    except (TypeError, ValueError):  # keys of mixed types cannot be sorted, numbers of 5,000 digits not be written
        return json.dumps(writable(value), **form)


def writable(value: Any) -> Any:
    """Give `value` as plain data that JSON and YAML can hold: keys that are text, values of types that they know."""
    if isinstance(value, dict):
        return {str(key): writable(item) for key, item in value.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]  # any JSON-like value
    if isinstance(value, list | tuple):
        return [writable(item) for item in value]  # pyright: ignore[reportUnknownVariableType]  # any JSON-like value
    if value is None or isinstance(value, bool | float):
        return value
    if isinstance(value, int):
        return hex(value) if value.bit_length() > _LONG else int(value)
    return str(value)
