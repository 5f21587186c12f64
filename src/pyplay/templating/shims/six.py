"""`ansible.module_utils.six`: the words in which code for Python 2 and 3 was written, for Python 3."""

from __future__ import annotations

import builtins
import functools
import io
from collections.abc import Callable, Iterable, Iterator
from typing import Any

PY2, PY3, PY34 = False, True, True
string_types = (str,)
integer_types = (int,)
class_types = (type,)
text_type = str
binary_type = bytes
MAXSIZE = (1 << 63) - 1
StringIO = io.StringIO
BytesIO = io.BytesIO
wraps = functools.wraps
next = builtins.next  # noqa: A001  # the name that plugins import


def iteritems(d: Any) -> Iterator[tuple[Any, Any]]:
    """Give the items of a mapping."""
    return iter(d.items())


def iterkeys(d: Any) -> Iterator[Any]:
    """Give the keys of a mapping."""
    return iter(d.keys())


def itervalues(d: Any) -> Iterator[Any]:
    """Give the values of a mapping."""
    return iter(d.values())


def u(text: str) -> str:
    """Give text."""
    return text


def b(text: str) -> bytes:
    """Give bytes."""
    return text.encode("latin-1")


def ensure_text(value: Any, encoding: str = "utf-8", errors: str = "strict") -> str:
    """Give bytes or text as text."""
    return value.decode(encoding, errors) if isinstance(value, bytes) else value


ensure_str = ensure_text


def ensure_binary(value: Any, encoding: str = "utf-8", errors: str = "strict") -> bytes:
    """Give bytes or text as bytes."""
    return value.encode(encoding, errors) if isinstance(value, str) else value


def reraise(_: type[BaseException], value: BaseException, tb: Any = None) -> None:
    """Raise an exception with a traceback."""
    raise value.with_traceback(tb)


def raise_from(value: BaseException, cause: BaseException | None) -> None:
    """Raise an exception that has a cause."""
    raise value from cause


def add_metaclass(metaclass: type) -> Callable[[type], type]:
    """Give a class decorator that applies a metaclass."""

    def decorate(cls: type) -> type:
        body = {key: value for key, value in vars(cls).items() if key not in {"__dict__", "__weakref__"}}
        return metaclass(cls.__name__, cls.__bases__, body)

    return decorate


def with_metaclass(metaclass: type, *bases: type) -> type:
    """Give a base class with a metaclass."""
    return metaclass("temporary_class", bases or (object,), {})


def python_2_unicode_compatible(cls: type) -> type:
    """Give the class."""
    return cls


def moves() -> dict[str, Any]:
    """Give the contents of `six.moves`."""
    import configparser  # noqa: PLC0415
    import http.client  # noqa: PLC0415
    import http.cookiejar  # noqa: PLC0415
    import itertools  # noqa: PLC0415
    import queue  # noqa: PLC0415
    import shlex  # noqa: PLC0415

    return {
        "range": range, "zip": zip, "map": map, "filter": filter, "input": input, "reduce": functools.reduce,
        "zip_longest": itertools.zip_longest, "filterfalse": itertools.filterfalse, "builtins": builtins,
        "configparser": configparser, "queue": queue, "shlex_quote": shlex.quote, "StringIO": io.StringIO,
        "xrange": range, "http_client": http.client, "http_cookiejar": http.cookiejar,
    }  # fmt: skip


def is_iterable(value: object) -> bool:
    """Tell whether a value has items."""
    return isinstance(value, Iterable)
