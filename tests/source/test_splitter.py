from __future__ import annotations

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyplay.diagnostics.errors import PlaybookError
from pyplay.diagnostics.model import Origin
from pyplay.source.splitter import UnbalancedError, parse_kv, split_args
from pyplay.source.text import Trusted

RAW = frozenset({"chdir", "creates"})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('a=1 b="x y" c={{ 1 + 1 }}', {"a": "1", "b": "x y", "c": "{{ 1 + 1 }}"}),
        ("foo bar=1", {"bar": "1", "_raw_params": "foo"}),
        (r'content="a\nb" x=\q', {"content": "a\nb", "x": r"\q"}),
        (r"a='\x41\u00e9'", {"a": "Aé"}),
        ('x="a"b', {"x": '"a"b'}),
        ("a={% if x and y %}y{% endif %} b=2", {"a": "{% if x and y %}y{% endif %}", "b": "2"}),
        ("msg='{{ \"}}\" }}' b=1", {"msg": '{{ "}}" }}', "b": "1"}),
        ("a=b=c", {"a": "b=c"}),
        ("a\\=b", {"_raw_params": "a=b"}),
        ("  a=1\n  b=2\n", {"a": "1", "b": "2"}),
        ("", {}),
    ],
)  # fmt: skip
def test_key_value_words(text: str, expected: dict[str, str]) -> None:
    assert parse_kv(text) == expected


@pytest.mark.parametrize(
    ("text", "raw", "options"),
    [
        ('echo "a   b"    c   chdir=/tmp   d', 'echo "a   b"    c d', {"chdir": "/tmp"}),
        ("echo x=1\necho foo=bar   chdir=/tmp\necho y", "echo x=1\necho foo=bar\necho y", {"chdir": "/tmp"}),
        ("echo a \\\n   b chdir=/x", "echo a   b", {"chdir": "/x"}),
        ("echo a \\\nb\n", "echo a b\n", {}),
        ("echo a \\\n\\\n b", "echo a b", {}),
        ("for i in 1 2; do \\\n  echo $i; \\\ndone\n", "for i in 1 2; do  echo $i; done\n", {}),
        ("echo a \\\nchdir=/x", "echo a", {"chdir": "/x"}),
        ("echo a \\ b", "echo a b", {}),
        ("echo \\\n", "echo", {}),
        ('echo "a \\\n b" c\\ d \\\\', 'echo "a \\\n b" c\\ d \\\\', {}),
        ("  echo a  ", "  echo a  ", {}),
        ("\n\necho a\n\n", "\n\necho a\n\n", {}),
        ("echo a creates=/x \n", "echo a", {"creates": "/x"}),
        ("echo 'it\"s'  creates='/a b'", "echo 'it\"s'", {"creates": "/a b"}),
        ("creates=/x touch /x", "touch /x", {"creates": "/x"}),
        ("cat <<E\n  deep\n\nE", "cat <<E\n  deep\n\nE", {}),
    ],
)
def test_command_lines_stay_as_they_were_written(text: str, raw: str, options: dict[str, str]) -> None:
    assert parse_kv(text, raw_options=RAW) == {**options, "_raw_params": raw}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("inspect -f {{ '{{.Id}}' }} {{ item }}", ["inspect", "-f", "{{ '{{.Id}}' }}", "{{ item }}"]),
        ("ps --format '{{ '{{' }}.Names{{ '}}' }}' x", ["ps", "--format", "'{{ '{{' }}.Names{{ '}}' }}'", "x"]),
        ("a {{'{{'}}.ID{{'}}'}} b", ["a", "{{'{{'}}.ID{{'}}'}}", "b"]),
        ("a {{ '}}' ~ \"%}\" }} b", ["a", "{{ '}}' ~ \"%}\" }}", "b"]),
        ("a {{ {'b': {'c': 1}} }} d", ["a", "{{ {'b': {'c': 1}} }}", "d"]),
        ("a {% if x == '%}' %}1 {% endif %} b", ["a", "{% if x == '%}' %}1", "{% endif %}", "b"]),
        ("a {# it's #} b", ["a", "{# it's #}", "b"]),
        ("a {{ it's }} b", ["a", "{{ it's }}", "b"]),
        ("a }} %} b", ["a", "}}", "%}", "b"]),
    ],
)
def test_quotes_inside_of_templates_hide_braces(text: str, words: list[str]) -> None:
    assert split_args(text) == words


def test_values_keep_trust_and_place() -> None:
    origin = Origin("f", 3, 4)
    value = parse_kv(Trusted("a=1", origin))["a"]
    assert isinstance(value, Trusted)
    assert value.origin == origin
    assert type(parse_kv("a=1")["a"]) is str


@pytest.mark.parametrize("text", ['a="b', "a='b", "a={{ b", "x {% if"])
def test_what_is_open_is_refused_at_its_place(text: str) -> None:
    with pytest.raises(PlaybookError) as caught:
        parse_kv(Trusted(text, Origin("f", 3, 4)))
    assert caught.value.diagnostics[0].origin == Origin("f", 3, 4)


@given(
    st.lists(st.text(st.characters(exclude_characters="\\{%#}", exclude_categories=("Cs",)), min_size=1), max_size=5)
)
def test_quoted_words_come_back(words: list[str]) -> None:
    text = " ".join(shlex.quote(word) for word in words)
    assert [shlex.split(part)[0] for part in split_args(text)] == words


@given(st.text(max_size=40))
def test_any_text_is_split_or_refused(text: str) -> None:
    try:
        words = split_args(text)
    except UnbalancedError:
        return
    assert "".join("".join(words).split()) == "".join(text.split())


@pytest.mark.parametrize(("text", "value"), [
    (r"k=\1=5", r"\1=5"), (r"k=\101", r"\101"), (r"k=\0a", r"\0a"), (r"k=\x41\u0042\U00000043", "ABC"),
    (r"k=a\tb", "a\tb"), (r"k=a\n", "a"), (r"k=\r\r", ""), (r"k=\x4g", r"\x4g"), (r"k=\e", r"\e"),
])  # fmt: skip
def test_escapes_of_values_are_those_of_core(text: str, value: str) -> None:
    """No octal numbers, and white space around a value is none of it, escaped or not: observed in ansible-core 2.21."""
    assert parse_kv(text) == {"k": value}
