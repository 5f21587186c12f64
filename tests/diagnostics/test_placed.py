from __future__ import annotations

from pyplay.diagnostics.errors import PlaybookError
from pyplay.diagnostics.model import Diagnostic, Origin


def test_faults_without_a_place_get_one_and_others_keep_theirs() -> None:
    mine, given = Origin("a.yml", 3, 1), Origin("site.yml", 1, 1)
    error = PlaybookError([Diagnostic("x", "one"), Diagnostic("y", "two", mine)])
    placed = error.placed(given)
    assert type(placed) is PlaybookError
    assert [d.origin for d in placed.diagnostics] == [given, mine]
