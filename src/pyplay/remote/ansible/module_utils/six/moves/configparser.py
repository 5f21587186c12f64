"""The library's `configparser`, under the name that six has for it."""

import configparser
import sys

sys.modules[__name__] = configparser
