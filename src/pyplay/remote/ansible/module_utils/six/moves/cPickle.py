"""The library's `pickle`, under the name that six has for it."""

import pickle
import sys

sys.modules[__name__] = pickle
