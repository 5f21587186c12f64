"""The library's `urllib.response`, under the name that six has for it."""

import sys
import urllib.response

sys.modules[__name__] = urllib.response
