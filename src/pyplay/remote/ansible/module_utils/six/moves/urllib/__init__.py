"""The library's `urllib`, under the name that six has for it."""

from . import error, parse, request, response, robotparser

__all__ = ["error", "parse", "request", "response", "robotparser"]
