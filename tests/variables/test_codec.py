"""What travels between processes comes back as it was."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyplay.diagnostics.model import Origin
from pyplay.source.text import SourceList, SourceMap, Trusted, origin_of
from pyplay.source.vault import Secret, VaultSecret, VaultSecrets, VaultText, encrypt
from pyplay.templating.omit import OMIT
from pyplay.variables.codec import Codec, UnknownReferenceError, decode, encode
from pyplay.workers.messages import TaskResult

ORIGINS = st.none() | st.builds(Origin, st.text(max_size=5), st.integers(0, 9), st.integers(0, 9))
LEAVES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(max_size=8)
    | st.binary(max_size=8)
    | st.dates()
    | st.datetimes(timezones=st.just(dt.UTC) | st.none())
    | st.just(OMIT)
    | st.builds(Trusted, st.text(max_size=8), ORIGINS)
    | st.builds(Secret, st.text(max_size=8), ORIGINS)
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.builds(SourceList, st.lists(inner, max_size=3), ORIGINS)
        | st.dictionaries(st.text(max_size=4), inner, max_size=3)
        | st.builds(
            SourceMap, st.dictionaries(st.text(max_size=4), inner, max_size=3), ORIGINS, st.just({"k": Origin("f", 1)})
        )
    ),
    max_leaves=10,
)


def shape(value: Any) -> Any:
    """Give everything about `value` that has to survive."""
    if isinstance(value, dict):
        members: Any = {key: shape(member) for key, member in value.items()}
        return type(value), members, origin_of(value), getattr(value, "key_origins", None)
    if isinstance(value, list):
        return type(value), [shape(member) for member in value], origin_of(value)
    return type(value), value, origin_of(value)


@given(VALUES)
def test_values_survive(value: Any) -> None:
    assert shape(decode(encode(value))) == shape(value)


def test_omit_is_the_same_object() -> None:
    assert decode(encode({"a": [OMIT]}))["a"][0] is OMIT


def test_vault_text_stays_sealed_and_opens() -> None:
    secret = VaultSecret("default", b"pw")
    sealed = VaultText(encrypt(b"deep", secret), Origin("v.yml", 2), VaultSecrets((secret,)))
    data = encode(sealed)
    assert b"deep" not in data
    back = decode(data)
    assert back.reveal() == "deep"
    assert isinstance(back.reveal(), Secret)
    assert back.origin == Origin("v.yml", 2)


def test_what_the_other_side_knows_goes_by_its_id(world: Any) -> None:
    role = world.new_role("r", tasks=[])
    task = world.new_task(role=role)
    ours, theirs = Codec([world.play], [], [task]), Codec([world.play], [role], [task])
    back = theirs.decode(ours.encode({"task": task, "role": role, "play": world.play}))
    assert back["task"] is task
    assert back["role"] is role
    assert back["play"] is world.play


def test_what_it_does_not_know_is_sent_whole_and_known_from_then_on(world: Any) -> None:
    ours, theirs = Codec([world.play]), Codec([world.play])
    role = world.new_role("r", vars=SourceMap({"x": Trusted("{{ y }}")}))
    task = world.new_task(role=role, args={"msg": Trusted("{{ x }}", Origin("t.yml", 1, 2))})
    later = world.new_task(role=role)
    first = theirs.decode(ours.encode((task,)))
    ours.learn((task,))
    theirs.learn(first)
    assert origin_of(first[0].args["msg"]) == Origin("t.yml", 1, 2)
    second = theirs.decode(ours.encode((later, task)))
    assert second[1] is first[0]
    assert second[0].role is first[0].role


def test_an_id_that_was_never_sent_is_an_error(world: Any) -> None:
    data = Codec([], [], [world.task]).encode(world.task)
    with pytest.raises(UnknownReferenceError, match=str(world.task.id)):
        Codec().decode(data)
    with pytest.raises(UnknownReferenceError):
        decode(data)


def test_results_travel(world: Any) -> None:
    result = TaskResult(host="h", task_id=1, result={"msg": Trusted("x"), "when": dt.date(2026, 1, 1), "r": range(2)})
    assert decode(encode([result]))[0] == result
