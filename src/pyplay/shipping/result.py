"""How one call of a module ended, and reading its answer."""

from __future__ import annotations

import json
from typing import Any, cast

from pyplay.diagnostics.dataclass import dataclass
from pyplay.shipping.claims import checked

IN_VAIN = 8  # how often the length of the output may be read without finding an object
AT_LEAST = 1 << 20  # characters that may be read in vain in any case
LEVELS = 100
"""How deep a result may be nested: others walk it by recursion, and indent each line by its level."""


@dataclass(frozen=True, slots=True)
class CallResult:
    """Exit status (minus the signal's number if one ended it) and output of one call. `streamed`: bytes to the sink."""

    rc: int
    stdout: bytes
    stderr: bytes
    streamed: int = 0


def parse_result(call: CallResult) -> dict[str, Any]:
    """Give the JSON object that a module wrote, or a failed result that shows what it wrote instead.

    Text around the object (a profile's greeting, a deprecation notice) is skipped and told as a warning. What counts is
    the object: a status other than 0, of which it says nothing, is told as a warning as well.
    """
    text = call.stdout.decode("utf-8", "surrogateescape")
    found = _find_object(text)
    if found is None:
        return _no_answer(call, text)
    result, around = found
    if _too_deep(result, text):
        msg = f"the module's result is nested more than {LEVELS} levels deep"
        return {"failed": True, "changed": False, "msg": msg, "rc": call.rc}
    checked(result)
    if around:
        _warn(result, f"the module wrote more than its result: {_short(around)}")
    if call.rc and "failed" not in result and not result.get("rc"):
        said = _short(call.stderr.decode("utf-8", "replace").strip())
        _warn(
            result,
            f"the module ended with status {call.rc}, its result does not say why" + (f": {said}" if said else ""),
        )
    return result


def _warn(result: dict[str, Any], text: str) -> None:
    result["warnings"] = [*(result.get("warnings") or ()), text]


def _find_object(text: str) -> tuple[dict[str, Any], str] | None:
    """Return the JSON object in `text` and what stands around it: the whole text, or the last line that starts one.

    The time that it takes is linear: a host may write a million lines that look like the beginning of an object. Where
    too much was read in vain, only the last such line is tried.
    """
    decoder = json.JSONDecoder()
    at = 0 if text.startswith("{") else _next_start(text, 0)
    best: tuple[dict[str, Any], int, int] | None = None
    left = IN_VAIN * len(text) + AT_LEAST
    while at >= 0:
        value, end, cost = _decoded(decoder, text, at)
        if isinstance(value, dict):
            best = cast("dict[str, Any]", value), at, end
        left -= cost
        at = _next_start(text, end)
        if left < 0 <= at:
            at = text.rfind("\n{") + 1
    if best is None:
        return None
    result, start, end = best
    return result, (text[:start] + text[end:]).strip()


def _decoded(decoder: json.JSONDecoder, text: str, at: int) -> tuple[object, int, int]:
    """Return the JSON value at `at`, where it ends, and how many characters were read in vain.

    For no JSON: None, `at`, and more than none: json counts the lines before the place of an error, too.
    """
    try:
        return *decoder.raw_decode(text, at), 0
    except json.JSONDecodeError as error:
        return None, at, error.pos + error.pos - at
    except (ValueError, RecursionError):  # more digits or levels than anybody needs: nobody says where
        return None, at, 2 * len(text) - at


def _too_deep(result: dict[str, Any], text: str) -> bool:
    """Whether `result`, read from `text`, has more than LEVELS lists and objects one in another."""
    if text.count("{") + text.count("[") <= LEVELS:
        return False
    level: list[Any] = [result]
    for _ in range(LEVELS):
        deeper: list[Any] = []
        for one in level:
            deeper += [
                member
                for member in (one.values() if type(one) is dict else one)  # pyright: ignore[reportUnknownVariableType]  # JSON
                if type(member) is dict or type(member) is list  # pyright: ignore[reportUnknownArgumentType]  # as above
            ]
        if not deeper:
            return False
        level = deeper
    return True


def _next_start(text: str, at: int) -> int:
    """Give where the next line that starts with a brace begins, -1 if none does."""
    found = text.find("\n{", at)
    return found + 1 if found >= 0 else -1


def _no_answer(call: CallResult, text: str) -> dict[str, Any]:
    error = call.stderr.decode("utf-8", "replace")
    result: dict[str, Any] = {
        "failed": True,
        "changed": False,
        "msg": _reason(call.rc, error),
        "rc": 128 - call.rc if call.rc < 0 else call.rc,  # as a shell tells it: modules of the field are run by one
        "module_stdout": text,
        "module_stderr": error,
    }
    if "Traceback (most recent call last)" in error:
        result["exception"] = error
    return result


def _reason(rc: int, error: str) -> str:
    lines = error.strip().splitlines()
    if "Traceback (most recent call last)" in error and lines:
        return f"Task failed: Module failed: {_crash(lines[-1])}"
    if rc < 0:
        return f"the module was ended by signal {-rc}"
    last = f": {_short(lines[-1])}" if lines else ""
    return f"the module ended with status {rc} and gave no result{last}"


def _crash(line: str) -> str:
    """Give the last line of a traceback with what was said first, its class behind it."""
    kind, colon, said = line.partition(": ")
    return f"{said} ({kind})" if colon else line


def _short(text: str) -> str:
    return text if len(text) <= 200 else text[:200] + "…"
