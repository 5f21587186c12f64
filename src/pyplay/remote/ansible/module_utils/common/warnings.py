"""What the user is to be warned of: kept until the module's result is written."""

_warnings = {}
_deprecations = {}


def warn(warning, **_about):
    """Have the user warned. Raises TypeError where `warning` is no text."""
    if not isinstance(warning, str):
        raise TypeError("a warning must be text, not %r" % type(warning))
    _warnings[warning] = True


def deprecate(msg, version=None, date=None, collection_name=None, **_about):
    """Have the user told that something will go away, in which version or when."""
    if not isinstance(msg, str):
        raise TypeError("a warning must be text, not %r" % type(msg))
    entry = {"msg": msg, "collection_name": collection_name}
    entry.update({"date": date} if date is not None else {"version": version})
    _deprecations[(msg, version, str(date), collection_name)] = entry


def error_as_warning(msg, exception, **_about):
    """Have the user warned of an exception."""
    warn("%s: %s" % (msg, exception) if msg else str(exception))


def get_warning_messages():
    """Give the warnings so far."""
    return tuple(_warnings)


def get_deprecation_messages():
    """Give what was said to go away so far."""
    return tuple(_deprecations.values())


get_warnings = get_warning_messages
get_deprecations = get_deprecation_messages
