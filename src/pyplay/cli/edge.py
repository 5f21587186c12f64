"""The edge: finds the command that is asked for, and turns exceptions into messages and exit codes.

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

from pyplay.cli.click_library import click
from pyplay.cli.names import COMMANDS, INTERRUPTED, INTERRUPTION, Program, program_of, refusal
from pyplay.cli.streams import silence
from pyplay.diagnostics.errors import AuthorError, OptionsError, PlaybookError, PyplayError, TemplateError, WorkerError

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyplay.workers.zygote import Zygote

BUG = 250


def run_command(words: list[str], zygote: Zygote | None = None) -> int:
    """Run the command that `words` name, the program's own name first; give the exit code, with all output written.

    `zygote` was forked when it began, if it was.
    """
    program = program_of(words[0], zygote)
    return _flushed(guarded(lambda: _run(program, words), program))


def _run(program: Program, words: list[str]) -> int:
    started_as, *arguments = words
    refused = refusal(started_as)
    if refused is not None:
        _say(refused)
        return 1
    name = program.command or (arguments.pop(0) if arguments and arguments[0] in COMMANDS else "playbook")
    if not program.is_ansible and name == "playbook" and arguments:
        _check_command(arguments[0])
    command: click.Command = importlib.import_module(COMMANDS[name]).command
    code = command.main(arguments, prog_name=program.called(name), obj=program, standalone_mode=False)
    return code if isinstance(code, int) else 0


def _check_command(word: str) -> None:
    """Raise click's UsageError for a first word that is a command with a slip of the pen."""
    if word.startswith("-") or not word.isalpha() or os.path.exists(word):  # noqa: PTH110  # plain text
        return
    from pyplay.diagnostics.suggest import nearest  # noqa: PLC0415  # only for words that are no file

    match = nearest(word, COMMANDS)
    if match is not None:
        raise click.UsageError(f"there is neither a command nor a playbook '{word}'; did you mean 'pyplay {match}'?")


def guarded(run: Callable[[], int], program: Program | None = None) -> int:
    """Give the exit code of `run`, with whatever it raises turned into a message and the documented code.

    Under a name of Ansible's the messages begin as ansible-core's do.
    """
    try:
        return run()
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.ClickException as error:
        with suppress(OSError):
            error.show()
        return 2
    except (click.Abort, KeyboardInterrupt):
        _say(INTERRUPTION)
        return INTERRUPTED
    except AuthorError as error:
        from pyplay.diagnostics import render  # noqa: PLC0415  # only where there is a fault

        write = render.render_core_form if program is not None and program.is_ansible else render.render_text
        for diagnostic in error.diagnostics:
            _say(write(diagnostic, color=_coloured()))
        return _author_code(error)
    except PyplayError as error:
        _say(f"[ERROR]: {error}")
        return BUG if isinstance(error, WorkerError) and error.is_bug else 1
    except BrokenPipeError:
        silence(sys.stdout)
        return 1
    except OSError as error:
        if _is_output(error):
            return _unwritable(error)
        return _unforeseen(error) if _has_directory() else 1
    except Exception as error:  # noqa: BLE001  # the edge: a bug of ours is reported, never shown as a traceback
        return _unforeseen(error)


def _author_code(error: AuthorError) -> int:
    from pyplay.source.vault import FAULTS as VAULT_FAULTS  # noqa: PLC0415  # only where there is a fault

    if all(diagnostic.code in VAULT_FAULTS for diagnostic in error.diagnostics):
        return 1
    if isinstance(error, (PlaybookError, TemplateError)):
        return 4
    return 5 if isinstance(error, OptionsError) else 1


def _unforeseen(error: Exception) -> int:
    from pyplay.diagnostics.bugs import is_refusal, last_words  # noqa: PLC0415  # only where something broke

    message, help_ = last_words(error)
    _say(f"[ERROR]: {message}")
    _say(f"  = help: {help_}")
    if is_refusal(error):
        return 1
    if any(word.startswith("-vvv") for word in sys.argv):
        import traceback  # noqa: PLC0415  # as above

        traceback.print_exception(error)
    return BUG


def _say(text: str) -> None:
    with suppress(OSError):  # nobody can be told; the exit code says it
        print(text, file=sys.stderr)  # noqa: T201  # the edge speaks for itself


def _coloured() -> bool:
    """Tell whether faults are coloured; only the environment is asked, the settings may be what is at fault."""
    from pyplay.source.booleans import read_boolean  # noqa: PLC0415  # only where there is a fault

    if read_boolean(os.environ.get("ANSIBLE_FORCE_COLOR")):
        return True
    forbidden = os.environ.get("NO_COLOR") or read_boolean(os.environ.get("ANSIBLE_NOCOLOR"))
    return not forbidden and sys.stderr.isatty()


def _is_output(error: OSError) -> bool:
    """Tell whether `error` came from writing to one of our own streams: those name no file."""
    return error.filename is None and error.errno in (errno.ENOSPC, errno.EIO, errno.EDQUOT, errno.EFBIG, errno.EBADF)


def _has_directory() -> bool:
    """Tell whether the directory in which we were started is there; says so if it is not."""
    try:
        os.getcwd()  # noqa: PTH109  # asked for its fault
    except OSError as error:
        _say(f"[ERROR]: the current directory is gone: {error.strerror}")
        _say("  = help: change to one that is there: paths and pyplay's settings are looked for from it")
        return False
    return True


def _unwritable(error: OSError) -> int:
    silence(sys.stdout)
    _say(f"[ERROR]: cannot write the output: {error.strerror}")
    return 1


def _flushed(code: int) -> int:
    """Write what is left of the output; give `code`, or 1 where nobody could take it of a run that went well."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        silence(sys.stdout)
    except OSError as error:
        code = code or _unwritable(error)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            silence(stream)  # else Python tries once more and ends with a code of its own
    return code
