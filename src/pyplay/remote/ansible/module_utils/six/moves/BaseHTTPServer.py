"""The library's `http.server`, under the name that six has for it."""

import http.server
import sys

sys.modules[__name__] = http.server
