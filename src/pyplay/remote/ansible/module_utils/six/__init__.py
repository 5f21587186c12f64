"""`six` for modules that still speak through it; all of it on Python 3."""

import functools
import io
import operator
import sys
import types

from . import moves  # noqa: F401  # six.moves is there without an import of its own

PY2 = False
PY3 = True
PY34 = True
__version__ = "1.16.0"
string_types = (str,)
integer_types = (int,)
class_types = (type,)
text_type = str
binary_type = bytes
MAXSIZE = sys.maxsize
StringIO = io.StringIO
BytesIO = io.BytesIO
Iterator = object
unichr = chr
int2byte = operator.methodcaller("to_bytes", 1, "big")
byte2int = operator.itemgetter(0)
indexbytes = operator.getitem
iterbytes = iter
next = advance_iterator = next  # noqa: A001  # the name that importers use
callable = callable  # noqa: A001  # as above
get_method_function = operator.attrgetter("__func__")
get_method_self = operator.attrgetter("__self__")
get_function_closure = operator.attrgetter("__closure__")
get_function_code = operator.attrgetter("__code__")
get_function_defaults = operator.attrgetter("__defaults__")
get_function_globals = operator.attrgetter("__globals__")
create_bound_method = types.MethodType
wraps = functools.wraps


def iteritems(d, **kw):
    """Give an iterator over the items of a mapping."""
    return iter(d.items(**kw))


def iterkeys(d, **kw):
    """Give an iterator over the keys of a mapping."""
    return iter(d.keys(**kw))


def itervalues(d, **kw):
    """Give an iterator over the values of a mapping."""
    return iter(d.values(**kw))


def iterlists(d, **kw):
    """Give an iterator over the lists of a multi-valued mapping."""
    return iter(d.lists(**kw))


viewkeys = operator.methodcaller("keys")
viewvalues = operator.methodcaller("values")
viewitems = operator.methodcaller("items")


def b(s):
    """Give a literal as bytes."""
    return s.encode("latin-1")


def u(s):
    """Give a literal as text."""
    return s


def ensure_binary(s, encoding="utf-8", errors="strict"):
    """Give text or bytes as bytes. Raises TypeError for all else."""
    if isinstance(s, str):
        return s.encode(encoding, errors)
    if isinstance(s, bytes):
        return s
    raise TypeError("%r is neither text nor bytes" % type(s))


def ensure_text(s, encoding="utf-8", errors="strict"):
    """Give text or bytes as text. Raises TypeError for all else."""
    if isinstance(s, bytes):
        return s.decode(encoding, errors)
    if isinstance(s, str):
        return s
    raise TypeError("%r is neither text nor bytes" % type(s))


ensure_str = ensure_text


def reraise(tp, value, tb=None):
    """Raise an exception once more, with a traceback."""
    if value is None:
        value = tp()
    raise value.with_traceback(tb)


def raise_from(value, from_value):
    """Raise an exception that has a cause."""
    raise value from from_value


def get_unbound_function(unbound):
    """Give the function of an unbound method."""
    return unbound


def create_unbound_method(func, cls):  # the signature of six
    """Give the unbound method of a function."""
    return func


def add_metaclass(metaclass):
    """Give a decorator that makes a class anew with a metaclass."""

    def wrapper(cls):
        body = {name: value for name, value in vars(cls).items() if name not in ("__dict__", "__weakref__")}
        slots = body.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            body.pop(name, None)
        return metaclass(cls.__name__, cls.__bases__, body)

    return wrapper


def with_metaclass(meta, *bases):
    """Give a base for classes that shall have a metaclass."""

    class Passing(type):
        def __new__(cls, name, _bases, body):
            return meta(name, bases, body)

        @classmethod
        def __prepare__(cls, name, _bases):
            return meta.__prepare__(name, bases)

    return type.__new__(Passing, "temporary_class", (), {})


def python_2_unicode_compatible(klass):
    """Give the class, which needs no change."""
    return klass


def print_(*args, **kwargs):
    """Print."""
    print(*args, **kwargs)  # noqa: T201  # what it is for


def exec_(code, globs=None, locs=None):
    """Run code in these namespaces."""
    exec(code, globs, locs)  # what it is for


def assertCountEqual(self, *args, **kwargs):  # noqa: N802  # the name of six
    """Assert that two iterables have the same items."""
    return self.assertCountEqual(*args, **kwargs)


def assertRaisesRegex(self, *args, **kwargs):  # noqa: N802  # the name of six
    """Assert that something raises an exception of this text."""
    return self.assertRaisesRegex(*args, **kwargs)


def assertRegex(self, *args, **kwargs):  # noqa: N802  # the name of six
    """Assert that a text matches."""
    return self.assertRegex(*args, **kwargs)
