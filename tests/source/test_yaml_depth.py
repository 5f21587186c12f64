"""Text that is nested too deeply says so, whichever limit it meets: the parser's, Python's, that of JSON."""

from __future__ import annotations

import pytest

from pyplay.diagnostics.errors import PlaybookError
from pyplay.source.yaml import load_text

DEEP = 3000


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("a: " + "[" * DEEP + "]" * DEEP, id="lists in one line"),
        pytest.param("{a: " * DEEP + "1" + "}" * DEEP, id="mappings in one line"),
        pytest.param('{"a": ' + "[" * DEEP + "]" * DEEP + "}", id="JSON"),
        pytest.param("\n".join("  " * i + "a:" for i in range(1500)), id="lines"),
        pytest.param("- " * DEEP, id="lists of lists"),
        pytest.param("a: " + "[" * 600 + "]" * 600, id="more than Python takes"),
    ],
)
def test_too_deep(text: str) -> None:
    with pytest.raises(PlaybookError) as caught:
        load_text(text, "deep.yml")
    (fault,) = caught.value.diagnostics
    assert fault.code == "nested-too-deep"
    assert fault.help
    assert fault.origin is not None
    assert fault.origin.line


def test_what_people_write_is_read() -> None:
    assert load_text("a: " + "[" * 100 + "]" * 100, "flat.yml")
