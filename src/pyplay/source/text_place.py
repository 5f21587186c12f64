"""Where a word stands in options that are written as one text: `file: path=/a state=file`.

The text knows where it begins alone, so its line is read again once there is a fault to be shown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyplay.diagnostics import render
from pyplay.diagnostics.model import Origin
from pyplay.source.splitter import UnbalancedError, split_spans
from pyplay.source.text import origin_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


def name_place(key: str, args: Mapping[Any, Any], origins: Mapping[Any, Origin]) -> tuple[Origin | None, int]:
    """Give where the name of the option `key` of `args` stands, and its length in the line, 0 if that is not known.

    `origins` tell where each option stands, those of one text where that begins. None for an option that they lack.
    """
    origin = origins.get(key)
    if origin is not None and origin == origin_of(args.get(key)):
        return place_in_text(origin, key, None)
    return origin, len(key) if origin else 0


def place_in_text(origin: Origin, key: str, value: str | None) -> tuple[Origin, int]:
    """Give where `key`, or its `value`, stands in the text at `origin`, and its length in the line.

    What its first line does not hold stands at `origin`, with the length 0.
    """
    rest = (render.source_line(origin) or "")[origin.column - 1 :]
    try:
        start = next((start for start, _ in split_spans(rest) if rest.startswith(f"{key}=", start)), None)
    except UnbalancedError:
        start = None
    if start is None:
        return origin, 0
    sought = key if value is None else value
    start += 0 if value is None else len(key) + 1
    place = Origin(origin.path, origin.line, origin.column + start)
    return place, len(sought) if rest.startswith(sought, start) else 0
