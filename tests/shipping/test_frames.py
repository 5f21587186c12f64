"""Frames: what is encoded is what is split, however the bytes arrive; both ends agree."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyplay.diagnostics.errors import RunnerError
from pyplay.remote import runner
from pyplay.shipping.frames import HEAD, MAX_BODY, MAX_HEADER, FrameSplitter, Kind, encode_frame

HEADERS = st.none() | st.dictionaries(st.text(), st.integers() | st.text() | st.lists(st.integers()), min_size=1)
FRAMES = st.tuples(st.sampled_from(Kind), st.integers(0, 2**32 - 1), HEADERS, st.binary())


@given(st.lists(FRAMES, max_size=5), st.data())
def test_frames_survive_any_cut(frames: list[tuple[Kind, int, dict | None, bytes]], data: st.DataObject) -> None:
    stream = b"".join(encode_frame(*frame) for frame in frames)
    splitter, found = FrameSplitter(), []
    while stream:
        size = data.draw(st.integers(1, len(stream)))
        found += splitter.feed(stream[:size])
        stream = stream[size:]
    assert [(f.kind, f.call, f.header or None, f.body) for f in found] == [(k, c, h, b) for k, c, h, b in frames]


@given(FRAMES)
def test_both_ends_write_the_same(frame: tuple[Kind, int, dict | None, bytes]) -> None:
    kind, call, header, body = frame
    assert runner.frame(kind, call, header, body) == encode_frame(kind, call, header, body)


def test_both_ends_have_the_same_words_and_bounds() -> None:
    assert {kind.name: kind.value for kind in Kind} == {kind.name: getattr(runner, kind.name) for kind in Kind}
    assert (runner.HEAD, runner.MAX_HEADER, runner.MAX_BODY) == (HEAD, MAX_HEADER, MAX_BODY)


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"bash: warning: this is not a frame", id="text"),
        pytest.param(bytes((7,)) + b"\0\0\0\1" + b"\xff\0\0\0" + b"\0\0\0\0", id="a huge header"),
        pytest.param(bytes((7,)) + b"\0\0\0\1" + b"\0\0\0\0" + b"\xff\0\0\0", id="a huge body"),
    ],
)
def test_what_is_no_frame_is_refused_before_it_is_read(data: bytes) -> None:
    with pytest.raises(RunnerError, match="something else than frames"):
        list(FrameSplitter().feed(data))
