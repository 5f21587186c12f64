"""uri: files to send go from here to the host, unless they are there already."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from pyplay.actions.base import ActionFailed
from pyplay.actions.files import read_content, search
from pyplay.actions.normal import module_name
from pyplay.actions.options import boolean

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyplay.actions.base import ActionCall


async def run(call: ActionCall) -> dict[str, Any]:
    """Have the module send the request; `src` and the files of a form are those of the controller."""
    if call.check_mode:  # before any look at the options, as core's action does
        return {"skipped": True, "changed": False, "msg": "uri cannot tell in check mode what it would do"}
    name, args = module_name(call.task), dict(call.args)
    blobs: dict[str, bytes | str] = {}
    if not boolean(args, "remote_src"):
        if args.get("src"):
            blobs["src"] = await call.render(_content, call, str(args["src"]))
        body = args.get("body")
        if args.get("body_format") == "form-multipart":
            if not isinstance(body, dict):
                raise ActionFailed(f"body must be mapping, cannot be type {type(body).__name__}")
            args["body"] = {
                field: await _field(call, str(field), value, blobs)
                for field, value in cast("Mapping[str, Any]", body).items()
            }
    if not blobs:
        return await call.remote.module(name, args, main=True)
    return await call.remote.module(name, args, blobs=blobs, main=True)


async def _field(call: ActionCall, field: str, value: Any, blobs: dict[str, bytes | str]) -> Any:
    """Give a field of a form; that of a file names the content that goes along."""
    if not isinstance(value, dict) or value.get("content") is not None or not value.get("filename"):  # type: ignore[arg-type]
        return value  # pyright: ignore[reportUnknownVariableType]  # as the task wrote it
    given = cast("dict[str, Any]", value)
    blob = f"body.{field}"
    blobs[blob] = await call.render(_content, call, str(given["filename"]))
    return {**given, "_content": blob}


def _content(call: ActionCall, path: str) -> bytes | str:
    return read_content(call, search(call, "files", path), decrypt=True).source
