"""A templar over a few variables that a user wrote."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pyplay.source.settings import Settings
from pyplay.source.yaml import load_text
from pyplay.templating.environment import TemplateEnvironment
from pyplay.templating.filters.registry import FILTERS
from pyplay.templating.lookups.registry import LOOKUPS
from pyplay.templating.scope import MapScope
from pyplay.templating.templar import Templar
from pyplay.templating.tests.registry import TESTS

if TYPE_CHECKING:
    from collections.abc import Callable

VARIABLES = """\
a: A
n: 5
s: "yes"
tf: true
nul: null
empty: ""
lst: ["{{ n }}", 2, "{{ undefd }}"]
clean: ["{{ n }}", 2]
d: {k: "{{ n }}", b: "{{ undefd }}"}
e: {k: "{{ n }}", x: {y: "{{ a }}"}}
cond: n == 5
condt: "{{ n == 5 }}"
list_of: [a, b]
nested: "{{ e }}"
badsyn: "{{ a b }}"
nest_undef: "{{ undefd2.foo }}"
part_undef: "x{{ undefd2 }}"
omitted: "{{ omit }}"
pick: "{{ d.b }}"
txt: "{{ '{{ x }}' }}"
unsafe: !unsafe "{{ n }}"
use_unsafe: "{{ unsafe }}"
chain: "{{ link }}"
link: "{{ n }}"
loop_a: "{{ loop_b }}"
loop_b: "x{{ loop_c }}"
loop_c: "{{ loop_a }}"
self_map: {a: "{{ self_map.b }}", b: "v{{ n }}"}
self_bad: {a: "{{ self_bad.b }}", b: "{{ self_bad.a }}"}
"""


@pytest.fixture(scope="session")
def template_environment() -> TemplateEnvironment:
    return TemplateEnvironment(Settings(), filters=FILTERS, tests=TESTS, lookups=LOOKUPS)


@pytest.fixture
def make_templar(template_environment: TemplateEnvironment, tmp_path: Any) -> Callable[..., Templar]:
    def make(text: str = VARIABLES, *, environment: TemplateEnvironment | None = None, **extra: Any) -> Templar:
        variables = {**load_text(text, "vars.yml"), **extra}
        return Templar(
            environment or template_environment,
            MapScope(variables),
            search_path=(str(tmp_path),),
            basedir=str(tmp_path),
        )

    return make


@pytest.fixture
def templar(make_templar: Callable[..., Templar]) -> Templar:
    return make_templar()
