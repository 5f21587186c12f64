"""The library's `queue`, under the name that six has for it."""

import queue
import sys

sys.modules[__name__] = queue
