"""The library's `http.client`, under the name that six has for it."""

import http.client
import sys

sys.modules[__name__] = http.client
