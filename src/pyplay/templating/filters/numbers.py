"""Filters on numbers: logarithm, power, root."""

from __future__ import annotations

import math
from typing import Any

from pyplay.templating.filters.errors import FilterError


def log(value: Any, base: Any = math.e) -> float:
    """Give the logarithm of a number to `base` (e)."""
    try:
        return math.log10(value) if base == 10 else math.log(value, base)
    except (TypeError, ValueError, ZeroDivisionError) as error:
        raise _fault(error, value) from error


def power(value: Any, exponent: Any) -> float:
    """Give a number raised to `exponent`."""
    try:
        return math.pow(value, exponent)
    except (TypeError, ValueError, OverflowError) as error:
        raise _fault(error, value) from error


def root(value: Any, base: Any = 2) -> float:
    """Give the root of a number: the square root, or the one of the degree `base`."""
    try:
        return math.sqrt(value) if base == 2 else math.pow(value, 1.0 / float(base))
    except (TypeError, ValueError, ZeroDivisionError, OverflowError) as error:
        raise _fault(error, value) from error


def _fault(error: Exception, value: Any) -> FilterError:
    if isinstance(error, TypeError):
        advice = "make the text a number first: value | float" if isinstance(value, str) else ""
        return FilterError(f"can only be used on numbers: {error}", help=advice)
    return FilterError(f"{error}")
