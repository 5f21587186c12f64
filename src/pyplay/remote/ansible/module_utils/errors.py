"""What may be wrong with a module's arguments."""


class AnsibleFallbackNotFound(Exception):
    """A fallback of an option has no value."""


class AnsibleValidationError(Exception):
    """One fault in a module's arguments."""

    def __init__(self, message):
        Exception.__init__(self, message)
        self.error_message = message

    @property
    def msg(self):
        """The sentence that names the fault."""
        return self.args[0]


class AnsibleValidationErrorMultiple(AnsibleValidationError):
    """All faults of a call."""

    def __init__(self, errors=None):
        Exception.__init__(self)
        self.errors = list(errors or ())

    def __getitem__(self, index):
        return self.errors[index]

    def __setitem__(self, index, value):
        self.errors[index] = value

    def __delitem__(self, index):
        del self.errors[index]

    def __len__(self):
        return len(self.errors)

    def __str__(self):
        return "; ".join(self.messages)

    @property
    def msg(self):
        """The sentence that names the first fault, "" where there is none."""
        return self.errors[0].args[0] if self.errors else ""

    @property
    def messages(self):
        """The sentences of all faults."""
        return [error.msg for error in self.errors]

    def append(self, error):
        """Add a fault."""
        self.errors.append(error)

    def extend(self, errors):
        """Add faults."""
        self.errors.extend(errors)


class AliasError(AnsibleValidationError):
    """An alias is misused."""


class ArgumentTypeError(AnsibleValidationError):
    """A value is of another type."""


class ArgumentValueError(AnsibleValidationError):
    """A value is none of the choices."""


class DeprecationError(AnsibleValidationError):
    """An option is no longer there."""


class ElementError(AnsibleValidationError):
    """An item of a list is of another type."""


class MutuallyExclusiveError(AnsibleValidationError):
    """Options exclude each other."""


class NoLogError(AnsibleValidationError):
    """Secrets cannot be told from other values."""


class RequiredByError(AnsibleValidationError):
    """An option needs another one."""


class RequiredDefaultError(AnsibleValidationError):
    """A required option has a default."""


class RequiredError(AnsibleValidationError):
    """A required option is missing."""


class RequiredIfError(AnsibleValidationError):
    """An option's value needs other options."""


class RequiredOneOfError(AnsibleValidationError):
    """One of several options is needed."""


class RequiredTogetherError(AnsibleValidationError):
    """Options are only good together."""


class SubParameterTypeError(AnsibleValidationError):
    """Sub-options are no mapping."""


class UnsupportedError(AnsibleValidationError):
    """There is no such option."""
