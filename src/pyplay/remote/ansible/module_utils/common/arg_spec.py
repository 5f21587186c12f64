"""Checking arguments against a specification, without a module around it."""

import copy

from ..errors import AnsibleValidationErrorMultiple, UnsupportedError
from .parameters import check_level
from .text.converters import to_native
from .warnings import deprecate, warn


class ValidationResult:
    """What checking gives: the arguments as they are to be used, the faults, and what to warn of."""

    def __init__(self, parameters):
        self._no_log_values = set()
        self._unsupported_parameters = set()
        self._supported_parameters = {}
        self._validated_parameters = copy.deepcopy(parameters)
        self._deprecations = []
        self._warnings = []
        self._aliases = {}
        self.errors = AnsibleValidationErrorMultiple()

    @property
    def validated_parameters(self):
        """The arguments: names instead of aliases, defaults filled, converted."""
        return self._validated_parameters

    @property
    def unsupported_parameters(self):
        """The names of what is given and no option."""
        return self._unsupported_parameters

    @property
    def error_messages(self):
        """The sentences that name the faults."""
        return self.errors.messages


class ArgumentSpecValidator:
    """Checks arguments against one specification; `module_name` says whose they are in what it tells."""

    module_name = None

    def __init__(
        self,
        argument_spec,
        mutually_exclusive=None,
        required_together=None,
        required_one_of=None,
        required_if=None,
        required_by=None,
    ):
        self.argument_spec = argument_spec
        self._rules = {
            "mutually_exclusive": mutually_exclusive,
            "required_together": required_together,
            "required_one_of": required_one_of,
            "required_if": required_if,
            "required_by": required_by,
        }

    def validate(self, parameters, *args, **kwargs):  # the signature in use
        """Give the ValidationResult of these arguments, which are left as they are."""
        result = ValidationResult(parameters)
        notes = {
            "warnings": result._warnings,
            "deprecations": result._deprecations,
            "supported": result._supported_parameters,
        }
        result._aliases = check_level(
            self.argument_spec,
            self._rules,
            result._validated_parameters,
            None,
            result.errors,
            result._unsupported_parameters,
            result._no_log_values,
            notes,
        )
        if result._unsupported_parameters:
            result.errors.append(UnsupportedError(_unknown(result._supported_parameters, self.module_name)))
        return result


def _unknown(supported, module_name):
    """Give the sentence on what is given and no option; `supported` has for each the options and aliases there are."""
    import difflib  # noqa: PLC0415  # only on the way to a failure

    spelled, near, known = [], [], set()
    for name, (options, aliases) in supported.items():
        path = name if isinstance(name, tuple) else (name,)
        spelled.append(".".join(map(to_native, path)))
        near += difflib.get_close_matches(to_native(path[-1]), options + aliases, 1, 0.6)
        known.update(options)
    advice = "did you mean %s?" % ", ".join(near) if near else "supported: %s" % ", ".join(sorted(known))
    whose = " for (%s) module" % module_name if module_name else ""
    return "Unsupported parameters%s: %s (%s)" % (whose, ", ".join(sorted(spelled)), advice)


class ModuleArgumentSpecValidator(ArgumentSpecValidator):
    """As above; what is to be warned of goes to the warnings of the module in this process."""

    def validate(self, parameters, *args, **kwargs):
        """Give the ValidationResult of these arguments."""
        result = ArgumentSpecValidator.validate(self, parameters, *args, **kwargs)
        for entry in result._deprecations:
            deprecate(
                "the alias %r is deprecated" % entry["name"],
                version=entry.get("version"),
                date=entry.get("date"),
                collection_name=entry.get("collection_name"),
            )
        for name, alias in result._warnings:
            warn("option %r is given twice, also as %r: %r counts" % (name, alias, alias))
        return result
