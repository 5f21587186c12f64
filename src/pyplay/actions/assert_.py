"""assert: fail unless every condition holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.actions.base import ActionFailed
from pyplay.actions.options import Options

if TYPE_CHECKING:
    from pyplay.actions.base import ActionCall

OPTIONS = {
    "options": {
        "that": {
            "type": "raw",
            "required": True,
            "nullable": True,
            "doc": "A condition or a list of them, each as in `when`.",
        },
        "fail_msg": {"type": "raw", "aliases": ["msg"], "doc": "What to say when a condition does not hold."},
        "success_msg": {"type": "raw", "doc": "What to say when all hold."},
        "quiet": {"type": "bool", "default": False, "doc": "Show the result only where one would show it anyway."},
    },
    "check_mode": "full",
    "diff": False,
    "platforms": "all",
    "returns": {"assertion": "The condition that does not hold.", "evaluated_to": "False, where one does not hold."},
}
_OPTIONS = Options("assert", OPTIONS)


async def run(call: ActionCall) -> dict[str, Any]:
    """Give the success message, or raise ActionFailed with the condition that does not hold."""
    args = _OPTIONS.check({"that": None, **call.args} if "that" in call.task.args else call.args)
    for option in ("fail_msg", "success_msg"):
        _check_message(option, args.get(option))
    shown = {} if args["quiet"] else {"_ansible_verbose_always": True}
    for condition in _conditions(call):
        given = "" if condition is None else condition  # no condition is a fault here, not the truth as in `when`
        if not await call.render(call.templar.condition, given):
            message = args.get("fail_msg") or "Assertion failed"
            text = str(condition) if isinstance(condition, str) else condition
            raise ActionFailed(message, assertion=text, evaluated_to=False, **shown)
    message = args.get("success_msg")
    return {"msg": "All assertions passed" if message is None else message, **shown}


def _check_message(option: str, message: Any) -> None:
    """Refuse a message that is neither text nor a list of texts."""
    texts: list[Any] = message if isinstance(message, list) else [message]  # pyright: ignore[reportUnknownVariableType]  # any
    if message is not None and not all(isinstance(text, str) for text in texts):
        raise ActionFailed(f"option '{option}' must be text or a list of texts, not {message!r}")


def _conditions(call: ActionCall) -> list[Any]:
    """Give the conditions as written: `that` is rendered as a condition, not as a template."""
    raw = call.task.args.get("that", call.args.get("that"))
    if isinstance(raw, (list, tuple)):
        return list(raw)  # pyright: ignore[reportUnknownArgumentType]  # conditions
    rendered = call.args.get("that")
    if isinstance(rendered, (list, tuple)):
        return list(rendered)  # pyright: ignore[reportUnknownArgumentType]  # conditions
    return [raw]
