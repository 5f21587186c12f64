"""The library's `http.cookies`, under the name that six has for it."""

import http.cookies
import sys

sys.modules[__name__] = http.cookies
