"""Frames come whole, however the bytes are cut."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pyplay.workers.frames import FrameReader, frame


@given(st.lists(st.binary(max_size=50), max_size=8), st.lists(st.integers(1, 40), min_size=1, max_size=30))
def test_whatever_the_cuts_the_messages_are_the_same(payloads: list[bytes], cuts: list[int]) -> None:
    data = b"".join(frame(payload) for payload in payloads)
    reader, found, at, turn = FrameReader(), [], 0, 0
    while at < len(data):
        size = cuts[turn % len(cuts)]
        found.extend(reader.feed(data[at : at + size]))
        at, turn = at + size, turn + 1
    assert found == payloads
