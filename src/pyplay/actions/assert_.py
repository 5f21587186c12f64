"""assert: fail unless every condition holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.actions.base import ActionFailed
from pyplay.actions.options import boolean, check_known

if TYPE_CHECKING:
    from pyplay.actions.base import ActionCall

_OPTIONS = ("that", "fail_msg", "msg", "success_msg", "quiet")


async def run(call: ActionCall) -> dict[str, Any]:
    """Give the success message, or raise ActionFailed with the condition that does not hold."""
    args = call.args
    check_known("assert", args, _OPTIONS)
    if "that" not in call.task.args and "that" not in args:
        raise ActionFailed("missing required arguments: that")
    quiet = boolean(args, "quiet")
    shown = {} if quiet else {"_ansible_verbose_always": True}
    for condition in _conditions(call):
        if not await call.render(call.templar.condition, condition):
            message = args.get("fail_msg", args.get("msg")) or "Assertion failed"
            text = str(condition) if isinstance(condition, str) else condition
            raise ActionFailed(message, assertion=text, evaluated_to=False, **shown)
    return {"msg": args.get("success_msg") or "All assertions passed", **shown}


def _conditions(call: ActionCall) -> list[Any]:
    """Give the conditions as written: `that` is rendered as a condition, not as a template."""
    raw = call.task.args.get("that", call.args.get("that"))
    if isinstance(raw, (list, tuple)):
        return list(raw)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]  # conditions
    rendered = call.args.get("that")
    if isinstance(rendered, (list, tuple)):
        return list(rendered)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]  # conditions
    return [raw]
