"""Programs that stand in for engines that are not there: they look at their words and run what comes after them here."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

PROGRAM = """#!{python}
import json, os, sys
where = os.path.realpath(__file__)
expected = json.load(open(where + ".json"))
given = sys.argv[1:]
inner = given[len(expected["words"]):]
if given[: len(expected["words"])] != expected["words"]:
    sys.exit("expected %r, got %r" % (expected["words"], given))
for name, value in expected["environment"].items():
    if os.environ.get(name) != value:
        sys.exit("expected %s=%r, got %r" % (name, value, os.environ.get(name)))
if expected["fault"]:
    print(expected["fault"], file=sys.stderr)
    sys.exit(expected["status"])
os.execvp(inner[0], inner)
"""


def stand_in(
    folder: Path,
    name: str,
    words: Sequence[str],
    *,
    environment: Mapping[str, str] | None = None,
    fault: str = "",
    status: int = 1,
) -> Path:
    """Write a program `name` that wants exactly `words` before those it runs, or ends with a `fault`."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(PROGRAM.format(python=sys.executable))
    path.chmod(0o755)
    expected = {"words": list(words), "environment": dict(environment or {}), "fault": fault, "status": status}
    (folder / f"{name}.json").write_text(json.dumps(expected))
    return path
