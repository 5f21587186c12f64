"""unarchive: the archive goes from here to the host, unless it is there already or the host fetches it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.actions.files import read_content, search
from pyplay.actions.normal import module_name
from pyplay.actions.options import boolean

if TYPE_CHECKING:
    from pyplay.actions.base import ActionCall


async def run(call: ActionCall) -> dict[str, Any]:
    """Have the module unpack `src`, whose content it asks for only if it needs it."""
    name, args = module_name(call.task), call.args
    remote = boolean(args, "remote_src") or not boolean(args, "copy", default=True)
    if remote or not args.get("src") or not args.get("dest"):
        return await call.remote.module(name, args, main=True)
    path = search(call, "files", str(args["src"]))
    decrypt = boolean(args, "decrypt", default=True)
    content = await call.render(_content, call, path, decrypt)
    return await call.remote.module(name, args, blobs={"src": content.source}, main=True)


def _content(call: ActionCall, path: str, decrypt: bool) -> Any:  # noqa: FBT001  # handed through a thread
    return read_content(call, path, decrypt=decrypt)
