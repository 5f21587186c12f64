"""gather_facts: run the modules that gather facts, and put what they give together."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from pyplay.actions.options import boolean, strings
from pyplay.templating.own_variables import read_option

if TYPE_CHECKING:
    from pyplay.actions.base import ActionCall

OPTIONS = {
    "extends": "setup",
    "options": {
        "parallel": {"type": "bool", "doc": "Run several modules side by side; if unset, when there are several."},
    },
    "others": "taken",  # options of the modules that the setting `facts_modules` names
    "check_mode": "full",
    "diff": False,
    "platforms": "posix",
    "returns": {"ansible_facts": "The facts."},
}

_GATHERED = "_ansible_facts_gathered"


async def run(call: ActionCall) -> dict[str, Any]:
    """Run the modules that the variable `ansible_facts_modules`, or else the setting, names (`smart` is setup)."""
    args = {name: value for name, value in call.args.items() if value is not None and name != "parallel"}
    named = await call.render(_named, call)
    modules = list(dict.fromkeys("setup" if name == "smart" else name for name in named)) or ["setup"]
    calls = [_gather(call, name, args) for name in modules]
    if boolean(call.args, "parallel", default=len(calls) > 1):
        results = await asyncio.gather(*calls)
    else:
        results = [await each for each in calls]
    return _together(dict(zip(modules, results, strict=True)))


def _named(call: ActionCall) -> list[str]:
    named = read_option(call.templar, "ansible_facts_modules")
    if named is None:
        return list(call.settings.facts_modules)
    return strings({"ansible_facts_modules": named}, "ansible_facts_modules")


async def _gather(call: ActionCall, name: str, args: dict[str, Any]) -> dict[str, Any]:
    own = args if name.rpartition(".")[2] == "setup" else {}
    return await call.remote.module(name, {**call.defaults(name), **own}, check_mode=False)


def _full_name(module: str) -> str:
    return "ansible.legacy.setup" if module == "setup" else module


def _together(results: dict[str, dict[str, Any]]) -> dict[str, Any]:
    facts: dict[str, Any] = {}
    warnings: list[Any] = []
    failed = {_full_name(name): result for name, result in results.items() if result.get("failed")}
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
