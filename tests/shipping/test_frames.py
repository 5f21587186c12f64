"""Frames: what is encoded is what is split, however the bytes arrive; both ends agree."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyplay.diagnostics.errors import RunnerError
from pyplay.remote import runner
from pyplay.shipping.frames import ANSWERS, HEAD, MAX_BODY, MAX_HEADER, MAX_NAME, FrameSplitter, Kind, encode_frame

HEADERS = st.none() | st.dictionaries(st.text(), st.integers() | st.text() | st.lists(st.integers()), min_size=1)
FRAMES = st.tuples(st.sampled_from(Kind), st.integers(0, 2**32 - 1), HEADERS, st.binary())


OUTPUT = st.builds(
    lambda rc, used, out, err: ({"rc": rc, "out": len(out), "used": used}, out + err),
    st.integers(-64, 255), st.booleans(), st.binary(), st.binary(),
)  # fmt: skip


@st.composite
def answers(draw: st.DrawFn) -> tuple[Kind, int, dict | None, bytes]:
    """A frame that a Runner may send."""
    kind, call = Kind(draw(st.sampled_from(sorted(ANSWERS)))), draw(st.integers(0, 2**32 - 1))
    if kind == Kind.RESULT:
        return kind, call, *draw(OUTPUT | st.text().map(lambda text: ({"error": text}, b"")))
    return kind, call, None, draw(st.binary(max_size=min(64, ANSWERS[kind].body)))


@given(st.lists(answers(), max_size=5), st.data())
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


REFUSED = {
    "a kind that only we send": encode_frame(Kind.CALL, 1, {"module": "x"}),
    "a kind that there is not": bytes((99,)) + bytes(12),
    "a header where none belongs": encode_frame(Kind.OUT, 1, {"a": 1}, b"x"),
    "a body where none belongs": encode_frame(Kind.BARRED, 1, None, b"x"),
    "a name that is too long": encode_frame(Kind.NEED, 1, None, b"x" * (MAX_NAME + 1)),
    "a header that is a list": bytes((Kind.RESULT,)) + b"\0\0\0\1\0\0\0\2\0\0\0\0[]",
    "a header that is no UTF-8": bytes((Kind.RESULT,)) + b"\0\0\0\1\0\0\0\2\0\0\0\0\xff\xfe",
    "a header that is nested too deeply": (bytes((Kind.RESULT,)) + b"\0\0\0\1\0\0\xc3\x50\0\0\0\0" + b"[" * 50_000),
    "no header": encode_frame(Kind.RESULT, 1),
    "an empty header": encode_frame(Kind.RESULT, 1, {}),
    "a key too few": encode_frame(Kind.RESULT, 1, {"rc": 0, "out": 0}),
    "a key too many": encode_frame(Kind.RESULT, 1, {"rc": 0, "out": 0, "used": False, "more": 1}),
    "no status": encode_frame(Kind.RESULT, 1, {"rc": None, "out": 0, "used": False}),
    "a status that is a boolean": encode_frame(Kind.RESULT, 1, {"rc": True, "out": 0, "used": False}),
    "an error that is no text": encode_frame(Kind.RESULT, 1, {"error": 1}),
    "more output than body": encode_frame(Kind.RESULT, 1, {"rc": 0, "out": 2, "used": False}, b"x"),
    "less output than nothing": encode_frame(Kind.RESULT, 1, {"rc": 0, "out": -1, "used": False}, b"x"),
}


@pytest.mark.parametrize("data", REFUSED.values(), ids=REFUSED)
def test_what_no_runner_sends_is_refused(data: bytes) -> None:
    with pytest.raises(RunnerError, match="the host sent"):
        list(FrameSplitter().feed(data))


@given(st.binary(max_size=200), st.sampled_from(Kind), st.integers(0, 40), st.integers(0, 40))
def test_bytes_of_any_kind_give_frames_of_the_table_or_one_error(
    data: bytes, kind: Kind, header: int, body: int
) -> None:
    stream = bytes((kind,)) + b"\0\0\0\1" + header.to_bytes(4, "big") + body.to_bytes(4, "big") + data
    try:
        frames = list(FrameSplitter().feed(stream))
    except RunnerError:
        return
    for frame in frames:
        shape = ANSWERS[frame.kind]
        assert len(frame.body) <= shape.body
        assert not frame.header or any(frame.header.keys() == keys.keys() for keys in shape.headers)
