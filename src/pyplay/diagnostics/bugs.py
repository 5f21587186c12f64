"""Last words on what nobody foresaw: our own bugs, whose traceback goes to a file, and what the system refuses us."""

from __future__ import annotations

import errno

BUG_STATUS = 70
REFUSED_STATUS = 71
"""What processes of ours that show nothing themselves end with. Source: EX_SOFTWARE and EX_OSERR of sysexits.h."""

_REFUSALS = frozenset({errno.EAGAIN, errno.EMFILE, errno.ENFILE, errno.ENOMEM})


def is_refusal(error: BaseException) -> bool:
    """Tell whether `error` says that the system has no more processes, open files or memory for us."""
    return isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno in _REFUSALS)


def last_words(error: BaseException) -> tuple[str, str]:
    """Give what is said of `error` in one line, and what to do about it. The traceback of a bug goes to a new file."""
    if is_refusal(error):
        return refused((isinstance(error, OSError) and error.strerror) or "no memory is left")
    return f"pyplay has a bug: {type(error).__name__}: {error}", _report(error)


def refused(what: str) -> tuple[str, str]:
    """Give what is said of `what` that the system answered instead of giving us what we need, and what to do."""
    return f"the system refuses what pyplay needs: {what}", "see its limits (ulimit -a), or give it less to do at once"


def _report(error: BaseException) -> str:
    try:
        import tempfile  # noqa: PLC0415  # only where something broke
        import traceback  # noqa: PLC0415  # as above

        with tempfile.NamedTemporaryFile("w", prefix="pyplay-bug-", suffix=".txt", delete=False) as report:
            traceback.print_exception(error, file=report)
    except Exception as fault:  # noqa: BLE001  # it is said without the file, then
        return f"please report it; the file with all about it could not be written: {fault}"
    return f"please report it with the file {report.name} (look through it for secrets first)"
