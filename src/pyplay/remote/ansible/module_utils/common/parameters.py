"""Arguments by their specification: aliases, fallbacks, defaults, types, sub-options, and the secrets among them."""

import datetime
import os
from collections.abc import Mapping, Sequence, Set
from itertools import chain

from ..errors import (
    AliasError,
    AnsibleFallbackNotFound,
    AnsibleValidationErrorMultiple,
    ArgumentTypeError,
    ArgumentValueError,
    ElementError,
    MutuallyExclusiveError,
    NoLogError,
    RequiredByError,
    RequiredDefaultError,
    RequiredError,
    RequiredIfError,
    RequiredOneOfError,
    RequiredTogetherError,
    SubParameterTypeError,
)
from .text.converters import to_bytes, to_native, to_text
from .validation import (
    check_mutually_exclusive,
    check_required_arguments,
    check_required_by,
    check_required_if,
    check_required_one_of,
    check_required_together,
    check_type_bits,
    check_type_bool,
    check_type_bytes,
    check_type_dict,
    check_type_float,
    check_type_int,
    check_type_jsonarg,
    check_type_list,
    check_type_path,
    check_type_raw,
    check_type_str,
)

HIDDEN = "VALUE_SPECIFIED_IN_NO_LOG_PARAMETER"
MASK = "********"

DEFAULT_TYPE_VALIDATORS = {
    "str": check_type_str,
    "list": check_type_list,
    "dict": check_type_dict,
    "bool": check_type_bool,
    "int": check_type_int,
    "float": check_type_float,
    "path": check_type_path,
    "raw": check_type_raw,
    "jsonarg": check_type_jsonarg,
    "json": check_type_jsonarg,
    "bytes": check_type_bytes,
    "bits": check_type_bits,
}

PASS_VARS = {
    "check_mode": ("check_mode", False),
    "debug": ("_debug", False),
    "diff": ("_diff", False),
    "keep_remote_files": ("_keep_remote_files", False),
    "ignore_unknown_opts": ("_ignore_unknown_opts", False),
    "module_name": ("_name", None),
    "no_log": ("no_log", False),
    "remote_tmp": ("_remote_tmp", None),
    "target_log_info": ("_target_log_info", None),
    "selinux_special_fs": ("_selinux_special_fs", ["fuse", "nfs", "vboxsf", "ramfs", "9p", "vfat"]),
    "shell_executable": ("_shell", "/bin/sh"),
    "socket": ("_socket_path", None),
    "string_conversion_action": ("_string_conversion_action", "warn"),
    "syslog_facility": ("_syslog_facility", "INFO"),
    "tmpdir": ("_tmpdir", None),
    "verbosity": ("_verbosity", 0),
    "version": ("ansible_version", "0.0"),
}
PASS_BOOLS = ("check_mode", "debug", "diff", "keep_remote_files", "ignore_unknown_opts", "no_log")


# -- fallbacks and defaults -----------------------------------------------------------------------------------------


def env_fallback(*args, **kwargs):  # the signature of a fallback
    """Give the first of these environment variables that is set. Raises AnsibleFallbackNotFound."""
    for name in args:
        if name in os.environ:
            return os.environ[name]
    raise AnsibleFallbackNotFound


def set_fallbacks(argument_spec, parameters):
    """Fill options that are not given from their `fallback`; gives the secrets among the values."""
    secrets = set()
    for name, option in argument_spec.items():
        fallback = option.get("fallback")
        if not fallback or not fallback[0] or name in parameters:
            continue
        args, kwargs = [], {}
        for item in fallback[1:]:
            if isinstance(item, dict):
                kwargs = item
            else:
                args = item
        try:
            value = fallback[0](*args, **kwargs)
        except AnsibleFallbackNotFound:
            continue
        if option.get("no_log") and value:
            secrets.add(value)
        parameters[name] = value
    return secrets


def _set_defaults(argument_spec, parameters, set_default=True):
    """Fill options that are not given with their defaults, None only where `set_default`; gives the secrets."""
    secrets = set()
    for name, option in argument_spec.items():
        default = option.get("default")
        if option.get("no_log") and isinstance(default, str) and default:
            secrets.add(default)
        if name not in parameters and (default is not None or set_default):
            parameters[name] = default
    return secrets


def _handle_aliases(argument_spec, parameters, alias_warnings=None, alias_deprecations=None):
    """Give {alias: name}; what was given under an alias is put under the name. Raises TypeError, ValueError.

    (option, alias) is added to `alias_warnings` where both are given, deprecated aliases to `alias_deprecations`.
    """
    found = {}
    for name, option in argument_spec.items():
        aliases = option.get("aliases")
        if aliases is not None and (isinstance(aliases, (str, bytes)) or not isinstance(aliases, Sequence)):
            raise TypeError("aliases of option %r must be a list" % name)
        if option.get("default") is not None and option.get("required"):
            raise ValueError("option %r is required and has a default" % name)
        for alias in aliases or ():
            found[alias] = name
            if alias in parameters:
                if name in parameters and alias_warnings is not None:
                    alias_warnings.append((name, alias))
                parameters[name] = parameters[alias]
        for entry in option.get("deprecated_aliases") or ():
            if entry.get("name") in parameters and alias_deprecations is not None:
                alias_deprecations.append(entry)
    return found


# -- secrets --------------------------------------------------------------------------------------------------------


def _list_no_log_values(argument_spec, params):
    """Give the texts of all no_log options, in sub-options too. Raises TypeError where those are no mapping."""
    secrets = set()
    for name, option in argument_spec.items():
        value = params.get(name)
        if option.get("no_log") and value:
            secrets.update(_texts_of(value))
        inner = option.get("options")
        if inner is not None and value is not None:
            kind = option.get("type")
            if kind == "dict" or (kind == "list" and option.get("elements") == "dict"):
                for item in value if isinstance(value, list) else [value]:
                    given = check_type_dict(item) if isinstance(item, str) else item
                    if not isinstance(given, Mapping):
                        raise TypeError("the sub-options of %r must be a mapping, not %r" % (name, given))
                    secrets.update(_list_no_log_values(inner, given))
    return secrets


list_no_log_values = _list_no_log_values


def _texts_of(value):
    """Give every text and number in a value as text."""
    if isinstance(value, (str, bytes)):
        return {to_native(value)} if value else set()
    if isinstance(value, Mapping):
        return set(chain.from_iterable(_texts_of(item) for item in value.values()))
    if isinstance(value, (Sequence, Set)):
        return set(chain.from_iterable(_texts_of(item) for item in value))
    if isinstance(value, bool) or value is None or isinstance(value, (datetime.date, datetime.time)):
        return set()
    return {str(value)}


def remove_values(value, no_log_strings):
    """Give a copy of a value in which none of the secrets can be read, keys of mappings apart."""
    secrets = sorted({to_native(text) for text in no_log_strings if text}, key=len, reverse=True)
    return _without(value, secrets) if secrets else value


def _without(value, secrets):
    if isinstance(value, (str, bytes)):
        text = to_text(value)
        if text in secrets:
            return HIDDEN
        for secret in secrets:
            text = text.replace(secret, MASK)
        return to_bytes(text) if isinstance(value, bytes) else text
    if isinstance(value, Mapping):
        return {key: _without(item, secrets) for key, item in value.items()}
    if isinstance(value, (Sequence, Set)):
        return [_without(item, secrets) for item in value]
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return HIDDEN if str(value) in secrets else value
    return value


def sanitize_keys(obj, no_log_strings, ignore_keys=frozenset()):
    """Give a copy of a value in whose mappings' keys none of the secrets can be read, `ignore_keys` apart."""
    secrets = sorted({to_native(text) for text in no_log_strings if text}, key=len, reverse=True)

    def key_of(key):
        if key in ignore_keys or (isinstance(key, str) and key.startswith("_ansible")):
            return key
        return _without(key, secrets)

    def walk(value):
        if isinstance(value, Mapping):
            return {key_of(key): walk(item) for key, item in value.items()}
        if isinstance(value, (str, bytes)) or not isinstance(value, (Sequence, Set)):
            return value
        items = [walk(item) for item in value]
        return set(items) if isinstance(value, Set) else items

    return walk(obj)


# -- types and choices ----------------------------------------------------------------------------------------------


def _get_type_validator(wanted):
    """Give (function that checks and converts, name of the type); None instead of one for an unknown type."""
    if callable(wanted):
        return wanted, getattr(wanted, "__name__", str(wanted))
    name = wanted or "str"
    return DEFAULT_TYPE_VALIDATORS.get(name), name


def get_unsupported_parameters(argument_spec, parameters, options_context=None, store_supported=None):
    """Give what is given and no option; names are tuples with those of the options around.

    `store_supported` is filled: unsupported name → (names of options, aliases) where it was given.
    """
    unsupported = set()
    aliases = set(chain.from_iterable(option.get("aliases") or () for option in argument_spec.values()))
    for name in parameters:
        if name in argument_spec or name in aliases:
            continue
        full = (*options_context, name) if options_context else name
        unsupported.add(full)
        if store_supported is not None:
            store_supported[full] = (sorted(argument_spec), sorted(aliases))
    return unsupported


_get_unsupported_parameters = get_unsupported_parameters


def _where(name, context):
    return "'%s' found in '%s'" % (name, " -> ".join(context)) if context else "'%s'" % name


def _not_of_type(what, value, kind, error):
    """Give the sentence of a value that cannot be taken as type `kind`."""
    sentence = "%s is of type %s and we were unable to convert to %s: %s"
    return sentence % (what, type(value).__name__, kind, error)


def _validate_elements(wanted_type, parameter, values, options_context=None, errors=None):
    """Give the items of a list as the type; faults go into `errors`."""
    validator, name = _get_type_validator(wanted_type)
    result = []
    for value in values if isinstance(values, list) else [values]:
        try:
            result.append(validator(value) if validator else value)
        except (TypeError, ValueError) as error:
            what = "Elements value for option %s" % _where(parameter, options_context)
            errors.append(ElementError(_not_of_type(what, value, name, error)))
    return result


def _validate_argument_types(argument_spec, parameters, prefix="", options_context=None, errors=None):
    """Convert the parameters in place to the types of their options; faults go into `errors`."""
    errors = AnsibleValidationErrorMultiple() if errors is None else errors
    for name, option in argument_spec.items():
        if name not in parameters:
            continue
        value = parameters[name]
        if value is None and not option.get("required") and option.get("default") is None:
            continue
        validator, kind = _get_type_validator(option.get("type"))
        if validator is None:
            errors.append(ArgumentTypeError("option %r has the unknown type %r" % (name, kind)))
            continue
        try:
            parameters[name] = validator(value)
        except (TypeError, ValueError) as error:
            what = "argument %s" % _where(name, options_context)
            errors.append(ArgumentTypeError(_not_of_type(what, value, kind, error)))
            continue
        elements = option.get("elements")
        if elements and option.get("type") == "list":
            parameters[name] = _validate_elements(elements, name, parameters[name], options_context, errors)


def _validate_argument_values(argument_spec, parameters, options_context=None, errors=None):
    """See that values are among their option's choices; faults go into `errors`."""
    errors = AnsibleValidationErrorMultiple() if errors is None else errors
    for name, option in argument_spec.items():
        choices = option.get("choices")
        if choices is None or name not in parameters:
            continue
        if isinstance(choices, (str, bytes)) or not hasattr(choices, "__iter__"):
            errors.append(ArgumentTypeError("choices of option %r must be a list" % name))
            continue
        value = parameters[name]
        given = value if isinstance(value, list) else [value]
        bad = [item for item in given if item not in choices]
        if value is None or not bad:
            continue
        if bad == [value] and value in ("True", "False"):
            word = _boolean_word(value, choices)
            if word is not None:
                parameters[name] = word
                continue
        shown = ", ".join(to_native(choice) for choice in choices)
        what = ", ".join(to_native(item) for item in bad)
        where = " found in %s" % " -> ".join(options_context) if options_context else ""
        message = "value of %s must be one of: %s, got: %s%s"
        if isinstance(value, list):
            message = "value of %s must be one or more of: %s. Got no match for: %s%s"
        errors.append(ArgumentValueError(message % (name, shown, what, where)))


def _boolean_word(value, choices):
    """Give the one choice that YAML takes for this truth value; None if there is none, or several."""
    words = ("y", "yes", "on", "true") if value == "True" else ("n", "no", "off", "false")
    found = [choice for choice in choices if isinstance(choice, str) and choice.lower() in words]
    return found[0] if len(found) == 1 else None


_RULES = (
    ("required_together", check_required_together, RequiredTogetherError),
    ("required_one_of", check_required_one_of, RequiredOneOfError),
    ("required_if", check_required_if, RequiredIfError),
    ("required_by", check_required_by, RequiredByError),
)


def _rule(check, kind, rules, parameters, context, errors):
    try:
        check(rules, parameters, context)
    except TypeError as error:
        errors.append(kind(to_native(error)))


def check_level(spec, rules, parameters, context, errors, unsupported, secrets, notes):
    """Check one level of arguments in place, and the sub-options in it.

    `spec` are the options, `rules` the mapping of `mutually_exclusive`, `required_together` … that stand beside it.
    `errors`, `unsupported` (names), `secrets` and `notes` (`warnings`, `deprecations`: lists; `supported`: what there
    is instead of the unsupported) are filled.
    """
    secrets.update(set_fallbacks(spec, parameters))
    try:
        aliases = _handle_aliases(spec, parameters, notes["warnings"], notes["deprecations"])
    except (TypeError, ValueError) as error:
        errors.append((RequiredDefaultError if isinstance(error, ValueError) else AliasError)(to_native(error)))
        aliases = {}
    try:
        secrets.update(_list_no_log_values(spec, parameters))
    except TypeError as error:
        errors.append(NoLogError(to_native(error)))
    unsupported.update(get_unsupported_parameters(spec, parameters, context, notes["supported"]))
    _rule(
        check_mutually_exclusive, MutuallyExclusiveError, rules.get("mutually_exclusive"), parameters, context, errors
    )
    secrets.update(_set_defaults(spec, parameters, set_default=False))
    _rule(check_required_arguments, RequiredError, spec, parameters, context, errors)
    _validate_argument_types(spec, parameters, options_context=context, errors=errors)
    _validate_argument_values(spec, parameters, context, errors)
    for name, check, kind in _RULES:
        _rule(check, kind, rules.get(name), parameters, context, errors)
    secrets.update(_set_defaults(spec, parameters))
    _check_inner(spec, parameters, context, errors, unsupported, secrets, notes)
    return aliases


def _check_inner(spec, parameters, context, errors, unsupported, secrets, notes):
    """Check the sub-options of one level."""
    for name, option in spec.items():
        inner, kind = option.get("options"), option.get("type")
        if inner is None or not (kind == "dict" or (kind == "list" and option.get("elements") == "dict")):
            continue
        value = parameters.get(name)
        if value is None:
            if not (option.get("apply_defaults") and kind == "dict"):
                continue
            value = parameters[name] = {}
        items = value if isinstance(value, list) else [value]
        for index, item in enumerate(items):
            if not isinstance(item, Mapping):
                errors.append(SubParameterTypeError("the sub-options of %r must be a mapping, not %r" % (name, item)))
                continue
            items[index] = dict(item)
            below = [*(context or ()), name]
            check_level(inner, option, items[index], below, errors, unsupported, secrets, notes)
        parameters[name] = items if isinstance(value, list) else items[0]
