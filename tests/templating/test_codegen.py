"""Templates without statements are written in fewer lines than Jinja's, and do the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pyplay.diagnostics.errors import AuthorError
from pyplay.source.text import Trusted
from pyplay.templating import codegen

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyplay.templating.templar import Templar

TEMPLATES = [
    "{{ n + 1 }}",
    "text {{ a }} and {{ n }}\n",
    "{{ a ~ n ~ none }}",
    "{{ undefd }}",
    "{{ undefd is defined and n == 5 }}",
    "{{ undefd.some.key | default('d') }}",
    "{{ lst | length }}",
    "{{ a | upper | lower ~ (s | bool) }}",
    "{{ [a, n] | map('string') | select('match', 'A') | list }}",
    "{{ a if tf else undefd }}",
    "{{ (a if false) | default('x') }}",
    "{{ a | nosuch if false else n }}",
    "{{ a | nosuch if true else n }}",
    "{{ n is nosuch if true else n }}",
    "{{ a | nosuch }}",
    "{{ self }}",
    "{{ self.title() }}",
    "{{ lookup('vars', 'n') }}",
    "{{ range(3) | list }}",
    "{{ '<b>' | escape ~ '<i>' }}",
    "{{ {'k': n}.k }}{# a comment #}",
    "{# nothing else #}",
    "a\n\n{{ n / 0 }}",
]


def outcome(templar: Templar, text: str) -> Any:
    """Give what a template gives, or the words of its fault."""
    templar.environment._compiled.clear()  # or it would not be compiled again
    try:
        return templar.resolve(Trusted(text))
    except AuthorError as error:
        return [str(fault) for fault in error.diagnostics]


@pytest.mark.parametrize("text", TEMPLATES)
def test_it_is_as_jinja_would_write_it(
    text: str, make_templar: Callable[..., Templar], monkeypatch: pytest.MonkeyPatch
) -> None:
    templar = make_templar()
    written = outcome(templar, text)
    monkeypatch.setattr(codegen, "_only_puts_out", lambda _node: False)
    assert outcome(templar, text) == written


def test_most_templates_are_written_in_few_lines(make_templar: Callable[..., Templar]) -> None:
    environment: Any = make_templar().environment.jinja
    code = environment.compile("{{ fact | upper if fact is defined }}", raw=True)
    assert len(code.splitlines()) < 12
    assert "import" not in code
