"""The exception at hand, for sources that are older than `except … as`."""

import sys
from ast import literal_eval

__all__ = ["get_exception", "literal_eval"]


def get_exception():
    """Give the exception that is being handled."""
    return sys.exc_info()[1]
