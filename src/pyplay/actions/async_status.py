"""async_status: ask for a background job where the variable `ansible_async_dir`, or the setting, says that jobs are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.actions.normal import module_name
from pyplay.templating.own_variables import read_option

if TYPE_CHECKING:
    from pyplay.actions.base import ActionCall


async def run(call: ActionCall) -> dict[str, Any]:
    """Give the job's status, as the module on the host tells it."""
    args = dict(call.args)
    directory = await call.render(_directory, call)
    if directory is not None:
        args.setdefault("_async_dir", directory)
    return await call.remote.module(module_name(call.task), args, main=True)


def _directory(call: ActionCall) -> str | None:
    named = read_option(call.templar, "ansible_async_dir")
    return call.settings.async_dir if named is None else str(named)
