"""The outcomes kept in the case files are still what ansible-core gives. See observe.py."""

from __future__ import annotations

import importlib.util
import json
import os
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
CASES = sorted(HERE.glob("*/cases/*.json"))
UNSTABLE = ("password_hash", "vault('pw'", "hostname')|length")
"""What core gives anew every time, or what differs from machine to machine."""


UNORDERED = ("union", "intersect", "difference", "symmetric_difference")
"""What core gives in the order of its hash table."""


def load_observe() -> Any:
    spec = importlib.util.spec_from_file_location("observe", HERE / "observe.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parity
@pytest.mark.skipif("PYPLAY_ORACLE" not in os.environ, reason="PYPLAY_ORACLE names no ansible-core")
@pytest.mark.parametrize("path", CASES, ids=[path.stem for path in CASES])
def test_core_still_gives_it(path: Path) -> None:
    table = json.loads(path.read_text())
    cases = [case for case in table["cases"] if not any(word in case[0] for word in UNSTABLE)]
    outcomes = load_observe().observe(table["vars"], [text for text, _ in cases], path.parent)
    for (text, before), now in zip(cases, outcomes, strict=True):
        if "error" in before or "error" in now:
            assert ("error" in before) is ("error" in now), text
        elif any(f"|{name}(" in text for name in UNORDERED):
            assert sorted(now["value"], key=repr) == sorted(before["value"], key=repr), text
        else:
            assert now == before, text
