"""template: render a file here and put the text in place there."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from pyplay.actions.base import ActionFailed
from pyplay.actions.copy import put_content
from pyplay.actions.files import Content, read_bytes, search, with_mode
from pyplay.actions.options import Options, boolean, text
from pyplay.templating.file_variables import RUN_DATE, file_variables
from pyplay.templating.marks import CLOCK

if TYPE_CHECKING:
    from pyplay.actions.base import ActionCall

OPTIONS = {
    "options": {
        "src": {"type": "path", "required": True, "doc": "The template, searched in `templates/` and around."},
        "dest": {
            "type": "path",
            "required": True,
            "doc": "Where the text goes; a directory takes it as `src` is named.",
        },
        "backup": {"type": "bool", "default": False, "doc": "Keep a copy of a file that is replaced."},
        "force": {"type": "bool", "default": True, "doc": "Replace a file that differs; if false, only make new ones."},
        "validate": {"type": "str", "doc": "Program that judges the new file, %s being its path."},
        "follow": {"type": "bool", "default": False, "doc": "Where `dest` is a link, replace what it leads to."},
        "block_start_string": {"type": "str", "default": "{%", "doc": "What begins a statement."},
        "block_end_string": {"type": "str", "default": "%}", "doc": "What ends a statement."},
        "variable_start_string": {"type": "str", "default": "{{", "doc": "What begins an expression."},
        "variable_end_string": {"type": "str", "default": "}}", "doc": "What ends an expression."},
        "comment_start_string": {"type": "str", "doc": "What begins a comment."},
        "comment_end_string": {"type": "str", "doc": "What ends a comment."},
        "trim_blocks": {"type": "bool", "default": True, "doc": "Leave out the newline behind a statement."},
        "lstrip_blocks": {"type": "bool", "default": False, "doc": "Leave out blanks before a statement."},
        "newline_sequence": {
            "type": "str",
            "default": "\\n",
            "choices": ["\\n", "\\r", "\\r\\n", "\n", "\r", "\r\n"],
            "doc": "What ends the lines of the result.",
        },
        "output_encoding": {"type": "str", "default": "utf-8", "doc": "Encoding of the result."},
    },
    "also": ["checksum", "decrypt", "directory_mode", "local_follow", "remote_src"],  # taken, as in Ansible
    "file_options": True,
    "check_mode": "full",
    "diff": True,
    "identity": ["dest"],
    "absent_undoes": False,
    "platforms": "posix",
    "returns": {"dest": "The file that was written.", "checksum": "SHA-1 of the text.", "src": "The template."},
}
_OPTIONS = Options("template", OPTIONS)

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
    _OPTIONS.check(args)
    path = search(call, "templates", str(args["src"]))
    content = await call.render(rendered, call, path)
    given = with_mode({key: value for key, value in args.items() if key not in _RENDERING}, path)
    return await put_content(call, given, Content.of(content), name=os.path.basename(path), source=path)  # noqa: PTH119  # a plain string from a user


def rendered(call: ActionCall, path: str) -> bytes:
    """Give the text of the template in `path` by the options among the arguments. Raises ActionFailed."""
    args = call.args
    source = read_bytes(call, path)
    encoding = text(args, "output_encoding") or "utf-8"
    try:
        content = source.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ActionFailed(f"the template {path} is not UTF-8 text: {error}") from error
    src, dest = str(args["src"]), str(args["dest"])
    if RUN_DATE in content:
        call.templar.environment.outside(CLOCK)
    templar = call.templar.with_vars(file_variables(path, src, dest, call.templar.scope, call.settings))
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
        return found.encode(encoding, "surrogateescape")  # bytes that were no text go through as they are
    except (LookupError, UnicodeEncodeError) as error:
        raise ActionFailed(f"the template {path} cannot be written as {encoding}: {error}") from error


def _newline(args: dict[str, Any]) -> str:
    value = str(args.get("newline_sequence") or "\n")
    found = _NEWLINES.get(value)
    if found is None:
        raise ActionFailed("newline_sequence needs to be one of: \\n, \\r or \\r\\n")
    return found
