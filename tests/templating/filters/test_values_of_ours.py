"""Filters on the values that only pyplay has: trusted text, source mappings, vaulted values."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import jinja2
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from pyplay.diagnostics.model import Origin
from pyplay.source.text import SourceList, SourceMap, Trusted
from pyplay.source.vault import Secret, VaultSecret, VaultSecrets, VaultText, encrypt
from pyplay.templating.filters.errors import FilterError
from pyplay.templating.filters.merging import combine
from pyplay.templating.filters.plain import freeze, type_name
from pyplay.templating.filters.registry import FILTERS
from pyplay.templating.filters.serialization import from_json, from_yaml, to_json, to_nice_json, to_nice_yaml, to_yaml
from pyplay.templating.filters.sets import difference, intersect, symmetric_difference, union, unique
from pyplay.templating.filters.vaulting import unvault, vault
from pyplay.templating.secrets import SecretTexts
from pyplay.templating.tests.vaults import vault_encrypted

WORD = Trusted("{{ x }}", Origin("a.yml", 1, 1))
DATA = SourceMap({"a": WORD, "l": SourceList([WORD, Secret("s3")])})
SEALED = VaultText(
    encrypt(b"open", VaultSecret("default", b"pw")), None, VaultSecrets((VaultSecret("default", b"pw"),))
)


def test_trusted_text_is_written_as_text() -> None:
    assert to_json(DATA) == '{"a": "{{ x }}", "l": ["{{ x }}", "s3"]}'
    assert to_yaml(DATA) == "a: '{{ x }}'\nl: ['{{ x }}', s3]\n"
    assert to_nice_yaml(DATA) == "a: '{{ x }}'\nl:\n- '{{ x }}'\n- s3\n"


@pytest.mark.parametrize(("behavior", "expected"), [
    ("decrypt", "[s3, open]\n"),
    ("redact", "[<redacted>, <redacted>]\n"),
])  # fmt: skip
def test_vaulted_values_in_yaml(behavior: str, expected: str) -> None:
    assert to_yaml([Secret("s3"), SEALED], vault_behavior=behavior) == expected


def test_vaulted_values_may_stay_sealed_or_be_refused() -> None:
    assert to_yaml(SEALED, vault_behavior="keep_encrypted").startswith("!vault |")
    with pytest.raises(FilterError, match="vaulted"):
        to_yaml([SEALED], vault_behavior="fail")
    with pytest.raises(FilterError, match="vault_behavior"):
        to_yaml(1, vault_behavior="hide")


def test_undefined_members_raise_their_own_error() -> None:
    for function in (to_json, to_nice_json, to_yaml, to_nice_yaml):
        with pytest.raises(jinja2.UndefinedError, match="gone"):
            function({"a": [jinja2.StrictUndefined(name="gone")]})


def test_vault_there_and_back() -> None:
    text = vault("hidden", "pw", salt="abc")
    assert text == vault("hidden", "pw", salt="abc")
    assert text.startswith("$ANSIBLE_VAULT;1.2;AES256;filter_default\n")
    owner = SimpleNamespace(secrets=SecretTexts())
    opened = unvault(SimpleNamespace(owner=owner), text, "pw")
    assert opened == "hidden"
    assert type(opened) is str  # data: no template, whatever it looks like
    assert list(owner.secrets) == ["hidden"]
    wrapped = vault("hidden", "pw", wrap_object=True)
    assert isinstance(wrapped, VaultText)
    assert wrapped.reveal() == "hidden"
    assert unvault(None, wrapped, "pw") == "hidden"


@pytest.mark.parametrize(("value", "expected"), [
    (SEALED, True), (Secret("x"), True), (str(SEALED), False), ("x", False), (None, False),
])  # fmt: skip
def test_vault_encrypted(value: Any, *, expected: bool) -> None:
    assert vault_encrypted(value) is expected


@pytest.mark.parametrize(("value", "name"), [
    (WORD, "str"), (DATA, "dict"), (SourceList(), "list"), (True, "bool"), ({}.keys(), "list"), ({1}, "set"), (map(str, []), "list"),
])  # fmt: skip
def test_type_names_are_those_of_playbooks(value: Any, name: str) -> None:
    assert type_name(value) == name


def test_errors_say_what_would_mend_them() -> None:
    with pytest.raises(FilterError) as caught:
        FILTERS["basename"](["/a/b"])
    assert caught.value.help == "for every item of a list: map('basename')"


scalars = st.none() | st.booleans() | st.integers() | st.text(max_size=4)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=3),
    max_leaves=6,
)


@given(values, values)
def test_frozen_values_are_equal_exactly_if_the_values_are(left: Any, right: Any) -> None:
    assert (freeze(left) == freeze(right)) is (left == right)


@given(values)
def test_json_and_yaml_come_back(value: Any) -> None:
    assert from_json(to_json(value)) == value
    assert from_json(to_json(value, profile="tagless"), profile="tagless") == value
    assert from_yaml(None, to_yaml([value])) == [value] or _is_odd_yaml(value)


def _is_odd_yaml(value: Any) -> bool:
    """Tell whether PyYAML itself does not bring `value` back (control characters, lone surrogates)."""
    return yaml.safe_load(yaml.safe_dump([value], allow_unicode=True)) != [value]


@given(st.lists(values, max_size=5), st.lists(values, max_size=5))
def test_lists_as_sets(left: list[Any], right: list[Any]) -> None:
    both = union(left, right)
    assert all(item in both for item in [*left, *right])
    assert union(both, both) == both
    assert intersect(left, right) == [item for item in union(left, []) if item in right]
    assert difference(left, right) == [item for item in union(left, []) if item not in right]
    assert symmetric_difference(left, right) == difference(left, right) + difference(right, left)


def test_unique_is_quick_for_mappings() -> None:
    environment = jinja2.Environment()
    items = [{"a": number % 5000} for number in range(20_000)]
    assert len(unique(environment, items)) == 5000


mappings = st.dictionaries(
    st.sampled_from("abc"),
    st.recursive(scalars, lambda inner: st.dictionaries(st.sampled_from("abc"), inner, max_size=3), max_leaves=5),
    max_size=3,
)


@given(mappings, mappings, mappings)
def test_merging_is_associative(one: dict[str, Any], two: dict[str, Any], three: dict[str, Any]) -> None:
    assert combine(combine(one, two), three) == combine(one, combine(two, three)) == combine([one, two, three])


@given(mappings, mappings)
def test_merging_leaves_its_arguments_alone(one: dict[str, Any], two: dict[str, Any]) -> None:
    before = json.dumps([one, two])
    combine(one, two, recursive=True, list_merge="append")
    assert json.dumps([one, two]) == before


@pytest.mark.parametrize("options", [{"case_sensitive": False}, {"attribute": "a"}], ids=str)
def test_unique_does_not_compare_mappings_by_attribute_or_without_case(options: dict[str, Any]) -> None:
    items = [{"a": {"b": 1}}, {"a": {"b": 1}}]
    assert unique(jinja2.Environment(), items) == items[:1]
    with pytest.raises(FilterError, match="mappings"):
        unique(jinja2.Environment(), items, **options)


def test_a_salt_may_be_a_number() -> None:
    assert vault("x", "pw", salt=7) == vault("x", "pw", salt="7")
