"""What of a result is shown: without internals, without what no_log hides, without control characters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

CENSORED = "the output has been hidden due to the fact that 'no_log: true' was specified for this result"
CENSORED_ITEM = "(censored due to no_log)"
_LOOP_NAMES = ("ansible_loop_var", "ansible_index_var")
_GATHERS = ("setup", "gather_facts")
_BUILT_IN = ("", "ansible.builtin", "ansible.legacy")
_HARMLESS = frozenset("\n\t\u00a0\u1680\u202f\u205f\u3000\u200c\u200d") | {chr(c) for c in range(0x2000, 0x200B)}
"""What is not printable but steers no terminal: lines, the blanks of all scripts, and what joins letters or emoji."""


def clean(result: Mapping[str, Any], *, verbosity: int = 0, action: str = "") -> dict[str, Any]:
    """Give what of `result` is shown: without internals, and without what only -vvv shows."""
    shown = {key: value for key, value in result.items() if not str(key).startswith("_ansible_")}
    if verbosity < 3:
        shown.pop("invocation", None)
        if shown.pop("exception", None) is not None and "Traceback" in str(shown.get("module_stderr")):
            shown["module_stderr"] = "a traceback; -vvv shows it"
    for key in ("warnings", "deprecations", "diff", "ansible_loop"):
        shown.pop(key, None)
    skipped = shown.pop("skipped", False)
    if is_debug(action):
        for key in ("changed", "changed_when_result", "failed_when_result", "attempts", "skip_reason", *_LOOP_NAMES):
            shown.pop(key, None)
        if "msg" in shown and not skipped:
            shown = {"msg": shown["msg"]}
    shown.pop("failed", None)
    return shown


def censored(result: Mapping[str, Any], *, private: bool) -> Mapping[str, Any]:
    """Give what may be known of `result`: no more than whether it changed something, if it is `private`."""
    return {"censored": CENSORED, "changed": bool(result.get("changed"))} if private else result


def is_gathered(result: Mapping[str, Any], action: str) -> bool:
    """Tell whether `result` is the facts that setup or gather_facts found: too many to be shown, at any verbosity."""
    namespace, _, name = action.rpartition(".")
    return name in _GATHERS and namespace in _BUILT_IN and "ansible_facts" in result


def is_debug(action: str) -> bool:
    """Tell whether `action`, short or full, is the debug module, whose message is all that is shown."""
    return action.rpartition(".")[2] == "debug"


def is_verbose(result: Mapping[str, Any]) -> bool:
    """Tell whether a result is shown without -v, as the one of debug is."""
    return bool(result.get("_ansible_verbose_always"))


def printable(text: str) -> str:
    """Give `text` with control characters escaped, so that a host cannot steer the terminal."""
    if text.isprintable():
        return text
    text = text.replace("\r\n", "\n")
    return "".join(c if c.isprintable() or c in _HARMLESS else _escape(ord(c)) for c in text)


def exact(text: str) -> str:
    """Give `text` for a file or program: only line ends of other systems and what no encoding has are changed."""
    if text.isprintable():
        return text
    text = text.replace("\r\n", "\n")
    if text.isascii():
        return text
    return "".join(_escape(ord(c)) if "\ud800" <= c <= "\udfff" else c for c in text)


def _escape(code: int) -> str:
    """Give the escape of a character; a byte that was no UTF-8 is carried as a surrogate and shown as the byte.

    Those that JSON leaves as they are (DEL and above) get escapes that JSON knows.
    """
    if 0xDC80 <= code <= 0xDCFF:
        return f"\\x{code - 0xDC00:02x}"
    return f"\\x{code:02x}" if code < 0x7F else f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
