"""Leaving an option of an action out changes the outcome."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

import pytest
from action_rows import ACTION_ROWS, Files
from bench import Bench


def outcome(top: Path, call: tuple[str, dict[str, Any], Files], options: dict[str, Any]) -> str:
    """Run a task on a bench of its own; gives its result, what is there then, and the pauses that were made."""
    module, args, files = call
    there = top / "there"
    there.mkdir(parents=True)
    (there / "f").write_text("old")
    (there / "link").symlink_to("f")
    for name, text in files.items():
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    bench = Bench(str(top))
    bench.environment.read_bytes = lambda path: (top / "opened" if "opened" in files else Path(path)).read_bytes()
    given = {**args, **options}
    text = f"{module}: {given.pop('_raw_params', '')}\nargs: {json.dumps(given).replace('@', str(there))}\ncheck_mode: "
    result = bench.run(text + ("true" if module in ("package", "service") else "false")).result
    seen = {
        path.name: (oct(path.lstat().st_mode), path.read_bytes())
        for path in sorted(there.iterdir())
        if stat.S_ISREG(path.lstat().st_mode)
    }
    return f"{result}\n{seen}\nnaps {bench.naps}".replace(str(top), "@")


@pytest.mark.parametrize(
    ("call", "option", "value", "shown"),
    ACTION_ROWS,
    ids=[f"{call[0]}: {option}" for call, option, _, _ in ACTION_ROWS],
)
def test_leaving_it_out_changes_the_outcome(
    tmp_path: Path, call: tuple[str, dict[str, Any], Files], option: str, value: object, shown: str
) -> None:
    without = outcome(tmp_path / "without", call, {})
    given = outcome(tmp_path / "given", call, {option: value})
    if shown.startswith("not: "):
        given, without = without, given
    assert shown.removeprefix("not: ") in given
    assert shown.removeprefix("not: ") not in without
