"""Handlers: who is notified, when they run, in which order."""

from __future__ import annotations

from typing import Any

import pytest

from pyplay.diagnostics.model import Diagnostic, Origin
from pyplay.engine.handlers import Handlers, UnknownHandlerError
from pyplay.playbook.model import Block, TaskKind
from pyplay.source.text import Trusted


def changed(host: str, task: Any) -> str:
    return "changed"


def test_each_runs_once_per_host_in_definition_order(stage: Any) -> None:
    b = stage.build
    stage.run(
        [b.task("x", notify=("two", "one")), b.task("y", notify=("one",)), b.meta("flush_handlers", implicit=True)],
        "a b",
        changed,
        handlers=[b.handler("one"), b.handler("two"), b.handler("three")],
    )
    assert stage.trace == ["x:ab", "y:ab", "one:ab", "two:ab"]
    assert [e for e in stage.kept.events if e[0] == "handler"] == [("handler", "one"), ("handler", "two")]


def test_only_hosts_that_changed_run_them(stage: Any) -> None:
    b = stage.build
    stage.run(
        [b.task("x", notify=("h",)), b.meta("flush_handlers"), "after"],
        "a b",
        lambda host, task: "changed" if host == "b" else "ok",
        handlers=[b.handler("h")],
    )
    assert stage.trace == ["x:ab", "h:b", "after:ab"]


def test_a_topic_notified_by_a_handler_runs_in_the_same_flush(stage: Any) -> None:
    b = stage.build
    handlers = [
        b.handler("opener", notify=("wave",)),
        b.handler("one", listen=("wave",)),
        b.handler("two", listen=("wave",)),
    ]
    stage.run([b.task("x", notify=("opener",)), b.meta("flush_handlers"), "after"], "a", changed, handlers=handlers)
    assert stage.trace == ["x:a", "opener:a", "one:a", "two:a", "after:a"]


def test_an_earlier_one_notified_by_a_later_one_waits_for_the_next_flush(stage: Any) -> None:
    b = stage.build
    handlers = [b.handler("one"), b.handler("two", notify=("one",))]
    stage.run(
        [b.task("x", notify=("two",)), b.meta("flush_handlers"), "after", b.meta("flush_handlers", implicit=True)],
        "a",
        changed,
        handlers=handlers,
    )
    assert stage.trace == ["x:a", "two:a", "after:a", "one:a"]


def test_of_two_with_one_name_the_first_of_the_last_block_counts(stage: Any) -> None:
    b = stage.build
    role, play, same = b.handler("h", action="role"), b.handler("h", action="play"), b.handler("h", action="same")
    stage.run(
        [b.task("x", notify=("h",)), b.meta("flush_handlers")],
        "a",
        changed,
        handler_blocks=[Block(tasks=[role]), Block(tasks=[play, same])],
    )
    assert stage.pool.rounds[-1].task_id == play.id


@pytest.mark.parametrize("name", ["h", "web : h", "ns.col.web : h", "topic", "web : topic"])
def test_a_role_qualifies_its_handlers(stage: Any, name: str) -> None:
    b = stage.build
    role = b.role("web")
    role.fqcn = "ns.col.web"
    stage.run(
        [b.task("x", notify=(name,)), b.meta("flush_handlers")],
        "a",
        changed,
        handlers=[b.handler("h", role=role, listen=("topic",))],
    )
    assert stage.trace == ["x:a", "h:a"]


def test_a_name_may_be_a_template(stage: Any) -> None:
    b = stage.build
    stage.run(
        [b.task("x", notify=("two",)), b.meta("flush_handlers")],
        "a",
        changed,
        handlers=[b.handler(Trusted("{{ undefined }}")), b.handler(Trusted("{{ 'two' }}"))],
    )
    assert len(stage.pool.rounds) == 2


def test_one_whose_name_cannot_be_rendered_is_warned_about_when_one_is_notified(stage: Any) -> None:
    def render(raw: Any, task: Any) -> Any:
        raise UnknownHandlerError([Diagnostic("undefined", "'nowhere' is undefined")])

    b = stage.build
    warned: list[Diagnostic] = []
    named = b.handler("restart {{ nowhere }}")
    handlers = Handlers([Block(tasks=[named, b.handler("x {{ nowhere }}", listen=("t",))])], render, warned.append)
    assert not warned
    assert [task.listen for task in handlers.find("t")] == [("t",)]
    assert not handlers.find("other")
    (warning,) = warned
    assert (warning.code, warning.origin) == ("unusable-handler", named.origin)
    assert "'restart {{ nowhere }}'" in warning.message
    assert "'nowhere' is undefined" in warning.message


def test_a_topic_is_taken_as_written(stage: Any) -> None:
    handlers = Handlers(
        [Block(tasks=[stage.build.handler("h", listen=(Trusted("{{ 'x' }}"),))])], lambda raw, task: "x"
    )
    assert not handlers.find("y")
    assert handlers.find("{{ 'x' }}")


def test_an_unknown_one_is_an_error_with_a_mend(stage: Any) -> None:
    b = stage.build
    with pytest.raises(UnknownHandlerError) as caught:
        stage.run([b.task("x", notify=("restart ngnix",))], "a", changed, handlers=[b.handler("restart nginx")])
    diagnostic = caught.value.diagnostics[0]
    assert diagnostic.code == "unknown-handler"
    assert "restart nginx" in diagnostic.help
    assert diagnostic.origin is not None


def test_the_setting_makes_an_unknown_one_a_warning(stage: Any) -> None:
    stage.settings = stage.settings.changed(error_on_missing_handler=False)
    stage.run([stage.build.task("x", notify=("nope",)), "y"], "a", changed)
    assert stage.trace == ["x:a", "y:a"]
    assert ("warning", "unknown-handler") in stage.kept.events


def test_includes_in_handlers(stage: Any, include_call: Any) -> None:
    b = stage.build
    stage.write("inc.yml", lambda: [b.block("in 1", "in 2")])
    handlers = [b.handler("h", action="include_tasks", kind=TaskKind.INCLUDE_TASKS), b.handler("last")]

    def script(host: str, task: Any) -> Any:
        return {"includes": (include_call("inc.yml"),)} if task.name == "h" else "changed"

    stage.run([b.task("x", notify=("h", "last")), b.meta("flush_handlers"), "after"], "a b", script, handlers=handlers)
    assert stage.trace == ["x:ab", "h:ab", "in 1:ab", "in 2:ab", "last:ab", "after:ab"]
    assert ("handler", "in 1") in stage.kept.events


def test_a_failing_handler_goes_to_the_rescue_and_the_others_stay_owed(stage: Any) -> None:
    b = stage.build
    block = b.block(
        b.task("x", notify=("one", "two")), b.meta("flush_handlers"), rescue=["mend", b.meta("flush_handlers")]
    )
    stage.run(
        [block, "end"],
        "a b",
        lambda h, t: "failed" if (t.name, h) == ("one", "a") else "changed" if t.name == "x" else "ok",
        handlers=[b.handler("one"), b.handler("two")],
    )
    assert stage.trace == ["x:ab", "one:ab", "two:b", "mend:a", "two:a", "end:ab"]


def test_failed_hosts_run_no_handlers(stage: Any) -> None:
    b = stage.build
    stage.run(
        [b.task("x", notify=("h",)), "bad", b.meta("flush_handlers", implicit=True)],
        "a b",
        lambda h, t: "failed" if (t.name, h) == ("bad", "a") else "changed",
        handlers=[b.handler("h")],
    )
    assert stage.trace == ["x:ab", "bad:ab", "h:b"]


def test_handlers_loaded_again_in_the_same_way_are_the_same(stage: Any) -> None:
    b = stage.build
    one, again = (b.handler("h", listen=("t",), origin=Origin("r/handlers/main.yml", 1)) for _ in range(2))
    handlers = Handlers([Block(tasks=[one]), Block(tasks=[again])], lambda raw, task: raw)
    assert handlers.find("t") == (one,)
    assert handlers.newest(one) is again
    handlers.add(Block(tasks=[other := b.handler("h", origin=one.origin, block_vars=({"x": 1},))]))
    assert handlers.find("h") == (other,)
    assert handlers.block.tasks == [one, other]


def test_a_handler_owed_before_its_role_is_used_again_runs_once_as_loaded_last(stage: Any, include_call: Any) -> None:
    b = stage.build
    place = Origin("r/handlers/main.yml", 1)
    role = b.role("web")
    first, again = (b.handler("h", role=role, origin=place) for _ in range(2))
    role.handlers = [Block(tasks=[again])]
    stage.loader.roles_by_name["web"] = lambda: (role, [])
    include = b.task("inc", action="include_role", kind=TaskKind.INCLUDE_ROLE)
    tasks = [b.task("x", notify=("h",)), include, b.task("y", notify=("h",)), b.meta("flush_handlers")]
    call = include_call("")
    call.args = {"name": "web"}
    stage.run(tasks, "a", lambda h, t: {"includes": (call,)} if t is include else "changed", handlers=[first])
    assert stage.trace == ["x:a", "inc:a", "y:a", "h:a"]
    assert stage.pool.rounds[-1].task_id == again.id
