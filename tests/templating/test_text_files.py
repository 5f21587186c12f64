"""Template files: options, the `#jinja2:` line, includes, places of errors."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest

from pyplay.diagnostics.errors import TemplateError, UndefinedError
from pyplay.source.settings import Settings
from pyplay.source.text import Trusted
from pyplay.templating.environment import TemplateEnvironment
from pyplay.templating.text_files import split_header

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pyplay.templating.templar import Templar


@pytest.mark.parametrize(
    ("content", "options", "expected"),
    [
        pytest.param("x {{ a }}\n", {}, "x A\n", id="newline at the end stays"),
        pytest.param("{{ n }}", {}, "5", id="always text"),
        pytest.param("{{ none }}", {}, "", id="none is no text"),
        pytest.param("a{{ none }}b{{ clean }}{{ tf }}", {}, "ab[5, 2]True", id="values in text"),
        pytest.param("{% if tf %}\nx\n{% endif %}\ny\n", {}, "x\ny\n", id="blocks are trimmed"),
        pytest.param(
            "{% if tf %}\nx\n{% endif %}\ny\n", {"trim_blocks": False}, "\nx\n\ny\n", id="blocks are not trimmed"
        ),
        pytest.param("#jinja2: trim_blocks: False\n{% if tf %}\nx\n{% endif %}\n", {}, "\nx\n", id="header"),
        pytest.param("x{% if tf %}y{% endif %}\n", {}, "xy\n", id="a tag at the end takes no newline"),
        pytest.param("x{% if tf %}y{% endif %}\n\n\n", {}, "xy\n\n\n", id="nor several"),
        pytest.param("x{# note #}\n", {}, "x\n", id="a comment at the end"),
        pytest.param("{% for i in [1, 2] %}\nl{{ i }}\n{% endfor %}\n", {}, "l1\nl2\n", id="a loop to the end"),
        pytest.param("{% if not tf %}\nx\n{% endif %}\n", {}, "", id="nothing is left"),
        pytest.param('{{ "a\\n\\n" }}\n', {}, "a\n\n", id="a value that ends in newlines"),
        pytest.param("\n", {}, "\n", id="only a newline"),
        pytest.param("{{ none }}\n", {}, "", id="none"),
        pytest.param("x{% if tf %}y{% endif %}\r\n", {}, "xy\n", id="newlines of other systems"),
        pytest.param("x{% if tf %}{% endif %}\n", {"newline_sequence": "\r\n"}, "x\r\n", id="their own newline"),
        pytest.param("x{{ ',' if not tf }}y", {}, "xy", id="if without else puts out nothing"),
        pytest.param(
            "#jinja2: trim_blocks: False\n{% if tf %}\nx{% endif %}", {"trim_blocks": True}, "\nx", id="header wins"
        ),
        pytest.param("  {% if tf %}\n x\n  {% endif %}\n", {"lstrip_blocks": True}, " x\n", id="lstrip_blocks"),
        pytest.param(
            '#jinja2: variable_start_string: "[%", variable_end_string: "%]", lstrip_blocks: True\n[% n %] {{ n }}',
            {},
            "5 {{ n }}",
            id="delimiters in the header",
        ),
        pytest.param(
            "<% if tf %>y<% endif %>", {"block_start_string": "<%", "block_end_string": "%>"}, "y", id="block marks"
        ),
        pytest.param("a\nb\n", {"newline_sequence": "\r\n"}, "a\r\nb\r\n", id="newline_sequence"),
        pytest.param('{{ "a\\nb" }}', {}, "a\nb", id="escapes are Jinja's"),
        pytest.param("{{ unsafe }}", {}, "{{ n }}", id="data stays data"),
        pytest.param("{# note #}x", {}, "x", id="comment"),
    ],
)
def test_a_template_file_renders_to(templar: Templar, content: str, options: dict[str, Any], expected: str) -> None:
    assert templar.render_text(content, **options) == expected


def test_includes_are_found_beside_the_file_and_in_the_search_path(templar: Templar, tmp_path: Path) -> None:
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / "far.j2").write_text("far {{ a }} {{ loc }}")
    beside = tmp_path / "deep"
    beside.mkdir()
    (beside / "near.j2").write_text("near")
    content = "{% set loc = 1 %}{% include 'near.j2' %} {% include 'far.j2' %} {% include 'none.j2' ignore missing %}|"
    assert templar.render_text(content, path=str(beside / "t.j2")) == "near far A 1 |"


def test_inheritance_and_imports(templar: Templar, tmp_path: Path) -> None:
    (tmp_path / "base.j2").write_text("base {% block b %}parent{% endblock %}\n")
    (tmp_path / "m.j2").write_text(
        "{% macro hi(x) %}hi {{ x }} {{ a | default('-') }} {{ lookup('vars', 'n') }}{% endmacro %}"
    )
    assert (
        templar.render_text("{% extends 'base.j2' %}{% block b %}child {{ super() }}{% endblock %}")
        == "base child parent"
    )
    assert templar.render_text("{% import 'm.j2' as m %}{{ m.hi(1) }}") == "hi 1 - 5"
    assert templar.render_text("{% from 'm.j2' import hi with context %}{{ hi(1) }}") == "hi 1 A 5"


def test_a_newline_at_the_end_of_an_included_file_is_left_out(templar: Templar, tmp_path: Path) -> None:
    (tmp_path / "w.txt").write_text("w\n\n")
    assert templar.render_text("{% include 'w.txt' %}!\n\n") == "w\n!\n\n"
    (tmp_path / "one.txt").write_text("<% n %>{{ n }}\n")
    marks = {"variable_start_string": "<%", "variable_end_string": "%>"}
    assert templar.render_text("{% include 'one.txt' %}|", **marks) == "5{{ n }}|"


def test_an_included_file_that_changed_is_read_again(templar: Templar, tmp_path: Path) -> None:
    part = tmp_path / "part.j2"
    part.write_text("one")
    assert templar.render_text("{% include 'part.j2' %}") == "one"
    part.write_text("other")
    os.utime(part, ns=(1, 1))
    assert templar.render_text("{% include 'part.j2' %}") == "other"


def test_includes_in_loops_see_the_loop(templar: Templar, tmp_path: Path) -> None:
    (tmp_path / "i.j2").write_text("{{ i }};")
    assert templar.resolve(Trusted("{% for i in [1, 2] %}{% include 'i.j2' %}{% endfor %}")) == "1;2;"


def place_of(templar: Templar, path: Path, content: str) -> str:
    path.write_text(content)
    with pytest.raises(TemplateError) as caught:
        templar.render_text(content, path=str(path))
    return str(caught.value.diagnostics[0].origin).removeprefix(f"{path}:")


@pytest.mark.parametrize(
    ("content", "place"),
    [
        pytest.param("one\ntwo {{ undefd }}\n", "2:8", id="undefined, put out"),
        pytest.param("one\n\n{% if undefd %}{% endif %}\n", "3:7", id="undefined, used"),
        pytest.param("#jinja2: trim_blocks: False\none\n{{ e.zip }}\n", "3:6", id="attribute, below a header"),
        pytest.param("one\n{{ 1 / 0 }}\n", "2", id="failed expression"),
        pytest.param("one\n{{ a | int(1,2,3,4) }}\n", "2", id="failed filter"),
        pytest.param("one\n{{ a b }}\n", "2", id="syntax"),
    ],
)
def test_errors_name_the_line(templar: Templar, tmp_path: Path, content: str, place: str) -> None:
    assert place_of(templar, tmp_path / "t.j2", content) == place


def test_an_undefined_variable_of_a_variable_stands_where_that_was_written(templar: Templar, tmp_path: Path) -> None:
    path = tmp_path / "t.j2"
    path.write_text("{{ nest_undef }}")
    with pytest.raises(UndefinedError) as caught:
        templar.render_text("{{ nest_undef }}", path=str(path))
    assert caught.value.diagnostics[0].origin.path == "vars.yml"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("line", "code", "words"),
    [
        ("#jinja2: trim_block: True", "unknown-option", "trim_block"),
        ("#jinja2: trim_blocks: maybe", "bad-option", "True or False"),
        ("#jinja2: what", "bad-header", "Missing key-value separator"),
        ("#jinja2: trim_blocks=True", "bad-header", "Missing key-value separator"),
    ],
)
def test_a_bad_header_is_told(line: str, code: str, words: str) -> None:
    with pytest.raises(TemplateError) as caught:
        split_header(f"{line}\nx", "t.j2")
    assert caught.value.diagnostics[0].code == code
    assert words in caught.value.diagnostics[0].message
    assert str(caught.value.diagnostics[0].origin) == "t.j2:1"


def test_the_header_is_no_part_of_the_text() -> None:
    assert split_header("#jinja2:trim_blocks:True, newline_sequence: '\\r\\n'\nx\n") == (
        "x\n",
        {"trim_blocks": True, "newline_sequence": "\r\n"},
    )
    assert split_header("x\n") == ("x\n", {})


def test_extensions_are_loaded_as_settings_say(make_templar: Callable[..., Templar]) -> None:
    settings = Settings(jinja2_extensions=("jinja2.ext.do", "jinja2.ext.loopcontrols"))
    templar = make_templar(environment=TemplateEnvironment(settings))
    assert templar.resolve(Trusted("{% set x = [] %}{% do x.append(1) %}{{ x }}")) == [1]
    assert templar.render_text("{% for i in [1, 2] %}{% if i == 2 %}{% break %}{% endif %}{{ i }}{% endfor %}") == "1"
