"""Calling filters and tests: what they get, and what becomes of their errors.

Unless marked `@lazy`, they get plain resolved values. With an undefined argument they are not called at all: the result
is that undefined value (`missing | upper | default('x')` is `x`), as it is where they come upon one inside. Iterators
that they give are made lists (`select(…)[0]`). Their names are found bare, under `ansible.builtin.` and under
`ansible.legacy.`.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, cast

import jinja2
from jinja2 import filters as jinja_filters
from jinja2 import tests as jinja_tests

from pyplay.diagnostics.errors import PyplayError
from pyplay.templating.atoms import ATOMS
from pyplay.templating.marks import is_lazy, is_ours, what_it_reads
from pyplay.templating.sealed import Sealed
from pyplay.templating.undefined import Unchosen, Undefined, UndefinedUse
from pyplay.templating.values import MET_UNDEFINED, plain, trust_kept, undefined_member

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Function = Callable[..., Any]
    Elsewhere = Callable[[str], Function | None]

_PASS_ARG = "jinja_pass_arg"  # where Jinja's pass_context, pass_eval_context and pass_environment leave their mark  # noqa: S105
_JINJA_LAZY = frozenset({"default", "d", "defined", "undefined"})  # Jinja's own that are there for undefined values
_OUTER_FILTERS = ("count", "length")
_OUTER = frozenset({
    *_OUTER_FILTERS, "boolean", "callable", "float", "integer", "iterable", "mapping", "none", "number", "sequence",
    "string",
})  # fmt: skip
"""Those of Jinja's own that look at a container from the outside alone."""
_JINJAS: dict[str, Any] = {
    **vars(jinja_tests)["TESTS"],
    **{name: vars(jinja_filters)["FILTERS"][name] for name in _OUTER_FILTERS},
}
_PREFIXES = ("ansible.builtin.", "ansible.legacy.")


_EVERYTHING = 100
_LOOKS: dict[str, tuple[int, int]] = {
    **dict.fromkeys(
        (
            "batch", "combinations", "commonpath", "list", "max", "min", "path_join", "permutations", "product",
            "reverse", "slice", "sort", "unique", "zip", "zip_longest",
        ),
        (1, 0),
    ),
    **dict.fromkeys(
        ("difference", "flatten", "intersect", "join", "symmetric_difference", "union"),
        (_EVERYTHING, 0),
    ),
    **dict.fromkeys(("dict2items", "dictsort", "items", "xmlattr"), (0, 1)),
    "combine": (2, 1),
    **dict.fromkeys(
        (
            "b64decode", "b64encode", "bool", "capitalize", "center", "checksum", "e", "escape", "forceescape",
            "format", "hash", "lower", "md5", "pprint", "quote", "regex_escape", "regex_findall",
            "regex_replace", "regex_search", "replace", "safe", "sha1", "string", "striptags", "title",
            "to_json", "to_nice_json", "to_nice_yaml", "to_yaml", "tojson", "trim", "upper", "urldecode", "urlencode",
            "urlize", "urlsplit", "wordcount",
        ),
        (_EVERYTHING, _EVERYTHING),
    ),
}  # fmt: skip
"""How deep filters look into an argument that is a list, and into one that is a mapping.

An undefined member that a filter comes upon is its result, as an undefined argument is; one that stands deeper is
passed on. Those that are not named here meet undefined members themselves. Source: observed in ansible-core 2.21.
"""


_REARRANGE = frozenset({
    "batch", "combinations", "combine", "dict2items", "dictsort", "difference", "extract", "first", "flatten",
    "groupby", "intersect", "items", "items2dict", "last", "list", "map", "max", "min", "permutations", "product",
    "random", "reject", "rejectattr", "rekey_on_member", "reverse", "select", "selectattr", "shuffle", "slice", "sort",
    "string", "subelements", "sum", "symmetric_difference", "union", "unique", "zip", "zip_longest",
})  # fmt: skip
"""Filters that only rearrange or pick: what a user wrote is still the user's afterwards."""


class CallFailedError(jinja2.TemplateRuntimeError):
    """A filter or test raised `cause`, something that is not one of the engine's errors."""

    def __init__(self, kind: str, name: str, cause: Exception) -> None:
        self.help = str(getattr(cause, "help", "") or "")
        detail = str(cause) or type(cause).__name__
        super().__init__(f"{kind} '{name}': {detail}")


def guarded(kind: str, name: str, function: Function) -> Function:
    """Give `function`, a filter or test (`kind`), so that it gets plain values and its errors carry its name."""
    mine = is_lazy(function)
    lazy = mine or name in _JINJA_LAZY
    ready = _checked if name in _OUTER and function is _JINJAS[name] else _reader(name, function)

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            if lazy:
                if args and type(args[0]) is Sealed and not mine:
                    args[0].fail()
                return function(*args, **kwargs)
            result = function(
                *[arg if type(arg) in ATOMS else ready(arg) for arg in args],
                **{key: ready(arg) for key, arg in kwargs.items()} if kwargs else {},
            )
            return list(cast("Iterator[Any]", result)) if isinstance(result, Iterator) else result
        except UndefinedUse as error:
            return error.undefined  # which may be defaulted, or fails when it is used
        except (PyplayError, jinja2.UndefinedError, CallFailedError):
            raise
        except Exception as error:  # the edge of users' plugins: they may raise anything
            raise CallFailedError(kind, name, error) from error

    mark = getattr(function, _PASS_ARG, None)
    if mark is not None:
        setattr(call, _PASS_ARG, mark)
    return call


def _checked(arg: Any) -> Any:
    """Give an argument of which only the outside is looked at: it must be there, what is in it is left as it is."""
    if isinstance(arg, jinja2.Undefined):
        if isinstance(arg, Unchosen):
            return arg
        if isinstance(arg, Undefined):
            arg.fail()
        raise jinja2.UndefinedError(str(arg))
    if type(arg) is Sealed:
        arg.fail()
    return arg


def _reader(name: str, function: Function) -> Callable[[Any], Any]:
    """Return what makes the arguments ready of `function`, a filter or test: plain values, undefined ones refused.

    What users' plugins look at is not known: they meet undefined members themselves.
    """
    if not is_ours(function):
        return _ready
    in_lists, in_mappings = _LOOKS.get(name, (0, 0))
    make = trust_kept if name in _REARRANGE else plain
    if not in_lists and not in_mappings:
        return _ready_trusted if make is trust_kept else _ready

    def ready(arg: Any) -> Any:
        done: dict[int, tuple[Any, Any]] = {}
        value: Any = make(_checked(arg), done)
        if MET_UNDEFINED in done:
            member = undefined_member(value, in_mappings if type(value) is dict else in_lists)
            if member is not None:
                member.fail()
        return cast("Any", value)

    return ready


def _ready(arg: Any) -> Any:
    return plain(_checked(arg))


def _ready_trusted(arg: Any) -> Any:
    return trust_kept(_checked(arg))


def watched(function: Function, outside: Callable[[str], object]) -> Function:
    """Give `function`, before which `outside` is told what it looks at; `function` itself if that is nothing."""
    reads = what_it_reads(function)
    if not reads:
        return function

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        outside(reads)
        return function(*args, **kwargs)

    return call


class CallTable(dict[str, Any]):
    """Filters or tests by name, guarded when first used; Jinja reads it as its own dict.

    `found` are the functions of pyplay and of users by any of their names, `fallback` those of Jinja itself;
    `elsewhere` finds those of short names that nobody else has.
    `outside` is told before one that looks at something beside its arguments.
    """

    def __init__(
        self,
        kind: str,
        found: Mapping[str, Any],
        fallback: Mapping[str, Any],
        elsewhere: Elsewhere | None = None,
        *,
        outside: Callable[[str], object],
    ) -> None:
        super().__init__()
        self._outside = outside
        self._kind, self._found, self._fallback, self._elsewhere = kind, found, fallback, elsewhere

    def __missing__(self, name: str) -> Function:
        function = self._find(name)
        if function is None:
            raise KeyError(name)
        call = guarded(self._kind, name.rpartition(".")[2], watched(function, self._outside))
        self[name] = call
        return call

    def get(self, key: str, default: Any = None) -> Any:
        """Give the guarded function of that name, or `default`."""
        try:
            return self[key]
        except (KeyError, TypeError):
            return default

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self.get(name) is not None

    def known(self) -> Iterator[str]:
        """Give all names, for "did you mean"."""
        yield from self._found
        yield from self._fallback

    def _find(self, name: str) -> Function | None:
        function = self._found.get(name)
        if function is not None:
            return function
        for prefix in _PREFIXES:
            if name.startswith(prefix):
                bare = name[len(prefix) :]
                return self._found.get(bare) or self._fallback.get(bare)
        function = self._fallback.get(name) or self._found.get(_PREFIXES[0] + name)
        if function is None and self._elsewhere is not None and "." not in name:
            return self._elsewhere(name)
        return function
