"""Where in a configuration file a key stands."""

from __future__ import annotations

import re
from pathlib import Path

from pyplay.diagnostics.model import Origin

_DELIMITER = re.compile(r"[=:]")


def find_key(path: str, section: str, key: str) -> tuple[Origin, int]:
    """Give the place of the last `key` of `[section]` in the file at `path` and the key's length; keys in lower case.

    Only the file, and no length, where there is none.
    """
    found, current = Origin(path), ""
    for number, line in enumerate(Path(path).read_text(encoding="utf-8-sig").splitlines(), 1):
        if line.startswith("["):
            current = line[1:].split("]")[0]
        elif current == section and _DELIMITER.split(line, maxsplit=1)[0].strip().lower() == key:
            found = Origin(path, number, len(line) - len(line.lstrip()) + 1)
    return found, len(key) if found.line else 0
