"""The default reporter writes the line forms that scripts written for Ansible grep for."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pyplay.report.events import HostStats, PlayStart, TaskStart
from pyplay.report.look import Look, ResultFormat
from pyplay.report.output import Output
from pyplay.report.text import TextReporter
from pyplay.workers.messages import IncludeCall, ItemResult, JobReport, JobState, TaskResult


def reporter(look: Look = Look(), **options: Any) -> tuple[TextReporter, list[str], list[str]]:  # noqa: B008  # frozen
    out: list[str] = []
    err: list[str] = []
    return TextReporter(Output(out.append, err.append, **options), look), out, err


def started(**options: Any) -> tuple[TextReporter, list[str], list[str]]:
    text, out, err = reporter(**options)
    text.task_started(TaskStart(name="web : Copy", path="<site>"))
    out.clear()
    return text, out, err


def result(value: dict[str, Any], **more: Any) -> TaskResult:
    flags: dict[str, Any] = {name: bool(value.get(name)) for name in ("failed", "changed", "skipped", "unreachable")}
    return TaskResult(host="h1", task_id=1, result=value, **(flags | more))


@pytest.mark.parametrize(
    ("given", "action", "expected"),
    [
        pytest.param(result({"changed": False}), "ansible.builtin.copy", "ok: [h1]\n", id="ok"),
        pytest.param(result({"changed": True}), "ansible.builtin.copy", "changed: [h1]\n", id="changed"),
        pytest.param(result({"changed": True}, delegate="d", delegate_address="10.0.0.9"), "ansible.builtin.copy", "changed: [h1 -> d(10.0.0.9)]\n", id="delegated"),
        pytest.param(result({"changed": True}, delegate="d", delegate_address="d"), "ansible.builtin.copy", "changed: [h1 -> d]\n", id="delegated to a name that is the address"),
        pytest.param(result({"changed": True}, delegate="h1", delegate_address="x"), "ansible.builtin.copy", "changed: [h1]\n", id="delegated to itself"),
        pytest.param(result({"changed": True}, delegate="h1"), "ansible.builtin.copy", "changed: [h1]\n", id="delegated to itself"),
        pytest.param(result({"skipped": True}), "ansible.builtin.copy", "skipping: [h1]\n", id="skipped"),
        pytest.param(
            result({"failed": True, "msg": "no", "rc": 1, "invocation": {}}), "ansible.builtin.command",
            '[ERROR]: Task failed: no\n  --> <site>\nfatal: [h1]: FAILED! => {"msg": "no", "rc": 1}\n', id="failed",
        ),
        pytest.param(
            result({"failed": True, "msg": "Task failed: of\n- one\n- \x1b\n"}), "ansible.builtin.command",
            '[ERROR]: Task failed: of\n- one\n- \\x1b\n  --> <site>\nfatal: [h1]: FAILED! => {"msg": "Task failed: of\\n- one\\n- \\u001b\\n"}\n', id="all lines of a message",
        ),
        pytest.param(
            result({"failed": True, "msg": "\n".join("x" * 14)}), "ansible.builtin.command",
            "[ERROR]: Task failed: " + "x\n" * 12 + '(2 more lines)\n  --> <site>\nfatal: [h1]: FAILED! => {"msg": "' + "x\\n" * 13 + 'x"}\n', id="the first lines of a long message",
        ),
        pytest.param(
            result({"failed": True, "msg": "no", "changed": False}, ignored=True), "ansible.builtin.command",
            '[ERROR]: Task failed: no\n  --> <site>\nfatal: [h1]: FAILED! => {"changed": false, "msg": "no"}\n...ignoring\n', id="ignored",
        ),
        pytest.param(
            result({"unreachable": True, "msg": "gone"}), "ansible.builtin.ping",
            '[ERROR]: Task failed: gone\n  --> <site>\nfatal: [h1]: UNREACHABLE! => {"msg": "gone", "unreachable": true}\n', id="unreachable",
        ),
        pytest.param(
            result({"msg": {"b": [1], "a": "é"}, "_ansible_verbose_always": True, "changed": False}), "ansible.builtin.debug",
            'ok: [h1] => {\n    "msg": {\n        "a": "é",\n        "b": [\n            1\n        ]\n    }\n}\n', id="debug",
        ),
        pytest.param(result({"changed": True, "x": 1}, private=True), "ansible.builtin.copy", "changed: [h1]\n", id="no_log"),
        pytest.param(result({}, includes=(IncludeCall(args={}),)), "ansible.builtin.include_tasks", "", id="includes are told by their file"),
    ],
)  # fmt: skip
def test_host_lines(given: TaskResult, action: str, expected: str) -> None:
    text, out, _ = started()
    text.host_ended(given, action=action)
    assert "".join(out) == expected


@pytest.mark.parametrize(
    ("given", "action", "expected"),
    [
        pytest.param(
            result({"skipped": True, "changed": False, "skip_reason": "r"}), "ansible.builtin.copy",
            'skipping: [h1] => {"changed": false, "skip_reason": "r"}\n', id="of a task",
        ),
        pytest.param(
            result({"skipped": True, "changed": False, "skip_reason": "r", "false_condition": "x"}), "ansible.builtin.debug",
            'skipping: [h1] => {"false_condition": "x"}\n', id="of debug",
        ),
        pytest.param(
            result({"skipped": True, "changed": False, "msg": "all", "results": [1]}, looped=True), "ansible.builtin.copy",
            'skipping: [h1] => {"changed": false, "msg": "all"}\n', id="of a loop",
        ),
    ],
)  # fmt: skip
def test_verbose_runs_show_why_something_was_skipped(given: TaskResult, action: str, expected: str) -> None:
    text, out, _ = started(verbosity=1)
    text.host_ended(given, action=action)
    assert "".join(out) == expected


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        pytest.param(
            {"changed": True, "item": 1, "ansible_loop_var": "item"}, "changed: [h1] => (item=1)\n", id="changed"
        ),
        pytest.param({"item": {"a": 1}, "ansible_loop_var": "item"}, "ok: [h1] => (item={'a': 1})\n", id="ok"),
        pytest.param(
            {"skipped": True, "item": 2, "ansible_loop_var": "item"}, "skipping: [h1] => (item=2) \n", id="skipped"
        ),
    ],
)
def test_item_lines(item: dict[str, Any], expected: str) -> None:
    text, out, _ = started()
    text.item_ended(ItemResult(host="h1", task_id=1, result=item), action="ansible.builtin.copy")
    assert "".join(out) == expected


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"msg": "hi"}, '{\n    "msg": "hi"\n}'),
        ({"x": 2}, '{\n    "i": 0,\n    "item": 1,\n    "x": 2\n}'),
    ],
)
def test_debug_shows_its_message_alone_and_the_item_beside_a_variable(values: dict[str, Any], expected: str) -> None:
    text, out, _ = started()
    loop = {"item": 1, "i": 0, "ansible_loop_var": "item", "ansible_index_var": "i", "_ansible_verbose_always": True}
    text.item_ended(ItemResult(host="h1", task_id=1, result={**values, **loop}), action="ansible.builtin.debug")
    assert out[-1] == f"ok: [h1] => (item=1) => {expected}\n"


def test_a_failure_by_condition_is_not_blamed_on_the_message() -> None:
    text, out, _ = started()
    values = {"failed": True, "msg": "all is well", "failed_when_result": True}
    text.host_ended(result(values), action="ansible.builtin.debug")
    assert "".join(out).count("all is well") == 1
    assert "Task failed: failed_when is true" in "".join(out)


def test_debug_of_a_variable_called_item_outside_of_a_loop() -> None:
    text, out, _ = started()
    text.host_ended(result({"item": 1, "_ansible_verbose_always": True}), action="ansible.builtin.debug")
    assert out[-1] == 'ok: [h1] => {\n    "item": 1\n}\n'


@pytest.mark.parametrize("changed", [True, False])
def test_only_a_change_shows_its_diff(*, changed: bool) -> None:
    text, out, _ = started()
    text.host_ended(
        result({"changed": changed, "diff": {"before": "a\n", "after": "b\n"}}, diff=True),
        action="ansible.builtin.copy",
    )
    assert ("+b" in "".join(out)) == changed


def test_a_label_keeps_the_item_out_of_a_failure() -> None:
    text, out, _ = started()
    failed = {"failed": True, "msg": "boom", "item": {"key": "hush"}, "ansible_loop_var": "item", "rc": 1}
    text.item_ended(ItemResult(host="h1", task_id=1, result=failed, label="ada"), action="ansible.builtin.command")
    assert "hush" not in "".join(out)
    assert out[-1] == 'failed: [h1] (item=ada) => {"msg": "boom", "rc": 1}\n'


def test_no_log_hides_item_and_result() -> None:
    text, out, _ = started(verbosity=3)
    failed = {"failed": True, "msg": "hush", "item": "hush", "ansible_loop_var": "item"}
    text.item_ended(ItemResult(host="h1", task_id=1, result=failed, private=True), action="ansible.builtin.command")
    text.host_ended(
        result({"failed": True, "msg": "hush", "results": [failed]}, private=True), action="ansible.builtin.command"
    )
    assert "hush" not in "".join(out)


def test_verbose_results_stand_behind_the_line() -> None:
    text, out, _ = started(verbosity=1)
    text.host_ended(result({"changed": True, "dest": "/x", "invocation": {"a": 1}}), action="ansible.builtin.copy")
    assert out == ['changed: [h1] => {"changed": true, "dest": "/x"}\n']


def test_banners_fill_the_line() -> None:
    text, out, _ = reporter()
    text.play_started(PlayStart(name="First", hosts=("h1",)))
    text.task_started(TaskStart(name="one"))
    text.task_started(TaskStart(name="two", handler=True))
    lines = "".join(out).splitlines()
    assert lines == [
        "",
        "PLAY [First] " + "*" * 67,
        "",
        "TASK [one] " + "*" * 69,
        "",
        "RUNNING HANDLER [two] " + "*" * 58,
    ]


def test_the_recap_is_what_scripts_expect() -> None:
    text, out, _ = reporter()
    text.run_ended({"b": HostStats(ok=19, changed=8, failed=1), "a": HostStats(ok=1, ignored=2, rescued=1)}, {})
    assert "".join(out).splitlines()[2:] == [
        "a                          : ok=1    changed=0    unreachable=0    failed=0    skipped=0    rescued=1    ignored=2   ",
        "b                          : ok=19   changed=8    unreachable=0    failed=1    skipped=0    rescued=0    ignored=0   ",
        "",
    ]


def test_retries_count_down() -> None:
    text, out, _ = started()
    text.item_ended(
        ItemResult(host="h1", task_id=1, result={"attempts": 1, "retries": 3, "failed": True}, retry=True), action="x"
    )
    assert out == ["FAILED - RETRYING: [h1]: web : Copy (2 retries left).\n"]


def test_a_diff_is_shown_before_the_line() -> None:
    text, out, _ = started()
    diff = {"before": "a\n", "after": "b\n", "before_header": "/x", "after_header": "/x"}
    text.host_ended(result({"changed": True, "diff": [diff]}, diff=True), action="ansible.builtin.copy")
    assert "".join(out) == "--- before: /x\n+++ after: /x\n@@ -1 +1 @@\n-a\n+b\n\nchanged: [h1]\n"


def test_a_host_cannot_steer_the_terminal() -> None:
    text, out, _ = started()
    text.item_ended(ItemResult(host="h1", task_id=1, result={"item": "\x1b[2J"}), action="x")
    text.host_ended(result({"failed": True, "msg": "\x1b]0;evil\x07"}), action="x")
    assert "\x1b" not in "".join(out)


def test_secrets_are_masked_everywhere() -> None:
    mask = lambda text: text.replace("s3cret", "****")  # noqa: E731
    text, out, err = started(mask=mask, verbosity=3)
    text.host_ended(result({"failed": True, "msg": "s3cret", "cmd": "x s3cret", "warnings": ["s3cret"]}), action="x")
    text.host_ended(result({"changed": True, "diff": {"before": "", "after": "s3cret\n"}}, diff=True), action="x")
    assert "s3cret" not in "".join(out + err)


def test_names_cannot_steer_the_terminal() -> None:
    text, out, _ = reporter()
    text.play_started(PlayStart(name="a\x1b[2Jb", hosts=("h1",)))
    text.task_started(TaskStart(name="t\x1b[31m"))
    text.host_ended(
        replace(result({}), host="h\x07", delegate="d\x1b", delegate_address="\x1b[0m"), action="ansible.builtin.ping"
    )
    text.run_ended({"h\x07": HostStats(ok=1)}, {"\x1b": 1})
    assert not set("".join(out)) & set("\x1b\x07")


@pytest.mark.parametrize(
    ("result_keys", "private", "verbosity", "expected"),
    [
        pytest.param({}, False, 2, "", id="not at -vv"),
        pytest.param({}, False, 3, 'Result was: {\n    "attempts": 1,\n    "changed": false,\n    "retries": 3\n}', id="at -vvv"),
        pytest.param({"_ansible_verbose_always": True, "msg": 1}, False, 0, 'Result was: {\n    "attempts": 1,\n    "changed": false,\n    "msg": 1,\n    "retries": 3\n}', id="of debug always"),
        pytest.param({"secret": "s"}, True, 3, "Result was: {CENSORED}", id="under no_log"),
    ],
)  # fmt: skip
def test_what_an_attempt_gave(result_keys: dict[str, Any], private: Any, verbosity: int, expected: str) -> None:
    text, out, _ = started(verbosity=verbosity)
    found = {"attempts": 1, "retries": 3, "changed": False, **result_keys}
    text.item_ended(
        ItemResult(host="h1", task_id=1, result=found, retry=True, private=private), action="ansible.builtin.debug"
    )
    line = "".join(out)
    if private:
        assert '"censored"' in line
        assert "secret" not in line
    else:
        assert line == f"FAILED - RETRYING: [h1]: web : Copy (2 retries left).{expected}\n"


def test_jobs_in_the_background_are_told() -> None:
    text, out, _ = started()
    for state in JobState:
        text.job_asked(JobReport(host="h1", task_id=1, state=state, job="j1.2"))
    assert out == [
        "ASYNC POLL on h1: jid=j1.2 started=True finished=False\n",
        "ASYNC OK on h1: jid=j1.2\n",
        "ASYNC FAILED on h1: jid=j1.2\n",
    ]


@pytest.mark.parametrize(
    ("action", "private", "last"),
    [
        ("ansible.builtin.debug", False, 'fatal: [h1]: FAILED! => {"msg": "One or more items failed"}\n'),
        ("ansible.builtin.debug", True, ""),
        ("ansible.builtin.command", False, ""),
    ],
)
def test_a_failed_loop_of_debug_has_a_line_of_its_own(action: str, private: Any, last: str) -> None:
    text, out, _ = started()
    item = {"failed": True, "item": 1, "msg": "no"}
    text.item_ended(ItemResult(host="h1", task_id=1, result=item, private=private), action=action)
    out.clear()
    whole = {"failed": True, "msg": "One or more items failed", "results": [item]}
    text.host_ended(result(whole, looped=True, private=private), action=action)
    assert "".join(out) == last


@pytest.mark.parametrize("failed", [False, True])
def test_a_loop_has_no_line_of_its_own_though_another_host_was_shown_between(*, failed: bool) -> None:
    text, out, _ = started()
    item = {"failed": failed, "changed": True, "item": 1}
    loop, action = (
        result({"failed": failed, "changed": True, "results": [item]}, looped=True),
        "ansible.builtin.command",
    )
    text.item_ended(ItemResult(host="h1", task_id=1, result=item), action=action)
    text.task_started(TaskStart(name="other"))
    text.host_ended(replace(result({}), host="h2"), action=action)
    text.task_started(TaskStart(name="web : Copy", path="<site>"))
    out.clear()
    text.host_ended(loop, action=action)
    assert not out
    text.host_ended(loop, action=action)  # this time no item has a line
    assert "[h1]" in "".join(out)


def test_settings_of_the_default_reporter() -> None:
    look = Look(
        included=False, failed_stderr=True, arguments=True, custom_stats=True, task_path_on_failure=True,
        check_mode_markers=True, host_start=True, dry_run=True, diffs=False,
    )  # fmt: skip
    text, out, err = reporter(look)
    text.run_started(["site.yml"])
    text.play_started(PlayStart(name="P", check_mode=True))
    text.task_started(TaskStart(name="T", path="<x>:1:2", args={"a": 1, "b": "x"}, check_mode=True))
    text.host_started("h1")
    text.included("inc.yml", ["h1"], None)
    changed = {"changed": True, "diff": {"before": "", "after": "x\n"}}
    text.host_ended(result(changed, diff=True), action="x")
    text.host_ended(result({"failed": True, "msg": "no"}), action="x")
    text.task_started(TaskStart(name="S", args={"a": "hush"}, private=True))
    text.run_ended({}, {"_run": {"n": 1}})
    lines = [line.rstrip(" *") for line in "".join(out).splitlines() if line]
    assert lines == [
        "DRY RUN",
        "PLAY [P] [CHECK MODE]",
        "TASK [T a=1, b=x] [CHECK MODE]",
        " [started TASK: T on h1]",
        "changed: [h1]",
        "task path: <x>:1",
        "TASK [S]",
        "PLAY RECAP",
        "CUSTOM STATS:",
        '\tRUN: {"n": 1}',
        "DRY RUN",
    ]
    assert "".join(err).splitlines()[-1] == 'fatal: [h1]: FAILED! => {"msg": "no"}'


@pytest.mark.parametrize(
    ("form", "verbosity", "expected"),
    [
        (ResultFormat(), 1, ' => {"a": 1, "changed": true}'),
        (ResultFormat(), 3, ' => {\n    "a": 1,\n    "changed": true\n}'),
        (ResultFormat(pretty=True, indent=2), 1, ' => {\n  "a": 1,\n  "changed": true\n}'),
        (ResultFormat(pretty=False), 3, ' => {"a": 1, "changed": true}'),
        (ResultFormat(yaml=True), 1, " => \n    a: 1\n    changed: true"),
        (ResultFormat(yaml=True), 0, ""),
    ],
)
def test_forms_of_results(form: ResultFormat, verbosity: int, expected: str) -> None:
    text, out, _ = reporter(Look(format=form), verbosity=verbosity)
    text.host_ended(result({"changed": True, "a": 1}), action="x")
    assert "".join(out) == f"changed: [h1]{expected}\n"


def test_a_task_of_which_nothing_is_shown_has_no_banner() -> None:
    text, out, _ = reporter(Look(ok=False))
    for _ in range(2):
        text.play_started(PlayStart(name="P"))
        text.task_started(TaskStart(name="quiet"))
        text.host_ended(result({}), action="x")
    text.run_ended({}, {})
    assert "quiet" not in "".join(out)
