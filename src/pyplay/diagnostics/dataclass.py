"""The standard library's dataclasses, made quickly: a run begins by making more than a hundred of them.

`dataclasses.dataclass` looks at each field and writes and compiles up to six methods for each class, some 0.4 ms. Here
`__init__` is written for classes with more than a few instances, and the other methods are shared, or made when they
are called: most classes get none of them. Fields are found here for our own methods, in a third of the time; the
standard library finds them when its functions are called. Class variables are for classes without slots alone.
"""

from __future__ import annotations

from functools import cache
from operator import attrgetter
from reprlib import recursive_repr
from threading import RLock
from types import GenericAlias, MemberDescriptorType
from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.late_modules import late_modules
from pyplay.diagnostics.patterns import late_patterns

with late_modules("copy", "inspect"), late_patterns():
    import dataclasses
    from dataclasses import MISSING, Field, FrozenInstanceError

__all__ = ["dataclass", "replace"]

_Field: Any = Field  # without what pyright does not know of it
_DISPLAYS: dict[Any, str] = {dict: "{}", list: "[]"}

if TYPE_CHECKING:
    from collections.abc import Callable
    from dataclasses import dataclass, replace
else:

    def replace(instance: Any, /, **changes: Any) -> Any:
        """Give a copy of an instance with other values for some fields. Does what `dataclasses.replace` does."""
        cls = type(instance)
        values = {name: getattr(instance, name) for name in _taken(cls)}
        values.update(changes)
        return cls(**values)

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
            if slots:
                _add_state(made, frozen=frozen)
            return made

        return make if cls is None else make(cls)


# -- fields ----------------------------------------------------------------------------------------------------------

_FOUND = ("__dataclass_fields__", "__dataclass_params__", "__match_args__")
"""Where the standard library leaves what it found of a class."""

_OF_INSTANCES = frozenset({"__dict__", "__weakref__"})
_BY_HAND, _BY_LOOP = 16, 200  # instances
_NO_FIELDS = ("ClassVar", "InitVar", "KW_ONLY")
_LOOKING = RLock()


def _looked_at(plain: Any, *, kw_only: bool) -> Any:
    """Give the class with what the standard library finds."""
    return dataclasses.dataclass(init=False, repr=False, eq=False, kw_only=kw_only)(plain)


def _slotted(plain: Any, *, kw_only: bool) -> Any:
    """Give a class like `plain` with slots for its fields, which are looked at when somebody asks."""
    bases = plain.__mro__[1:-1]
    taken = {slot for base in bases for slot in base.__dict__.get("__slots__", ())}
    holders = [plain, *(base for base in bases if "__dataclass_fields__" in base.__dict__)]
    names = dict.fromkeys(name for holder in reversed(holders) for name in holder.__annotations__)
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

    def fields(self) -> tuple[Field[Any], ...]:
        """Give what `dataclasses.fields` gives, mostly without the standard library's looking."""
        found = {field.name: field for base in reversed(self._made.__mro__[1:]) for field in _fields(base)}
        hints = self._plain.__annotations__
        with _LOOKING:
            if self._name in self._plain.__dict__ or not all(map(_is_simple, hints.values())):
                return dataclasses.fields(self._made)
            return tuple((found | {name: self._field(name) for name in hints}).values())

    def _field(self, name: str) -> Field[Any]:
        default: Any = getattr(self._plain, name, MISSING)
        if isinstance(default, MemberDescriptorType):  # a base's slot
            default = MISSING
        found: Any = default if isinstance(default, _Field) else dataclasses.field(default=default)
        found.name = name
        if found.kw_only is MISSING:
            found.kw_only = self._kw_only
        return found


def _is_simple(hint: Any) -> bool:
    """Tell whether a name with this annotation is a field for sure."""
    return isinstance(hint, str) and not any(word in hint for word in _NO_FIELDS)


def _fields(cls: type) -> tuple[Field[Any], ...]:
    """Give the fields of a class and those that it inherits, if it is itself a dataclass."""
    found = cls.__dict__.get("__dataclass_fields__", ())
    if isinstance(found, _Late):
        return found.fields()
    return dataclasses.fields(cls) if found else ()


@cache
def _taken(cls: type) -> tuple[str, ...]:
    """Give the names of the fields that `__init__` takes. Raises TypeError for what is no dataclass."""
    for base in cls.__mro__:
        if "__dataclass_fields__" in base.__dict__:
            return tuple(field.name for field in _fields(base) if field.init)
    raise TypeError(f"{cls.__name__} is no dataclass")


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
    """Give an `__init__` that makes the first instances, then puts the written one in its place.

    Writing and compiling takes as long as making some twenty instances by hand.
    """
    put = object.__setattr__ if frozen else setattr
    fields: tuple[Field[Any], ...] = ()
    left = _BY_HAND

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:  # noqa: N807  # it becomes the class's
        nonlocal fields, left
        fields, left = fields or _fields(cls), left - 1
        values = _values(fields, args, kwargs) if left >= 0 else None
        if values is None:  # the written one says as well what is wrong with the arguments
            cls.__init__ = written = _written_init(cls, frozen=frozen)
            written(self, *args, **kwargs)
            return
        for name, value in values.items():
            put(self, name, value)
        if hasattr(cls, "__post_init__"):
            self.__post_init__()

    return __init__


def _values(fields: tuple[Field[Any], ...], args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any] | None:
    """Give the value of each field that is set, None for arguments that do not fit."""
    given = dict(zip([field.name for field in fields if field.init and not field.kw_only], args, strict=False))
    if len(given) < len(args) or not given.keys().isdisjoint(kwargs):
        return None
    given |= kwargs
    values: dict[str, Any] = {}
    for field in fields:
        if field.init and field.name in given:
            values[field.name] = given.pop(field.name)
        elif field.default is not MISSING:
            values[field.name] = field.default
        elif field.default_factory is not MISSING:
            values[field.name] = field.default_factory()
        elif field.init:
            return None
    return None if given else values


def _written_init(cls: Any, *, frozen: bool) -> Callable[..., None]:
    """Write the `__init__` of a dataclass and compile it."""
    names: dict[str, Any] = {"_set": object.__setattr__, "_left_out": MISSING}
    fields = _fields(cls)
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
    names = [field.name for field in _fields(cls) if field.compare]
    return attrgetter(*names) if names else _nothing


def _nothing(_instance: object) -> tuple[()]:
    return ()


def _add_state(cls: Any, *, frozen: bool) -> None:
    """Let instances be pickled and copied, which needs their values to be set. The methods are made when called.

    The state are the values in the order of the fields: most are defaults, of which one takes a byte and no time.
    """

    def __getstate__(self: object) -> tuple[Any, ...]:  # noqa: N807  # it becomes the class's
        cls.__getstate__ = _first_taking(cls)
        return cls.__getstate__(self)

    def __setstate__(self: object, state: tuple[Any, ...]) -> None:  # noqa: N807  # as above
        cls.__setstate__ = _first_putting(cls, frozen=frozen)
        cls.__setstate__(self, state)

    _add(cls, __getstate__=__getstate__, __setstate__=__setstate__)


def _first_taking(cls: Any) -> Callable[[Any], tuple[Any, ...]]:
    """Give a `__getstate__` that takes the values of the first instances, then puts the written one in its place.

    Writing and compiling takes as long as taking those of some two hundred instances.
    """
    names = [field.name for field in _fields(cls)]
    values: Any = attrgetter(*names) if len(names) > 1 else None  # of one name it gives the bare value
    left = _BY_LOOP

    def __getstate__(self: Any) -> tuple[Any, ...]:  # noqa: N807  # it becomes the class's
        nonlocal left
        left -= 1
        if left == 0:
            cls.__getstate__ = _written("__getstate__", f"(self): return ({_listed(names)})")
        return values(self) if values else tuple([getattr(self, name) for name in names])

    return __getstate__


def _first_putting(cls: Any, *, frozen: bool) -> Callable[[Any, tuple[Any, ...]], None]:
    """Give a `__setstate__` that puts what the other took. It is written as well, but for classes that refuse that."""
    names = [field.name for field in _fields(cls)]
    setters = [getattr(cls, name).__set__ for name in names]
    left = _BY_LOOP

    def __setstate__(self: Any, state: tuple[Any, ...]) -> None:  # noqa: N807  # it becomes the class's
        nonlocal left
        left -= 1
        if left == 0 and not frozen:
            cls.__setstate__ = _written("__setstate__", f"(self, state): [{_listed(names)}] = state")
        for put, value in zip(setters, state, strict=True):
            put(self, value)

    return __setstate__


def _listed(names: list[str]) -> str:
    return "".join(f"self.{name}, " for name in names)


def _written(name: str, rest: str) -> Any:
    """Give the function `name`, whose parameters and body are `rest`."""
    made: dict[str, Any] = {}
    exec(f"def {name}{rest}", made)  # noqa: S102  # names of fields alone
    return made[name]


@recursive_repr()
def _repr(self: Any) -> str:
    shown = [f"{field.name}={getattr(self, field.name)!r}" for field in dataclasses.fields(self) if field.repr]
    return f"{self.__class__.__qualname__}({', '.join(shown)})"


def _refuse_set(_self: object, name: str, _value: object) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_delete(_self: object, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")
