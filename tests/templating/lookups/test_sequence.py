from __future__ import annotations

from typing import Any

import pytest

from pyplay.templating.lookups.base import LookupFailed
from pyplay.templating.lookups.sequence import sequence

NO_CALL: Any = None


@pytest.mark.parametrize("term", ["1000001", "count=99999999999", "start=1 end=-9999999 stride=-1", "0-0xffffffff/2"])
def test_a_sequence_makes_no_more_than_memory_holds(term: str) -> None:
    with pytest.raises(LookupFailed, match="makes more than 1,000,000 numbers"):
        sequence([term], NO_CALL)


@pytest.mark.parametrize(("term", "count"), [("1000000", 1_000_000), ("0-99999999/1000", 100_000)])
def test_what_is_bounded_is_how_many_there_are(term: str, count: int) -> None:
    assert len(sequence([term], NO_CALL)) == count
