"""Observe what ansible-core makes of expressions, and keep it as test cases.

Run by hand, with PYPLAY_ORACLE naming the directory of ansible-core's programs:

    python tests/templating/observe.py tests/templating/filters/cases/paths.json …

A case file holds `vars` and `cases`, a list of `[expression]` or `[expression, outcome]`. Every outcome is written anew:
`{"value": …}` is what `expression | to_json` gave, `{"error": true}` that it failed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any


def observe(variables: dict[str, Any], expressions: list[str], directory: Path) -> list[dict[str, Any]]:
    """Give the outcome of each expression in ansible-core, evaluated with a playbook in `directory`."""
    tasks: list[dict[str, Any]] = [
        {"debug": {"msg": f"{{{{ ({text}) | to_json }}}}"}, "register": f"r_{number}", "ignore_errors": True}
        for number, text in enumerate(expressions)
    ]
    names = ", ".join(f"r_{number}" for number in range(len(expressions)))
    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch, "out.json")
        tasks.append({"copy": {"content": f"{{{{ [{names}] | to_json }}}}", "dest": str(out)}})
        play = [{"hosts": "localhost", "gather_facts": False, "vars": variables, "tasks": tasks}]
        playbook = (
            directory / f".observe-{os.getpid()}.yml"
        )  # beside the files that lookups read; tests run side by side
        playbook.write_text(json.dumps(play))
        try:
            command = Path(os.environ["PYPLAY_ORACLE"], "ansible-playbook")
            done = subprocess.run([command, playbook], capture_output=True, text=True, check=False)
        finally:
            playbook.unlink()
        if not out.exists():
            raise SystemExit(done.stdout[-3000:] + done.stderr[-3000:])
        results = json.loads(out.read_text())
    return [_outcome(result) for result in results]


def _outcome(result: dict[str, Any]) -> dict[str, Any]:
    if result.get("failed"):
        return {"error": True}
    text = result["msg"]
    return {"value": json.loads(text) if isinstance(text, str) else text}


def refresh(path: Path) -> None:
    """Write the outcomes of the case file at `path` anew."""
    table = json.loads(path.read_text())
    expressions = [case[0] for case in table["cases"]]
    outcomes = observe(table.get("vars", {}), expressions, path.parent)
    lines = [
        json.dumps([text, outcome], ensure_ascii=False) for text, outcome in zip(expressions, outcomes, strict=True)
    ]
    head = json.dumps(table.get("vars", {}), ensure_ascii=False)
    path.write_text('{\n"vars": ' + head + ',\n"cases": [\n' + ",\n".join(lines) + "\n]\n}\n")


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        refresh(Path(argument).resolve())
