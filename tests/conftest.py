"""What holds for all tests."""

from __future__ import annotations

import pytest


def pytest_itemcollected(item: pytest.Item) -> None:
    """Keep the tests on the lab's hosts in one process: some of them cut off or kill hosts that others need.

    At the end of collection it would be too late: pytest-xdist has read the groups by then.
    """
    if item.get_closest_marker("lab") is not None:
        item.add_marker(pytest.mark.xdist_group("lab"))
