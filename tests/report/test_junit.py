"""Test reports for CI servers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest

from pyplay.report.events import PlayStart, TaskStart
from pyplay.report.junit import JunitOptions, JunitReporter
from pyplay.report.output import Output
from pyplay.workers.messages import TaskResult

if TYPE_CHECKING:
    from pathlib import Path


def report(directory: Path, *, mask: Any = str, **options: Any) -> ET.Element:
    junit = JunitReporter(
        Output(str, str, mask=mask), JunitOptions(directory=str(directory), **options), lambda _: None
    )
    junit.run_started(["/x/site.yml", "/x/other.yml"])
    junit.play_started(PlayStart(name="Play"))
    values: list[tuple[dict[str, Any], dict[str, Any]]] = [
        ({"name": "TEST changes", "args": {"_raw_params": "echo <hi> & 'x'\n"}}, {"changed": True}),
        ({"name": "r : TEST ignored", "path": "/x/roles/r/tasks/main.yml:3:7"}, {"failed": True, "ignored": True}),
        ({"name": "skips"}, {"skipped": True}),
        ({"name": "hides", "private": True, "args": {"k": "s3cret"}}, {"failed": True, "private": True}),
        ({"name": "Gathering Facts", "action": "setup"}, {}),
        ({"name": "away"}, {"unreachable": True}),
    ]
    for number, (start, flags) in enumerate(values):
        junit.task_started(TaskStart(**({"id": number, "path": "/x/site.yml:5:7"} | start)))
        told = {"msg": "s3cret\x1b", "changed": bool(flags.get("changed"))}
        action = "ansible.builtin.setup" if start.get("action") else "ansible.builtin.command"
        junit.host_ended(TaskResult(host="h", task_id=number, result=told, **flags), action=action)
    junit.task_started(TaskStart(name="includes", id=9, path="/x/site.yml:9:7"))
    junit.included("/x/inc.yml", ["h"], None)
    junit.run_ended({}, {})
    (written,) = directory.iterdir()
    assert written.name.startswith("site-")
    assert "\x1b" not in written.read_text()
    return ET.fromstring(written.read_text())  # what was just written


def cases(root: ET.Element) -> dict[str, ET.Element]:
    return {str(case.get("name")): case for case in root.iter("testcase")}


def outcomes(root: ET.Element) -> list[str]:
    return [child.tag for case in root.iter("testcase") for child in case]


def test_each_task_on_each_host_is_a_case(tmp_path: Path) -> None:
    root = report(tmp_path / "new")
    (suite,) = root
    assert (root.tag, suite.tag, suite.get("name")) == ("testsuites", "testsuite", "site")
    assert outcomes(root) == [
        "system-out",
        "system-out",
        "skipped",
        "error",
        "system-out",
        "error",
        "system-out",
        "system-out",
    ]
    figures = {"tests": "8", "errors": "2", "failures": "0", "skipped": "1", "disabled": "0"}
    assert figures.items() <= suite.attrib.items()
    first = next(root.iter("testcase"))
    assert first.get("name") == "[h] Play: TEST changes _raw_params=echo <hi> & 'x'"
    assert first.get("classname") == "/x/site.yml:5"
    assert float(str(first.get("time"))) >= 0
    assert "[include] Play: includes" in cases(root)


def test_no_log_hides_arguments_and_result(tmp_path: Path) -> None:
    case = cases(report(tmp_path))["[h] Play: hides"]
    assert "s3cret" not in ET.tostring(case, encoding="unicode")


def test_secrets_are_masked(tmp_path: Path) -> None:
    root = report(tmp_path, mask=lambda text: text.replace("s3cret", "****"))
    assert "s3cret" not in ET.tostring(root, encoding="unicode")


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"fail_on_change": True}, {"[h] Play: TEST changes _raw_params=echo <hi> & 'x'": "failure"}),
        ({"fail_on_ignore": True}, {"[h] Play: r : TEST ignored": "error"}),
        ({"hide_arguments": True}, {"[h] Play: TEST changes": "system-out"}),
    ],
)
def test_what_counts_as_a_failure(tmp_path: Path, options: dict[str, Any], expected: dict[str, str]) -> None:
    found = {name: case[0].tag for name, case in cases(report(tmp_path, **options)).items()}
    assert expected.items() <= found.items()


def test_only_tasks_of_a_prefix(tmp_path: Path) -> None:
    names = list(cases(report(tmp_path, prefix="TEST", hide_arguments=True)))
    assert names == ["[h] Play: TEST changes", "[h] Play: r : TEST ignored"]


def test_facts_may_be_left_out(tmp_path: Path) -> None:
    assert "[h] Play: Gathering Facts" not in cases(report(tmp_path, facts=False))


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"task_class": True}, {"/x/site", "/x/roles/r/tasks/main"}),
        ({"relative_to": "/x/roles"}, {"../site.yml:5", "r/tasks/main.yml:3", "../site.yml:9"}),
        (
            {"relative_to": "/x/roles", "out_of_tree": "out:"},
            {"out:site.yml:5", "r/tasks/main.yml:3", "out:site.yml:9"},
        ),
    ],
)
def test_classes_are_places(tmp_path: Path, options: dict[str, Any], expected: set[str]) -> None:
    assert {case.get("classname") for case in report(tmp_path, **options).iter("testcase")} == expected


def test_a_directory_that_cannot_be_made_is_a_warning(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    warnings: list[Any] = []
    junit = JunitReporter(Output(str, str), JunitOptions(directory=str(tmp_path / "file" / "x")), warnings.append)
    junit.run_ended({}, {})
    assert [warning.code for warning in warnings] == ["junit"]
