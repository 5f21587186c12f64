"""The library's `typing`."""

import sys
import typing

sys.modules[__name__] = typing
