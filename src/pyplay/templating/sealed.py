"""An encrypted value that no password here opens: it may be passed on, and fails when it is used.

So a mapping that holds one can be read around it, `v is vault_encrypted` can be asked, `v | unvault(…)` can open it.
Source: observed in ansible-core 2.21.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from pyplay.diagnostics.errors import PyplayError
    from pyplay.source.vault import VaultText


class Sealed:
    """Stands for `text`, which could not be opened because of `error`; whatever is done with it raises that."""

    __slots__ = ("error", "text")

    def __init__(self, text: VaultText, error: PyplayError) -> None:
        self.text, self.error = text, error

    def fail(self, *_: Any) -> NoReturn:
        """Raise the error."""
        raise self.error

    def __getattr__(self, name: str) -> Any:
        if name[:2] == "__":
            raise AttributeError(name)
        self.fail()

    __hash__ = __str__ = __repr__ = __bool__ = __len__ = __iter__ = fail
    __getitem__ = __contains__ = __eq__ = __ne__ = __lt__ = __gt__ = fail
    __add__ = __radd__ = __call__ = __int__ = __float__ = fail
