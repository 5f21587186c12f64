"""The library's `html.entities`, under the name that six has for it."""

import html.entities
import sys

sys.modules[__name__] = html.entities
