"""Conditions: `when`, `changed_when`, `failed_when`, `until`, `that` and the like.

A condition is an expression without delimiters, a boolean, or a list of these, all of which must hold. Its value must
be boolean; `allow_broken_conditionals` takes anything's truth with a warning. A condition that is as a whole a template
is accepted with a deprecation; where that template is one variable holding an expression, that is evaluated. With
`compat = 2.18` templates inside of an expression stand for their values, with a warning.
Source: Ansible 2.19, "Broken conditionals"; observed in ansible-core 2.21.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from pyplay.diagnostics.deprecated import deprecated
from pyplay.diagnostics.errors import TemplateError
from pyplay.diagnostics.model import Diagnostic, Severity
from pyplay.source.splitter import is_one_template
from pyplay.source.text import Trusted, origin_of
from pyplay.templating import faults
from pyplay.templating.omit import OMIT
from pyplay.templating.sealed import Sealed
from pyplay.templating.undefined import Undefined, UndefinedUse

if TYPE_CHECKING:
    from pyplay.diagnostics.model import Origin
    from pyplay.templating.templar import Templar

_EMBEDDED = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\{\{(.*?)\}\}""")


class Verdict(NamedTuple):
    """Whether conditions hold, and the first one, raw, that does not."""

    holds: bool
    condition: Any = None


def check(templar: Templar, value: Any) -> Verdict:
    """Tell whether `value`, one condition or several, holds. Later ones are not looked at once one does not hold.

    Raises TemplateError for what is no condition or not boolean, UndefinedError.
    """
    if value is None or value is True:
        return Verdict(holds=True)
    conditions = cast("list[Any]", value) if isinstance(value, (list, tuple)) else [value]
    for condition in conditions:
        if not holds(templar, condition):
            return Verdict(holds=False, condition=condition)
    return Verdict(holds=True)


def holds(templar: Templar, condition: Any) -> bool:
    """Tell whether one condition holds. Raises as `check`."""
    if condition is None or isinstance(condition, bool):
        return condition is not False
    if not isinstance(condition, str):
        return _not_an_expression(templar, condition)
    text = condition.strip()
    if not text:
        return _empty(templar, condition)
    if not isinstance(condition, Trusted):
        raise TemplateError.of(
            "untrusted-condition",
            f"the condition '{_shorten(text)}' is an untrusted template or expression: data is never evaluated",
            help="write the expression itself, without {{ }} or {% %} around its parts",
        )
    origin = origin_of(condition)
    try:
        result = _evaluate(templar, condition, text)
        if isinstance(result, (Undefined, Sealed)):
            result.fail()
        return _boolean(templar, result, condition, origin)
    except UndefinedUse as error:
        raise faults.undefined_error(error.undefined, templar, origin) from error


def _evaluate(templar: Templar, condition: Trusted, text: str) -> Any:
    if templar.environment.takes_old and "{{" in text and not is_one_template(text):
        opened = _EMBEDDED.sub(lambda match: f"({match[1].strip()})" if match[1] else match[0], text)
        if opened != text:
            message = f"the condition '{_shorten(text)}' has templates inside of an expression"
            _accept(templar, message, origin_of(condition), f"write `{_shorten(opened)}`")
            return templar.expression(Trusted(opened, origin_of(condition)), is_condition=True)
    if not (text.startswith(("{{", "{%")) and text.endswith(("}}", "%}"))):
        return templar.expression(condition, is_condition=True)
    result = templar.render(condition)
    if isinstance(result, Trusted):  # a condition that a user wrote, in a variable
        return templar.expression(result, is_condition=True)
    if isinstance(result, bool):
        templar.notices.append(deprecated("delimited-condition", {"text": _shorten(text)}, origin_of(condition)))
    return result


def _boolean(templar: Templar, result: Any, condition: Any, origin: Origin | None) -> bool:
    if isinstance(result, bool):
        return result
    if result is OMIT:
        raise TemplateError.of("omitted-condition", f"the condition '{_shorten(condition)}' gives omit", origin)
    kind = _kind(result)
    if isinstance(result, str) and is_one_template(str(condition).strip()):
        kind += ", an untrusted template or expression"
    message = f"the condition '{_shorten(condition)}' gives {kind}; conditions must have a boolean result"
    if not templar.environment.broken_conditionals:
        raise TemplateError.of(
            "condition-not-boolean", message, origin, label=f"{kind} here", help=_mend(result, condition)
        )
    _accept(templar, message, origin, _mend(result, condition))
    return bool(result)


def _kind(value: Any) -> str:
    if value is None:
        return "None"
    for kind, words in ((str, "text"), (int, "an integer"), (float, "a number"), (dict, "a mapping"), (list, "a list")):
        if isinstance(value, kind):
            return words
    return f"a {type(value).__name__}"


def _mend(result: Any, condition: Any) -> str:
    text = str(condition).strip()
    if text.startswith(("{{", "{%")):
        return "write an expression without delimiters that gives a boolean"
    text = f"({text})" if " " in text else text
    if isinstance(result, str):
        return f"write `{text} | bool` for a text such as yes or no, `{text} | length > 0` for one that is not empty"
    if result is None:
        return f"write `{text} is not none`"
    if isinstance(result, (int, float)):
        return f"write `{text} != 0` or `{text} | bool`"
    return f"write `{text} | length > 0`"


def _not_an_expression(templar: Templar, condition: Any) -> bool:
    message = f"a condition must be an expression or a boolean, this is {_kind(condition)}"
    if not templar.environment.broken_conditionals:
        raise TemplateError.of(
            "not-a-condition", message, origin_of(condition), help="write an expression that gives a boolean"
        )
    _accept(templar, message, origin_of(condition), "write an expression that gives a boolean")
    return bool(condition)


def _empty(templar: Templar, condition: str) -> bool:
    message, mend = "the condition is empty", "leave it out, or write the expression"
    if not templar.environment.broken_conditionals:
        raise TemplateError.of("empty-condition", message, origin_of(condition), help=mend)
    _accept(templar, message, origin_of(condition), mend)
    return True


def _accept(templar: Templar, message: str, origin: Origin | None, mend: str) -> None:
    templar.notices.append(Diagnostic("broken-condition", message, origin, help=mend, severity=Severity.WARNING))


def _shorten(condition: Any) -> str:
    text = " ".join(str(condition).split())
    return text if len(text) <= 80 else text[:79] + "…"
