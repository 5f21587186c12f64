"""script: run a local script on the host, without Python there. It is there only while it runs."""

from __future__ import annotations

import io
import os
import shlex
from typing import TYPE_CHECKING, Any

from pyplay.actions.base import ActionFailed
from pyplay.actions.files import read_bytes, search
from pyplay.actions.options import Options, text

if TYPE_CHECKING:
    from pyplay.actions.base import ActionCall

OPTIONS = {
    "options": {
        "_raw_params": {"type": "str", "doc": "The local script and its arguments as free text."},
        "cmd": {"type": "str", "doc": "The same, as a named option."},
        "chdir": {"type": "str", "doc": "Directory of the host to run it in."},
        "creates": {"type": "str", "doc": "Do nothing where this file of the host is there."},
        "removes": {"type": "str", "doc": "Do nothing where this file of the host is not there."},
        "executable": {"type": "str", "doc": "The program that runs it, with its options."},
        "decrypt": {"type": "bool", "default": True, "doc": "Decrypt a vault file on the way."},
    },
    "mutually_exclusive": [["_raw_params", "cmd"]],
    "required_one_of": [["_raw_params", "cmd"]],
    "check_mode": "partial",
    "diff": False,
    "platforms": "posix",
    "returns": {"rc": "Its exit status.", "stdout": "Its output.", "stderr": "Its errors."},
}
_OPTIONS = Options("script", OPTIONS)

# The script comes over standard input into a directory that only its user can read, and goes when it has run.
_RUN = (
    'm=$(umask); umask 077; d=$(mktemp -d "${{TMPDIR:-/tmp}}/pyplay-XXXXXXXXXX") || exit 1; trap \'rm -rf "$d"\' EXIT; '
    "trap 'exit 129' HUP; trap 'exit 143' TERM; "
    'head -c {size} > "$d"/{name} && chmod 700 "$d"/{name} || exit 1; umask "$m"; '
    '{chdir}{executable}"$d"/{name} {words} < /dev/null'
)


async def run(call: ActionCall) -> dict[str, Any]:
    """Run the script; its output is the result."""
    args = _OPTIONS.check(call.args)
    line = text(args, "_raw_params") or text(args, "cmd")
    if not line:
        raise ActionFailed("one of the following is required: _raw_params, cmd")
    chdir = text(args, "chdir")
    if chdir and not chdir.startswith(("/", "~")):
        raise ActionFailed(f"option 'chdir' must be an absolute path of the host, not {chdir}")
    reason = await _unneeded(call)
    if reason:
        return {"skipped": True, "msg": reason}
    if call.check_mode:
        if args.get("creates") or args.get("removes"):
            return {"changed": True}
        return {"skipped": True, "msg": "Check mode is not supported for this task."}
    path, words = _split(call, line)
    content = read_bytes(call, path) if args["decrypt"] else _plain(path)
    executable = text(args, "executable")
    command = _RUN.format(
        size=len(content),
        name=shlex.quote(os.path.basename(path)),  # noqa: PTH119  # a plain string from a user
        chdir=f"cd {_home(chdir)} || exit; " if chdir else "",
        executable=f"{executable} " if executable else "",
        words=words,
    )
    result = {"changed": True, **await call.remote.raw(command, stdin=content)}
    if result["rc"]:
        result.update(failed=True, msg="non-zero return code")
    return result


def _split(call: ActionCall, line: str) -> tuple[str, str]:
    """Give the path of the script and the words behind it, as they were written."""
    try:
        first = shlex.split(line)[0]
    except (ValueError, IndexError) as error:
        raise ActionFailed(f"the script line cannot be read: {error}") from error
    path = search(call, "files", first)
    if not os.path.isfile(path):  # noqa: PTH113  # a plain string from a user
        raise ActionFailed(f"the script {path} is not a file")
    return path, _rest(line)


def _rest(line: str) -> str:
    """Give what follows the first word of a shell line, as it was written."""
    stream = io.StringIO(line)
    lexer = shlex.shlex(stream, posix=True)
    lexer.whitespace_split, lexer.commenters = True, ""
    lexer.get_token()
    return stream.read().strip()


def _plain(path: str) -> bytes:
    with open(path, "rb") as stream:  # noqa: PTH123  # a plain string from a user
        return stream.read()


async def _unneeded(call: ActionCall) -> str:
    """Give why the script need not run, "" if it must."""
    creates, removes = text(call.args, "creates"), text(call.args, "removes")
    if creates and await _exists(call, creates):
        return f"{creates} exists, matching creates option"
    if removes and not await _exists(call, removes):
        return f"{removes} does not exist, matching removes option"
    return ""


async def _exists(call: ActionCall, path: str) -> bool:
    found = await call.remote.raw(f"test -e {_home(path)}")
    return found["rc"] == 0


def _home(path: str) -> str:
    """Quote `path` for a shell, leaving a `~` at its start to it."""
    if not path.startswith("~"):
        return shlex.quote(path)
    home, slash, rest = path.partition("/")
    return home + slash + (shlex.quote(rest) if rest else "")
