"""JSON."""

from .text.converters import jsonify as json_dump  # noqa: F401
