"""Every keyword, on every object that takes it, changes what a run does: see `keywords.yml`."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from keyword_plays import GIVEN, LEFT_OUT, Variant, run, variants

from pyplay.playbook.keywords import KEYWORDS, LOOP_CONTROL, SYNONYMS

TABLE: dict[str, Any] = yaml.safe_load((Path(__file__).parent / "keywords.yml").read_text())
CORE = os.environ.get("PYPLAY_ORACLE")
AT_ONCE = 30


def kinds_of(keyword: str) -> frozenset[str]:
    return frozenset(TABLE[keyword].get("objects") or KEYWORDS[keyword].on)


def runs() -> list[list[Variant]]:
    """Give the plays of the table, those together that can be plays of one run."""
    together: list[Variant] = []
    apart: list[list[Variant]] = []
    for keyword, entry in TABLE.items():
        plays = list(variants(keyword, entry, kinds_of(keyword)))
        apart += [[play] for play in plays if play.entry.get("alone")]
        rest = [play for play in plays if not play.entry.get("alone")]
        if "arguments" in entry or "stdin" in entry:
            apart.append(rest)
        else:
            together += rest
    numbered = [replace(play, number=number) for number, play in enumerate(together, 1)]
    return [numbered[start : start + AT_ONCE] for start in range(0, len(numbered), AT_ONCE)] + apart


RUNS = runs()


def label(plays: list[Variant]) -> str:
    return plays[0].id if len(plays) == 1 else f"{plays[0].keyword} to {plays[-1].keyword}"


def test_the_table_is_whole() -> None:
    pairs = {(keyword, kind) for keyword, row in KEYWORDS.items() for kind in row.on}
    options = {f"loop_control.{option}" for option in LOOP_CONTROL}
    older = {name for names in SYNONYMS.values() for name in names}
    listed = {(keyword, kind) for keyword in TABLE for kind in kinds_of(keyword)}
    assert pairs <= listed
    assert options | older | KEYWORDS.keys() | {"with_items"} == TABLE.keys()


@pytest.mark.parametrize("keyword", TABLE)
def test_leaving_it_out_changes_the_outcome(keyword: str) -> None:
    by_kind: dict[str, dict[str, Variant]] = {}
    for play in variants(keyword, TABLE[keyword], kinds_of(keyword)):
        by_kind.setdefault(play.kind, {})[play.variant] = play
    for kind, pair in by_kind.items():
        alike = pair[GIVEN].expected == pair[LEFT_OUT].expected
        assert alike == ("same" in pair[GIVEN].entry), f"{keyword} on {kind}"


@pytest.mark.parametrize("plays", RUNS, ids=label)
def test_pyplay(plays: list[Variant], tmp_path: Path) -> None:
    shown = run([sys.executable, "-m", "pyplay"], tmp_path / "project", plays)
    assert dict(zip(ids(plays), shown, strict=True)) == {play.id: play.expected for play in plays}


@pytest.mark.parity
@pytest.mark.skipif(not CORE, reason="PYPLAY_ORACLE names no directory with ansible-playbook")
@pytest.mark.parametrize("plays", [plays for plays in RUNS if "core" not in plays[0].entry], ids=label)
def test_ansible_core(plays: list[Variant], tmp_path: Path) -> None:
    shown = run([f"{CORE}/ansible-playbook"], tmp_path / "project", plays)
    assert dict(zip(ids(plays), shown, strict=True)) == {play.id: play.expected for play in plays}


def ids(plays: list[Variant]) -> list[str]:
    return [play.id for play in plays]
