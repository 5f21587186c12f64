"""Values as text."""

from __future__ import annotations

from pyplay.report.dump import dump


def test_a_number_of_many_digits_is_shown() -> None:
    assert '"0x' in dump({"msg": [10**5000]})
