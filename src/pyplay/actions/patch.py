"""patch: the patch file goes from here to the host, unless it is there already."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.actions.base import ActionFailed
from pyplay.actions.files import read_content, search
from pyplay.actions.normal import module_name
from pyplay.actions.options import boolean

if TYPE_CHECKING:
    from pyplay.actions.base import ActionCall

_BLOB = "patch"


async def run(call: ActionCall) -> dict[str, Any]:
    """Have the module patch with the content of `src`, decrypted if it is a vault file."""
    name = module_name(call.task)
    src = call.args.get("src", call.args.get("patchfile"))
    if src is None or boolean(call.args, "remote_src"):
        return await call.remote.module(name, call.args, main=True)
    try:
        path = search(call, "files", str(src))
    except ActionFailed as error:
        raise ActionFailed(error.msg, changed=False) from error
    content = await call.render(_content, call, path)
    given = {**call.args, "_content": _BLOB}
    return await call.remote.module(name, given, blobs={_BLOB: content.source}, main=True)


def _content(call: ActionCall, path: str) -> Any:
    return read_content(call, path, decrypt=True)
