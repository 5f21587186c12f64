"""Words for true and false, as Ansible takes them in keywords and settings."""

from __future__ import annotations

TRUE = frozenset({"yes", "on", "1", "true", "t", "y"})
FALSE = frozenset({"no", "off", "0", "false", "f", "n"})


def read_boolean(text: str) -> bool | None:
    """Give what the word `text` means, None where it means neither."""
    lowered = text.strip().lower()
    return True if lowered in TRUE else False if lowered in FALSE else None
