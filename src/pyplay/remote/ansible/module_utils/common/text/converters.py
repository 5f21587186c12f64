"""Between text and bytes.

`errors` may be an error handler of Python, or one of `surrogate_or_strict`, `surrogate_or_replace` and
`surrogate_then_replace`: on Python 3 all three let bytes that are no UTF-8 pass as surrogates. `nonstring` tells
what becomes of values that are neither text nor bytes: `simplerepr` (their text), `passthru`, `empty` or `strict`
(TypeError).
"""

import datetime
import json

_COMPOSED = ("surrogate_or_strict", "surrogate_or_replace", "surrogate_then_replace")


def _handler(errors):
    return "surrogateescape" if errors is None or errors in _COMPOSED else errors


def _other(value, nonstring):
    """Give what stands for a value that is neither text nor bytes: text, or the value itself for `passthru`."""
    if nonstring == "simplerepr":
        try:
            return str(value)
        except UnicodeError:
            return repr(value)
    if nonstring == "passthru":
        return value
    if nonstring == "empty":
        return ""
    if nonstring == "strict":
        raise TypeError("%r is neither text nor bytes" % (value,))
    raise TypeError("nonstring may be simplerepr, passthru, empty or strict, not %r" % (nonstring,))


def to_bytes(obj, encoding="utf-8", errors=None, nonstring="simplerepr"):
    """Give `obj` as bytes."""
    if isinstance(obj, bytes):
        return obj
    if not isinstance(obj, str):
        obj = _other(obj, nonstring)
        if not isinstance(obj, str):
            return obj
    try:
        return obj.encode(encoding, _handler(errors))
    except UnicodeEncodeError:
        if errors not in ("surrogate_or_replace", "surrogate_then_replace", None):
            raise
        return obj.encode("utf-8", "surrogateescape").decode("utf-8", "replace").encode(encoding, "replace")


def to_text(obj, encoding="utf-8", errors=None, nonstring="simplerepr"):
    """Give `obj` as text."""
    if isinstance(obj, str):
        return obj
    if isinstance(obj, (bytes, bytearray)):
        return bytes(obj).decode(encoding, _handler(errors))
    return _other(obj, nonstring)


to_native = to_text


def container_to_bytes(d, encoding="utf-8", errors="surrogate_or_strict"):
    """Give a value with all text in it as bytes."""
    return _walk(d, str, lambda text: to_bytes(text, encoding, errors))


def container_to_text(d, encoding="utf-8", errors="surrogate_or_strict"):
    """Give a value with all bytes in it as text."""
    return _walk(d, bytes, lambda data: to_text(data, encoding, errors))


def _walk(value, kind, convert):
    if isinstance(value, kind):
        return convert(value)
    if isinstance(value, dict):
        return {_walk(key, kind, convert): _walk(item, kind, convert) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)([_walk(item, kind, convert) for item in value])
    return value


json_dict_unicode_to_bytes = container_to_bytes
json_dict_bytes_to_unicode = container_to_text


def _spell(value):
    """Give what stands in JSON for a value that it has no form for."""
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, (bytes, bytearray)):
        return to_text(value)
    if hasattr(value, "keys"):
        return {key: value[key] for key in value}
    if hasattr(value, "__iter__"):
        return list(value)
    raise TypeError("%r has no form in JSON" % (value,))


def jsonify(data, **kwargs):
    """Give `data` as JSON text; `kwargs` are those of json.dumps."""
    return json.dumps(data, default=_spell, **kwargs)
