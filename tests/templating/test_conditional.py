"""Conditions must be boolean; expectations were observed in ansible-core 2.21."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pyplay.diagnostics.errors import TemplateError, UndefinedError
from pyplay.diagnostics.model import Severity
from pyplay.source.settings import Settings
from pyplay.source.text import Trusted
from pyplay.templating.environment import TemplateEnvironment
from pyplay.templating.filters.registry import FILTERS
from pyplay.templating.lookups.registry import LOOKUPS
from pyplay.templating.tests.registry import TESTS

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyplay.templating.templar import Templar


def trusted(value: Any) -> Any:
    if isinstance(value, str):
        return Trusted(value)
    return [trusted(member) for member in value] if isinstance(value, list) else value


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("n == 5", True),
        ("{{ n == 5 }}", True),
        ("condt", True),
        ("tf", True),
        ("true", True),
        ("True", True),
        ("undefd is defined", False),
        ("not n", False),
        ("n == 5 and tf", True),
        ("s | bool", True),
        ("d.b is defined", False),
        (True, True),
        (False, False),
        (None, True),
        ([], True),
        (["n == 5", "tf"], True),
        ([True, "tf"], True),
        (["n == 6", "undefd"], False),
        ("{{ cond }}", True),
        ("{{ tf }}", True),
        ("tf\n", True),
        (" tf", True),
        ("a in ['A']", True),
        ("a == '{{ a }}'", True),
        ("lookup('vars', 'tf')", True),
        (r"'x1' is search('\d')", True),
        (r"'a\nb' | length == 3", True),
        ("clean[0] == 5", True),
    ],
)
def test_a_condition_holds(templar: Templar, condition: Any, *, expected: bool) -> None:
    assert templar.condition(trusted(condition)) is expected


@pytest.mark.parametrize(
    ("condition", "code"),
    [
        ("n", "condition-not-boolean"),
        ("cond", "condition-not-boolean"),
        ("a", "condition-not-boolean"),
        ("list_of", "condition-not-boolean"),
        ("empty", "condition-not-boolean"),
        ("nul", "condition-not-boolean"),
        ("n and a", "condition-not-boolean"),
        ("'true'", "condition-not-boolean"),
        ("{% if tf %}true{% endif %}", "condition-not-boolean"),
        ("{{ a }}", "undefined-variable"),  # the variable holds the expression `A`
        ("{{ n }} == 5", "template-syntax"),
        ("n ==", "template-syntax"),
        ("n = 5", "template-syntax"),
        ("foo | nope", "unknown-filter"),
        (1, "not-a-condition"),
        ([["tf"]], "not-a-condition"),
        ({"a": 1}, "not-a-condition"),
        ("", "empty-condition"),
        ("omit", "omitted-condition"),
        ("undefd", "undefined-variable"),
        ("undefd.x", "undefined-variable"),
        ("'x' in undefd", "undefined-variable"),
        ("undefd is string", "undefined-variable"),
    ],
)
def test_a_condition_is_refused(templar: Templar, condition: Any, code: str) -> None:
    with pytest.raises(TemplateError) as caught:
        templar.condition(trusted(condition))
    assert caught.value.diagnostics[0].code == code
    assert isinstance(caught.value, UndefinedError) is code.startswith("undefined")


def test_data_is_no_condition(templar: Templar) -> None:
    with pytest.raises(TemplateError) as caught:
        templar.condition("n == 5")
    assert caught.value.diagnostics[0].code == "untrusted-condition"


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("n", True),
        ("list_of", True),
        ("empty", False),
        ("nul", False),
        ("cond", True),
        (1, True),
        ("", True),
        ([["tf"]], True),
        ({"a": 1}, True),
    ],
)
def test_the_switch_takes_any_truth_with_a_warning(
    make_templar: Callable[..., Templar], condition: Any, *, expected: bool
) -> None:
    switched = Settings(allow_broken_conditionals=True)
    environment = TemplateEnvironment(switched, filters=FILTERS, tests=TESTS, lookups=LOOKUPS)
    templar = make_templar(environment=environment)
    assert templar.condition(trusted(condition)) is expected
    assert [(notice.code, notice.severity) for notice in templar.take_notices()] == [
        ("broken-condition", Severity.WARNING)
    ]


def test_the_first_condition_that_does_not_hold_is_named(templar: Templar) -> None:
    verdict = templar.check(trusted(["tf", "n == 6", "n == 7"]))
    assert not verdict.holds
    assert verdict.condition == "n == 6"


@pytest.mark.parametrize(
    ("condition", "codes"),
    [
        ("{{ n == 5 }}", ["delimited-condition"]),
        ("{{ tf }}", ["delimited-condition"]),
        ("{{ cond }}", []),
        ("n == 5", []),
        ("a == '{{ a }}'", ["template-in-constant"]),
    ],
)
def test_conditions_written_as_templates_are_deprecated(templar: Templar, condition: str, codes: list[str]) -> None:
    assert templar.condition(Trusted(condition))
    assert [notice.code for notice in templar.take_notices()] == codes


@pytest.mark.parametrize(
    ("condition", "mend"),
    [
        ("list_of", "`list_of | length > 0`"),
        ("n", "`n != 0`"),
        ("s", "`s | bool`"),
        ("nul", "`nul is not none`"),
        ("n and s", "`(n and s) | bool`"),
    ],
)
def test_the_mend_is_an_expression(templar: Templar, condition: str, mend: str) -> None:
    with pytest.raises(TemplateError) as caught:
        templar.condition(Trusted(condition))
    assert mend in caught.value.diagnostics[0].help
