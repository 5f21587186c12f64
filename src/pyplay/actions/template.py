"""template: render a file here and put the text in place there."""

from __future__ import annotations

import datetime as dt
import os
import pwd
from typing import TYPE_CHECKING, Any

from pyplay.actions.base import ActionFailed
from pyplay.actions.copy import put_content
from pyplay.actions.files import Content, read_bytes, search, with_mode
from pyplay.actions.options import boolean, text

if TYPE_CHECKING:
    from pyplay.actions.base import ActionCall

_DELIMITERS = (
    "block_start_string", "block_end_string", "variable_start_string", "variable_end_string",
    "comment_start_string", "comment_end_string",
)  # fmt: skip
_RENDERING = (*_DELIMITERS, "trim_blocks", "lstrip_blocks", "newline_sequence", "output_encoding")
_NEWLINES = {"\\n": "\n", "\\r": "\r", "\\r\\n": "\r\n", "\n": "\n", "\r": "\r", "\r\n": "\r\n"}


async def run(call: ActionCall) -> dict[str, Any]:
    """Render `src` for this host and have the host take the text if it differs."""
    args = call.args
    if not args.get("src") or not args.get("dest"):
        raise ActionFailed("src and dest are required")
    if "state" in args:
        raise ActionFailed("'state' cannot be specified on a template")
    path = search(call, "templates", str(args["src"]))
    rendered = await call.render(_rendered, call, path)
    given = with_mode({key: value for key, value in args.items() if key not in _RENDERING}, path)
    return await put_content(call, given, Content.of(rendered), name=os.path.basename(path), source=path)  # noqa: PTH119  # a plain string from a user


def _rendered(call: ActionCall, path: str) -> bytes:
    args = call.args
    source = read_bytes(call, path)
    encoding = text(args, "output_encoding") or "utf-8"
    try:
        content = source.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ActionFailed(f"the template {path} is not UTF-8 text: {error}") from error
    templar = call.templar.with_vars(_variables(path, str(args["src"]), str(args["dest"]), call))
    newline = _newline(args)
    found = templar.render_text(
        content.replace("\r\n", "\n") if newline != "\n" else content,
        path=path,
        trim_blocks=boolean(args, "trim_blocks", default=True),
        lstrip_blocks=boolean(args, "lstrip_blocks"),
        newline_sequence=newline,
        **{name: text(args, name) for name in _DELIMITERS},
    )
    try:
        return found.encode(encoding)
    except (LookupError, UnicodeEncodeError) as error:
        raise ActionFailed(f"the template {path} cannot be written as {encoding}: {error}") from error


def _newline(args: dict[str, Any]) -> str:
    value = str(args.get("newline_sequence") or "\n")
    found = _NEWLINES.get(value)
    if found is None:
        raise ActionFailed("newline_sequence needs to be one of: \\n, \\r or \\r\\n")
    return found


def _variables(path: str, src: str, dest: str, call: ActionCall) -> dict[str, Any]:
    """Give the variables that only templates see. Source: the Ansible documentation of the template module."""
    status = os.stat(path)  # noqa: PTH116  # a plain string from a user
    try:
        owner = pwd.getpwuid(status.st_uid).pw_name
    except KeyError:
        owner = str(status.st_uid)
    return {
        "ansible_managed": call.settings.ansible_managed,
        "template_host": os.uname().nodename,
        "template_path": src,
        "template_fullpath": path,
        "template_destpath": dest,
        "template_mtime": dt.datetime.fromtimestamp(status.st_mtime),  # noqa: DTZ006  # local time, as documented
        "template_uid": owner,
        "template_run_date": dt.datetime.now(),  # noqa: DTZ005  # as above
    }
