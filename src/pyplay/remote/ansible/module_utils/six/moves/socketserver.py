"""The library's `socketserver`, under the name that six has for it."""

import socketserver
import sys

sys.modules[__name__] = socketserver
