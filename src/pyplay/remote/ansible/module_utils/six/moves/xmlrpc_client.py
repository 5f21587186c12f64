"""The library's `xmlrpc.client`, under the name that six has for it."""

import sys
import xmlrpc.client

sys.modules[__name__] = xmlrpc.client
