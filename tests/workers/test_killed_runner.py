from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bench import Bench


def test_a_runner_that_is_killed_fails_the_task_and_not_the_host(bench: Bench) -> None:
    killed, after = bench.run_all("- shell: kill -9 $(ps -o ppid= -p $PPID)\n- shell: echo on\n")
    assert (killed.failed, killed.unreachable) == (True, False)
    assert "the Runner ended (status -9)" in killed.result["msg"]
    assert after.result["stdout"] == "on"
