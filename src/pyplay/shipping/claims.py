"""What a module's result says about itself, made sure of: hosts send what they like, and we read some keys.

Keys that only pyplay may set (`_ansible_…`) are taken away, those that it reads get the shape that readers count on:
a `failed` of "no" is true, as any text that is not empty, an `rc` that is no number is none (as in ansible-core 2.21).
Which interpreter was found is for pyplay to say, so facts about that are taken away, too. All others are the playbook's
business and stay as they came.
"""

from __future__ import annotations

from typing import Any

_PRIVATE = "_ansible_"
_DISCOVERED = ("discovered_interpreter_", "ansible_discovered_interpreter_")


def checked(result: dict[str, Any]) -> dict[str, Any]:
    """Give `result`, changed in place: without private keys, `diff`, `warnings`, `deprecations` of their own shape."""
    for key in [key for key in result if key.startswith(_PRIVATE)]:
        del result[key]
    facts: Any = result.get("ansible_facts")
    if isinstance(facts, dict):
        for name in [name for name in facts if name.startswith(_DISCOVERED)]:  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]  # JSON
            del facts[name]
    for key in ("changed", "failed", "skipped", "unreachable"):
        if key in result:
            result[key] = bool(result[key])
    if not isinstance(result.get("rc"), int):
        result.pop("rc", None)
    for key, shape in (("diff", _diff), ("warnings", _texts), ("deprecations", _notices)):
        if key in result:
            shaped = shape(result[key])
            if shaped is None:
                del result[key]
            else:
                result[key] = shaped
    return result


def _diff(value: Any) -> Any:
    """Give one diff or a list of them, None for what is none."""
    if isinstance(value, dict):
        return value  # pyright: ignore[reportUnknownVariableType]  # JSON
    if not isinstance(value, list):
        return None
    return [part for part in value if isinstance(part, dict)]  # pyright: ignore[reportUnknownVariableType]  # JSON


def _texts(value: Any) -> list[str] | None:
    entries = [value] if isinstance(value, str) else value
    return [str(entry) for entry in entries] if isinstance(entries, list) else None  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]  # JSON


def _notices(value: Any) -> list[Any] | None:
    entries: Any = [value] if isinstance(value, (str, dict)) else value
    if not isinstance(entries, list):
        return None
    return [_notice(entry) for entry in entries]  # pyright: ignore[reportUnknownVariableType]  # JSON


def _notice(entry: Any) -> Any:
    """Give a deprecation without what only the controller may say: where it stands, which line is then shown."""
    if not isinstance(entry, dict):
        return str(entry)
    return {key: value for key, value in entry.items() if key not in ("code", "origin", "help")}  # pyright: ignore[reportUnknownVariableType]  # JSON
