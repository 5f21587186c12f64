"""What is shown of a host's text: nothing that steers a terminal."""

from __future__ import annotations

import pytest

from pyplay.report.shown import clean, is_gathered, printable


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("plain é 漢", "plain é 漢", id="text"),
        pytest.param("a\tb\nc\r\nd", "a\tb\nc\nd", id="lines"),
        pytest.param("\x1b[31m\x7f\x9b", "\\x1b[31m\\u007f\\u009b", id="control characters"),
        pytest.param(b"a \xff b".decode("utf-8", "surrogateescape"), "a \\xff b", id="a byte that is no UTF-8"),
        pytest.param("a \ud800 b", "a \\ud800 b", id="half of a pair"),
        pytest.param("a\u200bb\u202e", "a\\u200bb\\u202e", id="characters that are not seen"),
        pytest.param("a\u00a0b\u3000c\u2009d", "a\u00a0b\u3000c\u2009d", id="blanks of all scripts"),
        pytest.param("\U0001f469\u200d\U0001f4bb", "\U0001f469\u200d\U0001f4bb", id="emoji of several"),
        pytest.param("\U000e0001", "\\U000e0001", id="characters beyond the first plane"),
    ],
)
def test_what_is_not_printable_is_escaped(text: str, shown: str) -> None:
    assert printable(text) == shown


@pytest.mark.parametrize(
    ("action", "result", "expected"),
    [
        ("ansible.builtin.setup", {"ansible_facts": {}}, True),
        ("gather_facts", {"ansible_facts": {}}, True),
        ("ansible.builtin.setup", {"skipped": True}, False),
        ("ansible.builtin.package_facts", {"ansible_facts": {}}, False),
        ("own.words.setup", {"ansible_facts": {}}, False),
    ],
)
def test_gathered_facts_are_not_shown(action: str, result: dict[str, object], *, expected: bool) -> None:
    assert is_gathered(result, action) is expected


def test_a_modules_traceback_is_for_those_who_ask() -> None:
    result = {"msg": "boom", "module_stderr": "Traceback …", "exception": "Traceback …"}
    assert "Traceback" not in str(clean(result))
    assert clean(result, verbosity=3) == result
    assert clean({"module_stderr": "no traceback"}) == {"module_stderr": "no traceback"}
    killed = {"module_stderr": "", "exception": "(traceback unavailable)"}
    assert clean(killed) == {"module_stderr": ""}
