"""Tests on what a task registered: changed, failed, skipped and so on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.templating.filters.errors import FilterError
from pyplay.templating.filters.plain import is_mapping, type_name

if TYPE_CHECKING:
    from collections.abc import Mapping


def _result(value: Any) -> Mapping[str, Any]:
    if not is_mapping(value):
        raise FilterError(
            f"needs what a task registered, not {type_name(value)}", help="register: name, then: name is …"
        )
    return value


def failed(result: Any) -> bool:
    """Tell whether the task failed."""
    return bool(_result(result).get("failed", False))


def succeeded(result: Any) -> bool:
    """Tell whether the task did not fail; a skipped one did not."""
    return not failed(result)


def changed(result: Any) -> bool:
    """Tell whether the task, or any item of its loop, changed something."""
    values = _result(result)
    if "changed" in values:
        return bool(values["changed"])
    items = values.get("results")
    if not isinstance(items, list):
        return False
    return any(is_mapping(item) and bool(item.get("changed")) for item in items)  # type: ignore[misc]


def skipped(result: Any) -> bool:
    """Tell whether the task was skipped."""
    return bool(_result(result).get("skipped", False))


def unreachable(result: Any) -> bool:
    """Tell whether the host could not be reached."""
    return bool(_result(result).get("unreachable", False))


def reachable(result: Any) -> bool:
    """Tell whether the host could be reached."""
    return not unreachable(result)


def timedout(result: Any) -> bool:
    """Tell whether the task ended because its time was over."""
    return bool(_result(result).get("timedout", False))


def started(result: Any) -> bool:
    """Tell whether an async task was started; one that is not async was."""
    return bool(_result(result).get("started", True))


def finished(result: Any) -> bool:
    """Tell whether an async task has finished; one that is not async has."""
    return bool(_result(result).get("finished", True))
