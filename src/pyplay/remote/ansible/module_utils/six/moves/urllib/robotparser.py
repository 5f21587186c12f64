"""The library's `urllib.robotparser`, under the name that six has for it."""

import sys
import urllib.robotparser

sys.modules[__name__] = urllib.robotparser
