"""Dataclasses that are made quickly behave as the standard library's do."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import field
from pathlib import Path
from typing import Any

import pytest

import pyplay
from pyplay.diagnostics.dataclass import dataclass as quick
from pyplay.diagnostics.dataclass import replace

KINDS = [
    pytest.param({}, id="plain"),
    pytest.param({"frozen": True}, id="frozen"),
    pytest.param({"slots": True}, id="slots"),
    pytest.param({"frozen": True, "slots": True}, id="frozen with slots"),
    pytest.param({"frozen": True, "slots": True, "kw_only": True}, id="by keyword"),
    pytest.param({"slots": True, "eq": False, "repr": False}, id="without comparison"),
]


def pair(make: Any, **options: Any) -> Any:
    """Make a class with every sort of field, and one derived from it."""

    @make(**options)
    class Base:
        """Documented."""

        name: str
        size: int = 3
        tags: list[str] = field(default_factory=list[str])
        quiet: bool = field(default=False, compare=False, repr=False)
        count: int = field(init=False, default=7)
        made: dict[str, int] = field(init=False, default_factory=dict[str, int])

    @make(**options)
    class Derived(Base):
        more: str = "more"

        def __post_init__(self) -> None:
            self.made["size"] = self.size

    return Base, Derived


def outcome(work: Any) -> Any:
    """Give what `work` gives or raises, without the names of the classes."""
    try:
        return work()
    except (TypeError, dataclasses.FrozenInstanceError) as error:
        return type(error), str(error)


LOOKS = [
    pytest.param(lambda base, _: base(name="a"), id="defaults"),
    pytest.param(lambda _, derived: derived(name="a", size=4, tags=["x"], more="m"), id="derived"),
    pytest.param(lambda base, _: base("a", 2), id="by position"),
    pytest.param(lambda base, _: base(), id="nothing given"),
    pytest.param(lambda base, _: base(name="a", other=1), id="unknown"),
    pytest.param(lambda base, _: base("a", name="b"), id="given twice"),
    pytest.param(lambda base, _: base("a", 2, [], 0, 5, 6), id="too many"),
    pytest.param(lambda base, _: base(name="a", count=3), id="not to be given"),
    pytest.param(lambda base, _: base(name="a") == base(name="a", quiet=True), id="same"),
    pytest.param(lambda base, _: base(name="a") == base(name="b"), id="other"),
    pytest.param(lambda base, derived: base(name="a") == derived(name="a"), id="other class"),
    pytest.param(lambda base, _: base(name="a").tags is base(name="b").tags, id="own lists"),
    pytest.param(lambda base, _: dataclasses.replace(base(name="a", tags=["x"]), size=9), id="replaced"),
    pytest.param(lambda base, _: replace(base(name="a", tags=["x"]), size=9), id="replaced by ours"),
    pytest.param(lambda _, derived: replace(derived(name="a"), name="b"), id="replaced, derived"),
    pytest.param(
        lambda base, _: replace(type("Plain", (base,), {})(name="a"), size=9).tags, id="replaced, not decorated"
    ),
    pytest.param(lambda _, derived: copy.deepcopy(derived(name="a", tags=["x"])), id="copied"),
    pytest.param(lambda base, _: setattr(base(name="a"), "size", 1), id="set"),
    pytest.param(lambda base, _: delattr(base(name="a"), "size"), id="deleted"),
    pytest.param(lambda _, derived: [(f.name, f.kw_only) for f in dataclasses.fields(derived)], id="fields"),
    pytest.param(lambda base, derived: (base.__match_args__, derived.__match_args__), id="matched"),
    pytest.param(lambda base, _: base.__doc__, id="documented"),
    pytest.param(lambda base, _: hash(base(name="a")) is None, id="hash of a list"),
    pytest.param(lambda base, _: base.__hash__ is None, id="hashable"),
]


@pytest.mark.parametrize("options", KINDS)
@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("made_before", [0, 20])
def test_a_class_does_what_the_standard_librarys_does(options: dict[str, Any], look: Any, made_before: int) -> None:
    ours, theirs = (pair(make, **options) for make in (quick, dataclasses.dataclass))
    for base, derived in (ours, theirs):
        for n in range(made_before):
            assert derived(name=f"{n}") != base(name=f"{n}")  # the first instances are made otherwise
    ours, theirs = (outcome(lambda each=each: look(*each)) for each in (ours, theirs))
    if "repr" in options and not isinstance(theirs, (bool, list, tuple, str, type(None))):
        assert [getattr(ours, f.name) for f in dataclasses.fields(ours)] == [
            getattr(theirs, f.name) for f in dataclasses.fields(theirs)
        ]
    else:
        assert repr(ours) == repr(theirs)


@quick(frozen=True, slots=True)
class Point:
    x: int
    y: int = 0


def test_equal_values_have_one_hash_and_travel() -> None:
    assert {Point(1): "here"}[Point(1, 0)] == "here"
    assert pickle.loads(pickle.dumps(Point(1, 2))) == Point(1, 2)


@quick(slots=True, kw_only=True)
class Loose:
    number: int = 5
    words: list[str] = field(default_factory=list)
    nothing: object = None


@quick(slots=True)
class Bare:
    pass


@pytest.mark.parametrize("protocol", [0, 2, pickle.HIGHEST_PROTOCOL])
def test_what_is_default_and_what_is_not_comes_back(protocol: int) -> None:
    for value in (Loose(), Loose(number=6), Loose(words=["a"], nothing=0), Point(0), Point(1, 2), Bare()):
        for copied in (pickle.loads(pickle.dumps(value, protocol)), copy.copy(value), copy.deepcopy(value)):
            assert type(copied) is type(value)
            assert copied == value
    changed = Loose()
    changed.number, changed.nothing = 7, changed
    found = pickle.loads(pickle.dumps(changed, protocol))
    assert found.number == 7
    assert found.nothing is found


@quick(slots=True)
class Many:
    number: int
    words: list[int] = field(default_factory=list)
    fixed: int = field(init=False, default=9)


@quick(frozen=True, slots=True)
class ManyFrozen:
    number: int
    word: str = ""


def test_however_many_travel_each_comes_back() -> None:
    for cls in Many, ManyFrozen:
        taking, putting = cls.__getstate__, cls.__setstate__
        given = [cls(number) for number in range(1000)]
        assert pickle.loads(pickle.dumps(given)) == given
        assert pickle.loads(pickle.dumps(given)) == given
        assert cls.__getstate__ is not taking
        assert cls.__setstate__ is not putting
    odd = Many(1)
    del odd.words
    with pytest.raises(AttributeError, match="words"):
        pickle.dumps(odd)
    with pytest.raises(ValueError, match="unpack"):
        odd.__setstate__((1, 2))


def test_methods_that_a_class_has_are_kept() -> None:
    @quick(frozen=True)
    class Named:
        name: str

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Named)

        def __hash__(self) -> int:
            return 5

        def __repr__(self) -> str:
            return "named"

    assert Named("a") == Named("b")
    assert (hash(Named("a")), repr(Named("a"))) == (5, "named")


def test_a_value_that_holds_itself_is_shown() -> None:
    @quick
    class Ring:
        links: list[object] = field(default_factory=list[object])

    ring = Ring()
    ring.links.append(ring)
    assert repr(ring).endswith("Ring(links=[...])")


def test_init_is_written_for_classes_with_many_instances_alone() -> None:
    @quick(slots=True)
    class Late:
        name: str = ""

    first = Late.__init__
    assert (Late("a").name, Late().name) == ("a", "")
    assert Late.__init__ is first
    assert [Late(name).name for name in "abcdefghijklmnopqrst"] == list("abcdefghijklmnopqrst")
    assert Late.__init__ is not first


def test_fields_are_looked_for_when_somebody_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[type] = []
    look = dataclasses.dataclass
    monkeypatch.setattr(
        dataclasses, "dataclass", lambda **options: lambda cls: asked.append(cls) or look(**options)(cls)
    )

    @quick(frozen=True, slots=True)
    class Base:
        name: str
        size: int = 3

    @quick(frozen=True, slots=True)
    class Derived(Base):
        more: str = ""

    assert asked == []
    assert (Base.__slots__, Derived.__slots__) == (("name", "size"), ("more",))
    assert Derived("a") == Derived("a", 3, "")
    assert pickle.loads(pickle.dumps(Point(1, 2))) == Point(1, 2)
    assert asked == []
    match Derived("b", 4):
        case Derived(name, size, more):
            assert (name, size, more) == ("b", 4, "")
    assert len(asked) == 2


def test_threads_may_ask_at_once() -> None:
    classes = [
        quick(slots=True)(type(f"C{n}", (), {"__annotations__": {"tags": "list"}, "tags": field(default_factory=list)}))
        for n in range(50)
    ]
    with ThreadPoolExecutor(8) as threads:
        made = [list(threads.map(lambda each: each().tags, [each] * 8)) for each in classes]
    assert made == [[[]] * 8] * 50


def test_the_controllers_modules_use_it() -> None:
    package = Path(pyplay.__file__).parent
    files = [path for path in package.rglob("*.py") if not path.is_relative_to(package / "remote")]
    slow = [
        path for path in files if re.search(r"^from dataclasses import .*\bdataclass\b", path.read_text(), re.MULTILINE)
    ]
    assert slow == [], "import it from pyplay.diagnostics.dataclass: one base frozen there cannot be extended here"
