"""The entry point: finds the command, and is the edge where exceptions become exit codes.

Exit codes are ansible-core's: 0 fine, 1 error, 2 failed hosts (or wrong usage), 4 unreachable hosts or a playbook that
cannot be parsed, 5 wrong options, 99 interrupted, 250 a bug of ours.
"""

from __future__ import annotations

import errno
import importlib
import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

import click

from pyplay.cli.streams import open_missing, silence_stdout
from pyplay.diagnostics.errors import AuthorError, OptionsError, PlaybookError, PyplayError, TemplateError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

COMMANDS = {
    "adhoc": "pyplay.cli.adhoc",
    "config": "pyplay.cli.config",
    "doc": "pyplay.cli.doc",
    "inventory": "pyplay.cli.inventory",
    "playbook": "pyplay.cli.playbook",
    "vault": "pyplay.cli.vault",
}
"""Subcommands and the module whose `command` runs them; without one, the arguments are those of `playbook`."""

INTERRUPTED, BUG = 99, 250


def main(argv: Sequence[str] | None = None) -> None:
    """Run pyplay with `argv` (default: the process's arguments) and exit with its code."""
    open_missing()
    arguments = list(sys.argv[1:] if argv is None else argv)
    name = arguments.pop(0) if arguments and arguments[0] in COMMANDS else "playbook"
    code = guarded(lambda: _run(name, arguments))
    sys.exit(_flushed(code))


def _run(name: str, arguments: list[str]) -> int:
    command: click.Command = importlib.import_module(COMMANDS[name]).command
    program = "pyplay" if name == "playbook" else f"pyplay {name}"
    code = command.main(arguments, prog_name=program, standalone_mode=False)
    return code if isinstance(code, int) else 0


def guarded(run: Callable[[], int]) -> int:
    """Give the exit code of `run`, with whatever it raises turned into a message and the documented code."""
    try:
        return run()
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.ClickException as error:
        error.show()
        return 2
    except (click.Abort, KeyboardInterrupt):
        _say("[ERROR]: User interrupted execution")
        return INTERRUPTED
    except AuthorError as error:
        from pyplay.diagnostics.render import render_text  # noqa: PLC0415  # only where there is a fault

        for diagnostic in error.diagnostics:
            _say(render_text(diagnostic, color=_coloured()))
        return _author_code(error)
    except PyplayError as error:
        _say(f"[ERROR]: {error}")
        return 1
    except BrokenPipeError:
        silence_stdout()
        return 1
    except OSError as error:
        return _unwritable(error) if _is_output(error) else _report_bug(error)
    except Exception as error:  # noqa: BLE001  # the edge: a bug of ours is reported, never shown as a traceback
        return _report_bug(error)


def _author_code(error: AuthorError) -> int:
    from pyplay.source.vault import FAULTS as VAULT_FAULTS  # noqa: PLC0415  # only where there is a fault

    if all(diagnostic.code in VAULT_FAULTS for diagnostic in error.diagnostics):
        return 1
    if isinstance(error, (PlaybookError, TemplateError)):
        return 4
    return 5 if isinstance(error, OptionsError) else 1


def _report_bug(error: Exception) -> int:
    import traceback  # noqa: PLC0415  # only where something broke

    from pyplay.diagnostics.bugs import BUG_HELP, bug_message, report_bug  # noqa: PLC0415  # as above

    _say(f"[ERROR]: {bug_message(error)}")
    _say(f"  = help: {BUG_HELP.format(report_bug(error))}")
    if any(word.startswith("-vvv") for word in sys.argv):
        traceback.print_exception(error)
    return BUG


def _say(text: str) -> None:
    print(text, file=sys.stderr)  # noqa: T201  # the edge speaks for itself


def _coloured() -> bool:
    return sys.stderr.isatty() and "NO_COLOR" not in os.environ


def _is_output(error: OSError) -> bool:
    """Tell whether `error` came from writing to one of our own streams: those name no file."""
    return error.filename is None and error.errno in (errno.ENOSPC, errno.EIO, errno.EDQUOT, errno.EFBIG, errno.EBADF)


def _unwritable(error: OSError) -> int:
    silence_stdout()
    with suppress(OSError):
        _say(f"[ERROR]: cannot write the output: {error.strerror}")
    return 1


def _flushed(code: int) -> int:
    """Write what is left of the output; give `code`, or 1 where nobody could take it of a run that went well."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        silence_stdout()
    except OSError as error:
        return _unwritable(error) if code == 0 else code
    return code
