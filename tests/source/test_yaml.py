from __future__ import annotations

import datetime as dt
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest
import yaml as pyyaml
from hypothesis import given
from hypothesis import strategies as st

from pyplay.diagnostics.errors import PlaybookError
from pyplay.diagnostics.model import Diagnostic, Origin, Severity
from pyplay.source import yaml
from pyplay.source.text import SourceList, SourceMap, Trusted
from pyplay.source.vault import VaultText

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(params=["fastest", "pure"])
def parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "pure":
        monkeypatch.setattr(yaml, "PARSER", pyyaml.SafeLoader)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("yes", True),
        ("Off", False),
        ("~", None),
        ("", None),
        ("0644", 420),
        ("0x1f", 31),
        ("1:30", 90),
        ("1_000", 1000),
        (".inf", float("inf")),
        ("1e3", "1e3"),
        ("1.0e+3", 1000.0),
        ("2020-01-01", dt.date(2020, 1, 1)),
        ("=", "="),
        ("'yes'", "yes"),
        ("!!str 1", "1"),
        ("!!int '3'", 3),
        ("! 12", "12"),
        ("version 1.2", "version 1.2"),
        ("!!binary aGk=", b"hi"),
        ("!!set {a, b}", {"a", "b"}),
        ("!!omap [a: 1, b: 2]", {"a": 1, "b": 2}),
    ],
)
@pytest.mark.usefixtures("parser")
def test_scalars_mean_what_yaml_1_1_says(text: str, expected: object) -> None:
    value = yaml.load_text(f"x: {text}\n", "t")["x"]
    assert value == expected
    assert type(value) is type(expected) or isinstance(value, (Trusted, SourceMap))


@pytest.mark.usefixtures("parser")
def test_everything_knows_where_it_stands() -> None:
    value = yaml.load_text("a: 1\nb:\n  - x\n  - {c: 'y'}\n", "f.yml")
    assert isinstance(value, SourceMap)
    assert value.origin == Origin("f.yml", 1, 1)
    assert value.key_origins["b"] == Origin("f.yml", 2, 1)
    items = value["b"]
    assert isinstance(items, SourceList)
    assert items.origin == Origin("f.yml", 3, 3)
    assert items[0].origin == Origin("f.yml", 3, 5)
    assert items[1]["c"].origin == Origin("f.yml", 4, 9)
    assert type(next(iter(value))) is str


def test_lines_count_from_the_given_one() -> None:
    assert yaml.load_text("x: y\n", "f", line=7)["x"].origin == Origin("f", 7, 4)


@pytest.mark.usefixtures("parser")
def test_tags_decide_about_trust() -> None:
    value = yaml.load_text("a: !unsafe '{{ x }}'\nb: !unsafe [c, {d: e}]\nv: !vault |\n  abc\nt: '{{ x }}'\n", "f")
    assert type(value["a"]) is str
    assert type(value["b"][0]) is str
    assert type(value["b"][1]["d"]) is str
    assert isinstance(value["v"], VaultText)
    assert isinstance(value["t"], Trusted)
    assert type(yaml.load_text("a: b", "f", trusted=False)["a"]) is str


@pytest.mark.usefixtures("parser")
def test_merge_keys_and_anchors() -> None:
    text = "base: &b {x: 1, y: 2}\nmore: &m {y: 3, z: 3}\nuse:\n  <<: [*b, *m]\n  x: 9\nsame: *b\n"
    value = yaml.load_text(text, "f")
    assert value["use"] == {"y": 2, "z": 3, "x": 9}
    assert value["same"] == {"x": 1, "y": 2}
    assert value == pyyaml.safe_load(text)


def test_a_key_given_twice_is_told_and_the_last_one_counts() -> None:
    told: list[Diagnostic] = []
    assert yaml.load_text("a: 1\na: 2\n", "f", on_warning=told.append) == {"a": 2}
    assert [(d.code, d.origin, d.severity) for d in told] == [("duplicate-key", Origin("f", 2, 1), Severity.WARNING)]
    with pytest.raises(PlaybookError):
        yaml.load_text("a: 1\na: 2\n", "f", duplicates="error")
    assert yaml.load_text("a: 1\na: 2\n", "f", on_warning=told.append, duplicates="ignore") == {"a": 2}
    assert len(told) == 1


BROKEN = [
    ("a: {{ x }}\n", "unquoted-template", 1, 4),
    ("a: {{ x }}/bar\n", "unquoted-template", 1, 4),
    ("- {{ x }}\n", "unquoted-template", 1, 3),
    ("{{ x }}: 1\n", "unquoted-template", 1, 1),
    ("- a: 1\n\tb: 2\n", "tab-indent", 2, 1),
    ('a: "x\nb: 2\n', "unbalanced-quote", 1, 4),
    ("a: 'it's'\n", "text-after-quote", 1, 7),
    ('a: "x" y\n', "text-after-quote", 1, 6),
    ("a: b: c\n", "colon-in-value", 1, 5),
    ("- name: x\n  foo:1\n  bar: 2\n", "no-space-after-colon", 2, 6),
    ("- hosts: x\n  tasks:\n    - name: c\n     debug:\n        msg: hi\n", "bad-indent", 4, 6),
    ("a: 1\n  b: 2\n", "bad-indent", 2, 3),
    ("a: @x\n", "bad-character", 1, 4),
    ("a: 1\n- b\n", "list-in-mapping", 2, 1),
    ("- a\nb: 1\n", "mapping-in-list", 2, 1),
    ("a: !foo x\n", "unknown-tag", 1, 4),
    ("a: *x\n", "unknown-anchor", 1, 4),
    ("a: !!int foo\n", "bad-scalar", 1, 4),
    ("a: !!set x\n", "wrong-tag", 1, 4),
    ("a: !!seq\n", "wrong-tag", 1, 4),
    ("a: !!omap {b: 1}\n", "wrong-tag", 1, 4),
    ("a: !!map [b]\n", "wrong-tag", 1, 4),
    ("a: !!str [b]\n", "wrong-tag", 1, 4),
    ("!!pairs a: b\n", "wrong-tag", 1, 1),
    ("a: 2020-99-99\n", "bad-scalar", 1, 4),
    ("a: x\x01\n", "control-character", 1, 5),
    ("&a [*a]\n", "recursive-anchor", 1, 5),
    ("? [a]\n: b\n", "unusable-key", 1, 3),
    ("a: b\n---\nc: d\n", "several-documents", 3, 1),
    ("<<: 3\n", "bad-merge", 1, 1),
    ("a: [\n", "unclosed-bracket", 1, 4),
    ("a: {b: 1\n", "unclosed-bracket", 1, 4),
    ("a: [1, {b: 2]\n", "unclosed-bracket", 1, 13),
    ("a: {b: {{ x }}}\n", "unquoted-template", 1, 8),
]


@pytest.mark.parametrize(("text", "code", "line", "column"), BROKEN)
def test_broken_text_is_placed_and_explained(text: str, code: str, line: int, column: int) -> None:
    with pytest.raises(PlaybookError) as caught:
        yaml.load_text(text, "f.yml")
    (fault,) = caught.value.diagnostics
    assert (fault.code, fault.origin) == (code, Origin("f.yml", line, column))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a: [\n", "close it with ']'"),
        ("a: [{b: 1\n", "close it with '}'"),
        ("a: {b: [1}\n", "close it with ']'"),
        ("a: [{}, {b: '}']\n", "close it with '}'"),
        ("a: {b: {{ x }}}\n", 'write "{{ x }}"'),
        ("a: {b: {{ x }}, c: {{ y }}}\n", 'write "{{ x }}"'),
        ("a: 1\n b: 2\n", "do not indent it"),
        ("a:\n b: 1\n  c: 2\n", "indent it by 1 space"),
        ("a:\n  b: 1\n   c: 2\n", "indent it by 2 spaces"),
    ],
)
def test_the_mend_names_what_is_at_fault(text: str, words: str) -> None:
    with pytest.raises(PlaybookError) as caught:
        yaml.load_text(text, "f.yml")
    assert (caught.value.diagnostics[0].help or "").startswith(words)


@pytest.mark.parametrize("text", [row[0] for row in BROKEN])
def test_the_pure_parser_finds_a_line_too(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yaml, "PARSER", pyyaml.SafeLoader)
    with pytest.raises(PlaybookError) as caught:
        yaml.load_text(text, "f.yml")
    assert caught.value.diagnostics[0].origin is not None
    assert caught.value.diagnostics[0].origin.line


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(PlaybookError):
        yaml.load_text(text, "f.yml")


SCALARS = st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.dates()
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)


@given(VALUES)
def test_what_pyyaml_writes_is_read_back(value: Any) -> None:
    assert yaml.load_text(pyyaml.safe_dump(value), "f") == value


def test_files(tmp_path: Path) -> None:
    (tmp_path / "bom.yml").write_bytes(b"\xef\xbb\xbfa: 1\n")
    (tmp_path / "empty.yml").write_text("# nothing\n")
    (tmp_path / "a.json").write_text('{\n\t"a": "\\ud83d\\ude00", "b": [1, null]\n}\n')
    (tmp_path / "latin.yml").write_bytes(b"a: 1\nb: \xe9\n")
    assert yaml.load_file(tmp_path / "bom.yml") == {"a": 1}
    assert yaml.load_file(tmp_path / "empty.yml") is None
    assert yaml.load_file(tmp_path / "a.json") == {"a": "😀", "b": [1, None]}
    with pytest.raises(PlaybookError) as caught:
        yaml.load_file(tmp_path / "latin.yml")
    assert caught.value.diagnostics[0].origin == Origin(str(tmp_path / "latin.yml"), 2, 4)
    with pytest.raises(PlaybookError, match="No such file"):
        yaml.load_file(tmp_path / "gone.yml")


def test_a_thousand_tasks_are_read_in_a_moment() -> None:
    text = "- hosts: all\n  tasks:\n" + "".join(
        f"    - name: task {i}\n      copy:\n        src: a{i}\n        dest: /tmp/{i}\n      when: x is defined\n"
        for i in range(1000)
    )
    start = time.process_time()
    yaml.load_text(text, "f")
    assert time.process_time() - start < 0.5
