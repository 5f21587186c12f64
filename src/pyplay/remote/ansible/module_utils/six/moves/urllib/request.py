"""The library's `urllib.request`, under the name that six has for it."""

import sys
import urllib.request

sys.modules[__name__] = urllib.request
