"""Truth values, as words."""

from pyplay.remote.module_utils.options import STRINGS_FALSE, STRINGS_TRUE

BOOLEANS_TRUE = STRINGS_TRUE | {1}
BOOLEANS_FALSE = STRINGS_FALSE | {0}
BOOLEANS = BOOLEANS_TRUE | BOOLEANS_FALSE


def boolean(value, strict=True):
    """Read a truth value. What is none raises TypeError, or is false where not `strict`."""
    if isinstance(value, bool):
        return value
    word = value
    if isinstance(value, bytes):
        word = value.decode("utf-8", "surrogateescape")
    if isinstance(word, str):
        word = word.strip().lower()
    try:
        if word in BOOLEANS_TRUE:
            return True
        if word in BOOLEANS_FALSE or not strict:
            return False
    except TypeError:  # not hashable
        if not strict:
            return False
    words = ", ".join(sorted(set(map(str, BOOLEANS))))
    raise TypeError("%r is not a valid boolean; it may be one of: %s" % (value, words))
