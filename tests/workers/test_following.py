"""Workers follow the variables' log and learn tasks and roles, with the real variables and codec."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from bench import Bench, make_task, started

from pyplay.inventory.model import Inventory
from pyplay.playbook.model import Role
from pyplay.source.text import Trusted
from pyplay.variables.codec import Codec
from pyplay.variables.log import Delta, LogWriter
from pyplay.variables.manager import VariableManager
from pyplay.variables.store import Store
from pyplay.workers.executor import WorkerLost
from pyplay.workers.known import Known
from pyplay.workers.messages import Round, TaskResult
from pyplay.workers.setup import WorkerSetup

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pyplay.playbook.model import Task


class Run:
    """A pool over two hosts, with a log to write to."""

    def __init__(self, basedir: str, *texts: str) -> None:
        bench = Bench(basedir)
        self.play = bench.play
        tasks = {number: self.task(number, text) for number, text in enumerate(texts)}
        inventory = Inventory()
        for name in ("a", "b"):
            inventory.add_host(name, [], {"ansible_connection": Trusted("local")})
        self.log = LogWriter()
        variables = VariableManager(
            inventory, [self.play], bench.settings, {}, bench.options, Store(inventory), environment=bench.environment
        )
        known = Known(tasks, {1: self.play}, Codec([self.play], [], tasks.values()))
        setup = WorkerSetup(
            options=bench.options, settings=bench.settings, variables=variables, environment=bench.environment, known=known,
            search=bench.builder.search, log=self.log.fd,
        )  # fmt: skip
        self.secrets = bench.environment.secrets
        self.pool = started(setup)

    @staticmethod
    def task(number: int, text: str, **fields: Any) -> Task:
        task = make_task(text)
        task.id = number
        for name, value in fields.items():
            setattr(task, name, value)
        return task

    def round(self, number: int, *hosts: str) -> dict[str, TaskResult]:
        self.pool.dispatch(Round(number, hosts, self.log.position))
        found: dict[str, TaskResult] = {}
        while len(found) < len(hosts):
            for answer in self.pool.receive(20.0):
                assert not isinstance(answer, WorkerLost), answer
                if isinstance(answer, TaskResult):
                    found[answer.host] = answer
        return found


@pytest.fixture
def made() -> Iterator[list[Run]]:
    runs: list[Run] = []
    yield runs
    for run in runs:
        run.pool.close()
        run.log.close()


def test_every_worker_sees_what_was_written_before_its_round(made: list[Run], tmp_path: Path) -> None:
    run = Run(str(tmp_path), "debug: {msg: \"{{ x | default('-') }}{{ hostvars['a'].x | default('-') }}\"}")
    made.append(run)
    assert {host: result.result["msg"] for host, result in run.round(0, "a", "b").items()} == {"a": "--", "b": "--"}
    run.log.append(Delta("a", "set_facts", {"x": 1}))
    run.log.append(Delta("b", "set_facts", {"x": 2}))
    assert {host: result.result["msg"] for host, result in run.round(0, "a", "b").items()} == {"a": "11", "b": "21"}


def test_a_delegated_task_sees_the_variables_of_its_delegate(made: list[Run], tmp_path: Path) -> None:
    run = Run(str(tmp_path), "debug: {msg: '{{ ansible_delegated_vars.b.x }}'}\ndelegate_to: b")
    made.append(run)
    run.log.append(Delta("b", "set_facts", {"x": 2}))
    assert run.round(0, "a")["a"].result["msg"] == 2


def test_added_hosts_can_run_tasks(made: list[Run], tmp_path: Path) -> None:
    run = Run(str(tmp_path), "debug: {msg: '{{ group_names }}'}")
    made.append(run)
    change = {"name": "c", "groups": ["new"], "vars": {"ansible_connection": "local"}}
    run.log.append(Delta("c", "inventory", {"add_host": change}))
    assert run.round(0, "c")["c"].result["msg"] == ["new"]


def test_public_roles_reach_the_workers(made: list[Run], tmp_path: Path) -> None:
    run = Run(str(tmp_path), "debug: {msg: \"{{ from_role | default('-') }}\"}")
    made.append(run)
    assert run.round(0, "a")["a"].result["msg"] == "-"
    role = Role(
        id=1, name="r", fqcn="r", path=str(tmp_path), identity="r", defaults={"from_role": Trusted("{{ 1 + 1 }}")}
    )
    run.play.roles.append(role)
    run.pool.define([run.task(8, "debug: {msg: '{{ from_role }} {{ role_name }}'}", role=role)])
    assert run.round(8, "a", "b")["b"].result["msg"] == "2 r"
    run.pool.define([run.task(9, "debug: {msg: '{{ from_role }}'}")])
    assert run.round(9, "a")["a"].result["msg"] == 2


def test_secrets_that_come_to_light_in_a_worker_are_told(made: list[Run], tmp_path: Path) -> None:
    from pyplay.source.vault import Secret  # noqa: PLC0415  # for this test alone

    run = Run(str(tmp_path), "debug: {msg: '{{ hidden }}'}\nvars: {hidden: x}")
    made.append(run)
    run.pool.define([run.task(5, "debug: {msg: '{{ hidden }}'}", vars={"hidden": Secret("s3cr3t-text")})])
    run.round(5, "a")
    assert "s3cr3t-text" in list(run.secrets)
