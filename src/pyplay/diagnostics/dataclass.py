"""The standard library's dataclasses, made quickly: a run begins by making more than a hundred of them.

`dataclasses.dataclass` looks at each field and writes and compiles up to six methods for each class, some 0.4 ms. Here
the standard library finds the fields when they are first asked for, `__init__` is written with the first instance, and
the other methods are shared: most classes get neither. Class variables are for classes without slots alone.
"""

from __future__ import annotations

import dataclasses
import inspect
from dataclasses import MISSING, FrozenInstanceError
from operator import attrgetter
from reprlib import recursive_repr
from threading import RLock
from types import GenericAlias, MemberDescriptorType
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass"]

_DISPLAYS: dict[Any, str] = {dict: "{}", list: "[]"}

if TYPE_CHECKING:
    from collections.abc import Callable
    from dataclasses import Field, dataclass
else:

    def dataclass(
        cls: type | None = None,
        /,
        *,
        eq: bool = True,
        repr: bool = True,  # noqa: A002  # the standard library's name
        frozen: bool = False,
        slots: bool = False,
        kw_only: bool = False,
        init: bool = True,
    ) -> Any:
        """Make a class a dataclass. Takes and does what `dataclasses.dataclass` does, of what is used here."""

        def make(plain: type) -> type:
            hashed = _has_own_hash(plain)
            plain.__doc__ = plain.__doc__ or plain.__name__  # or the signature would be looked for
            made = _slotted(plain, kw_only=kw_only) if slots else _looked_at(plain, kw_only=kw_only)
            if init:
                _add(made, __init__=_first_init(made, frozen=frozen))
            if repr:
                _add(made, __repr__=_repr)
            if eq:
                _add_comparison(made, frozen=frozen, hashed=hashed)
            if frozen:
                _add(made, __setattr__=_refuse_set, __delattr__=_refuse_delete)
            if frozen and slots:
                _add(made, __getstate__=_get_state, __setstate__=_set_state)
            return made

        return make if cls is None else make(cls)


# -- fields ----------------------------------------------------------------------------------------------------------

_FOUND = ("__dataclass_fields__", "__dataclass_params__", "__match_args__")
"""Where the standard library leaves what it found of a class."""

_OF_INSTANCES = frozenset({"__dict__", "__weakref__"})
_LOOKING = RLock()


def _looked_at(plain: Any, *, kw_only: bool) -> Any:
    """Give the class with what the standard library finds."""
    return dataclasses.dataclass(init=False, repr=False, eq=False, kw_only=kw_only)(plain)


def _slotted(plain: Any, *, kw_only: bool) -> Any:
    """Give a class like `plain` with slots for its fields, which are looked at when somebody asks."""
    bases = plain.__mro__[1:-1]
    taken = {slot for base in bases for slot in base.__dict__.get("__slots__", ())}
    holders = [plain, *(base for base in bases if "__dataclass_fields__" in base.__dict__)]
    names = dict.fromkeys(name for holder in reversed(holders) for name in inspect.get_annotations(holder))
    own: dict[str, Any] = plain.__dict__
    body = {key: value for key, value in own.items() if key not in names and key not in _OF_INSTANCES}
    body |= {"__slots__": tuple(name for name in names if name not in taken)}
    body |= {name: _Late(plain, kw_only=kw_only) for name in _FOUND}
    made = type(plain)(plain.__name__, plain.__bases__, body)
    made.__qualname__ = plain.__qualname__
    return made


class _Late:
    """Stands in a class for what the standard library finds of `plain`, the class without slots, until it is asked."""

    _made: type
    _name: str

    def __init__(self, plain: type, *, kw_only: bool) -> None:
        self._plain, self._kw_only = plain, kw_only

    def __set_name__(self, owner: type, name: str) -> None:
        self._made, self._name = owner, name

    def __get__(self, _instance: object, _owner: type) -> Any:
        found = self._plain.__dict__
        with _LOOKING:
            if self._name not in found:
                _looked_at(self._plain, kw_only=self._kw_only)
                for name in _FOUND:
                    setattr(self._made, name, found[name])
        return found[self._name]


def _add(cls: type, **methods: Any) -> None:
    """Give `cls` the methods that it does not define itself."""
    for name, method in methods.items():
        if name not in cls.__dict__:
            setattr(cls, name, method)


def _has_own_hash(cls: type) -> bool:
    """Tell whether `cls` says itself what its hash is; Python adds a None beside an `__eq__`."""
    return "__hash__" in cls.__dict__ and not (cls.__dict__["__hash__"] is None and "__eq__" in cls.__dict__)


# -- __init__ --------------------------------------------------------------------------------------------------------


def _first_init(cls: Any, *, frozen: bool) -> Callable[..., None]:
    """Give an `__init__` that puts the real one in its place when it is called."""

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:  # noqa: N807  # it becomes the class's
        cls.__init__ = written = _written_init(cls, frozen=frozen)
        written(self, *args, **kwargs)

    return __init__


def _written_init(cls: Any, *, frozen: bool) -> Callable[..., None]:
    """Write the `__init__` of a dataclass and compile it."""
    names: dict[str, Any] = {"_set": object.__setattr__, "_left_out": MISSING}
    fields = dataclasses.fields(cls)
    positional = [_parameter(field, names) for field in fields if field.init and not field.kw_only]
    keywords = [_parameter(field, names) for field in fields if field.init and field.kw_only]
    star = ["*"] if keywords else []
    lines = [_assignment(cls, field, names, frozen=frozen) for field in fields]
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    head = f"def __init__({', '.join(['self', *positional, *star, *keywords])}):"
    exec("\n ".join([head, *(line for line in lines if line), "return"]), names)  # noqa: S102  # names of fields alone
    written = names["__init__"]
    written.__qualname__ = f"{cls.__qualname__}.__init__"
    return written


def _parameter(field: Field[Any], names: dict[str, Any]) -> str:
    """Give a field's parameter with its default; what the default is goes into `names`."""
    if field.default is not MISSING:
        names[f"_default_{field.name}"] = field.default
        return f"{field.name}=_default_{field.name}"
    return f"{field.name}=_left_out" if field.default_factory is not MISSING else field.name


def _assignment(cls: Any, field: Field[Any], names: dict[str, Any], *, frozen: bool) -> str:
    """Give the line that sets a field, "" for one that is not set."""
    name = field.name
    value = name if field.init else f"_default_{name}"
    if field.default_factory is not MISSING:
        value = _made(field, names) + (f" if {name} is _left_out else {name}" if field.init else "")
    elif not field.init:
        if field.default is MISSING:
            return ""
        names[value] = field.default
    if not frozen:
        return f"self.{name} = {value}"
    slot = getattr(cls, name, None)
    if isinstance(slot, MemberDescriptorType):
        names[f"_set_{name}"] = slot.__set__
        return f"_set_{name}(self, {value})"
    return f"_set(self, '{name}', {value})"


def _made(field: Field[Any], names: dict[str, Any]) -> str:
    """Give what makes a field's value: a display for empty lists and dicts, which `dict[str, int]()` makes slowly."""
    factory: Any = field.default_factory
    plain = factory.__origin__ if isinstance(factory, GenericAlias) else factory
    if plain in _DISPLAYS:
        return _DISPLAYS[plain]
    names[f"_factory_{field.name}"] = plain
    return f"_factory_{field.name}()"


# -- what all share --------------------------------------------------------------------------------------------------


def _add_comparison(cls: Any, *, frozen: bool, hashed: bool) -> None:
    """Let instances of the same class compare by their fields, and be hashed if they cannot change.

    The methods are made when one of them is called.
    """

    def __eq__(self: object, other: object) -> bool:  # noqa: N807  # it becomes the class's
        cls.__eq__ = _comparison(cls)
        return self == other

    def __hash__(self: object) -> int:  # noqa: N807  # as above
        cls.__hash__ = _hashing(cls)
        return hash(self)

    _add(cls, __eq__=__eq__)
    if not hashed:
        setattr(cls, "__hash__", __hash__ if frozen else None)  # noqa: B010  # pyright knows no such class


def _comparison(cls: type) -> Callable[[object, object], bool]:
    values = _compared(cls)

    def __eq__(self: object, other: object) -> bool:  # noqa: N807  # it becomes the class's
        return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

    return __eq__


def _hashing(cls: type) -> Callable[[object], int]:
    values = _compared(cls)

    def __hash__(self: object) -> int:  # noqa: N807  # it becomes the class's
        return hash(values(self))

    return __hash__


def _compared(cls: type) -> Callable[[Any], Any]:
    """Give what takes the fields that count out of an instance."""
    names = [field.name for field in dataclasses.fields(cls) if field.compare]
    return attrgetter(*names) if names else _nothing


def _nothing(_instance: object) -> tuple[()]:
    return ()


@recursive_repr()
def _repr(self: Any) -> str:
    shown = [f"{field.name}={getattr(self, field.name)!r}" for field in dataclasses.fields(self) if field.repr]
    return f"{self.__class__.__qualname__}({', '.join(shown)})"


def _refuse_set(_self: object, name: str, _value: object) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_delete(_self: object, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _get_state(self: Any) -> list[Any]:
    return [getattr(self, field.name) for field in dataclasses.fields(self)]


def _set_state(self: Any, state: list[Any]) -> None:
    for field, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, field.name, value)
