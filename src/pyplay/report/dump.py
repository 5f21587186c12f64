"""Values as JSON text."""

from __future__ import annotations

import json
from typing import Any

_LONG = 4096  # bits; longer numbers are shown in hexadecimal, for Python refuses to write them in decimal


def dump(value: Any, *, indent: int | None = None) -> str:
    """Give `value` as JSON with sorted keys; what JSON cannot hold is shown as text."""
    try:
        return json.dumps(value, sort_keys=True, indent=indent, ensure_ascii=False, default=str)
    except (TypeError, ValueError):  # keys of mixed types cannot be sorted, numbers of 5,000 digits not be written
        return json.dumps(_writable(value), sort_keys=True, indent=indent, ensure_ascii=False, default=str)


def _writable(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _writable(item) for key, item in value.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]  # any JSON-like value
    if isinstance(value, list):
        return [_writable(item) for item in value]  # pyright: ignore[reportUnknownVariableType]  # any JSON-like value
    if isinstance(value, int) and value.bit_length() > _LONG:
        return hex(value)
    return value
