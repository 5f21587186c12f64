"""The library's `urllib.error`, under the name that six has for it."""

import sys
import urllib.error

sys.modules[__name__] = urllib.error
