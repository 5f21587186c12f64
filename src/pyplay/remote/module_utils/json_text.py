"""JSON as it goes between controller, Runner and modules, without what `json` loads. Python 3.6 and up.

`json` imports `re`, and that `enum` and more: 6 ms of a host's CPU, as much as Python itself takes to start. What does
the work of it is `_json`; where that is not to be had, or does not take what is given, `json` does it.
"""

try:
    from _json import encode_basestring_ascii, make_encoder, make_scanner
except ImportError:
    make_encoder = make_scanner = None

BLANKS = " \t\n\r"


class _Plain:
    """What `_json` asks of a decoder."""

    strict = True
    object_hook = None
    object_pairs_hook = None
    array_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float  # NaN, Infinity and -Infinity


def read(text: str) -> object:
    """Give the value that JSON text holds, as `json.loads` does. Raises ValueError."""
    try:
        stripped = text.strip(BLANKS)
        value, end = make_scanner(_Plain)(stripped, 0)
        if end == len(stripped):
            return value
    except (StopIteration, TypeError, AttributeError):
        pass
    import json  # noqa: PLC0415  # it says what is wrong

    return json.loads(text)


def _refuse(value: object) -> object:
    raise TypeError("Object of type %s is not JSON serializable" % type(value).__name__)


def write(value: object, default: object = _refuse) -> str:
    """Give a value as JSON text, as `json.dumps` does. `default` gives another value for what JSON has not."""
    try:
        encoder = make_encoder({}, default, encode_basestring_ascii, None, ": ", ", ", False, False, True)
    except TypeError:
        import json  # noqa: PLC0415  # another Python's

        return json.dumps(value, default=default)
    return "".join(encoder(value, 0))
