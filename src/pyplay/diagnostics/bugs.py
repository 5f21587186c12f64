"""Reports of our own bugs: the traceback goes to a file, what is shown names it."""

from __future__ import annotations

BUG_HELP = "please report it with the file {} (look through it for secrets first)"
"""What to do about a bug; takes the path of the report."""


def report_bug(error: BaseException) -> str:
    """Write the traceback of `error` to a new file among the temporary ones; give its path."""
    import tempfile  # noqa: PLC0415  # only where something broke
    import traceback  # noqa: PLC0415  # as above

    with tempfile.NamedTemporaryFile("w", prefix="pyplay-bug-", suffix=".txt", delete=False) as report:
        traceback.print_exception(error, file=report)
    return report.name


def bug_message(error: BaseException) -> str:
    """Give what is said of `error` in one line."""
    return f"pyplay has a bug: {type(error).__name__}: {error}"
