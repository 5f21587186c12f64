"""Encrypted values in templates: text that was opened and knows it, and values that no password here opens.

The latter may be passed on, and fail when they are used. So a mapping that holds one can be read around it,
`v is vault_encrypted` can be asked, `v | unvault(…)` can open it. Source: observed in ansible-core 2.21.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from typing import Self

    from pyplay.diagnostics.errors import PyplayError
    from pyplay.source.vault import VaultText


class Opened(str):
    """What an inline value held: plain text for all but those who ask whether it was encrypted, as `to_yaml` does."""

    __slots__ = ("sealed",)
    sealed: VaultText

    def __new__(cls, text: str, sealed: VaultText) -> Self:
        """Give `text`, which `sealed` held."""
        self = super().__new__(cls, text)
        self.sealed = sealed
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Be plain text wherever it is copied or sent to."""
        return str, (str.__str__(self),)


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
