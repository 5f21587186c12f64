"""The library's `collections.abc`, under the name that six has for it."""

import collections.abc
import sys

sys.modules[__name__] = collections.abc
