"""Results in files."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from pyplay.report.output import Output
from pyplay.report.tree import TreeReporter
from pyplay.workers.messages import TaskResult

if TYPE_CHECKING:
    from pathlib import Path


def test_each_host_has_a_file_with_its_last_result(tmp_path: Path) -> None:
    tree = TreeReporter(Output(str, str), str(tmp_path / "new" / "tree"), lambda _: None)
    for number in (1, 2):
        tree.host_ended(TaskResult(host="h", task_id=1, result={"changed": False, "n": number}), action="x")
    tree.run_ended({}, {})
    assert json.loads((tmp_path / "new/tree/h").read_text()) == {"changed": False, "n": 2}


def test_no_log_and_names_of_hosts_are_no_way_out(tmp_path: Path) -> None:
    tree = TreeReporter(Output(str, str), str(tmp_path / "tree"), lambda _: None)
    tree.host_ended(TaskResult(host="../h", task_id=1, result={"k": "s3cret"}, private=True), action="x")
    tree.run_ended({}, {})
    (written,) = (tmp_path / "tree").iterdir()
    assert "s3cret" not in written.read_text()
    assert [path.name for path in tmp_path.iterdir()] == ["tree"]


def test_a_directory_that_cannot_be_made_is_one_warning(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    warnings: list[Any] = []
    tree = TreeReporter(Output(str, str), str(tmp_path / "file" / "tree"), warnings.append)
    for host in ("a", "b"):
        tree.host_ended(TaskResult(host=host, task_id=1, result={}), action="x")
    tree.run_ended({}, {})
    assert len(warnings) == 1
