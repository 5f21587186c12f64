"""What holds for all tests."""

from __future__ import annotations

import pytest


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the tests on the lab's hosts in one process: some of them cut off or kill hosts that others need."""
    for item in items:
        if item.get_closest_marker("lab") is not None:
            item.add_marker(pytest.mark.xdist_group("lab"))
