"""What filters, tests and lookups raise when they cannot do their work.

jinja2.TemplateRuntimeError
└── PluginError        message and mend; the templating engine adds place and expression
    ├── FilterError    a filter or a test
    └── LookupFailed   a lookup (in lookups/base.py)
"""

from __future__ import annotations

from jinja2 import TemplateRuntimeError


class PluginError(TemplateRuntimeError):
    """A filter, test or lookup could not do its work. `help` says what would mend it, empty when nobody knows."""

    def __init__(self, message: str, help: str = "") -> None:  # noqa: A002  # the field's name in diagnostics
        super().__init__(message)
        self.help = help


class FilterError(PluginError):
    """A filter or a test was given something that it cannot work with."""
