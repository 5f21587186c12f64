"""Checks of a module's arguments: each takes rules and the parameters and raises TypeError that names the fault.

`options_context` holds the names of the options that the checked ones are sub-options of. What is returned is what
lacks: an empty list where all is well. The sentences hold the key words that playbooks look for in `msg`, since
results of modules are matched by them ("missing required arguments", "mutually exclusive", …).
"""

import os

from pyplay.remote.module_utils import options

from ..parsing.convert_bool import boolean
from .text.converters import to_text
from .text.formatters import human_to_bytes


def _inside(options_context):
    return " found in %s" % " -> ".join(options_context) if options_context else ""


def count_terms(terms, parameters):
    """Give how many of `terms` (a name or several) are given."""
    return len(set([terms] if isinstance(terms, str) else terms).intersection(parameters))


def safe_eval(value, locals=None, include_exceptions=False):  # noqa: A002  # the signature that importers use
    """Give what a literal of Python says, the text itself where it is none; with an exception if asked for."""
    import ast  # noqa: PLC0415  # rarely needed on hosts

    result, error = value, None
    if isinstance(value, str):
        try:
            result = ast.literal_eval(value)
        except (ValueError, SyntaxError) as problem:
            error = problem
    return (result, error) if include_exceptions else result


def check_mutually_exclusive(terms, parameters, options_context=None):
    """Raise TypeError where more than one option of a group is given."""
    faults = [group for group in terms or () if count_terms(group, parameters) > 1]
    if faults:
        shown = ", ".join("|".join(group) for group in faults)
        raise TypeError("parameters are mutually exclusive: %s%s" % (shown, _inside(options_context)))
    return []


def check_required_one_of(terms, parameters, options_context=None):
    """Raise TypeError where no option of a group is given."""
    for group in terms or ():
        if not count_terms(group, parameters):
            raise TypeError("one of the following is required: %s%s" % (", ".join(group), _inside(options_context)))
    return []


def check_required_together(terms, parameters, options_context=None):
    """Raise TypeError where some options of a group are given and others are not."""
    for group in terms or ():
        if 0 < count_terms(group, parameters) < len(set(group)):
            raise TypeError("parameters are required together: %s%s" % (", ".join(group), _inside(options_context)))
    return []


def check_required_by(requirements, parameters, options_context=None):
    """Raise TypeError where an option is given without those that it needs."""
    result = {}
    for name, needed in (requirements or {}).items():
        if parameters.get(name) is None:
            continue
        absent = [other for other in ([needed] if isinstance(needed, str) else needed) if parameters.get(other) is None]
        if absent:
            result[name] = absent
    for name, absent in result.items():
        message = "missing parameter(s) required by '%s': %s%s"
        raise TypeError(message % (name, ", ".join(absent), _inside(options_context)))
    return result


def check_required_arguments(argument_spec, parameters, options_context=None):
    """Raise TypeError where a required option is missing."""
    missing = [
        name for name, option in (argument_spec or {}).items() if option.get("required") and name not in parameters
    ]
    if missing:
        raise TypeError("missing required arguments: %s%s" % (", ".join(sorted(missing)), _inside(options_context)))
    return missing


def check_required_if(requirements, parameters, options_context=None):
    """Raise TypeError where an option has a value for which others are needed (all, or one with a fourth True)."""
    found = []
    for rule in requirements or ():
        name, value, needed = rule[:3]
        any_of = bool(rule[3]) if len(rule) > 3 else False
        if parameters.get(name, _NOTHING) != value:
            continue
        absent = [other for other in needed if not count_terms(other, parameters)]
        if absent and (not any_of or len(absent) == len(needed)):
            found.append({"missing": absent, "requires": "any" if any_of else "all", "parameter": name, "value": value})
            message = "%s is %s but %s of the following are missing: %s%s"
            which = "any" if any_of else "all"
            raise TypeError(message % (name, value, which, ", ".join(absent), _inside(options_context)))
    return found


_NOTHING = object()


def check_missing_parameters(parameters, required_parameters=None):
    """Raise TypeError where one of the required options has no value."""
    missing = [name for name in required_parameters or () if not parameters.get(name)]
    if missing:
        raise TypeError("missing required arguments: %s" % ", ".join(missing))
    return missing


# -- types: each gives the value as the type, or raises TypeError ---------------------------------------------------


def _with(convert, value):
    try:
        return convert(value)
    except options.ConversionError as error:
        raise TypeError(str(error)) from None


def check_type_str(value, allow_conversion=True, param=None, prefix=""):  # the signature in use
    """Give text."""
    if isinstance(value, str):
        return value
    if value is None and allow_conversion:
        return ""
    if allow_conversion:
        return to_text(value, errors="surrogate_or_strict")
    raise TypeError("%r is not text, and conversion is not allowed" % (value,))


def check_type_list(value):
    """Give a list: text is split at commas, a number becomes its only item."""
    return [str(value)] if isinstance(value, bool) else _with(options.to_list, value)


def check_type_dict(value):
    """Give a dictionary: text may be JSON, or key=value words."""
    return _with(options.to_dict, value)


def check_type_bool(value):
    """Give a truth value."""
    if isinstance(value, bool):
        return value
    if isinstance(value, (str, bytes, int, float)):
        return boolean(value)
    raise TypeError("%r is not a valid boolean" % (value,))


def check_type_int(value):
    """Give a whole number."""
    if isinstance(value, bool):
        return value
    return _with(options.to_int, value)


def check_type_float(value):
    """Give a number."""
    if isinstance(value, (bytes, bool)):
        value = to_text(value) if isinstance(value, bytes) else int(value)
    return _with(options.to_float, value)


def check_type_path(value):
    """Give a path with ~ and $VARIABLES replaced."""
    return os.path.expanduser(os.path.expandvars(check_type_str(value)))


def check_type_raw(value):
    """Give the value as it is."""
    return value


def check_type_bytes(value):
    """Give an amount of bytes."""
    try:
        return human_to_bytes(value)
    except ValueError as error:
        raise TypeError(str(error)) from None


def check_type_bits(value):
    """Give an amount of bits."""
    try:
        return human_to_bytes(value, isbits=True)
    except ValueError as error:
        raise TypeError(str(error)) from None


def check_type_jsonarg(value):
    """Give JSON text; text is taken as it is, without blanks around it."""
    return _with(options.to_json, value)
