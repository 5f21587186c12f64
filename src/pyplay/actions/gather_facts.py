"""gather_facts: run the modules that gather facts, and put what they give together."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from pyplay.actions.options import boolean

if TYPE_CHECKING:
    from pyplay.actions.base import ActionCall

_GATHERED = "_ansible_facts_gathered"


async def run(call: ActionCall) -> dict[str, Any]:
    """Run the modules of the setting `facts_modules` (`smart` is setup), all with the task's options."""
    args = {name: value for name, value in call.args.items() if value is not None and name != "parallel"}
    modules = ["setup" if name == "smart" else name for name in call.settings.facts_modules] or ["setup"]
    calls = [_gather(call, name, args) for name in dict.fromkeys(modules)]
    if boolean(call.args, "parallel", default=len(calls) > 1):
        results = await asyncio.gather(*calls)
    else:
        results = [await each for each in calls]
    return _together(dict(zip(modules, results, strict=False)))


async def _gather(call: ActionCall, name: str, args: dict[str, Any]) -> dict[str, Any]:
    own = args if name.rpartition(".")[2] == "setup" else {}
    return await call.remote.module(name, {**call.defaults(name), **own}, check_mode=False)


def _together(results: dict[str, dict[str, Any]]) -> dict[str, Any]:
    facts: dict[str, Any] = {}
    warnings: list[Any] = []
    failed = {name: result for name, result in results.items() if result.get("failed")}
    for result in results.values():
        facts.update(result.get("ansible_facts") or {})
        warnings += result.get("warnings") or []
    together: dict[str, Any] = {"ansible_facts": {**facts, _GATHERED: True}}
    if warnings:
        together["warnings"] = warnings
    if failed:
        reasons = "; ".join(f"{name}: {result.get('msg')}" for name, result in failed.items())
        together.update(failed=True, failed_modules=failed, msg=f"The following modules failed to execute: {reasons}")
    return together
