"""What stays trusted on its way: as in ansible-core, for text that a user wrote and for what programs print."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from projects import needs_oracle, play, run_both

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.parity, needs_oracle]

PICKS = [
    "names | first", "names | last", "names | list | first", "names | unique | first", "names | sort | first",
    "names | reverse | first", "names | union(names) | first", "names | difference([]) | first", "names | max",
    "names | symmetric_difference([]) | first", "names | shuffle(seed=1) | first", "names | min", "names | random",
    "[names] | flatten | first", "(names | zip(names) | first)[0]", "(names | product(names) | first)[1]",
    "(names | batch(1) | first)[0]", "(names | slice(1) | first)[0]", "(names | combinations(1) | first)[0]",
    "(names | permutations(1) | first)[0]", "(names | zip_longest(names) | first)[0]", "names | select | first",
    "names | reject('none') | first", "[{'c': names[0]}] | map(attribute='c') | first", "names | string",
    "([{'c': names[0]}] | selectattr('c', 'defined') | first).c", "([{'c': names[0]}] | groupby('c') | first)[1][0].c",
    "['c'] | map('extract', {'c': names[0]}) | first", "({'c': names[0]} | dict2items | first).value",
    "({'c': names[0]} | combine({})).c", "({'c': names[0]} | dictsort | first)[1]", "{'c': names[0]}.values() | first",
    "([{'key': 'c', 'value': names[0]}] | items2dict).c", "([{'s': names}] | subelements('s') | first)[1]",
    "([{'n': 'q', 'c': names[0]}] | rekey_on_member('n')).q.c", "nope | default(names[0])", "names[0] | trim",
    "names[0] ~ ''", "names[0] | lower", "names[0] | quote", "names | to_json | from_json | first", "names | join",
    "names[0].split(',') | first", "names[0] | regex_replace('z', '')", "true | ternary(names[0], 1)", "['a == 1'][0]",
    "query('items', names) | first", "lookup('items', names)", "query('dict', {'c': names[0]})[0].value",
    "query('nested', names, names)[0][1]", "query('together', names, names)[0][0]", "lookup('list', names) | first",
    "query('indexed_items', names)[0][1]", "query('subelements', [{'s': names}], 's')[0][1]", "lookup('random_choice', names)",
]  # fmt: skip
"""Ways to pick the condition `a == 1` out of `names`; some of them make new text."""
LOOPS: dict[str, tuple[Any, str]] = {
    "with_items": ("{{ names }}", "item"),
    "with_list": ("{{ names }}", "item"),
    "with_dict": ({"c": "{{ names[0] }}"}, "item.value"),
    "with_nested": (["{{ names }}", "{{ names }}"], "item.1"),
    "with_together": (["{{ names }}", [1]], "item.0"),
    "with_indexed_items": ("{{ names }}", "item.1"),
    "with_subelements": ([[{"s": "{{ names }}"}], "s"], "item.1"),
    "with_random_choice": ("{{ names }}", "item"),
    "loop": ([{"c": "{{ names[0] }}"}], "item.c"),
}


def probes() -> list[dict[str, Any]]:
    """Return tasks that take each value as an expression and as a condition."""
    tasks: list[dict[str, Any]] = []
    for pick in PICKS:
        template = f"{{{{ {pick} }}}}"
        tasks += [{"name": f"var {pick}", "debug": {"var": template}}, {"name": pick, "assert": {"that": template}}]
    for loop, (terms, value) in LOOPS.items():
        template = f"{{{{ {value} }}}}"
        tasks += [
            {"name": f"var {loop}", "debug": {"var": template}, loop: terms},
            {"name": loop, "assert": {"that": template}, loop: terms},
        ]
    return [{**task, "register": "done", "ignore_errors": True} for task in tasks]


@pytest.mark.parametrize(
    ("names", "trusted"),
    [
        pytest.param(["a == 1"], True, id="written"),
        pytest.param("{{ query('pipe', 'echo a == 1') }}", False, id="printed by a program"),
        pytest.param("{{ lookup('file', 'f.json') | from_json }}", False, id="read from a file"),
    ],
)
def test_what_stays_trusted(names: Any, trusted: bool, tmp_path: Path) -> None:  # noqa: FBT001  # a column of the table
    files = {"f.json": '["a == 1"]', "site.yml": [play(*probes(), vars={"names": names, "a": 1})]}
    core, ours = (states(outcome) for outcome in run_both(files, tmp_path))
    assert ours == core
    assert (ours["TASK names | first"] == ["ok"]) is trusted


def states(outcome: Any) -> dict[str, list[str]]:
    """Return the states of every task: the words of failures are each engine's own."""
    return {name: sorted({entry[0] for entry in entries} - {"...ignoring"}) for name, entries in outcome.tasks}
