"""The store and the log that carries its changes to workers."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest  # noqa: TC002  # conventional
from hypothesis import given
from hypothesis import strategies as st

from pyplay.inventory.model import Inventory
from pyplay.variables import log as log_module
from pyplay.variables.log import Delta, LogReader, LogWriter
from pyplay.variables.store import HOST_LAYERS, PLAY_LAYERS, Store

VALUES = st.dictionaries(
    st.sampled_from("abc"), st.integers() | st.text(max_size=3) | st.lists(st.integers(), max_size=2), max_size=3
)
DELTAS = st.one_of(
    st.builds(
        Delta, st.sampled_from(["h1", "h2", "hö"]), st.sampled_from(["facts", "set_facts", "include_vars"]), VALUES
    ),
    st.builds(Delta, st.sampled_from(["h1", "h2"]), st.just("reset"), st.just({"facts": True})),
    st.builds(Delta, st.just(""), st.sampled_from(["play", "prompts", "vars_files"]), VALUES),
    st.builds(Delta, st.just(""), st.just("play_start"), st.just({})),
)


def everything(store: Store) -> dict[str, Any]:
    for host in ("h1", "h2", "hö"):  # what holds something is known, whatever came since it was asked for last
        own, files, facts = store.layers_of(host)
        assert list(own) == [layer for name in ("set_facts", "include_vars") if (layer := store.layer(name, host))]
        assert list(files) == [layer for name in ("vars_files", "prompts") if (layer := store.layer(name, ""))]
        assert facts == store.layer("facts", host)
    layers = (*HOST_LAYERS, *PLAY_LAYERS)
    found = {f"{layer} {host}": dict(store.layer(layer, host)) for layer in layers for host in ("h1", "h2", "hö", "")}
    return found | {"a of the play": store.play_value("a")}


@given(st.lists(DELTAS, max_size=12), st.lists(st.booleans(), min_size=12, max_size=12))
def test_a_follower_sees_what_was_applied_wherever_it_stops(deltas: list[Delta], stops: list[bool]) -> None:
    writer = LogWriter()
    straight = Store()
    follower = Store(log=LogReader(writer.fd))
    for delta, stop in zip(deltas, stops, strict=False):
        straight.apply(delta)
        position = writer.append(delta)
        if stop:
            follower.advance(position)
            assert everything(follower) == everything(straight)
    follower.advance(writer.position)
    assert everything(follower) == everything(straight)
    writer.close()


def test_a_reader_never_sees_beyond_its_position() -> None:
    writer = LogWriter()
    first = writer.append(Delta("h", "set_facts", {"x": 1}))
    writer.append(Delta("h", "set_facts", {"x": 2}))
    follower = Store(log=LogReader(writer.fd))
    follower.advance(first)
    assert follower.layer("set_facts", "h") == {"x": 1}
    follower.advance(0)
    assert follower.layer("set_facts", "h") == {"x": 1}
    follower.advance(writer.position)
    assert follower.layer("set_facts", "h") == {"x": 2}
    writer.close()


def test_payloads_are_decoded_when_they_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    writer = LogWriter()
    for number in range(100):
        writer.append(Delta(f"h{number}", "set_facts", {"x": number}))
    writer.append(Delta("", "play", {"ansible_play_hosts": ["h1", "h2"]}))
    reader = LogReader(writer.fd)
    follower = Store(log=reader)
    decoded: list[str] = []
    original = reader.values
    monkeypatch.setattr(reader, "values", lambda entry: decoded.append(entry.host) or original(entry))
    follower.advance(writer.position)
    assert decoded == []
    assert follower.layer("set_facts", "h7") == {"x": 7}
    assert follower.layer("set_facts", "h7") == {"x": 7}
    assert decoded == ["h7"]
    assert follower.play_value("ansible_play_hosts") == ["h1", "h2"]
    assert decoded == ["h7", ""]
    writer.close()


def test_a_forked_reader_follows_the_same_memory() -> None:
    writer = LogWriter()
    writer.append(Delta("h", "set_facts", {"x": 1}))
    to_child, to_parent = os.pipe(), os.pipe()
    child = os.fork()
    if not child:  # pragma: no cover - in the child
        position = int(os.read(to_child[0], 20))
        follower = Store(log=LogReader(writer.fd))
        follower.advance(position)
        os.write(to_parent[1], repr(follower.layer("set_facts", "h")).encode())
        os._exit(0)
    big = "y" * (5 << 20)  # beyond the first mapping
    writer.append(Delta("other", "set_facts", {"big": big}))
    os.write(to_child[1], str(writer.append(Delta("h", "set_facts", {"x": 2}))).encode())
    assert os.read(to_parent[0], 100) == b"{'x': 2}"
    os.waitpid(child, 0)
    for end in (*to_child, *to_parent):
        os.close(end)
    writer.close()


def test_a_temporary_file_serves_where_there_is_no_memfd(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(log_module.os, "memfd_create", raising=False)
    writer = LogWriter()
    follower = Store(log=LogReader(writer.fd))
    follower.advance(writer.append(Delta("h", "facts", {"ansible_a": 1})))
    assert follower.ansible_facts("h") == {"a": 1}
    writer.close()


def test_the_same_values_for_many_hosts_are_encoded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[Any] = []
    original = log_module.codec.encode
    monkeypatch.setattr(log_module.codec, "encode", lambda value: calls.append(value) or original(value))
    writer = LogWriter()
    values = {"x": 1}
    for host in ("a", "b", "c"):
        writer.append(Delta(host, "set_facts", values))
    assert len(calls) == 1
    writer.close()


def test_a_new_play_forgets_the_values_of_the_one_before() -> None:
    writer = LogWriter()
    stores = [Store(), Store(log=LogReader(writer.fd))]
    for delta in (
        Delta("", "play", {"ansible_play_hosts": ["a"]}),
        Delta("", "prompts", {"p": 1}),
        Delta("h", "vars_files", {"f": 1}),
        Delta("h", "set_facts", {"s": 1}),
        Delta("", "play_start", {}),
        Delta("", "play", {"ansible_play_batch": ["b"]}),
    ):
        stores[0].apply(delta)
        stores[1].advance(writer.append(delta))
    for store in stores:
        assert store.play_value("ansible_play_hosts") is None
        assert store.play_value("ansible_play_batch") == ["b"]
        assert [store.layer("prompts", ""), store.layer("vars_files", "h")] == [{}, {}]
        assert store.layer("set_facts", "h") == {"s": 1}
    writer.close()


def test_changes_of_the_inventory_arrive_in_every_copy() -> None:
    def fresh() -> Inventory:
        inventory = Inventory()
        inventory.add_host("h1", ["web"])
        return inventory

    writer = LogWriter()
    ours, theirs = fresh(), fresh()
    controller, worker = Store(ours), Store(theirs, log=LogReader(writer.fd))
    renewed = Inventory()
    renewed.add_host("only")
    for values in (
        {"add_host": {"name": "h2", "groups": ["web"], "vars": {"x": 1}}},
        {"add_group": {"host": "h1", "group": "g", "parents": ["p"]}},
        {"refresh": renewed},
    ):
        version = ours.version
        delta = Delta("", "inventory", values)
        controller.apply(delta)
        worker.advance(writer.append(delta))
        assert ours.groups_map() == theirs.groups_map()
        assert ours.version > version
    assert list(theirs.hosts) == ["only"]
    writer.close()


def test_ten_thousand_hosts_are_quick_to_write_and_follow() -> None:
    writer = LogWriter()
    controller, follower = Store(), Store(log=LogReader(writer.fd))
    for number in range(10_000):
        delta = Delta(f"host{number}", "set_facts", {"x": number})
        controller.apply(delta)
        writer.append(delta)
    follower.advance(writer.position)
    assert follower.layer("set_facts", "host9999") == {"x": 9999}
    assert writer.position < 2_000_000
    writer.close()


def test_values_that_hosts_share_are_in_the_log_once_and_decoded_once() -> None:
    writer = LogWriter()
    values = {"big": "x" * 10_000}
    for number in range(100):
        writer.append(Delta(f"h{number}", "vars_files", values))
    assert writer.position < 20_000
    follower = Store(log=LogReader(writer.fd))
    follower.advance(writer.position)
    layers = [follower.layer("vars_files", f"h{number}") for number in range(100)]
    assert layers == [values] * 100
    assert all(layer["big"] is layers[1]["big"] for layer in layers[2:])
    writer.close()


def test_threads_that_ask_at_once_all_see_everything() -> None:
    writer = LogWriter()
    for number in range(300):
        writer.append(Delta("h", "set_facts", {f"x{number}": number}))
    follower = Store(log=LogReader(writer.fd))
    follower.advance(writer.position)
    with ThreadPoolExecutor(8) as threads:
        seen = list(threads.map(lambda _: len(follower.layer("set_facts", "h")), range(16)))
    assert seen == [300] * 16
    writer.close()
