"""What is shown of a host's texts is made in linear time, whatever the texts are."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyplay.report.look import ResultFormat
from pyplay.report.result_text import result_text
from pyplay.report.shown import exact, printable
from pyplay.templating.secrets import SecretTexts

if TYPE_CHECKING:
    from collections.abc import Callable

PIECES = [
    "a",
    " ",
    "\n",
    "\n ",
    "\r",
    "\r\n",
    "\t",
    "\0",
    "\x1b[0m",
    "\x85",
    "\udc80",
    "😀",
    "'",
    '"',
    "\\",
    "{{ ",
    ": ",
]
PIECES += ["- ", " #", "*", "<&]]>", "aaaaaaa", "''''", "Traceback (most recent call last)\n"]


def _shown(form: ResultFormat) -> Callable[[str], object]:
    def show(text: str) -> object:
        result = {"changed": False, "stdout": text, "stdout_lines": text.splitlines(), text: 1}
        return result_text(result, "command", form, verbosity=1, pretty=True)

    return show


def _masked(text: str) -> str:
    secrets = SecretTexts()
    for secret in ("a" * 16 + "b", "\n x" * 50, "'" * 40 + "z"):
        secrets.add(secret)
    return secrets.mask(text)


WAYS: dict[str, Callable[[str], object]] = {
    "printable": printable,
    "exact": exact,
    "masked": _masked,
    "json": _shown(ResultFormat()),
    "yaml": _shown(ResultFormat(yaml=True)),
    "sections": _shown(ResultFormat(sections=True)),
}


@pytest.mark.parametrize("way", WAYS)
@settings(max_examples=12, deadline=None)
@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=4).map("".join))
def test_a_text_is_shown_in_linear_time(way: str, unit: str) -> None:
    def seconds(size: int) -> float:
        text = unit * (size // len(unit) + 1)
        begin = time.process_time()
        WAYS[way](text)
        return time.process_time() - begin

    small = max(seconds(1 << 13), 0.004)
    assert seconds(1 << 16) < 8 * 6 * small, "eight times the text takes more than eight times as long, by far"
