"""assemble: one file out of fragments, here or on the host."""

from __future__ import annotations

import hashlib
import os
import re
from typing import TYPE_CHECKING, Any

from pyplay.actions.base import ActionFailed
from pyplay.actions.copy import put_content
from pyplay.actions.files import Content, read_bytes, search
from pyplay.actions.options import boolean, text

if TYPE_CHECKING:
    from pyplay.actions.base import ActionCall

_OURS = ("remote_src", "regexp", "delimiter", "ignore_hidden", "decrypt", "src")


async def run(call: ActionCall) -> dict[str, Any]:
    """Put the fragments of `src` together in order of their names and have them put in place at `dest`."""
    args = call.args
    if not args.get("src") or not args.get("dest"):
        raise ActionFailed("src and dest are required")
    if boolean(args, "remote_src", default=True):
        return await call.remote.module("assemble", args)
    src = str(args["src"])
    folder = search(call, "files", src)
    if not os.path.isdir(folder):  # noqa: ASYNC240, PTH112  # one look at a local directory
        raise ActionFailed(f"Source ({folder}) is not a directory")
    data = await call.render(_assembled, call, folder)
    content = Content.of(data)
    given = {name: value for name, value in args.items() if name not in _OURS}
    result = await put_content(call, given, content, name="", source=folder)
    if result.get("failed"):
        return result
    return _told(result, data, src, folder)


def _told(result: dict[str, Any], data: bytes, src: str, folder: str) -> dict[str, Any]:
    """Give copy's result as that of assemble: one diff, of the content alone, and always the MD5."""
    diff: Any = result.pop("diff", None)
    told = {**result, "src": src}
    same = told.pop("path", None)  # the content was there already
    if isinstance(diff, list) and diff:
        told["diff"] = diff[0]
    elif same and diff:
        shown = data.decode("utf-8", "backslashreplace")
        told["diff"] = {"before_header": same, "before": shown, "after_header": folder, "after": shown}
    try:
        told.setdefault("md5sum", hashlib.md5(data, usedforsecurity=False).hexdigest())
    except ValueError:  # not where the policy of this machine forbids it
        told.setdefault("md5sum", None)
    return told


def _assembled(call: ActionCall, folder: str) -> bytes:
    """Give the fragments one after the other, `delimiter` on a line of its own between them."""
    args = call.args
    regexp = text(args, "regexp")
    try:
        pattern = re.compile(regexp) if regexp else None
    except re.error as error:
        raise ActionFailed(f"Invalid Regexp: {error}") from None
    delimiter = (text(args, "delimiter") or "").replace("\\n", "\n").encode()
    hidden = not boolean(args, "ignore_hidden")
    decrypt = boolean(args, "decrypt", default=True)
    pieces: list[bytes] = []
    for name in sorted(os.listdir(folder)):  # noqa: PTH208  # plain strings
        path = os.path.join(folder, name)  # noqa: PTH118  # plain strings
        wanted = (pattern is None or pattern.search(name)) and (hidden or not name.startswith("."))
        if not wanted or not os.path.isfile(path):  # noqa: PTH113  # plain strings
            continue
        if pieces:
            if delimiter and not pieces[-1].endswith(b"\n"):
                pieces.append(b"\n")
            if delimiter:
                pieces.append(delimiter if delimiter.endswith(b"\n") else delimiter + b"\n")
            elif not pieces[-1].endswith(b"\n"):
                pieces.append(b"\n")
        pieces.append(read_bytes(call, path, decrypt=decrypt))
    return b"".join(pieces)
