"""What comes of a module's or action's result: one verdict per item, one for the whole loop.

Keys and their meaning are those that playbooks written for Ansible read from registered results.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

NO_TRACEBACK = "(traceback unavailable)"

_SHARED_BY_LOOP = ("ansible_loop_var", "ansible_index_var", "ansible_loop")


def skipped(false_condition: Any) -> dict[str, Any]:
    """Give the result of a task (or item) whose `when` did not hold."""
    shown = str(false_condition) if isinstance(false_condition, str) else false_condition
    return {
        "changed": False,
        "failed": False,
        "skipped": True,
        "skip_reason": "Conditional result was False",
        "false_condition": shown,
    }


def failure(msg: str, **more: Any) -> dict[str, Any]:
    """Give the result of a task that failed before or outside its module."""
    return {"failed": True, "changed": False, "msg": msg, "exception": NO_TRACEBACK, **more}


def unreachable(msg: str) -> dict[str, Any]:
    """Give the result of a task whose host could not be reached."""
    return {"unreachable": True, "failed": False, "changed": False, "msg": msg}


def completed(result: dict[str, Any]) -> dict[str, Any]:
    """Fill in what every result has: failed, changed, the lines of stdout and stderr. Works in place."""
    if "failed" not in result:
        result["failed"] = result.get("rc") not in (None, 0, "0")
    result["failed"] = bool(result["failed"])
    result["changed"] = bool(result.get("changed"))
    for stream in ("stdout", "stderr"):
        text = result.get(stream)
        if isinstance(text, str) and f"{stream}_lines" not in result:
            result[f"{stream}_lines"] = text.splitlines()
    if result["failed"]:
        result.setdefault("exception", NO_TRACEBACK)
        why = result.get("message") or "Unknown error, the result has no message"
        result.setdefault("msg", f"Task failed: Module failed: {why}")
    return result


def set_failed(result: dict[str, Any], *, failed: bool) -> None:
    """Let the verdict of failed_when replace what the module said. Works in place."""
    if failed and not result["failed"]:
        result["exception"] = NO_TRACEBACK
        result["msg"] = result.get("msg") or "Task failed: failed_when is true"
    if not failed and "exception" in result:
        result["failed_when_suppressed_exception"] = result.pop("exception")
    result["failed"] = failed


def judge_wrongly(result: dict[str, Any], keyword: str, problem: str) -> None:
    """Let `result` fail because the condition of `keyword` could not be told. Works in place.

    What a result that has failed already said stays: its message, and its exception under another key.
    """
    if result.get("failed"):
        result[f"{keyword}_suppressed_exception"] = result.get("exception") or NO_TRACEBACK
    elif keyword != "break_when" or "msg" not in result:  # a loop's end takes no message from its item
        result["msg"] = f"Task failed: {problem}"
    result.update({"failed": True, f"{keyword}_result": problem, "exception": NO_TRACEBACK})


def public(result: Mapping[str, Any]) -> dict[str, Any]:
    """Give the part of a result that `register` stores: without the keys for the reporter."""
    return {key: value for key, value in result.items() if not key.startswith("_ansible_")}


def empty_loop() -> dict[str, Any]:
    """Give the result of a loop without items."""
    reason = "No items in the list"
    return {
        "changed": False,
        "failed": False,
        "skipped": True,
        "skip_reason": reason,
        "skipped_reason": reason,
        "results": [],
    }


def combined(results: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Give the result of a whole loop from those of its items, in order."""
    whole: dict[str, Any] = {
        "results": [public(result) for result in results],
        "changed": any(result.get("changed") for result in results),
        "failed": any(result.get("failed") for result in results),
    }
    if all(result.get("skipped") for result in results):
        whole["skipped"] = True
    if any(result.get("unreachable") for result in results):
        whole["unreachable"] = True
    if whole["failed"]:
        whole["msg"] = "One or more items failed"
    else:
        whole["msg"] = "All items skipped" if whole.get("skipped") else "All items completed"
    for key in ("warnings", "deprecations"):
        gathered = [entry for result in results for entry in result.get(key) or ()]
        if gathered:
            whole[key] = gathered
    return whole
