"""The tree of exceptions that cross package borders.

    PyplayError
    ├── AuthorError            something a user wrote is wrong; holds every Diagnostic found
    │   ├── PlaybookError      in a playbook, role, vars file
    │   ├── InventoryError     in an inventory source or a host pattern
    │   ├── OptionsError       in options, settings or their combination
    │   └── TemplateError      in a template or an expression (often found only on a host)
    │       └── UndefinedError a variable or attribute that is not defined
    ├── HostUnreachable        no connection to a host, or it was lost
    │   └── RunnerEnded        the Runner ended by itself; the host may still be there
    ├── BecomeError            becoming another user was refused
    ├── RunnerError            a host was reached but could not run our code (no usable Python, …)
    └── WorkerError            there is no process for a worker: refused by the system, or what forks them is gone

A task that failed is no exception: it is a `TaskResult`. All else is a bug of ours and ends at the edge in `cli`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from pyplay.diagnostics.dataclass import replace
from pyplay.diagnostics.model import Diagnostic

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pyplay.diagnostics.model import Origin


class PyplayError(Exception):
    """Base of all that pyplay raises on purpose."""


class AuthorError(PyplayError):
    """Something a user wrote is wrong. `diagnostics` holds every fault found, at least one."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("; ".join(d.message for d in self.diagnostics))

    @classmethod
    def of(
        cls,
        code: str,
        message: str,
        origin: Origin | None = None,
        *,
        label: str = "",
        help: str = "",  # noqa: A002  # the field's name
        length: int = 0,
    ) -> Self:
        """Give the error that holds one diagnostic made of these parts."""
        return cls([Diagnostic(code, message, origin, label=label, help=help, length=length)])

    def placed(self, origin: Origin | None) -> Self:
        """Give the same error with `origin` for every fault that has no place of its own."""
        return type(self)(d if d.origin is not None else replace(d, origin=origin) for d in self.diagnostics)

    def led(self, lead: str) -> Self:
        """Give the same error with `lead` before every message: what was being done, `KEYWORD:` and the like."""
        return type(self)(replace(d, message=f"{lead} {d.message}") for d in self.diagnostics)


class PlaybookError(AuthorError):
    """A fault in a playbook, role or vars file."""


class InventoryError(AuthorError):
    """A fault in an inventory source or a host pattern."""


class OptionsError(AuthorError):
    """A fault in options, settings or their combination."""


class TemplateError(AuthorError):
    """A fault in a template or an expression."""


class UndefinedError(TemplateError):
    """A variable or attribute that is not defined."""


class HostUnreachable(PyplayError):  # noqa: N818  # the field's word
    """There is no connection to `host` at `address`, or it was lost; `reason` says why in the transport's words."""

    def __init__(self, host: str, address: str, reason: str) -> None:
        self.host, self.address, self.reason = host, address, reason
        super().__init__(f"{host} ({address}): {reason}" if address != host else f"{host}: {reason}")


class RunnerEnded(HostUnreachable):
    """The Runner on the host ended by itself, be it that it was killed or that the host goes down."""


class BecomeError(PyplayError):
    """Becoming `user` by `method` was refused; `reason` tells how, without any secret."""

    def __init__(self, method: str, user: str, reason: str) -> None:
        self.method, self.user, self.reason = method, user, reason
        super().__init__(f"{method} to {user}: {reason}")


class RunnerError(PyplayError):
    """The host was reached, but our code could not run there."""


class WorkerError(PyplayError):
    """There is no process for a worker. `is_bug`: what forks them ended by a bug, and has said so."""

    def __init__(self, message: str, *, is_bug: bool = False) -> None:
        super().__init__(message)
        self.is_bug = is_bug
