"""`ansible.errors`: the exceptions that plugins raise and catch. All are errors that the engine meets with its own.

FilterError
└── AnsibleError
    ├── AnsibleOptionsError, AnsibleParserError, AnsibleConnectionFailure, AnsibleActionFail, …
    └── AnsibleTemplateError
        ├── AnsibleFilterError ── AnsibleFilterTypeError
        ├── AnsibleLookupError
        └── AnsibleUndefinedVariable
"""

from __future__ import annotations

from typing import Any

from pyplay.templating.filters.errors import FilterError


class AnsibleError(FilterError):
    """What a plugin says went wrong."""

    def __init__(
        self, message: Any = "", obj: Any = None, show_content: bool = True, suppress_extended_error: Any = None,  # noqa: FBT001, FBT002
        orig_exc: BaseException | None = None, *, help_text: str | None = None,
    ) -> None:  # fmt: skip
        del show_content, suppress_extended_error
        super().__init__(str(message), help_text or "")
        self.obj = obj
        self.orig_exc = orig_exc


class AnsibleOptionsError(AnsibleError):
    """Wrong options."""


class AnsibleRequiredOptionError(AnsibleOptionsError):
    """A required option is missing."""


class AnsibleParserError(AnsibleError):
    """Something cannot be parsed."""


class AnsibleAssertionError(AnsibleError, AssertionError):
    """Something that must hold does not."""


class AnsibleInternalError(AnsibleError):
    """An error of the program."""


class AnsibleRuntimeError(AnsibleError):
    """An error while running."""


class AnsibleConnectionFailure(AnsibleRuntimeError):  # noqa: N818  # the name that plugins know
    """A connection failed."""


class AnsibleAuthenticationFailure(AnsibleConnectionFailure):
    """A login failed."""


class AnsibleFileNotFound(AnsibleRuntimeError):  # noqa: N818
    """A file is not there."""


class AnsibleModuleError(AnsibleRuntimeError):
    """A module failed."""


class AnsibleTemplateError(AnsibleRuntimeError):
    """A template failed."""


class AnsibleTemplateSyntaxError(AnsibleTemplateError):
    """A template is not well formed."""


class AnsibleFilterError(AnsibleTemplateError):
    """A filter failed."""


class AnsibleFilterTypeError(AnsibleFilterError, TypeError):
    """A filter was given a value of the wrong type."""


class AnsibleTypeError(AnsibleRuntimeError, TypeError):
    """A value has the wrong type."""


class AnsibleValueError(AnsibleRuntimeError, ValueError):
    """A value is wrong."""


class AnsibleLookupError(AnsibleTemplateError):
    """A lookup failed."""


class AnsibleUndefinedVariable(AnsibleTemplateError):  # noqa: N818
    """A variable is not defined."""


class AnsiblePluginError(AnsibleError):
    """A plugin cannot be used."""


class AnsiblePluginNotFound(AnsiblePluginError):  # noqa: N818
    """There is no such plugin."""


class AnsibleAction(AnsibleRuntimeError):  # noqa: N818
    """An action ends."""

    def __init__(self, message: Any = "", *args: Any, result: dict[str, Any] | None = None, **kwargs: Any) -> None:
        super().__init__(message, *args, **kwargs)
        self.result = result or {}


class AnsibleActionFail(AnsibleAction):
    """An action fails."""


class AnsibleActionSkip(AnsibleAction):
    """An action is skipped."""


class AnsibleVaultError(AnsibleError):
    """Something vaulted cannot be opened."""
