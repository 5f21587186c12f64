"""The library's `selectors`."""

import selectors
import sys

sys.modules[__name__] = selectors
