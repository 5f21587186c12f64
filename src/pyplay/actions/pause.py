"""pause: wait for a time, or for the person at the controller."""

from __future__ import annotations

import asyncio
import datetime as dt
import time
from typing import TYPE_CHECKING, Any

from pyplay.actions.base import ActionFailed
from pyplay.actions.options import Options

if TYPE_CHECKING:
    from pyplay.actions.base import ActionCall

OPTIONS = {
    "options": {
        "seconds": {"type": "float", "doc": "How long to wait; parts of a second are left out."},
        "minutes": {"type": "float", "doc": "The same in minutes."},
        "prompt": {"type": "raw", "doc": "What to ask; without a time it waits for an answer."},
        "echo": {"type": "bool", "default": True, "doc": "Show what is typed."},
    },
    "mutually_exclusive": [["minutes", "seconds"]],
    "check_mode": "full",
    "diff": False,
    "platforms": "all",
    "returns": {"user_input": "What was typed.", "delta": "Seconds that went by.", "stdout": "The same as text."},
}
_OPTIONS = Options("pause", OPTIONS)

_NOBODY = "Not waiting for response to prompt as stdin is not interactive"


async def run(call: ActionCall) -> dict[str, Any]:
    """Wait; what was typed is `user_input`."""
    seconds, unit = _duration(call.args)
    args = _OPTIONS.check(call.args)
    echo: bool = args["echo"]
    started, clock = dt.datetime.now().astimezone().replace(tzinfo=None), time.monotonic()
    result: dict[str, Any] = {"echo": echo, "rc": 0, "stderr": "", "start": str(started), "user_input": ""}
    if seconds is not None:
        await call.prompter.show(f"Pausing for {seconds:g} seconds" + ("" if echo else " (output is hidden)"))
    if seconds is None or call.prompter.interactive:
        await _prompt(call, result, seconds, echo=echo)
    else:
        await asyncio.sleep(seconds)
    passed = time.monotonic() - clock
    result["stop"] = str(dt.datetime.now().astimezone().replace(tzinfo=None))
    result["delta"] = int(passed)
    shown = round(passed / 60.0, 2) if unit == "minutes" else round(passed, 2)
    result["stdout"] = f"Paused for {shown} {unit}"
    return result


async def _prompt(call: ActionCall, result: dict[str, Any], seconds: float | None, *, echo: bool) -> None:
    if not call.prompter.interactive:
        result["warnings"] = [_NOBODY]
        return
    lines = [] if seconds is None else ["(ctrl+C then 'C' = continue early, ctrl+C then 'A' = abort)"]
    prompt = call.args.get("prompt") or ("Press enter to continue, Ctrl+C to interrupt" if seconds is None else "")
    if prompt:
        hidden = "" if echo else " (output is hidden)"
        lines += [f"[{call.task.name or 'pause'}]", f"{prompt}{hidden}:"]
    result["user_input"] = await call.prompter.pause("\n".join(lines), echo=echo, seconds=seconds) or ""


def _duration(args: dict[str, Any]) -> tuple[float | None, str]:
    """Give the seconds to wait (None: for a person) and the unit to tell the time in."""
    given = [name for name in ("seconds", "minutes") if args.get(name) is not None]
    if len(given) > 1:
        raise ActionFailed("parameters are mutually exclusive: minutes|seconds")
    if not given:
        return None, "minutes"
    (name,) = given
    try:
        amount = int(args[name])
    except (TypeError, ValueError):
        raise ActionFailed(f"argument '{name}' is not a whole number: {args[name]!r}") from None
    return float(max(1, amount) if name == "seconds" else max(1, amount * 60)), name
