"""The library's `builtins`, under the name that six has for it."""

import builtins
import sys

sys.modules[__name__] = builtins
