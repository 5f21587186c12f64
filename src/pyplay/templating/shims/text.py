"""`ansible.module_utils.common.text.converters`: between text and bytes."""

from __future__ import annotations

import codecs
import json
from collections.abc import Mapping
from typing import Any

from pyplay.templating.filters.serialization import to_json

_COMPOSED = (None, "surrogate_or_replace", "surrogate_or_strict", "surrogate_then_replace")


def _errors(errors: str | None) -> str:
    return "surrogateescape" if errors in _COMPOSED else str(errors)


def to_bytes(obj: Any, encoding: str = "utf-8", errors: str | None = None, nonstring: str = "simplerepr") -> Any:
    """Give text as bytes. `nonstring`: what else becomes of other values: simplerepr, passthru, empty or strict."""
    if isinstance(obj, bytes):
        return obj
    if isinstance(obj, str):
        return obj.encode(encoding, _errors(errors))
    other = _nonstring(obj, nonstring)
    return other.encode(encoding, _errors(errors)) if isinstance(other, str) else other


def to_text(obj: Any, encoding: str = "utf-8", errors: str | None = None, nonstring: str = "simplerepr") -> Any:
    """Give bytes as text. `nonstring`: what becomes of other values: simplerepr, passthru, empty or strict."""
    if isinstance(obj, str):
        return obj
    if isinstance(obj, (bytes, bytearray)):
        return codecs.decode(bytes(obj), encoding, _errors(errors))
    return _nonstring(obj, nonstring)


to_native = to_text


def _nonstring(obj: Any, nonstring: str) -> Any:
    if nonstring == "simplerepr":
        return str(obj)
    if nonstring == "passthru":
        return obj
    if nonstring == "empty":
        return ""
    raise TypeError(f"a text is needed, not {type(obj).__name__}")


def jsonify(data: Any, **options: Any) -> str:
    """Give a value as JSON."""
    return to_json(data, **{name: value for name, value in options.items() if name in {"indent", "sort_keys"}})


def container_to_text(d: Any, encoding: str = "utf-8", errors: str = "surrogate_or_strict") -> Any:
    """Give a value with all bytes in it as text."""
    if isinstance(d, bytes):
        return to_text(d, encoding, errors)
    if isinstance(d, Mapping):
        return {container_to_text(k, encoding, errors): container_to_text(v, encoding, errors) for k, v in d.items()}  # type: ignore[misc]
    if isinstance(d, (list, tuple)):
        return type(d)(container_to_text(item, encoding, errors) for item in d)  # type: ignore[misc]
    return d


def container_to_bytes(d: Any, encoding: str = "utf-8", errors: str = "surrogate_or_strict") -> Any:
    """Give a value with all text in it as bytes."""
    if isinstance(d, str):
        return to_bytes(d, encoding, errors)
    if isinstance(d, Mapping):
        return {container_to_bytes(k, encoding, errors): container_to_bytes(v, encoding, errors) for k, v in d.items()}  # type: ignore[misc]
    if isinstance(d, (list, tuple)):
        return type(d)(container_to_bytes(item, encoding, errors) for item in d)  # type: ignore[misc]
    return d


def json_loads(text: str) -> Any:
    """Give the data of a JSON text."""
    return json.loads(text)
