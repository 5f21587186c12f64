"""Dynamic includes: loaded once per distinct call, walked together by the hosts that made it."""

from __future__ import annotations

import time
from typing import Any

from pyplay.playbook.model import Block, LoopControl, TaskKind
from pyplay.source.options import RunOptions
from pyplay.workers.messages import IncludeCall


def includes(stage: Any, include_call: Any, plan: dict[str, dict[str, list[Any]]]) -> Any:
    """Give a script: `plan` tells by task and host which files are included."""

    def script(host: str, task: Any) -> Any:
        calls = plan.get(task.name or "", {}).get(host)
        if calls is None:
            return "ok"
        made = [c if not isinstance(c, str) else include_call(c) for c in calls]
        return {"includes": tuple(made)} if made else "skipped"

    return script


def test_hosts_with_the_same_file_share_its_tasks(stage: Any, include_call: Any) -> None:
    stage.write("x.yml", lambda: [stage.build.block("x1", "x2")])
    stage.run(
        [stage.build.include("inc"), "after"],
        "a b c",
        includes(stage, include_call, {"inc": {host: ["x.yml"] for host in "abc"}}),
    )
    assert stage.trace == ["inc:abc", "x1:abc", "x2:abc", "after:abc"]
    assert stage.loader.loads == ["x.yml"]
    assert ("included", "/play/x.yml", ("a", "b", "c"), None) in stage.kept.events
    assert stage.figures("a") == "ok=4"


def test_different_files_run_one_after_another_in_host_order(stage: Any, include_call: Any) -> None:
    for name in ("x", "y"):
        stage.write(f"{name}.yml", lambda name=name: [stage.build.block(f"{name}1", f"{name}2")])
    plan = {"inc": {"a": ["y.yml"], "b": ["x.yml"], "c": ["y.yml"]}}
    stage.run([stage.build.include("inc"), "after"], "a b c", includes(stage, include_call, plan))
    assert stage.trace == ["inc:abc", "y1:ac", "y2:ac", "x1:b", "x2:b", "after:abc"]


def test_items_of_a_loop_are_walked_in_order_by_those_that_wanted_them(stage: Any, include_call: Any) -> None:
    stage.write("x.yml", lambda: [stage.build.block(f"x{len(stage.loader.loads)}")])
    one, two, three = (include_call("x.yml", item=n, ansible_loop_var="item") for n in (1, 2, 3))
    plan = {"inc": {"a": [one, three], "b": [one, two], "c": [three]}}
    stage.run([stage.build.include("inc"), "after"], "a b c", includes(stage, include_call, plan))
    assert stage.trace == ["inc:abc", "x1:ab", "x2:ac", "x3:b", "after:abc"]
    assert ("included", "/play/x.yml", ("a", "c"), 3) in stage.kept.events
    assert stage.loader.params[0] == {"item": 1, "ansible_loop_var": "item"}
    assert stage.figures("a") == "ok=5"


def test_a_skipped_include_counts_as_skipped(stage: Any, include_call: Any) -> None:
    stage.run([stage.build.include("inc"), "after"], "a", includes(stage, include_call, {"inc": {"a": []}}))
    assert stage.figures("a") == "ok=1 skipped=1"


def test_a_missing_file_fails_the_hosts_that_wanted_it(stage: Any, include_call: Any) -> None:
    stage.write("x.yml", lambda: [stage.build.block("x1")])
    block = stage.build.block(stage.build.include("inc"), rescue=["mend"])
    plan = {"inc": {"a": ["nope.yml"], "b": ["x.yml"]}}
    stage.run([block, "after"], "a b", includes(stage, include_call, plan))
    assert stage.trace == ["inc:ab", "x1:b", "mend:a", "after:ab"]
    assert stage.figures("a") == "ok=2 failed=1"  # rescued, but counted, as in ansible-core


def test_several_missing_files_of_a_loop_are_one_failure(stage: Any, include_call: Any) -> None:
    stage.write("x.yml", lambda: [stage.build.block("x1")])
    block = stage.build.block(stage.build.include("inc"), rescue=["mend"])
    plan = {"inc": {"a": ["nope.yml", "x.yml", "no.yml"]}}
    stage.run([block, "after"], "a", includes(stage, include_call, plan))
    assert stage.trace == ["inc:a", "x1:a", "mend:a", "after:a"]
    assert stage.figures("a") == "ok=4 failed=1"


def test_a_failure_inside_is_one_of_the_block_around(stage: Any, include_call: Any) -> None:
    stage.write("x.yml", lambda: [stage.build.block("x1", "x2")])
    block = stage.build.block(stage.build.include("inc"), "rest", rescue=["mend"])
    inner = includes(stage, include_call, {"inc": {host: ["x.yml"] for host in "ab"}})
    stage.run([block], "a b", lambda h, t: "failed" if (t.name, h) == ("x1", "a") else inner(h, t))
    assert stage.trace == ["inc:ab", "x1:ab", "x2:b", "rest:b", "mend:a"]


def test_includes_nest(stage: Any, include_call: Any) -> None:
    stage.write("x.yml", lambda: [stage.build.block(stage.build.include("deep"), "x2")])
    stage.write("y.yml", lambda: [stage.build.block("y1")])
    plan = {"inc": {"a": ["x.yml"], "b": ["x.yml"]}, "deep": {"a": ["y.yml"], "b": []}}
    stage.run([stage.build.include("inc"), "after"], "a b", includes(stage, include_call, plan))
    assert stage.trace == ["inc:ab", "deep:ab", "y1:a", "x2:ab", "after:ab"]


def test_an_included_role_brings_its_handlers(stage: Any) -> None:
    b = stage.build
    role = b.role("web")
    role.handlers = [Block(tasks=[b.handler("restart", role=role)])]
    stage.loader.roles_by_name["ns.c.web"] = lambda: (
        role,
        [b.block(b.task("t", notify=("restart",), role=role), role=role)],
    )
    include = b.task("inc", action="include_role", kind=TaskKind.INCLUDE_ROLE)

    def script(host: str, task: Any) -> Any:
        return {"includes": (IncludeCall(args={"name": "ns.c.web"}),)} if task.name == "inc" else "changed"

    stage.run([include, b.meta("flush_handlers", implicit=True)], "a", script)
    assert stage.trace == ["inc:a", "t:a", "restart:a"]
    assert ("included", "ns.c.web", ("a",), None) in stage.kept.events  # as written, not as the role is named


def test_tags_choose_inside_included_files(stage: Any, include_call: Any) -> None:
    stage.options = RunOptions(tags=("pick",))
    stage.write("x.yml", lambda: [stage.build.block("no", stage.build.task("yes", tags=("pick",)))])
    plan = {"inc": {"a": ["x.yml"]}}
    stage.run([stage.build.include("inc", tags=("pick",)), "untagged"], "a", includes(stage, include_call, plan))
    assert stage.trace == ["inc:a", "yes:a"]


def test_inserting_many_is_not_quadratic(stage: Any, include_call: Any) -> None:
    stage.write("x.yml", lambda: [stage.build.block("x1")])
    hosts = [f"h{n}" for n in range(20)]
    calls = [include_call("x.yml", item=n) for n in range(1000)]
    began = time.process_time()
    stage.run(
        [stage.build.include("inc")],
        " ".join(hosts),
        includes(stage, include_call, {"inc": dict.fromkeys(hosts, calls)}),
    )
    assert len(stage.pool.rounds) == 1001
    assert time.process_time() - began < 8


def test_a_missing_file_is_fatal_where_errors_are(stage: Any, include_call: Any) -> None:
    plan = {"inc": {"a": ["nope.yml"]}}
    stage.run([stage.build.include("inc", any_errors_fatal=True), "never"], "a b", includes(stage, include_call, plan))
    assert stage.trace == ["inc:ab"]
    assert stage.batch.context.roll.failed == {"a", "b"}


def test_the_label_of_the_loop_stands_for_the_item(stage: Any, include_call: Any) -> None:
    stage.write("x.yml", lambda: [stage.build.block("x1")])
    include = stage.build.include("inc", loop_control=LoopControl(label="item of {{ inventory_hostname }}"))
    call = include_call("x.yml", item="secret", ansible_loop_var="item")
    stage.run([include], "a", includes(stage, include_call, {"inc": {"a": [call]}}))
    assert ("included", "/play/x.yml", ("a",), "item of a") in stage.kept.events


def test_a_role_imported_by_what_is_included_brings_its_handlers(stage: Any, include_call: Any) -> None:
    b = stage.build
    role = b.role("inner")
    role.handlers = [Block(tasks=[b.handler("h", role=role)])]

    def load() -> list[Block]:
        stage.play.roles.append(role)
        return [b.block(b.task("t", notify=("h",)))]

    stage.write("x.yml", load)
    script = includes(stage, include_call, {"inc": {"a": ["x.yml"]}})
    stage.run(
        [b.include("inc"), b.meta("flush_handlers", implicit=True)],
        "a",
        lambda h, t: "changed" if t.name == "t" else script(h, t),
    )
    assert stage.trace == ["inc:a", "t:a", "h:a"]
