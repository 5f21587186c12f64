"""Results with their outputs as text below them, as the reporter `debug` shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.report.dump import dump

if TYPE_CHECKING:
    from collections.abc import Mapping

_TEXTS = ("stdout", "stderr", "msg", "module_stdout", "module_stderr", "exception")


def with_sections(shown: Mapping[str, Any], indent: int) -> str:
    """Give `shown` as JSON without its outputs and message, and those below it, each under its name."""
    hidden = {*_TEXTS, "stdout_lines", "stderr_lines"}
    rest = {key: value for key, value in shown.items() if key not in hidden}
    found = ((name, str(shown[name])) for name in _TEXTS if shown.get(name))
    sections = (f"\n\n{name.upper()}:\n\n{text.removesuffix(chr(10))}\n" for name, text in found)
    return f"{dump(rest, indent=indent)}{''.join(sections)}".rstrip("\n")
