"""Keywords that are read anew for each item, modules that a template names, templated names of facts."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from bench import make_task

from pyplay.diagnostics.model import Origin
from pyplay.source.text import Trusted

if TYPE_CHECKING:
    from bench import Bench

    from pyplay.workers.messages import TaskResult


@pytest.mark.parametrize(
    ("condition", "ignored"),
    [
        pytest.param("item == 'good'", True, id="an item that went well"),
        pytest.param("item == 'bad'", True, id="one of those that failed"),
        pytest.param("item == 'other'", False, id="no item"),
        pytest.param("item.nothing.there", False, id="what cannot be rendered"),
    ],
)
def test_ignore_errors_is_read_for_each_item(bench: Bench, condition: str, *, ignored: bool) -> None:
    task = 'command: test {{ item }} = good\nloop: [good, bad, worse]\nignore_errors: "{{ %s }}"' % condition  # noqa: UP031  # braces
    result = bench.run(task)
    assert (result.failed, result.ignored) == (True, ignored)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        pytest.param("{{ which }}", "ansible.builtin.debug", id="plain"),
        pytest.param("{{ {'a': which}['a'] }}", "ansible.builtin.debug", id="braces inside"),
        pytest.param("ansible.builtin.{{ which }}", "ansible.builtin.debug", id="a part"),
    ],
)
def test_a_template_names_the_module(bench: Bench, name: str, expected: str) -> None:
    bench.variables["which"] = "debug"
    result = run_named(bench, name)
    assert (result.action, result.result["msg"]) == (expected, "hi")


@pytest.mark.parametrize("name", ["include_tasks", "ansible.builtin.meta", "  ", ["debug"], 3])
def test_what_a_template_cannot_name_fails_the_task(bench: Bench, name: Any) -> None:
    bench.variables["which"] = name
    result = run_named(bench, "{{ which }}")
    assert result.failed
    assert "site.yml:3:5" in result.result["msg"]


def run_named(bench: Bench, name: str) -> TaskResult:
    """Run a task with the message `hi` whose module is `name`."""
    task = replace(make_task("debug: {msg: hi}"), action=Trusted(name, Origin("site.yml", 3, 5)), resolved_action=name)
    return asyncio.run(bench.run_task(task))


@pytest.mark.parametrize("name", ["{{ name_ }}", "{{ 'm' }}ade", "made"])
def test_names_of_facts_may_be_templates(bench: Bench, name: str) -> None:
    bench.variables.update(name_="made", value=5)
    task = replace(make_task("set_fact: {}"), args={Trusted(name): Trusted("{{ value }}")})
    assert asyncio.run(bench.run_task(task)).store == {"set_facts": {"h1": {"made": 5}}}


@pytest.mark.parametrize("given", ["'{{ [1] }}'", "{debug: [1]}", "{debug: text}", "5"])
def test_module_defaults_that_are_no_mapping_are_told(bench: Bench, given: str) -> None:
    result = bench.run(f"debug: {{msg: hi}}\nmodule_defaults: {given}")
    assert result.failed
    assert "module_defaults needs a mapping" in result.result["msg"]
