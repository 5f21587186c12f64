"""Whole runs: plays one after another, batches, prompts, vars files, exit codes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import pytest

from pyplay.diagnostics.errors import PlaybookError
from pyplay.diagnostics.model import Origin
from pyplay.engine.run import PlaybookRun
from pyplay.playbook.model import Block, Play
from pyplay.source.options import RunOptions
from pyplay.source.text import Trusted

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture
def playbook(stage: Any) -> Callable[..., int]:
    """Give a function that runs plays (mappings of Play's fields, tasks as texts) on hosts a, b, c."""
    for name in ("a", "b", "c"):
        stage.inventory.add_host(name)
    stage.settings = stage.settings.changed(gathering="explicit")

    def run(*plays: dict[str, Any], script: Any = None, answers: Any = ()) -> int:
        made: list[Play] = []
        for number, given in enumerate(plays, 1):
            fields = {"hosts": "all", "name": f"play {number}", **given}
            for section in ("pre_tasks", "tasks", "post_tasks"):
                fields[section] = [Block(tasks=stage.build.items(fields.get(section, ())))]
            fields["handlers"] = [Block(tasks=list(fields.get("handlers", ())))]
            flushes = tuple(stage.build.meta("flush_handlers", implicit=True) for _ in range(3))
            made.append(
                Play(
                    id=number,
                    path="/p/site.yml",
                    basedir=str(stage.tmp),
                    origin=Origin("site.yml", 1),
                    flush_points=flushes,
                    **fields,
                )
            )
        stage.terminal.answers = list(answers)
        context = stage.context(script)
        stage.roll, stage.stats = context.roll, context.stats
        return PlaybookRun(context).run([("site.yml", made)])

    return run


def fails(**bad: str) -> Any:
    return lambda host, task: "failed" if host in bad.get(task.name or "", "") else "ok"


def lost(**bad: str) -> Any:
    return lambda host, task: "unreachable" if host in bad.get(task.name or "", "") else "ok"


@pytest.mark.parametrize(
    ("script", "code"),
    [
        (None, 0),
        (fails(x="a"), 2),
        (lost(x="a"), 4),
        (lambda h, t: "failed" if h == "a" else "unreachable" if h == "b" else "ok", 4),
        (lambda h, t: "ignored", 0),
    ],
)
def test_exit_codes(playbook: Any, script: Any, code: int) -> None:
    assert playbook({"tasks": ["x", "y"]}, script=script) == code


def test_sections_run_in_order_with_flushes_between(stage: Any, playbook: Any) -> None:
    b = stage.build
    playbook(
        {
            "pre_tasks": [b.task("pre", notify=("h",))],
            "tasks": [b.task("t", notify=("h",))],
            "post_tasks": ["post"],
            "handlers": [b.handler("h")],
            "hosts": "a",
        },
        script=lambda h, t: "changed",
    )
    assert stage.trace == ["pre:a", "h:a", "t:a", "h:a", "post:a"]


def test_failed_and_lost_hosts_are_left_out_of_later_plays(stage: Any, playbook: Any) -> None:
    playbook({"tasks": ["x"]}, {"tasks": ["y"]}, script=lambda h, t: {"a": "failed", "b": "unreachable"}.get(h, "ok"))
    assert stage.trace == ["x:abc", "y:c"]


def test_a_play_whose_hosts_are_all_out_ends_the_run(stage: Any, playbook: Any) -> None:
    assert playbook({"tasks": ["x"], "hosts": "a"}, {"tasks": ["y"], "hosts": "b"}, script=fails(x="a")) == 2
    assert stage.trace == ["x:a"]


def test_a_pattern_without_hosts_is_told_and_passed_over(stage: Any, playbook: Any) -> None:
    assert playbook({"tasks": ["x"], "hosts": "a:&b"}, {"tasks": ["y"], "hosts": "b"}) == 0
    assert stage.trace == ["y:b"]
    assert ("no hosts matched",) in stage.kept.events


class TestSerial:
    @pytest.mark.parametrize(
        ("serial", "batches"),
        [
            ((1,), "a b c"),
            ((2,), "ab c"),
            (("50%",), "a b c"),
            ((1, 2), "a bc"),
            ((0,), "abc"),
            (("67%",), "ab c"),
            ((Trusted("{{ [1, 5] }}"),), "a bc"),
            ((), "abc"),
        ],
    )
    def test_batches(self, stage: Any, playbook: Any, serial: Any, batches: str) -> None:
        playbook({"tasks": ["x"], "serial": serial})
        assert [t.partition(":")[2] for t in stage.trace] == batches.split()
        assert ["".join(e[2]) for e in stage.kept.events if e[0] == "play"] == batches.split()

    def test_a_batch_that_fails_whole_ends_the_run(self, stage: Any, playbook: Any) -> None:
        playbook({"tasks": ["x"], "serial": (1,)}, {"tasks": ["y"]}, script=fails(x="a"))
        assert stage.trace == ["x:a"]

    def test_others_go_on_after_a_batch_that_fails_in_part(self, stage: Any, playbook: Any) -> None:
        playbook({"tasks": ["x"], "serial": (2,)}, script=fails(x="a"))
        assert stage.trace == ["x:ab", "x:c"]

    def test_end_play_ends_all_batches_and_end_batch_one(self, stage: Any, playbook: Any) -> None:
        b = stage.build
        playbook(
            {"tasks": [b.meta("end_batch", when=["inventory_hostname == 'a'"]), "x"], "serial": (1,)},
            {"tasks": [b.meta("end_play", when=["inventory_hostname == 'b'"]), "y"], "serial": (1,)},
        )
        assert stage.trace == ["x:b", "x:c", "y:a"]

    def test_nonsense_is_an_error(self, playbook: Any) -> None:
        with pytest.raises(PlaybookError, match="serial"):
            playbook({"tasks": ["x"], "serial": ("many",)})


@pytest.mark.parametrize(
    ("order", "hosts"), [("inventory", "abc"), ("reverse_sorted", "cba"), ("reverse_inventory", "cba")]
)
def test_order(stage: Any, playbook: Any, order: str, hosts: str) -> None:
    playbook({"tasks": ["x"], "order": order})
    assert stage.trace == [f"x:{hosts}"]


class TestForceHandlers:
    def test_failed_hosts_run_what_they_owe(self, stage: Any, playbook: Any) -> None:
        b = stage.build
        script = lambda h, t: "failed" if (h, t.name) in (("a", "bad"), ("a", "h1")) else "changed"  # noqa: E731
        code = playbook(
            {
                "tasks": [b.task("x", notify=("h1", "h2")), "bad", "after"],
                "force_handlers": True,
                "hosts": "a:b",
                "handlers": [b.handler("h1"), b.handler("h2")],
            },
            script=script,
        )
        assert stage.trace == ["x:ab", "bad:ab", "after:b", "h1:ab", "h2:b"]
        assert (code, stage.stats.frozen()["a"].failed) == (2, 2)

    def test_the_play_may_say_no_to_the_command_line(self, stage: Any, playbook: Any) -> None:
        b = stage.build
        stage.options = RunOptions(force_handlers=True)
        fields = {"tasks": [b.task("x", notify=("h",)), "bad"], "handlers": [b.handler("h")], "force_handlers": False}
        playbook(fields, script=lambda h, t: "failed" if t.name == "bad" else "changed")
        assert stage.trace == ["x:abc", "bad:abc"]

    def test_nothing_of_a_later_section_runs(self, stage: Any, playbook: Any) -> None:
        b = stage.build
        stage.options = RunOptions(force_handlers=True)
        playbook(
            {
                "pre_tasks": [b.task("x", notify=("h",)), "bad"],
                "tasks": ["t"],
                "hosts": "a",
                "handlers": [b.handler("h")],
            },
            script=lambda h, t: "failed" if t.name == "bad" else "changed",
        )
        assert stage.trace == ["x:a", "bad:a", "h:a"]


class TestFacts:
    def test_gathering_is_the_first_task(self, stage: Any, playbook: Any) -> None:
        playbook({"tasks": ["x"], "gather_facts": True, "keywords": {"become": True}})
        assert stage.trace == ["Gathering Facts:abc", "x:abc"]
        assert stage.pool.tasks[stage.pool.rounds[0].task_id].become is True

    @pytest.mark.parametrize(
        ("gathering", "keyword", "gathers"),
        [
            ("implicit", None, True),
            ("implicit", False, False),
            ("explicit", None, False),
            ("explicit", True, True),
            ("smart", None, True),
            ("smart", False, False),
        ],
    )
    def test_the_setting_decides(self, stage: Any, playbook: Any, gathering: str, keyword: Any, gathers: Any) -> None:
        stage.settings = stage.settings.changed(gathering=gathering)
        playbook({"tasks": [], "gather_facts": keyword})
        assert bool(stage.trace) is gathers

    def test_smart_leaves_out_hosts_with_facts(self, stage: Any, playbook: Any) -> None:
        stage.settings = stage.settings.changed(gathering="smart")
        stage.deltas.known_facts = {"b": {"module_setup": True}}
        playbook({"tasks": ["x"]})
        assert stage.trace == ["Gathering Facts:ac", "x:abc"]

    @pytest.mark.parametrize(("tags", "gathers"), [((), True), (("other",), False)])
    def test_tags_of_the_play_are_its_tags(self, stage: Any, playbook: Any, tags: Any, gathers: Any) -> None:
        stage.options = RunOptions(tags=("t",))
        playbook({"tasks": [], "gather_facts": True, "tags": tags})
        assert bool(stage.trace) is gathers


def test_tags_choose_tasks(stage: Any, playbook: Any) -> None:
    b = stage.build
    stage.options = RunOptions(tags=("t",), skip_tags=("s",))
    playbook(
        {
            "tasks": [
                b.task("one", tags=("t",)),
                "two",
                b.task("three", tags=(Trusted("{{ 't,s' }}"),)),
                b.task("four", tags=("always",)),
                b.block("five", rescue=["six"]),
            ]
        }
    )
    assert stage.trace == ["one:abc", "four:abc"]


def test_start_at_task_passes_over_what_is_before(stage: Any, playbook: Any) -> None:
    stage.options = RunOptions(start_at_task="tw*")
    playbook(
        {"tasks": ["zero"], "gather_facts": True},
        {"tasks": ["one", "two", "three"], "gather_facts": True},
        {"tasks": ["x"]},
    )
    assert stage.trace == ["Gathering Facts:abc", "two:abc", "three:abc", "x:abc"]
    assert ("warning", "no-start-task") not in stage.kept.events


def test_a_task_to_start_at_that_is_nowhere_is_warned_about(stage: Any, playbook: Any) -> None:
    stage.options = RunOptions(start_at_task="nowhere")
    playbook({"tasks": ["one"]}, {"tasks": ["two"]})
    assert stage.trace == []
    assert stage.kept.events.count(("warning", "no-start-task")) == 1


class TestPrompts:
    PROMPT: ClassVar = {"name": "v", "prompt": "Value", "default": "d"}

    def given(self, stage: Any) -> Any:
        return next((d[2] for d in stage.deltas.deltas if d[1] == "prompts"), None)

    def test_an_answer_is_a_variable_of_the_play(self, stage: Any, playbook: Any) -> None:
        playbook({"tasks": [], "vars_prompt": (self.PROMPT,)}, answers=["given"])
        assert self.given(stage) == {"v": "given"}
        assert "Value [d]: " in stage.terminal.shown

    def test_an_empty_answer_is_the_default(self, stage: Any, playbook: Any) -> None:
        playbook({"tasks": [], "vars_prompt": (self.PROMPT,)}, answers=[""])
        assert self.given(stage) == {"v": "d"}

    def test_without_a_terminal_the_default_is_taken(self, stage: Any, playbook: Any) -> None:
        stage.terminal.interactive = False
        playbook({"tasks": [], "vars_prompt": (self.PROMPT,)})
        assert self.given(stage) == {"v": "d"}

    def test_extra_vars_answer(self, stage: Any, playbook: Any) -> None:
        stage.options = RunOptions(extra_vars={"v": 1})
        playbook({"tasks": [], "vars_prompt": (self.PROMPT,)})
        assert self.given(stage) is None

    def test_confirm_asks_until_both_are_equal(self, stage: Any, playbook: Any) -> None:
        playbook({"tasks": [], "vars_prompt": ({**self.PROMPT, "confirm": True},)}, answers=["x", "y", "z", "z"])
        assert self.given(stage) == {"v": "z"}

    def test_encrypt_hashes_the_answer(self, stage: Any, playbook: Any) -> None:
        playbook({"tasks": [], "vars_prompt": ({**self.PROMPT, "encrypt": "sha512_crypt"},)}, answers=["x"])
        assert self.given(stage) == {"v": "hash of x"}


class TestVarsFiles:
    def seen(self, stage: Any) -> list[tuple[str, Any]]:
        return [(d[0], d[2]) for d in stage.deltas.deltas if d[1] == "vars_files"]

    def test_files_without_templates_are_read_once_for_all(self, stage: Any, playbook: Any) -> None:
        (stage.tmp / "vars").mkdir()
        for name in ("v.yml", "vars/w.yml"):
            (stage.tmp / name).write_text("")
        stage.loader.values = {"v.yml": {"x": 1}, "w.yml": {"x": 2}}
        playbook({"tasks": ["t"], "vars_files": ("v.yml", ["none.yml", "w.yml"])})
        assert self.seen(stage) == [("", {"x": 2})]

    def test_each_host_may_have_its_own(self, stage: Any, playbook: Any) -> None:
        for name in "abc":
            (stage.tmp / f"{name}.yml").write_text("")
        stage.loader.values = {f"{name}.yml": {"x": name} for name in "abc"}
        playbook({"tasks": ["t"], "vars_files": (Trusted("{{ inventory_hostname }}.yml"),), "hosts": "a:b"})
        assert self.seen(stage) == [("a", {"x": "a"}), ("b", {"x": "b"})]

    def test_a_missing_one_is_warned_about(self, stage: Any, playbook: Any) -> None:
        assert playbook({"tasks": ["t"], "vars_files": ("none.yml",)}) == 0
        assert ("warning", "missing-file") in stage.kept.events

    def test_one_that_cannot_be_named_yet_is_left_out(self, stage: Any, playbook: Any) -> None:
        playbook({"tasks": ["t"], "vars_files": (Trusted("{{ undefined }}.yml"),), "hosts": "a"})
        assert stage.trace == ["t:a"]


def test_hosts_without_a_later_play_are_released(stage: Any, playbook: Any) -> None:
    playbook({"tasks": ["x"]}, {"tasks": ["y"], "hosts": "b"})
    assert sorted(stage.pool.released) == ["a", "c"]
    assert stage.pool.closed


def test_an_interrupt_shows_the_recap_and_gives_99(stage: Any, playbook: Any) -> None:
    code = playbook({"tasks": ["x", "y"]}, script=lambda h, t: KeyboardInterrupt() if t.name == "y" else "ok")
    assert code == 99
    assert stage.pool.cancelled
    assert stage.pool.closed
    assert stage.kept.events[-1][0] == "recap"


def test_an_unknown_strategy_is_an_error(playbook: Any) -> None:
    with pytest.raises(PlaybookError, match="lineer"):
        playbook({"tasks": ["x"], "strategy": "lineer"})


def test_mitogens_strategies_are_the_plain_ones(stage: Any, playbook: Any) -> None:
    playbook({"tasks": ["x"], "strategy": "mitogen_linear"})
    assert ("warning", "foreign-strategy") in stage.kept.events
    assert stage.trace == ["x:abc"]


class TestRoles:
    def test_a_second_use_is_left_out_where_the_first_ran(self, stage: Any, playbook: Any) -> None:
        b = stage.build
        first, second = b.role("api"), b.role("api")
        tasks = [b.use(first, "one"), b.use(second, "two")]
        playbook(
            {"tasks": tasks, "hosts": "a:b"}, script=lambda h, t: "skipped" if (h, t.name) == ("a", "one") else "ok"
        )
        assert stage.trace == ["one:ab", "two:a"]


class TestMeta:
    def test_a_host_that_ended_is_no_host_of_the_play_until_the_next_one(self, stage: Any, playbook: Any) -> None:
        end = stage.build.meta("end_host", when=["inventory_hostname == 'a'"])
        playbook({"tasks": [end, "x"], "hosts": "a:b"}, {"tasks": ["y"], "hosts": "a:b"})
        told = [d[2].get("ansible_play_hosts") for d in stage.deltas.deltas if d[1] == "play"]
        assert [hosts for hosts in told if hosts] == [["a", "b"], ["b"], ["a", "b"]]

    def test_a_failed_host_whose_error_is_cleared_is_back_in_the_next_play(self, stage: Any, playbook: Any) -> None:
        playbook(
            {"tasks": ["x", stage.build.meta("clear_host_errors"), "y"], "hosts": "a:b"},
            {"tasks": ["z"], "hosts": "a:b"},
            script=lambda host, task: "failed" if (host, task.name) == ("a", "x") else "ok",
        )
        told = [d[2].get("ansible_play_hosts") for d in stage.deltas.deltas if d[1] == "play"]
        assert [hosts for hosts in told if hosts] == [["a", "b"], ["b"], ["a", "b"]]

    def test_end_host(self, stage: Any, playbook: Any) -> None:
        assert (
            playbook(
                {"tasks": [stage.build.meta("end_host", when=["inventory_hostname == 'a'"]), "x"]}, {"tasks": ["y"]}
            )
            == 0
        )
        assert stage.trace == ["x:bc", "y:abc"]
        assert ("skipped", "b") in stage.kept.events
        assert [event for event in stage.kept.events if event[0] == "meta"] == [("meta", "end_host", ("a",))]

    def test_clear_host_errors_brings_back_lost_hosts_where_they_were(self, stage: Any, playbook: Any) -> None:
        b = stage.build
        code = playbook(
            {"tasks": ["t1", "t3", b.meta("clear_host_errors"), "t4"], "hosts": "a:b"},
            {"tasks": ["p"], "hosts": "a:b"},
            script=lost(t1="a"),
        )
        assert stage.trace == ["t1:ab", "t3:b", "t4:b", "t3:a", "t4:a", "p:ab"]
        assert code == 0

    def test_clear_host_errors_lets_failed_hosts_into_the_next_play(self, stage: Any, playbook: Any) -> None:
        b = stage.build
        code = playbook(
            {"tasks": ["x", b.meta("clear_host_errors"), "y"], "hosts": "a:b"},
            {"tasks": ["p"], "hosts": "a:b"},
            script=fails(x="a"),
        )
        assert stage.trace == ["x:ab", "y:b", "p:ab"]
        assert code == 0

    def test_a_forgiven_host_that_still_runs_handlers_is_in_the_next_play(self, stage: Any, playbook: Any) -> None:
        b = stage.build
        tasks = ["x", b.meta("clear_host_errors")]
        code = playbook(
            {"tasks": tasks, "hosts": "a:b", "force_handlers": True},
            {"tasks": ["p"], "hosts": "a:b"},
            script=fails(x="a"),
        )
        assert stage.trace == ["x:ab", "p:ab"]
        assert code == 0

    def test_clear_facts_reset_connection_and_refresh(self, stage: Any, playbook: Any) -> None:
        b = stage.build
        playbook(
            {
                "tasks": [
                    b.meta("clear_facts"),
                    b.meta("reset_connection"),
                    b.meta("refresh_inventory"),
                    b.meta("noop"),
                ],
                "hosts": "a:b",
            }
        )
        kinds = [(d[0], d[1], d[2]) for d in stage.deltas.deltas if d[1] in ("reset", "inventory")]
        assert kinds == [
            ("a", "reset", {"facts": True}),
            ("b", "reset", {"facts": True}),
            ("", "inventory", {"refresh": stage.inventory}),
        ]
        assert stage.pool.reset == ["a", "b"]

    def test_one_whose_condition_cannot_be_told_fails_the_host(self, stage: Any, playbook: Any) -> None:
        playbook({"tasks": [stage.build.meta("end_host", when=["undefined"]), "x"], "hosts": "a"})
        assert stage.trace == []
        assert stage.stats.frozen()["a"].failed == 1

    def test_an_unknown_one_is_an_error(self, stage: Any, playbook: Any) -> None:
        with pytest.raises(PlaybookError, match="flush"):
            playbook({"tasks": [stage.build.meta("flush")], "hosts": "a"})

    def test_end_role_outside_a_role_is_an_error(self, stage: Any, playbook: Any) -> None:
        with pytest.raises(PlaybookError, match="role"):
            playbook({"tasks": [stage.build.meta("end_role")], "hosts": "a"})


def test_inventory_changes_are_recorded(stage: Any, playbook: Any) -> None:
    def script(host: str, task: Any) -> Any:
        if task.name == "add":
            return {"add_hosts": ({"host_name": "n", "groups": ["g"], "host_vars": {"x": 1}},)}
        return {"add_groups": ({"add_group": f"k_{host}", "parent_groups": ["all"]},)}

    playbook({"tasks": [stage.build.task("add", action="add_host"), "group"], "hosts": "a:b"}, script=script)
    changes = [d[2] for d in stage.deltas.deltas if d[1] == "inventory"]
    assert changes == [
        {"add_host": {"name": "n", "groups": ["g"], "vars": {"x": 1}}},
        {"add_group": {"host": "a", "group": "k_a", "parents": ["all"]}},
        {"add_group": {"host": "b", "group": "k_b", "parents": ["all"]}},
    ]


def test_set_stats_add_up(stage: Any, playbook: Any) -> None:
    playbook(
        {"tasks": ["x"], "hosts": "a:b"},
        script=lambda h, t: {"stats": ({"data": {"n": 1, "l": [h]}, "aggregate": True, "per_host": False},)},
    )
    assert stage.kept.events[-1][2] == {"_run": {"n": 2, "l": ["a", "b"]}}


def test_a_refreshed_inventory_keeps_what_tasks_added(stage: Any, playbook: Any) -> None:
    call = {"host_name": "n", "groups": [], "host_vars": {}}
    tasks = [stage.build.task("add", action="add_host"), stage.build.meta("refresh_inventory")]
    playbook({"tasks": tasks, "hosts": "a"}, script=lambda h, t: {"add_hosts": (call,)})
    kinds = [next(iter(d[2])) for d in stage.deltas.deltas if d[1] == "inventory"]
    assert kinds == ["add_host", "refresh", "add_host"]
