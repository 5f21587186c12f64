"""Failures that the controller itself gives read as those of workers."""

from __future__ import annotations

from pyplay.diagnostics.errors import PlaybookError
from pyplay.diagnostics.model import Origin
from pyplay.engine.outcome import author_failure
from pyplay.playbook.model import Task


def test_a_fault_is_one_line_that_names_its_place() -> None:
    origin = Origin("site.yml", 5, 17)
    task = Task(
        id=1, play_id=1, action="debug", resolved_action="ansible.builtin.debug", origin=Origin("site.yml", 3, 7)
    )
    found = author_failure(task, "h1", PlaybookError.of("not-a-number", "throttle is no number", origin))
    assert found.failed
    assert found.result["msg"] == "Task failed: throttle is no number (site.yml:5:17)"
    assert found.result["_ansible_origin"] == "site.yml:5:17"
