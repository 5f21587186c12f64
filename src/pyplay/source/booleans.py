"""Words for true and false, as Ansible takes them in keywords, options and settings."""

from __future__ import annotations

TRUE = frozenset({"yes", "on", "1", "true", "t", "y"})
FALSE = frozenset({"no", "off", "0", "false", "f", "n"})


def read_boolean(value: object) -> bool | None:
    """Give what a boolean, 0, 1 or one of the words above means, None where `value` is none of them."""
    if isinstance(value, (bool, int, float)):
        return bool(value) if value in (0, 1) else None
    lowered = value.strip().lower() if isinstance(value, str) else None
    return True if lowered in TRUE else False if lowered in FALSE else None


def may_be_true(value: object) -> bool:
    """Tell whether a boolean that was given is, or may once it is rendered turn out to be, true."""
    return value is not None and read_boolean(value) is not False
