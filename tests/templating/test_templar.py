"""What templates give: the expectations were observed in ansible-core 2.21 unless a row says otherwise."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pyplay.diagnostics.errors import TemplateError, UndefinedError
from pyplay.source.text import SourceList, SourceMap, Trusted
from pyplay.source.yaml import load_file
from pyplay.templating.omit import OMIT

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyplay.templating.templar import Templar

ROWS: list[tuple[str, Any]] = [
    # native types
    ("{{ 5 }}", 5),
    (" {{ 5 }}", " 5"),
    ("{{ 5 }}{{ 6 }}", "56"),
    ("{{ '1' }}", "1"),
    ("{{ 1.0 }}", 1.0),
    ("{{ none }}", None),
    ("{{ none }}{{ none }}", None),
    ("{{ none }}{{ 1 }}", 1),
    ("{{ '' }}{{ n }}", "5"),
    ("a{{ none }}b{{ true }}c{{ [1, 'x'] }}", "abTruec[1, 'x']"),
    ("{% if true %}{{ 5 }}{% endif %}", 5),
    ("{% if false %}x{% endif %}", None),
    ("x{{ 'a' if false }}y", "xy"),
    ("{{ ('a' if false) ~ 'b' }}", "b"),
    ("{{ ('a' if false) | upper }}", ""),
    ("{{ [1, 'a' if false] | join(',') }}", "1,"),
    ("{{ ('a' if false) == 'a' }}", False),
    ("{{ ('a' if false) | default('d') }}", "d"),
    ("{{ ('a' if false) is defined }}", False),
    ("{{ 'y' if ('a' if false) else 'n' }}", "n"),
    ("{% for c in ('a' if false) %}{{ c }}{% endfor %}.", "."),
    ("{{ 'a' in ('b' if false) }}", False),
    ("{% for i in [1] %}{{ i }}{% endfor %}", 1),
    ("{% for i in [1, 2] %}{{ i }}{% endfor %}", "12"),
    ("{% set x = 4 %}{{ x }}", 4),
    ("{% set q = 1 %} {{ 2 }}", " 2"),
    ("{%- set q = 1 -%} {{ 2 }}", 2),
    ("{% set b %}{{ n }}{% endset %}{{ b | type_debug }}", "int"),
    ("{% macro m(x) %}{{ x }}{% endmacro %}{{ m(3) }}", 3),
    ("{% macro m(x) %}<{{ x }}>{% endmacro %}{{ m(3) }}", "<3>"),
    ("{% macro m(x) %}{{ x | default('d') }}{% endmacro %}{{ m(undefd) }}", "d"),
    ("{% macro f() %}[{{ caller() }}]{% endmacro %}{% call f() %}{{ a }}{% endcall %}", "[A]"),
    ("{% with x = 3 %}{{ x }}{{ a }}{% endwith %}", "3A"),
    ("{% filter upper %}{{ a }}b{% endfilter %}", "AB"),
    ("{% block x %}{{ a }}{% endblock %}", "A"),
    ("{# c #}{{ n }}", 5),
    ("{# only #}", None),
    ("{{ 1 }} {# x #}", "1 "),
    ("{{- n -}}", 5),
    ("{% raw %}{{ n }}{% endraw %}", "{{ n }}"),
    ("{{ (1, 2) }}", [1, 2]),
    ("{{ [1, 2] | map('string') }}", ["1", "2"]),
    ("{{ {'a': 1}.keys() }}", ["a"]),
    ("{{ ([1, 2] | map('string'))[0] }}", "1"),
    ("{{ ([1, 2] | select('odd')) | length }}", 1),
    ("{{ {1: 'a'} }}", {1: "a"}),
    ("{{ 1 < 2 < 3 }}", True),
    # newlines
    ("plain\n", "plain\n"),
    ("{{ n }}\n", 5),
    ("{{ n }}\n\n", "5\n\n"),
    ("{{ 'x' }}\n", "x\n"),
    ("{{ a }}\n", "A\n"),
    ("a{{ n }}\n\n\n", "a5\n\n\n"),
    ("{{ n }} \n", "5 \n"),
    ("{% if true %}\nfoo\n{% endif %}\nbar\n", "foo\nbar\n"),
    # strings between {{ }} are raw, in {% %} they are not
    (r"{{ 'a\nb' }}", r"a\nb"),
    (r"{{ 'it\'s' }}", r"it\'s"),
    (r"{% set x = 'a\nb' %}{{ x }}", "a\nb"),
    (r"{{ 'x1' | regex_replace('(\d)', '<\1>') }}", "x<1>"),
    # variables, rendered when read
    ("{{ chain }}", 5),
    ("{{ nested.x.y }}", "A"),
    ("{{ e }}", {"k": 5, "x": {"y": "A"}}),
    ("{{ self_map.a }}", "v5"),
    ("{{ txt }}", "{{ x }}"),
    ("{{ unsafe }} {{ use_unsafe }}", "{{ n }} {{ n }}"),
    ("{{ '{{ a }}' | upper }}", "{{ A }}"),
    ("{{ '{{ a }}' == 'A' }}", False),
    ("{{ ['{{ a }}'] }}", ["{{ a }}"]),
    # containers read as dicts and lists
    ("{{ lst[0] }}{{ lst | length }}", "53"),
    ("{{ lst | first }} {{ lst[0:2] }}", "5 [5, 2]"),
    ("{{ lst | last | default('D') }}", "D"),
    ("{{ lst | map('default', 'q') | list }}", [5, 2, "q"]),
    ("{{ lst | select('defined') | list }}", [5, 2]),
    ("{{ clean == [5, 2] }} {{ [5, 2] == clean }} {{ 5 in clean }}", "True True True"),
    (
        "{{ clean + [1] }} {{ [1] + clean }} {{ clean[::-1] }} {{ clean * 2 }}",
        "[5, 2, 1] [1, 5, 2] [2, 5] [5, 2, 5, 2]",
    ),
    ("{{ e.items() | list }}", [["k", 5], ["x", {"y": "A"}]]),
    ("{% for k, v in e.items() %}{{ k }}={{ v }};{% endfor %}", "k=5;x={'y': 'A'};"),
    ("{% for v in clean %}{{ v }},{% endfor %}", "5,2,"),
    ("{{ e.values() | list | length }} {{ 'k' in e }} {{ e.get('k') }} {{ e.get('z', 1) }}", "2 True 5 1"),
    ("{{ e | to_json }}", '{"k": 5, "x": {"y": "A"}}'),
    ("{{ dict(clean=clean).clean[0] }}", 5),
    ("{{ ','.join(list_of) }} {{ clean | join('-') }}", "a,b 5-2"),
    ("{{ list_of.append('c') }}{{ list_of }}", ["a", "b", "c"]),
    ("{{ e.update({'z': 1}) }}{{ e.z }}", 1),
    ("{{ clean is sequence }} {{ e is mapping }} {{ clean | type_debug }} {{ e | type_debug }}", "True True list dict"),
    ("{{ e | combine({'k': 'z'}) }}", {"k": "z", "x": {"y": "A"}}),
    # attributes and keys
    ("{{ a.0 }} {{ clean.0 }} {{ clean['0'] | default('no') }}", "A 5 no"),
    ("{{ {'items': 3}['items'] }}", 3),
    ("{{ a.upper() }}", "A"),
    # undefined
    ("{{ foo.bar.baz | default('x') }}", "x"),
    ("{{ foo['a'].b | default('y') }} {{ n.zip.zap | default('u') }}", "y u"),
    ("{{ d['nope']['x'] | default('deep') }} {{ d.nope is defined }} {{ d.b is defined }}", "deep False False"),
    ("{{ nest_undef | default('dd') }} {{ part_undef | default('pp') }}", "dd pp"),
    ("{{ pick | default('dd') }} {{ pick is defined }}", "dd False"),
    ("{{ undefd is undefined and undefd is not defined }}", True),
    ("{{ nul.nothing | default('d') }} {{ nul | default('n') }}", "d "),
    ("{{ empty | default('e', true) }}", "e"),
    (
        "{{ undefd | upper | default('q') }} {{ undefd.foo() | default('r') }} {{ a | replace('A', undefd) | default('s') }}",
        "q r s",
    ),
    ("{{ (undefd is string) | default('q') }} {{ range(undefd) | default('r') }}", "q r"),
    ("{{ [undefd] | to_json | default('q') }} {{ d | to_json | default('r') }}", "q r"),
    ("{{ undefd | default(omit) }}", OMIT),
    ("{% set ns = namespace(x=undefd) %}{{ ns.x | default('q') }}", "q"),
    ("{{ a if n == 5 else undefd }}", "A"),
    # omit
    ("{{ omit }}", OMIT),
    ("a{{ omit }}", "a"),
    ("{{ omit }}{{ n }}", "5"),
    ("{{ [omit, 1] }}", [1]),
    ("{{ {'a': omit, 'b': 1} }}", {"b": 1}),
    ("{{ omitted is defined }}", True),
    # globals, vars, names with dots
    ("{{ vars['chain'] }} {{ vars.chain }} {{ vars['nope'] | default('nn') }} {{ 'n' in vars }}", "5 5 nn True"),
    ("{{ 5 | ansible.builtin.string }} {{ 5 is ansible.builtin.number }}", "5 True"),
    ("{{ now() | type_debug }} {{ now(utc=true).year > 2000 }} {{ now(fmt='x') }}", "datetime True x"),
    (
        "{{ dict(a=1) }} {{ cycler is defined }} {{ lipsum is defined }} {{ loop is defined }}",
        "{'a': 1} True True False",
    ),
    # lookups
    ("{{ lookup('items', [1, 2]) }}", [1, 2]),
    ("{{ lookup('items', ['a', 'b']) }}", "a,b"),
    ("{{ lookup('items', [1]) }}", 1),
    ("{{ lookup('items', []) }}", []),
    ("{{ lookup('items', ['a', 'b'], wantlist=True) }}", ["a", "b"]),
    ("{{ query('items', ['a']) }} {{ q('items', [1]) }}", "['a'] [1]"),
    ("{{ lookup('ansible.builtin.vars', 'chain') }}", 5),
    ("{{ lookup('file', '/nope', errors='ignore') }}|{{ q('file', '/nope', errors='ignore') }}", "|[]"),
    ("{{ lookup('vars', undefd) | default('q') }}", "q"),
    ("{{ lookup('vars', '{{ a }}', default='zz') }}", "zz"),
    ("{{ lookup('vars', '{{ list_of[0] }}') }}", "A"),
]


@pytest.mark.parametrize(
    ("template", "expected"), ROWS, ids=[row[0][:60].encode("unicode_escape").decode() for row in ROWS]
)
def test_a_template_gives(templar: Templar, template: str, expected: Any) -> None:
    result = templar.resolve(Trusted(template))
    assert result == expected
    assert isinstance(result, type(expected))


FAULTS: list[tuple[str, type[Exception], str, str]] = [
    ("{{ foo.bar.baz }}", UndefinedError, "'foo' is undefined", "undefined-variable"),
    ("{{ e.zip }}", UndefinedError, "'dict object' has no attribute 'zip'", "undefined-attribute"),
    ("{{ e.x.q.z }}", UndefinedError, "'dict object' has no attribute 'q'", "undefined-attribute"),
    ("{{ clean[9] }}", UndefinedError, "list object has no element 9", "undefined-attribute"),
    ("{{ nul.nothing }}", UndefinedError, "'None' has no attribute 'nothing'", "undefined-attribute"),
    ("{{ lst }}", UndefinedError, "'undefd' is undefined", "undefined-variable"),
    ("{{ lst | join(',') }}", UndefinedError, "'undefd' is undefined", "undefined-variable"),
    ("{{ lst | tojson }}", UndefinedError, "'undefd' is undefined", "undefined-variable"),
    ("{{ foo == 1 }}", UndefinedError, "'foo' is undefined", "undefined-variable"),
    ("{{ foo or 1 }}", UndefinedError, "'foo' is undefined", "undefined-variable"),
    ("{{ not foo }}", UndefinedError, "'foo' is undefined", "undefined-variable"),
    ("{% for i in foo %}x{% endfor %}", UndefinedError, "'foo' is undefined", "undefined-variable"),
    ("{% if foo %}x{% endif %}", UndefinedError, "'foo' is undefined", "undefined-variable"),
    ("{{ [1, foo] }}", UndefinedError, "'foo' is undefined", "undefined-variable"),
    ("{{ 'x{}'.format(foo) }}", UndefinedError, "'foo' is undefined", "undefined-variable"),
    ("{{ undef('say why') }}", UndefinedError, "say why", "undefined-variable"),
    (
        "{{ [a if false] }}",
        UndefinedError,
        "the condition of an `if` without `else` did not hold",
        "undefined-variable",
    ),
    ("{{ a if false }}", UndefinedError, "the condition of an `if` without `else` did not hold", "undefined-variable"),
    ("{{ a.__class__ }}", UndefinedError, "access to attribute '__class__' of", "undefined-attribute"),
    ("{{ a b }}", TemplateError, "syntax error", "template-syntax"),
    ("{{ badsyn }}", TemplateError, "syntax error", "template-syntax"),
    ("{{", TemplateError, "syntax error", "template-syntax"),
    ("{{ a | nope }}", TemplateError, "there is no filter 'nope'", "unknown-filter"),
    ("{{ a is nope }}", TemplateError, "there is no test 'nope'", "unknown-test"),
    ("{{ lookup('nope') }}", TemplateError, "there is no lookup 'nope'", "template-failed"),
    ("{{ lookup('file', '/nope') }}", TemplateError, "/nope", "template-failed"),
    ("{{ lookup('file', '/nope', errors='maybe') }}", TemplateError, "errors is 'maybe'", "template-failed"),
    ("{{ 1 / 0 }}", TemplateError, "division by zero", "template-failed"),
    ("{{ a | int(1, 2, 3, 4) }}", TemplateError, "filter 'int'", "template-failed"),
    ("{{ now }}", TemplateError, "no value that a variable can hold", "template-failed"),
    ("{% include 'none.j2' %}", TemplateError, "there is no template file 'none.j2'", "template-not-found"),
    ("{{ loop_a }}", TemplateError, "loop_a → loop_b → loop_c → loop_a", "recursive-variable"),
    ("{{ self_bad.a }}", TemplateError, "in a circle", "recursive-variable"),
    ("{% do a %}", TemplateError, "unknown tag 'do'", "template-syntax"),
]


@pytest.mark.parametrize(("template", "kind", "message", "code"), FAULTS, ids=[row[0] for row in FAULTS])
def test_a_fault_is_told(templar: Templar, template: str, kind: type[Exception], message: str, code: str) -> None:
    with pytest.raises(kind) as caught:
        templar.resolve(Trusted(template))
    diagnostic = caught.value.diagnostics[0]  # type: ignore[attr-defined]
    assert message in diagnostic.message
    assert diagnostic.code == code


@pytest.mark.parametrize(
    ("template", "mend"),
    [
        ("{{ a = 1 }}", "'==' compares"),
        ("{% if a = 1 %}{% endif %}", "'==' compares"),
        ("{{ a && n }}", "write 'and' for '&&'"),
        ("{{ a || n }}", "write 'or' for '||'"),
        ("{{ !a }}", "write 'not' for '!'"),
        ("{% set = 1 %}", ""),
        ("{{ a b }}", ""),
    ],
)
def test_operators_of_other_languages_are_told_with_ours(templar: Templar, template: str, mend: str) -> None:
    with pytest.raises(TemplateError) as caught:
        templar.resolve(Trusted(template))
    assert caught.value.diagnostics[0].help == mend


@pytest.mark.parametrize(
    ("facts", "template", "told"),
    [
        ({}, "{{ ansible_facts.distribution }}", True),
        ({}, "{{ ansible_facts['distribution'] }}", True),
        ({}, "{{ ansible_distribution }}", True),
        (None, "{{ ansible_distribution }}", True),
        ({}, "{{ empty_map.distribution }}", False),
        ({}, "{{ distribution }}", False),
        ({"system": "Linux"}, "{{ ansible_facts.distribution }}", False),
        ({"system": "Linux"}, "{{ ansible_distribution }}", False),
    ],
)
def test_a_fact_without_facts_is_told_as_such(
    make_templar: Callable[..., Templar], facts: dict[str, str] | None, template: str, *, told: bool
) -> None:
    variables = {"empty_map": {}} if facts is None else {"empty_map": {}, "ansible_facts": facts}
    with pytest.raises(UndefinedError) as caught:
        make_templar(**variables).resolve(Trusted(template))
    assert ("gather_facts" in caught.value.diagnostics[0].help) is told


def test_containers_of_arguments_are_resolved_and_lose_what_is_omitted(templar: Templar) -> None:
    value = SourceMap(
        {
            "list": SourceList([Trusted("{{ omit }}"), {"a": Trusted("{{ omit }}"), "b": 1}]),
            "gone": Trusted("{{ omit }}"),
        }
    )
    assert templar.resolve(value) == {"list": [{"b": 1}]}


def test_keys_are_never_templates(templar: Templar) -> None:
    assert templar.resolve({"{{ a }}": Trusted("{{ n }}")}) == {"{{ a }}": 5}


def test_text_without_template_syntax_is_given_back_as_it_is(templar: Templar) -> None:
    text = Trusted("plain { text }")
    assert templar.resolve(text) is text


def test_what_stands_in_a_data_container_is_rendered_only_if_a_user_wrote_it(templar: Templar) -> None:
    with_data = templar.with_vars({"data": {"evil": "{{ n }}", "good": Trusted("{{ n }}")}})
    assert with_data.resolve(Trusted("{{ data }}")) == {"evil": "{{ n }}", "good": 5}


def test_templates_do_not_change_the_variables_they_read(make_templar: Callable[..., Templar]) -> None:
    stored = {"list": [1], "map": {"in": [1]}}
    templar = make_templar(stored=stored)
    templar.resolve(
        Trusted(
            "{% set _ = stored.list.append(2) %}{% set _ = stored.map['in'].append(2) %}{{ stored.update({'x': 1}) }}"
        )
    )
    assert stored == {"list": [1], "map": {"in": [1]}}


def test_overlays_go_first_and_cost_the_base_nothing(templar: Templar) -> None:
    inner = templar.with_vars({"item": 1, "n": 7})
    assert inner.resolve(Trusted("{{ item }} {{ chain }}")) == "1 7"
    assert templar.resolve(Trusted("{{ item | default('no') }} {{ chain }}")) == "no 5"


def test_a_variable_may_be_named_as_a_function_or_omit(templar: Templar) -> None:
    assert (
        templar.with_vars({"range": "mine", "omit": "mine too"}).resolve(Trusted("{{ range }} {{ omit }}"))
        == "mine mine too"
    )


def test_evaluate_takes_a_bare_expression(templar: Templar) -> None:
    assert templar.evaluate("n + 1") == 6
    assert templar.evaluate("clean") == [5, 2]
    with pytest.raises(TemplateError, match="after the end of the expression"):
        templar.evaluate("n }} {{ a")


def test_dates_and_bytes_pass(make_templar: Callable[..., Templar]) -> None:
    day, data = dt.date(2026, 1, 2), b"\x00"
    assert make_templar(day=day, data=data).resolve(Trusted("{{ [day, data] }}")) == [day, data]


def test_results_are_plain_types(templar: Templar) -> None:
    result = templar.resolve(Trusted("{{ {'m': e, 'l': clean, 's': a | upper} }}"))
    assert type(result) is dict
    assert type(result["m"]) is dict
    assert type(result["m"]["x"]) is dict
    assert type(result["l"]) is list
    assert type(result["s"]) is str


def test_warnings_are_collected_and_taken(templar: Templar) -> None:
    assert templar.with_vars({}).resolve(Trusted("{{ lookup('file', '/nope', errors='warn') }}")) is None
    assert [notice.code for notice in templar.take_notices()] == ["lookup-failed"]
    assert templar.take_notices() == []


def test_an_undefined_error_stands_where_the_name_does(make_templar: Callable[..., Templar], tmp_path: Any) -> None:
    path = tmp_path / "vars.yml"
    path.write_text(
        "outer: '{{ inner }}'\ninner: \"a {{ shiny_nane }}\"\nshiny_name: 1\nblock: |\n  one\n  two {{ shiny_nane }}\n"
    )
    templar = make_templar(**load_file(str(path)))
    with pytest.raises(UndefinedError) as caught:
        templar.resolve(Trusted("{{ outer }}"))
    diagnostic = caught.value.diagnostics[0]
    assert str(diagnostic.origin) == f"{path}:2:14"
    assert diagnostic.length == len("shiny_nane")
    assert diagnostic.help == "did you mean 'shiny_name'?"
    with pytest.raises(UndefinedError) as caught:
        templar.resolve(Trusted("{{ block }}"))
    assert str(caught.value.diagnostics[0].origin) == f"{path}:6:10"


def test_very_long_chains_are_a_circle_and_no_crash(make_templar: Callable[..., Templar]) -> None:
    templar = make_templar(
        "x: \"{{ lookup('vars', 'y', z=1) }}\"\ny: \"{{ lookup('template', 'no') if false else lookup('vars', 'x') }}\"\n"
    )
    with pytest.raises(TemplateError, match="in a circle"):
        templar.resolve(Trusted("{{ x }}"))


DATA = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(alphabet="{}%#ab' n|"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(DATA)
def test_data_is_never_evaluated(templar: Templar, data: Any) -> None:
    with_data = templar.with_vars(
        {"data": data, "again": Trusted("{{ data }}"), "third": SourceMap({"in": Trusted("{{ again }}")})}
    )
    assert with_data.resolve(data) == data
    assert with_data.resolve(Trusted("{{ data }}")) == data
    assert with_data.resolve(Trusted("{{ third['in'] }}")) == data
    assert with_data.resolve(Trusted("{{ [again, {'x': data}] }}")) == [data, {"x": data}]
    assert with_data.resolve(Trusted("{{ lookup('vars', 'again') }}")) == data
