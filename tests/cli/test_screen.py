"""When what reporters write is let out."""

from __future__ import annotations

import io
import sys
from typing import TYPE_CHECKING

from pyplay.cli.screen import Screen
from pyplay.report.events import PlayStart
from pyplay.source.options import RunOptions
from pyplay.source.settings import Settings
from pyplay.templating.secrets import SecretTexts

if TYPE_CHECKING:
    import pytest


class Stream(io.StringIO):
    """Standard output that knows what was let out."""

    seen = ""

    def flush(self) -> None:
        self.seen = self.getvalue()


def test_what_reporters_write_is_let_out_when_all_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", stream := Stream())
    reporter = Screen(Settings(), RunOptions(), SecretTexts()).reporter
    reporter.play_started(PlayStart(name="one"))
    reporter.play_started(PlayStart(name="two"))
    assert stream.seen == ""
    reporter.caught_up()
    assert stream.seen == stream.getvalue()
    assert "PLAY [two]" in stream.seen
    reporter.run_ended({}, {})
    assert "RECAP" in stream.seen


def test_what_is_said_beside_them_is_let_out_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", stream := Stream())
    Screen(Settings(), RunOptions(), SecretTexts()).say("listed\n")
    assert stream.seen == "listed\n"
