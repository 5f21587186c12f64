"""Templates see of our values what they see of the values these stand for, and nothing of undefined ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pyplay.diagnostics.errors import PyplayError
from pyplay.source.text import SourceList, SourceMap, Trusted
from pyplay.source.vault import Secret, VaultText
from pyplay.templating.atoms import AtomList
from pyplay.templating.context import VarsView
from pyplay.templating.lazy import LazyList, LazyMap
from pyplay.templating.members import hides
from pyplay.templating.omit import OMIT
from pyplay.templating.sealed import Opened, Sealed
from pyplay.templating.undefined import Unchosen, Undefined
from pyplay.variables.hostvars import HostVars

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyplay.templating.templar import Templar

MAPPING = {"get", "items", "keys", "values"}
SEALED = VaultText("$ANSIBLE_VAULT;1.1;AES256\n00")


def _render(value: Any) -> Any:
    return value


STANDS_FOR: list[tuple[Any, set[str]]] = [
    (Trusted("t"), set(dir(str))),
    (Secret("t"), set(dir(str))),
    (Opened("t", SEALED), set(dir(str))),
    (SEALED, set(dir(str))),
    (SourceMap({"k": 1}), set(dir(dict))),
    (LazyMap(_render, {"k": 1}), set(dir(dict))),
    (SourceList([1]), set(dir(list))),
    (LazyList(_render, [1]), set(dir(list))),
    (AtomList([1]), set(dir(list))),
    (Undefined(name="nope"), set()),
    (Unchosen("no"), set()),
    (Sealed(SEALED, PyplayError([])), set()),
    (OMIT, set()),
    (VarsView.__new__(VarsView), MAPPING),
    (HostVars.__new__(HostVars), MAPPING),
]


@pytest.mark.parametrize(("value", "shown"), STANDS_FOR, ids=lambda each: type(each).__name__)
def test_only_attributes_of_what_a_value_stands_for_are_seen(value: Any, shown: set[str]) -> None:
    names = {name for kind in type(value).__mro__ for name in vars(kind)}
    names |= {"origin", "text", "owner", "message", "name", "templar", "error", "key_origins"}
    public = {name for name in names if not name.startswith("_")}
    assert {name for name in public if not hides(value, name)} == {name for name in shown if not name.startswith("_")}


ATTRIBUTES = sorted(name for name in dir(Undefined) if not name.startswith("_"))


@pytest.mark.parametrize("name", ATTRIBUTES)
@pytest.mark.parametrize("form", [
    "nope.{0}", "nope['{0}']", "nope | attr('{0}')", "d.b.{0}", "d.zz.{0}", "vars.{0}", "vars['{0}']", "e.{0}",
    "lst.{0}", "a.{0}", "[nope] | map(attribute='{0}') | list", "[vars] | map(attribute='{0}') | first", "omit.{0}",
    "lookup.{0}",
])  # fmt: skip
def test_no_attribute_of_ours_is_seen(make_templar: Callable[..., Templar], name: str, form: str) -> None:
    text = form.format(name)
    assert make_templar().resolve(Trusted("{{ " + text + " | default('D') }}")) == "D"


INPUTS = (
    "[nope]", "{'a': nope}", "[[nope]]", "[{'a': nope}]", "[1, nope]", "[{'a': 1}, {'b': nope}]", "{'b': [nope]}",
)  # fmt: skip
"""What a filter may come upon; the rows below say for each in turn: undefined (T), not (.), or a mistake of another kind (?)."""

OBSERVED = [
    ("first", "T......"),
    *[
        (text, "T...T..")
        for text in (
            "batch(2)", "last", "list", "reverse", "slice(2)", "zip([1])", "zip_longest([1])", "product([1])",
            "permutations", "select('none')", "reject",
        )
    ],
    *[(text, "T.TTTT.") for text in ("difference([5])", "flatten", "intersect([5])", "join(',')", "union([5])")],
    *[(text, "?T????.") for text in ("dict2items", "dictsort", "items")],
    *[(f"combine({{{text}}})", "TTTTTT.") for text in ("'q': 1", "'a': 1")],
    *[
        (text, "TTTTTTT")
        for text in (
            "b64encode", "bool", "capitalize", "hash", "lower", "quote", "regex_replace('a', 'b')", "replace('a', 'b')",
            "string", "to_json", "to_nice_yaml", "trim", "upper", "wordcount",
        )
    ],
    *[(text, ".......") for text in ("length", "map('default', 3)", "select('defined')", "reject('defined')")],
]  # fmt: skip


@pytest.mark.parametrize(("call", "outcomes"), OBSERVED)
def test_an_undefined_member_that_a_filter_comes_upon_is_its_result(
    make_templar: Callable[..., Templar], call: str, outcomes: str
) -> None:
    """Source: observed in ansible-core 2.21."""
    for value, letter in zip(INPUTS, outcomes, strict=True):
        if letter != "?":
            undefined = make_templar().resolve(Trusted(f"{{{{ ({value} | {call}) is undefined }}}}"))
            assert (value, undefined) == (value, letter == "T")


@pytest.mark.parametrize("text", [
    "[1, 2] | map('extract', {}) | list | default('D')", "['k', 'q'] | map('extract', e) | list | default('D')",
    "e.list_of | default([{'z': 1}]) | map(attribute='y') | list | default('D')", "d | combine({'x': 1}) | default('D')",
])  # fmt: skip
def test_default_replaces_results_with_undefined_members(make_templar: Callable[..., Templar], text: str) -> None:
    assert make_templar().resolve(Trusted("{{ " + text + " }}")) == "D"


@pytest.mark.parametrize("text", [
    "x {{ n }}", "{{ n }}", "{% raw %}{{ n }}{% endraw %}", "{# n #}",
])  # fmt: skip
@pytest.mark.parametrize("way", [
    "{{ ct | unvault('p') }}", "{{ [ct | unvault('p')][0] }}", "{{ {'a': ct | unvault('p')} | combine({}) }}",
    "{{ (ct | unvault('p')) ~ '' }}",
])  # fmt: skip
def test_what_unvault_decrypts_is_no_template(make_templar: Callable[..., Templar], text: str, way: str) -> None:
    templar = make_templar()
    sealed = templar.with_vars({"plain": text}).resolve(Trusted("{{ plain | vault('p') }}"))
    value = templar.with_vars({"ct": sealed, "v": Trusted(way)}).resolve(Trusted("{{ v }}"))
    assert value in (text, {"a": text})
    assert not isinstance(value, Trusted)
