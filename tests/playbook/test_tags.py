from __future__ import annotations

import pytest

from pyplay.playbook.tags import matches

# rows observed with ansible-core 2.21
ROWS = [
    # tags of the task, --tags, --skip-tags, runs
    ([], [], [], True),
    ([], ["all"], [], True),
    ([], ["a"], [], False),
    (["a"], ["a"], [], True),
    (["a,b"], ["b"], [], False),
    (["always"], ["a"], [], True),
    (["always"], ["a"], ["always"], False),
    (["always", "a"], ["all"], ["a"], False),
    (["never"], ["all"], [], False),
    (["never"], [], [], False),
    (["never"], ["never"], [], True),
    (["never", "debug"], ["debug"], [], True),
    (["never", "debug"], ["tagged"], [], False),
    (["never", "always"], ["all"], [], True),
    (["a"], ["tagged"], [], True),
    ([], ["tagged"], [], False),
    ([], ["untagged"], [], True),
    (["a"], ["untagged"], [], False),
    (["a"], ["all"], ["a"], False),
    (["a"], ["all"], ["tagged"], False),
    ([], ["all"], ["untagged"], False),
    ([], ["all"], ["tagged"], True),
    (["a"], ["all"], ["all"], False),
    (["always"], ["all"], ["all"], True),
    (["always"], ["all"], ["all", "always"], False),
    (["a", "b"], ["a"], ["b"], False),
]


@pytest.mark.parametrize(("tags", "only", "skip", "runs"), ROWS)
def test_which_tasks_run(tags: list[str], only: list[str], skip: list[str], runs: object) -> None:
    assert matches(tags, only, skip) is runs
