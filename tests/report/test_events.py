"""Events are handed to those that want them."""

from __future__ import annotations

from typing import Any

import pytest

from pyplay.report.events import EVENTS, Fanout, PlayStart, Reporter


class KeepsPlays(Reporter):
    def __init__(self) -> None:
        self.plays: list[str] = []

    def play_started(self, play: PlayStart) -> None:
        self.plays.append(play.name)


@pytest.mark.parametrize("number", [0, 1, 3])
def test_each_reporter_takes_the_event(number: int) -> None:
    reporters = [KeepsPlays() for _ in range(number)]
    fanout = Fanout(reporters)
    fanout.play_started(PlayStart(name="a"))
    fanout.host_started("h1")
    assert [r.plays for r in reporters] == [["a"]] * number


def test_a_reporter_may_come_later() -> None:
    first, second = KeepsPlays(), KeepsPlays()
    fanout = Fanout([first])
    fanout.play_started(PlayStart(name="a"))
    fanout.add(second)
    fanout.play_started(PlayStart(name="b"))
    assert (first.plays, second.plays) == (["a", "b"], ["b"])


def test_an_event_that_one_reporter_wants_costs_no_more_than_calling_it() -> None:
    wants, idle = KeepsPlays(), Reporter
    fanout = Fanout([wants, type("Idle", (idle,), {})()])
    assert fanout.play_started == wants.play_started


def test_every_event_is_handed_on() -> None:
    told: list[str] = []

    def taker(name: str) -> Any:
        return lambda _, *args, **more: told.append(f"{name}{len(args) + len(more)}")

    kind = type("TakesAll", (Reporter,), {name: taker(name) for name in EVENTS})
    fanout = Fanout([kind(), kind()])
    for name in EVENTS:
        getattr(fanout, name)(1, more=2)
    assert told == [f"{name}2" for name in EVENTS for _ in range(2)]
    assert {"run_started", "host_ended", "warn"} < set(EVENTS)
