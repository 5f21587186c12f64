"""The older name of `common.text.converters`."""

import codecs  # importers expect it here

from .common.text.converters import jsonify, to_bytes, to_native, to_text
from .six import PY3, binary_type, text_type

__all__ = ["PY3", "binary_type", "codecs", "jsonify", "text_type", "to_bytes", "to_native", "to_text"]
