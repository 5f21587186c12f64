"""Filters that write a text in another form: Base64, URLs, shell words, UUIDs."""

from __future__ import annotations

import base64
import binascii
import shlex
import uuid
from typing import Any
from urllib.parse import SplitResult, unquote_plus, urlsplit

from pyplay.templating.filters.errors import FilterError
from pyplay.templating.filters.plain import shown

#: The namespace of Ansible's documentation: the same text gives the same UUID there and here.
UUID_NAMESPACE = "361E6D51-FAEC-444A-9079-341386DA8E2E"

_URL_PARTS = ("fragment", "hostname", "netloc", "password", "path", "port", "query", "scheme", "username")


def b64encode(value: Any, encoding: str = "utf-8", urlsafe: bool = False) -> str:  # noqa: FBT001, FBT002  # as documented
    """Give `value` as Base64. `encoding` is how text becomes bytes; `urlsafe` uses - and _ instead of + and /."""
    data = str(value).encode(_known_encoding(encoding), "surrogateescape")
    return (base64.urlsafe_b64encode(data) if urlsafe else base64.b64encode(data)).decode("ascii")


def b64decode(value: Any, encoding: str = "utf-8", urlsafe: bool = False) -> str:  # noqa: FBT001, FBT002
    """Give the text that the Base64 in `value` stands for; bytes that are no text come through as surrogates."""
    try:
        text = str(value)
        data = base64.urlsafe_b64decode(text) if urlsafe else base64.b64decode(text)
    except (binascii.Error, ValueError) as error:
        raise FilterError(f"not Base64: {str(error).lower()}") from error
    try:
        return data.decode(_known_encoding(encoding), "surrogateescape")
    except UnicodeDecodeError as error:
        raise FilterError(f"the bytes are no {encoding} text: {error.reason}", help="name the encoding") from error


def _known_encoding(encoding: str) -> str:
    try:
        "".encode(encoding)
    except LookupError as error:
        raise FilterError(f"unknown encoding {encoding!r}") from error
    return encoding


def urldecode(value: Any) -> str:
    """Give the text whose percent-encoded form is `value`; + stands for a space."""
    return unquote_plus(str(value))


def split_url(value: Any, query: str = "") -> Any:
    """Give the parts of a URL as a mapping, or the one part that `query` names (None if it is absent)."""
    parts = urlsplit(str(value))
    if not query:
        return {name: _url_part(parts, name) for name in _URL_PARTS}
    if query not in _URL_PARTS:
        raise FilterError(f"a URL has no part {query!r}", help=f"one of {', '.join(_URL_PARTS)}")
    return _url_part(parts, query)


def _url_part(parts: SplitResult, name: str) -> Any:
    try:
        return getattr(parts, name)
    except ValueError as error:
        raise FilterError(f"{error}") from error


def quote(value: Any) -> str:
    """Give `value` as one word of a shell command; None is the empty word."""
    return shlex.quote("" if value is None else str(value))


def to_uuid(value: Any, namespace: Any = UUID_NAMESPACE) -> str:
    """Give the version 5 UUID of a text; the same text and `namespace` always give the same one (RFC 9562 §5.5)."""
    try:
        space = namespace if isinstance(namespace, uuid.UUID) else uuid.UUID(str(namespace))
    except ValueError as error:
        raise FilterError(f"Invalid value for namespace: {shown(namespace)} is no UUID") from error
    return str(uuid.uuid5(space, str(value)))
