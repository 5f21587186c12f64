from __future__ import annotations

import math
import resource
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyplay.inventory.ranges import MOST_NAMES, RangeFault, expand_host, expand_range, split_port


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("web", ["web"], id="no range"),
        pytest.param("web[1:3]", ["web1", "web2", "web3"], id="numbers"),
        pytest.param("web[01:03].ex.com", ["web01.ex.com", "web02.ex.com", "web03.ex.com"], id="leading zeros"),
        pytest.param("n[9:11]", ["n9", "n10", "n11"], id="growing width"),
        pytest.param("n[001:010:4]", ["n001", "n005", "n009"], id="step"),
        pytest.param("h[a:e:2]x", ["hax", "hcx", "hex"], id="letters with step"),
        pytest.param("h[y:B]", ["hy", "hz", "hA", "hB"], id="small letters, then capitals"),
        pytest.param("m[1:2]-[a:b]", ["m1-a", "m1-b", "m2-a", "m2-b"], id="several, last fastest"),
        pytest.param("h[:2]", ["h0", "h1", "h2"], id="begin defaults to 0"),
        pytest.param("h[3:1]", [], id="backwards is empty"),
    ],
)
def test_a_range_stands_for_these_names(text: str, expected: list[str]) -> None:
    assert expand_range(text) == expected


@pytest.mark.parametrize(
    "text", ["h[x]", "h[1:]", "h[01:3]", "h[1:3:0]", "h[1:3:-1]", "h[1:b]", "h[1:3", "h[b:a]", "h[1:2:3:4]"]
)
def test_a_range_that_cannot_be_read_is_a_fault(text: str) -> None:
    with pytest.raises(RangeFault):
        expand_range(text)


@pytest.mark.parametrize(
    "text",
    [
        "h[1:99999999]",
        "h[0:999]x[0:999]",
        "h[a:z]x[a:z]y[a:z]z[a:z]",
        "h[0:99999999999999999999]",
        f"h[0:{'9' * 5000}]",
    ],
)
def test_a_range_makes_no_more_names_than_memory_holds(text: str) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(RangeFault):
        expand_range(text)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50_000  # KiB


def test_as_many_names_as_may_be_are_made() -> None:
    names = expand_range(f"h[1:{MOST_NAMES}]")
    assert (len(names), names[0], names[-1]) == (MOST_NAMES, "h1", f"h{MOST_NAMES}")


@given(st.lists(st.integers(0, 300), min_size=1, max_size=3))
def test_ranges_multiply(ends: list[int]) -> None:
    text = "h" + "".join(f"[0:{end}]" for end in ends)
    count = math.prod(end + 1 for end in ends)
    if count > MOST_NAMES:
        with pytest.raises(RangeFault, match="correct its end"):
            expand_range(text)
    else:
        assert len(expand_range(text)) == count


@pytest.mark.parametrize(
    ("text", "name", "port"),
    [
        ("host", "host", None),
        ("host:22", "host", 22),
        ("10.0.0.1:2222", "10.0.0.1", 2222),
        ("h[1:3]:22", "h[1:3]", 22),
        ("h[1:3]", "h[1:3]", None),
        ("::1", "::1", None),
        ("2001:db8::22", "2001:db8::22", None),
        ("[2001:db8::1]:22", "2001:db8::1", 22),
        ("[::1]", "::1", None),
        ("h:abc", "h:abc", None),
        ("h:22:33", "h:22:33", None),
    ],
)
def test_a_port_is_split_off(text: str, name: str, port: int | None) -> None:
    assert split_port(text) == (name, port)


@given(
    begin=st.integers(0, 300),
    count=st.integers(0, 40),
    step=st.integers(1, 7),
    width=st.integers(0, 5),
    port=st.none() | st.integers(1, 65535),
    tail=st.text(string.ascii_lowercase, max_size=4),
)
def test_a_range_counts_as_range_does(
    begin: int, count: int, step: int, width: int, port: int | None, tail: str
) -> None:
    end = begin + count
    first, last = str(begin), str(end)
    if width > len(last):
        first, last = first.zfill(width), last.zfill(width)
    padded = len(first) if first.startswith("0") and len(first) > 1 else 0
    text = f"h[{first}:{last}:{step}]{tail}" + (f":{port}" if port else "")
    names = [f"h{str(number).zfill(padded)}{tail}" for number in range(begin, end + 1, step)]
    assert expand_host(text) == (names, port)
