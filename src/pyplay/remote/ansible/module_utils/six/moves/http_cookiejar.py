"""The library's `http.cookiejar`, under the name that six has for it."""

import http.cookiejar
import sys

sys.modules[__name__] = http.cookiejar
