"""The library's `html.parser`, under the name that six has for it."""

import html.parser
import sys

sys.modules[__name__] = html.parser
