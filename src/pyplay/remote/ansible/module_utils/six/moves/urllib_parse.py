"""The library's `urllib.parse`, under the name that six has for it."""

import sys
import urllib.parse

sys.modules[__name__] = urllib.parse
