"""What moved between Python 2 and 3; modules of the library are imported when they are asked for."""

import builtins  # noqa: F401
import collections.abc as collections_abc  # noqa: F401
import sys
from collections import UserDict, UserList, UserString  # noqa: F401
from functools import reduce  # noqa: F401
from importlib import import_module
from io import StringIO
from itertools import filterfalse, zip_longest  # noqa: F401
from os import getcwd, getcwdb  # noqa: F401
from shlex import quote as shlex_quote  # noqa: F401
from sys import intern  # noqa: F401
from types import ModuleType

cStringIO = StringIO  # noqa: N816  # the name of six
filter = filter  # noqa: A001  # importers expect the name here
input = input  # noqa: A001  # as above
map = map  # noqa: A001  # as above
range = xrange = range  # noqa: A001  # as above
zip = zip  # noqa: A001  # as above
unichr = chr
_LIBRARY = {
    "BaseHTTPServer": "http.server",
    "CGIHTTPServer": "http.server",
    "SimpleHTTPServer": "http.server",
    "_thread": "_thread",
    "configparser": "configparser",
    "copyreg": "copyreg",
    "cPickle": "pickle",
    "dbm_gnu": "dbm.gnu",
    "email_mime_base": "email.mime.base",
    "email_mime_image": "email.mime.image",
    "email_mime_multipart": "email.mime.multipart",
    "email_mime_nonmultipart": "email.mime.nonmultipart",
    "email_mime_text": "email.mime.text",
    "html_entities": "html.entities",
    "html_parser": "html.parser",
    "http_client": "http.client",
    "http_cookiejar": "http.cookiejar",
    "http_cookies": "http.cookies",
    "queue": "queue",
    "reprlib": "reprlib",
    "socketserver": "socketserver",
    "urllib_error": "urllib.error",
    "urllib_parse": "urllib.parse",
    "urllib_robotparser": "urllib.robotparser",
    "xmlrpc_client": "xmlrpc.client",
    "xmlrpc_server": "xmlrpc.server",
}
_MEMBERS = {"getoutput": ("subprocess", "getoutput"), "reload_module": ("importlib", "reload")}


class _Moves(ModuleType):
    """This module's type: a `__getattr__` of the module itself is for Python 3.7 and up."""

    def __getattr__(self, name):
        """Give a module of the library by the name that six has for it."""
        if name in _LIBRARY:
            found = import_module(_LIBRARY[name])
        elif name in _MEMBERS:
            found = getattr(import_module(_MEMBERS[name][0]), _MEMBERS[name][1])
        elif name == "urllib":
            for part in ("error", "parse", "request", "response", "robotparser"):
                import_module("urllib." + part)
            found = import_module("urllib")
        else:
            raise AttributeError("module %r has no attribute %r" % (__name__, name))
        setattr(self, name, found)
        return found


sys.modules[__name__].__class__ = _Moves
