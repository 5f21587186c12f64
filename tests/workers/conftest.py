"""What the workers' tests share."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from bench import Bench  # helpers stand beside the tests


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    """A bench whose playbook's directory is the test's own."""
    return Bench(str(tmp_path))
