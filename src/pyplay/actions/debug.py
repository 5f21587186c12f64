"""debug: show a message or the value of an expression. Nothing runs on the host."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from pyplay.actions.base import ActionFailed
from pyplay.actions.options import Options
from pyplay.diagnostics.errors import UndefinedError
from pyplay.source.text import Trusted
from pyplay.templating.faults import undefined_error
from pyplay.templating.undefined import UndefinedUse
from pyplay.templating.values import finish

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyplay.actions.base import ActionCall
    from pyplay.templating.templar import Templar

OPTIONS = {
    "options": {
        "msg": {"type": "raw", "default": "Hello world!", "nullable": True, "doc": "What to show: any value."},
        "var": {"type": "raw", "nullable": True, "doc": "An expression, without delimiters, whose value is shown."},
        "verbosity": {"type": "int", "default": 0, "doc": "How many -v it takes until this is shown."},
    },
    "mutually_exclusive": [["msg", "var"]],
    "check_mode": "full",
    "diff": False,
    "platforms": "all",
    "returns": {},
}
_OPTIONS = Options("debug", OPTIONS)


async def run(call: ActionCall) -> dict[str, Any]:
    """Give the message, or the value under the expression's own text."""
    args = _OPTIONS.check(call.args)
    if call.verbosity < args["verbosity"]:
        return {"skipped": True, "skipped_reason": "Verbosity threshold not met."}
    result: dict[str, Any] = {"_ansible_verbose_always": True}
    if "var" in args:
        result.update(await call.render(_value, call, args["var"]))
    elif args["msg"] is not None:
        result["msg"] = args["msg"]
    return result


def _value(call: ActionCall, expression: Any) -> dict[str, Any]:
    if not isinstance(expression, str):
        raise ActionFailed(f"argument 'var' needs the text of an expression, not {expression!r}")
    raw = call.task.args.get("var")
    text = raw if isinstance(raw, str) and raw == expression else expression
    if not isinstance(text, Trusted):
        raise ActionFailed(
            f"'var' holds an expression that is not trusted: '{expression}'; only playbooks, inventories and roles "
            "may give templates and expressions, not results, lookups or `!unsafe` text"
        )
    try:
        return {
            "failed": False,
            str(expression): call.templar.evaluate(text),
        }  # a variable `rc` says nothing of the task
    except UndefinedError:
        outline = _Outline(call.templar)
        shown = outline.of(lambda: call.templar.expression(text))
        return {str(expression): shown, "warnings": [f"debug: {message}" for message in outline.messages]}


class _Outline:
    """Shows a value of which some members are undefined: in their place stands what is wrong with them."""

    def __init__(self, templar: Templar) -> None:
        self._templar = templar
        self.messages: list[str] = []

    def of(self, read: Callable[[], Any]) -> Any:
        """Give what `read` gives, all the way down."""
        try:
            value = read()
            if isinstance(value, dict):
                items = cast("dict[Any, Any]", value)
                return {key: self.of(lambda key=key: items[key]) for key in items}
            if isinstance(value, list):
                members = cast("list[Any]", value)
                return [self.of(lambda index=index: members[index]) for index in range(len(members))]
            return finish(value)
        except UndefinedUse as error:
            return self._marked(undefined_error(error.undefined, self._templar))
        except UndefinedError as error:
            return self._marked(error)

    def _marked(self, error: UndefinedError) -> str:
        message = error.diagnostics[0].message
        self.messages.append(message)
        return f"<< error {len(self.messages)} - {message} >>"
