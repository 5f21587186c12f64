"""Values as JSON text."""

from __future__ import annotations

import json
from datetime import date, datetime, time
from json.encoder import encode_basestring
from typing import Any, cast

from pyplay.diagnostics.patterns import late_pattern

_WORDS: dict[Any, str] = {True: "true", False: "false", None: "null"}
_HALVES = late_pattern("[\ud800-\udfff]")
_FLAT = frozenset({str, bool, type(None)})
_LONG = 4096  # bits; longer numbers are shown in hexadecimal, for Python refuses to write them in decimal


def dump(value: Any, *, indent: int | None = None, separators: tuple[str, str] | None = None) -> str:
    """Give `value` as JSON with sorted keys; what JSON cannot hold is shown as text, times in ISO form."""
    if indent and separators is None and type(value) is dict and value:
        flat = _flat(cast("dict[Any, Any]", value), " " * indent)
        if flat is not None:
            return flat
    form: dict[str, Any] = {"sort_keys": True, "indent": indent, "separators": separators, "ensure_ascii": False}
    try:
        return json.dumps(value, default=_text, **form)
    except (TypeError, ValueError):  # keys of mixed types cannot be sorted, numbers of 5,000 digits not be written
        return json.dumps(writable(value), default=_text, **form)


def document(value: Any, *, indent: int | None = None, separators: tuple[str, str] | None = None) -> str:
    """Return `value` as `dump` does, in valid UTF-8: halves of surrogate pairs become the escapes of JSON."""
    text = dump(value, indent=indent, separators=separators)
    return text if text.isascii() else _HALVES.sub(lambda half: f"\\u{ord(half[0]):04x}", text)


def _flat(value: dict[Any, Any], indent: str) -> str | None:
    """Give a mapping of texts and flags over several lines, as most messages are; None for others.

    The library writes such lines in Python, five times as slowly.
    """
    if not all(type(key) is str and type(item) in _FLAT for key, item in value.items()):
        return None
    texts = [(key, encode_basestring(item) if type(item) is str else _WORDS[item]) for key, item in value.items()]
    lines = [f"{indent}{encode_basestring(key)}: {text}" for key, text in sorted(texts)]
    return "{\n" + ",\n".join(lines) + "\n}"


def writable(value: Any) -> Any:
    """Give `value` as plain data that YAML can hold: keys that are text, values of types that it knows.

    JSON knows them all but dates.
    """
    if isinstance(value, dict):
        return {str(key): writable(item) for key, item in value.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]  # any JSON-like value
    if isinstance(value, list | tuple):
        return [writable(item) for item in value]  # pyright: ignore[reportUnknownVariableType]  # any JSON-like value
    if value is None or isinstance(value, bool | float) or type(value) in (date, datetime):
        return value
    if isinstance(value, int):
        return hex(value) if value.bit_length() > _LONG else int(value)
    return _text(value)


def _text(value: object) -> str:
    """Give a value that JSON does not know: of dates and times their ISO text, as ansible-core shows them."""
    return value.isoformat() if isinstance(value, date | time) else str(value)
