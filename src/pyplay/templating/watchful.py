"""A templar that tells of templates in text which is data, for those who wonder why theirs is not rendered.

What the setting `_TEMPLAR_UNTRUSTED_TEMPLATE_BEHAVIOR` of ansible-core asks for. Only runs that ask pay for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from pyplay.diagnostics.errors import TemplateError
from pyplay.diagnostics.model import Diagnostic, Severity
from pyplay.templating.scope import MISSING
from pyplay.templating.syntax import is_template
from pyplay.templating.templar import Templar

if TYPE_CHECKING:
    from collections.abc import Iterator

_HELP = "templates come from playbooks, roles, inventories and the command line; results and !unsafe text are data"


def templar_class(behaviour: str) -> type[Templar]:
    """Give the class of templars for a value of the setting: `ignore`, `warning` or `error`."""
    return {"warning": WarningTemplar, "error": RefusingTemplar}.get(behaviour, Templar)


class WarningTemplar(Templar):
    """Warns of every variable that is read and holds a template in untrusted text."""

    __slots__ = ()

    def variable(self, name: str) -> Any:
        """Give the variable as `Templar` does, after a look at what it holds."""
        raw = self.scope.get(name)
        if raw is not MISSING:
            for text in _untrusted(raw):
                self._tell(f"Encountered untrusted template in variable '{name}': {text[:80]}")
        return super().variable(name)

    def _tell(self, message: str) -> None:
        self.notices.append(Diagnostic("untrusted-template", message, severity=Severity.WARNING, help=_HELP))


class RefusingTemplar(WarningTemplar):
    """Raises TemplateError where the other warns."""

    __slots__ = ()

    def _tell(self, message: str) -> None:
        raise TemplateError.of("untrusted-template", message, help=_HELP)


def _untrusted(value: Any) -> Iterator[str]:
    """Give the texts in `value` that are data and look like templates; what is encrypted is not looked at."""
    if type(value) is str:
        if is_template(value):
            yield value
    elif isinstance(value, dict):
        for member in cast("dict[Any, Any]", value).values():
            yield from _untrusted(member)
    elif isinstance(value, (list, tuple)):
        for member in cast("list[Any]", value):
            yield from _untrusted(member)
