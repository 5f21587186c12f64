"""`omit`: the value that makes an argument as if it had not been given."""

from __future__ import annotations

from typing import Final, Self


class Omit:
    """The type of `OMIT`, which is the only one of its kind, also after pickling."""

    __slots__ = ()

    def __new__(cls) -> Self:
        """Give the one object, which unpickling and copying meet here."""
        try:
            return OMIT  # type: ignore[return-value]  # the one object of this type
        except NameError:
            return super().__new__(cls)

    def __repr__(self) -> str:
        return "<omit>"

    def __reduce__(self) -> str:
        """Pickle as a reference to the module's name."""
        return "OMIT"

    def __copy__(self) -> Omit:
        return self

    def __deepcopy__(self, _memo: object) -> Omit:
        return self


OMIT: Final = Omit()
