"""Running one task on one host: conditions, loops, retries, verdicts, and what the controller is told.

Keys and values are those that ansible-core 2.21 registers for the same tasks.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from pyplay.diagnostics.model import Origin
from pyplay.source.options import RunOptions
from pyplay.source.text import Trusted
from pyplay.workers import outcome
from pyplay.workers.task_run import TaskRun

if TYPE_CHECKING:
    from pathlib import Path

    from bench import Bench


def shown(result: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in result.items() if not key.startswith("_ansible_") and key != "exception"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            "debug: {msg: hi}\nwhen: false",
            {"changed": False, "failed": False, "skipped": True, "skip_reason": "Conditional result was False", "false_condition": False},
            id="when that does not hold",
        ),
        pytest.param(
            "debug: {msg: hi}\nwhen: [true, 1 == 2, true]",
            {"changed": False, "failed": False, "skipped": True, "skip_reason": "Conditional result was False", "false_condition": "1 == 2"},
            id="the first that does not hold is told",
        ),
        pytest.param(
            "debug: {msg: hi}\nloop: []",
            {
                "changed": False, "failed": False, "skipped": True, "results": [],
                "skip_reason": "No items in the list", "skipped_reason": "No items in the list",
            },
            id="empty loop",
        ),
        pytest.param(
            "debug: {msg: '{{ item }}'}\nloop: [1, 2]\nwhen: item == 2",
            {
                "changed": False, "failed": False, "msg": "All items completed",
                "results": [
                    {
                        "changed": False, "failed": False, "skipped": True, "item": 1, "ansible_loop_var": "item",
                        "skip_reason": "Conditional result was False", "false_condition": "item == 2",
                    },
                    {"changed": False, "failed": False, "msg": 2, "item": 2, "ansible_loop_var": "item"},
                ],
            },
            id="loop with a skipped item",
        ),
        pytest.param(
            "debug: {msg: hi}\nloop: '{{ nowhere }}'\nwhen: false",
            {"changed": False, "failed": False, "skipped": True, "skip_reason": "Conditional result was False", "false_condition": False},
            id="a skipped task needs no loop",
        ),
        pytest.param(
            "set_fact: {x: 1}\nchanged_when: true",
            {"ansible_facts": {"x": 1}, "changed": True, "changed_when_result": True, "failed": False},
            id="changed_when",
        ),
        pytest.param(
            "debug: {msg: hi}\nfailed_when: false",
            {"msg": "hi", "changed": False, "failed": False, "failed_when_result": False},
            id="failed_when",
        ),
        pytest.param(
            "fail: {msg: boo}\nfailed_when: false",
            {
                "msg": "boo", "changed": False, "failed": False, "failed_when_result": False,
                "failed_when_suppressed_exception": "(traceback unavailable)",
            },
            id="failed_when saves a failure",
        ),
        pytest.param(
            "debug: {msg: '{{ mine }}'}\nargs: '{{ {\"verbosity\": 0} }}'\nvars: {mine: 5}",
            {"msg": 5, "changed": False, "failed": False},
            id="templated args",
        ),
        pytest.param(
            "debug: {msg: '{{ omit }}'}", {"msg": "Hello world!", "changed": False, "failed": False}, id="omit leaves an option out"
        ),
        pytest.param(
            "debug:\nmodule_defaults: {debug: {msg: by default}}",
            {"msg": "by default", "changed": False, "failed": False},
            id="module_defaults",
        ),
        pytest.param(
            "debug: {msg: own}\nmodule_defaults: {ansible.builtin.debug: {msg: by default}}",
            {"msg": "own", "changed": False, "failed": False},
            id="own arguments win",
        ),
        pytest.param("debug: msg=hi", {"msg": "hi", "changed": False, "failed": False}, id="key=value text"),
        pytest.param(
            "debug: {msg: '{{ item.key }}'}\nwith_dict: {a: 1}",
            {
                "changed": False, "failed": False, "msg": "All items completed",
                "results": [{"msg": "a", "changed": False, "failed": False, "item": {"key": "a", "value": 1}, "ansible_loop_var": "item"}],
            },
            id="with_X",
        ),
    ],
)  # fmt: skip
def test_what_is_registered(bench: Bench, text: str, expected: dict[str, Any]) -> None:
    assert shown(bench.run(text).result) == expected


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("debug: {msg: '{{ nowhere }}'}", "'nowhere' is undefined (site.yml:1:", id="arguments"),
        pytest.param("debug: {msg: hi}\nwhen: nowhere", "when: 'nowhere' is undefined (site.yml:2:7)", id="when"),
        pytest.param("debug: {msg: hi}\nfailed_when: nowhere", "failed_when: 'nowhere' is undefined", id="failed_when"),
        pytest.param("debug: {msg: hi}\nloop: '{{ nowhere }}'", "'nowhere' is undefined", id="loop"),
        pytest.param(
            "debug: {msg: hi}\nloop: {a: 1}",
            "loop needs a list, this is a mapping (site.yml:2:7); its items are `… | dict2items`",
            id="loop over a mapping",
        ),
        pytest.param("debug: {msg: hi}\nloop: text", "(site.yml:2:7); write a list", id="loop over a text"),
        pytest.param("debug: {msg: hi}\ndelegate_to: '{{ nowhere }}'", "'nowhere' is undefined", id="delegate_to"),
        pytest.param("ping:\nconnection: winrm", "connection 'winrm' is not supported", id="connection"),
        pytest.param("nosuchmodule:", "there is no module `nosuchmodule`", id="module"),
        pytest.param(
            "debug: {msg: hi}\nwhen: '\"text\"'", "must have a boolean result", id="condition that is no boolean"
        ),
        pytest.param(
            "debug: {msg: hi}\nwhen: \"{{ '1 == 1' }}\"",
            "untrusted template or expression",
            id="condition that a template gives",
        ),
        pytest.param("debug: {msg: hi}\nargs: '{{ 5 }}'", "args gives a int", id="args that are no mapping"),
        pytest.param(
            "debug: {msg: hi}\nignore_errors: maybe", "keyword 'ignore_errors': it takes true", id="ignore_errors"
        ),
        pytest.param("debug: {msg: hi}\nbecome: \"{{ '' }}\"", "keyword 'become': it takes true or false", id="become"),
        pytest.param(
            "debug: {msg: hi}\nport: \"{{ 'a' ~ 'b' }}\"", "keyword 'port': it takes a number", id="unused port"
        ),
        pytest.param("debug: {msg: hi}\nretries: few", "keyword 'retries': it takes a number", id="unused retries"),
        *(
            pytest.param(
                f"debug: {{msg: hi}}\nuntil: true\n{keyword}: '{{{{ nowhere }}}}'",
                f"Error processing keyword '{keyword}': 'nowhere' is undefined",
                id=f"undefined {keyword}",
            )
            for keyword in ("retries", "delay", "timeout", "delegate_to", "become", "ignore_errors", "port", "async")
        ),
        *(
            pytest.param(
                f"debug: {{msg: hi}}\nloop: [1]\nloop_control: {{{keyword}: '{{{{ nowhere }}}}'}}",
                f"Error processing keyword '{keyword}': 'nowhere' is undefined",
                id=f"undefined {keyword}",
            )
            for keyword in ("loop_var", "index_var", "pause", "extended", "extended_allitems")
        ),
        pytest.param("debug: {msg: hi}\ntimeout: -1", "Timeout -1 is invalid: ", id="negative timeout"),
        pytest.param("debug: {msg: hi}\nloop: []\nloop_control: {pause: x}", "pause is not a number", id="pause"),
        pytest.param(
            "debug: {msg: hi}\nloop: []\nloop_control: {loop_var: '0'}",
            "Invalid 'loop_var': Invalid variable name '0'",
            id="loop_var",
        ),
    ],
)
def test_faults_fail_the_task_and_name_their_place(bench: Bench, text: str, said: str) -> None:
    bench.base["ansible_connection"] = "local" if "winrm" not in text else None
    result = bench.run(text)
    assert result.failed
    assert not result.ignored
    assert said in result.result["msg"]


def test_a_bad_keyword_of_a_skipped_task_is_not_read(bench: Bench) -> None:
    assert bench.run("debug: {msg: hi}\nbecome: maybe\nretries: few\nwhen: false").skipped


def test_keywords_that_render_to_nothing_are_not_set(bench: Bench) -> None:
    result = bench.run(
        "debug: {msg: hi}\nretries: '{{ none }}'\ndelay: '{{ none }}'\nbecome: '{{ none }}'\nuntil: true"
    )
    assert not result.failed
    assert result.result["attempts"] == 1


@pytest.mark.parametrize(
    ("loop", "told"),
    [
        pytest.param("loop: [1, 2]", "item", id="item of an include further out"),
        pytest.param("with_items: [1, 2]", "item", id="with_items"),
        pytest.param("loop: [1, 2]\nloop_control: {loop_var: other}", "other", id="a variable"),
        pytest.param("loop: [1, 2]\nloop_control: {loop_var: fresh}", None, id="its own"),
    ],
)
def test_a_loop_variable_that_hides_another_is_told_once(bench: Bench, loop: str, told: str | None) -> None:
    bench.base.update(item=0, other=0)
    first, second = bench.run(f"debug: {{msg: hi}}\n{loop}").result["results"]
    assert [f"loop variable {told!r}" in warning for warning in first.get("warnings", ())] == [True] * bool(told)
    assert "warnings" not in second


def test_a_break_when_that_is_no_condition_fails_the_item_and_ends_the_loop(bench: Bench) -> None:
    result = bench.run("debug: {msg: hi}\nloop: [1, 2]\nloop_control: {break_when: nowhere}")
    (item,) = result.result["results"]
    assert item["failed"]
    assert "'nowhere' is undefined" in item["break_when_result"]


@pytest.mark.parametrize(
    ("keyword", "failed"),
    [("changed_when: false", True), ("failed_when: false", False), ("failed_when: r.attempts > 1", True)],
)
def test_attempts_that_run_out_fail_the_task_unless_failed_when_says_otherwise(
    bench: Bench, keyword: str, failed: Any
) -> None:
    result = bench.run(f"debug: {{msg: hi}}\nuntil: false\nretries: 2\nregister: r\n{keyword}")
    assert (result.failed, result.result["attempts"]) == (failed, 2)


def test_an_environment_that_is_no_mapping_is_passed_over_with_a_warning(bench: Bench) -> None:
    result = bench.run("command: printenv A\nenvironment: [1, {A: b}]")
    assert result.result["stdout"] == "b"
    assert any("environment" in text for text in result.result["warnings"])


def test_items_are_told_as_they_end_with_their_labels(bench: Bench) -> None:
    bench.run("debug: {msg: hi}\nloop: [a, b]\nloop_control: {label: 'L{{ item }}'}")
    assert [(item.label, item.result["item"]) for item in bench.items] == [("La", "a"), ("Lb", "b")]


def test_a_label_sees_the_registered_result_of_a_skipped_item(bench: Bench) -> None:
    bench.run(
        "debug: {msg: hi}\nloop: [a]\nwhen: false\nregister: probe\nloop_control: {label: 'was {{ probe.skipped }}'}"
    )
    assert [item.label for item in bench.items] == ["was True"]


def test_a_label_that_cannot_be_rendered_is_a_warning(bench: Bench) -> None:
    result = bench.run("debug: {msg: hi}\nloop: [a]\nloop_control: {label: '{{ nowhere }}'}")
    assert not result.failed
    assert "'nowhere' is undefined" in result.result["results"][0]["warnings"][0]


def test_no_log_that_cannot_be_told_hides_a_result_but_no_skipped_task_fails(bench: Bench) -> None:
    assert bench.run("debug: {msg: hi}\nno_log: '{{ nope }}'\nwhen: false").skipped
    result = bench.run("debug: {msg: hi}\nno_log: '{{ nope }}'")
    assert (result.failed, result.private) == (True, True)


def test_skipped_and_empty_loops_need_no_loop_variable_in_delegate_to(bench: Bench) -> None:
    assert bench.run("ping:\nloop: [[x, y]]\nwhen: false\ndelegate_to: '{{ item.0 }}'").skipped
    assert bench.run("ping:\nloop: []\ndelegate_to: '{{ item.0 }}'").skipped


def test_text_that_spells_a_list_is_taken_with_a_warning(bench: Bench) -> None:
    result = bench.run("debug: {msg: '{{ item }}'}\nloop: \"[{% for n in ['a', 'b'] %}'{{ n }}',{% endfor %}]\"")
    assert [item["msg"] for item in result.result["results"]] == ["a", "b"]
    assert any("spells a list" in warning for warning in result.result["warnings"])


@pytest.mark.parametrize(
    ("keyword", "template", "expected"),
    [
        ("loop", "[{'v': true, 'z': null}{{ '' }}]", [{"v": True, "z": None}]),
        ("loop", '[{"v": true}{{ "" }}, None]', [{"v": True}, None]),
        ("with_items", "['a', 'b'{{ '' }}]", ["a", "b"]),
        ("with_items", "no list {{ '' }}", ["no list "]),
        ("with_items", "[no literal {{ '' }}]", ["[no literal ]"]),
        ("with_dict", "{'a': 1{{ '' }}}", [{"key": "a", "value": 1}]),
    ],
)
def test_text_is_read_as_up_to_2_18(bench: Bench, keyword: str, template: str, expected: list[Any]) -> None:
    result = bench.run(json.dumps({"debug": {"var": "item"}, keyword: template}))
    assert [item["item"] for item in result.result["results"]] == expected


def test_terms_are_read_one_by_one_and_text_without_a_template_stays(bench: Bench) -> None:
    text = json.dumps({"debug": {"var": "item"}, "with_items": ["['a'{{ '' }}]", "['b']"]})
    assert [item["item"] for item in bench.run(text).result["results"]] == ["a", "['b']"]


def test_pairs_that_a_lookup_gives_are_lists_as_those_of_templates_are(bench: Bench) -> None:
    text = "debug: {msg: '{{ item | type_debug }}'}\nwith_indexed_items: [a, [b]]"
    results = bench.run(text).result["results"]
    assert [(item["item"], item["msg"]) for item in results] == [([0, "a"], "list"), ([1, "b"], "list")]


def test_loop_control_gives_index_and_neighbours(bench: Bench) -> None:
    result = bench.run(
        'debug: {msg: \'{{ ix }} {{ ansible_loop.nextitem | default("-") }} {{ ansible_loop.previtem | default("-") }}\'}\n'
        "loop: [a, b]\nloop_control: {loop_var: it, index_var: ix, extended: true}"
    )
    first, second = result.result["results"]
    assert (first["msg"], second["msg"]) == ("0 b -", "1 - a")
    assert first["ansible_loop"] == {
        "allitems": ["a", "b"], "first": True, "index": 1, "index0": 0, "last": False, "length": 2, "nextitem": "b",
        "revindex": 2, "revindex0": 1,
    }  # fmt: skip
    assert (first["ansible_loop_var"], first["ansible_index_var"], first["ix"], first["it"]) == ("it", "ix", 0, "a")


def test_what_a_module_says_stays_where_a_loop_variable_has_its_name(bench: Bench) -> None:
    found = bench.run("command: echo 1\nloop: [a]\nloop_control: {loop_var: cmd, index_var: stdout}").result["results"][
        0
    ]
    assert (found["cmd"], found["stdout"], found["ansible_loop_var"]) == (["echo", "1"], "1", "cmd")
    assert bench.items[-1].label == "a"
    found = bench.run("command: 'false'\nloop: [a]\nloop_control: {loop_var: msg, index_var: failed}").result[
        "results"
    ][0]
    assert (found["msg"], found["failed"]) == ("a", True)
    assert bench.items[-1].label is None


def test_loop_control_pauses_between_items_and_breaks(bench: Bench) -> None:
    result = bench.run("debug: {msg: '{{ item }}'}\nloop: [1, 2, 3]\nloop_control: {pause: 1.5, break_when: item == 2}")
    assert [item["break_when_result"] for item in result.result["results"]] == [False, True]
    assert bench.naps == [1.5]


def test_until_repeats_and_counts_attempts(bench: Bench) -> None:
    result = bench.run(
        "debug: {msg: '{{ tried.attempts | default(0) }}'}\nregister: tried\nuntil: tried.attempts == 3\nretries: 5\ndelay: 2"
    )
    assert not result.failed
    assert result.result["attempts"] == 3
    assert bench.naps == [2.0, 2.0]
    assert [(item.retry, item.result["attempts"], item.result["retries"]) for item in bench.items] == [
        (True, 1, 5),
        (True, 2, 5),
    ]


def test_until_that_never_holds_fails(bench: Bench) -> None:
    result = bench.run("debug: {msg: hi}\nuntil: false\nretries: 2\ndelay: 0")
    assert result.failed
    assert (result.result["attempts"], len(bench.items), result.result["msg"]) == (2, 2, "hi")


def test_until_that_never_holds_is_named_where_nothing_else_is_said(bench: Bench) -> None:
    result = bench.run("set_fact: {x: 1}\nuntil: [true, x == 2]\nretries: 1\ndelay: 0")
    assert result.result["msg"] == "until did not hold after 1 attempt: True and x == 2"


def test_retries_without_until_wait_for_success(bench: Bench) -> None:
    assert bench.run("fail:\nretries: 2\ndelay: 0").failed
    assert len(bench.naps) == 2


def test_items_see_what_items_before_them_registered_and_set(bench: Bench) -> None:
    result = bench.run('set_fact: {seen: "{{ seen | default([]) + [item] }}"}\nloop: [1, 2, 3]')
    assert result.store == {"set_facts": {"h1": {"seen": [1, 2, 3]}}}
    result = bench.run("debug: {msg: \"{{ r.msg | default('none') }}\"}\nloop: [1, 2]\nregister: r")
    assert [item["msg"] for item in result.result["results"]] == ["none", "none"]


def test_delegate_facts_go_to_the_delegate(bench: Bench) -> None:
    result = bench.run("set_fact: {x: 1}\ndelegate_to: other\ndelegate_facts: true")
    assert (result.store, result.delegate) == ({"set_facts": {"other": {"x": 1}}}, "other")
    result = bench.run("set_fact: {x: 1}\ndelegate_to: other")
    assert result.store == {"set_facts": {"h1": {"x": 1}}}


def test_cacheable_facts_are_facts_too(bench: Bench) -> None:
    result = bench.run("set_fact: {x: 1, cacheable: true}")
    assert result.store == {"set_facts": {"h1": {"x": 1}}, "facts": {"h1": {"x": 1}}}
    assert result.result["ansible_facts"] == {"x": 1}


@pytest.mark.parametrize(
    "text",
    [
        "set_fact: {x: 1}\nfailed_when: true",
        "set_fact: {x: 1}\nfailed_when: true\nignore_errors: true",
        'set_fact: {x: "{{ item }}"}\nloop: [1, 2]\nfailed_when: item == 2',
    ],
)
def test_a_task_that_failed_sets_no_fact(bench: Bench, text: str) -> None:
    result = bench.run(text)
    assert result.failed
    assert result.store == {}


def test_notifications_are_rendered_when_changed(bench: Bench) -> None:
    text = "debug: {{msg: hi}}\nchanged_when: {}\nnotify: ['restart {{{{ what }}}}', '{{{{ [\"a\", \"b\"] }}}}']\nvars: {{what: web}}"
    assert bench.run(text.format("true")).notify == ("restart web", "a", "b")
    assert bench.run(text.format("false")).notify == ()


def test_ignored_and_private(bench: Bench) -> None:
    assert bench.run("fail:\nignore_errors: '{{ 1 == 1 }}'").ignored
    assert bench.run("debug: {msg: hi}\nno_log: true").private
    assert bench.run("debug: {msg: hi}\nno_log: '{{ nowhere }}'").private
    assert bench.run("debug: {msg: hi}\nloop: '{{ nowhere }}'\nno_log: true").private
    assert not bench.run("debug: {msg: hi}\nno_log: false").private


def test_check_mode_and_diff_come_from_keyword_or_option(bench: Bench) -> None:
    assert bench.run("command: 'true'\ncheck_mode: true").skipped
    bench.options = RunOptions(check=True, diff=True)
    result = bench.run("command: 'true'")
    assert result.skipped
    assert result.diff
    result = bench.run("command: 'true'\ncheck_mode: false\ndiff: false")
    assert result.changed
    assert not result.diff


def test_a_timeout_ends_the_module(bench: Bench) -> None:
    result = bench.run("command: sleep 30\ntimeout: 1")
    assert result.failed
    assert result.result["timedout"] == {"period": 1}


def test_a_blocking_lookup_runs_beside_the_loop_and_can_time_out(bench: Bench) -> None:
    assert bench.run("debug: {msg: \"{{ lookup('pipe', 'echo there') }}\"}").result["msg"] == "there"
    result = bench.run("debug: {msg: \"{{ lookup('pipe', 'sleep 3') }}\"}\ntimeout: 0.2")
    assert "Timed out" in result.result["msg"]


def test_environment_and_register_names(bench: Bench) -> None:
    result = bench.run("shell: echo $A$B\nenvironment: {A: '{{ 1 + 1 }}', B: '{{ omit }}'}\nregister: '{{ \"out\" }}'")
    assert (result.result["stdout"], result.register) == ("2", "out")


def test_includes_tell_what_each_item_wants(bench: Bench) -> None:
    result = bench.run(
        "include_tasks: '{{ item }}.yml'\nloop: [a, b]\nwhen: item != 'b'\nkind: include_tasks\nvars: {v: '{{ w }}'}"
    )
    (call,) = result.includes
    assert call.args == {"_raw_params": "a.yml"}
    assert call.item_vars == {"item": "a", "ansible_loop_var": "item"}
    assert call.vars == {"v": "{{ w }}"}
    assert [item.result.get("skipped") for item in bench.items] == [True]


def test_a_delegate_that_is_not_there_fails_the_task_alone(bench: Bench) -> None:
    bench.hosts["gone"] = {"ansible_connection": "ssh", "ansible_host": "127.0.0.1", "ansible_port": 1}
    result = bench.run("ping:\ndelegate_to: gone")
    assert result.failed
    assert not result.unreachable
    assert "gone" in result.result["msg"]
    result = bench.run("ping:\ndelegate_to: gone\nfailed_when: false")
    assert (result.failed, result.result["failed_when_result"]) == (False, False)
    assert bench.run("ping:\ndelegate_to: gone\nfailed_when: r.rc != 0\nregister: r").failed
    result = bench.run("ping:\ndelegate_to: gone\nignore_unreachable: true")
    assert (result.unreachable, result.ignored, result.failed) == (True, True, False)


def test_a_host_that_is_not_there_is_unreachable(bench: Bench) -> None:
    bench.hosts["gone"] = {"ansible_connection": "ssh", "ansible_host": "127.0.0.1", "ansible_port": 1}
    result = bench.run("ping:", host="gone")
    assert result.unreachable
    assert not result.failed
    assert bench.run("ping:\nignore_unreachable: true", host="gone").ignored


def test_free_text_for_a_module_that_takes_none_fails_the_task(bench: Bench) -> None:
    result = bench.run("debug: {_raw_params: some text}").result
    assert result["failed"]
    assert "some text" in result["msg"]


@pytest.mark.parametrize(("variables", "kept"), [({}, False), ({"ansible_inject_invocation": True}, True)])
def test_the_arguments_of_a_module_are_in_its_result_only_if_asked_for(
    bench: Bench, variables: dict[str, Any], *, kept: bool
) -> None:
    bench.variables.update(variables)
    assert ("invocation" in bench.run("command: echo hi").result) == kept


def test_what_is_wrong_with_showing_arguments_fails_a_task_before_it_starts(bench: Bench, tmp_path: Path) -> None:
    bench.variables["ansible_inject_invocation"] = Trusted("{{ nothing }}", Origin("site.yml", 1, 1))
    result = bench.run(f"file: {{path: {tmp_path}/new, state: touch}}")
    assert result.failed
    assert "'nothing' is undefined" in result.result["msg"]
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    "keyword", ["become_user", "become_method", "become_exe", "become_flags", "connection", "remote_user"]
)
def test_a_keyword_that_a_local_action_does_not_need_is_rendered_all_the_same(bench: Bench, keyword: str) -> None:
    result = bench.run(f"debug: {{msg: hi}}\n{keyword}: '{{{{ nowhere }}}}'").result
    assert result["failed"]
    assert f"Error processing keyword '{keyword}': 'nowhere' is undefined" in result["msg"]
    assert not bench.run(f"debug: {{msg: hi}}\n{keyword}: '{{{{ nowhere }}}}'\nwhen: false").result["failed"]


@pytest.mark.parametrize("keyword", ["changed_when", "failed_when"])
def test_a_failure_before_a_condition_that_cannot_be_told_is_kept(bench: Bench, keyword: str) -> None:
    failed = bench.run(f"fail: {{msg: first}}\n{keyword}: nowhere").result
    assert failed["msg"] == "first"
    assert "nowhere" in failed[f"{keyword}_result"]
    assert f"{keyword}_suppressed_exception" in failed
    passed = bench.run(f"debug: {{msg: hi}}\n{keyword}: nowhere").result
    assert "nowhere" in passed["msg"]
    assert f"{keyword}_suppressed_exception" not in passed


@pytest.mark.parametrize(
    "words",
    [
        "when: false",
        "when: [true, 1 == 2]",
        "when: '{{ false }}'",
        "when: 'false'\nname: 'n {{ 1 + 1 }} {{ nowhere }}'",
        "when: false\nname: 'n {{ 1 + 1 }}'\nregister: kept\nnotify: heard",
        "when: false\nno_log: true\nignore_errors: true\nany_errors_fatal: true\ndebugger: never",
        "when: false\nno_log: '{{ 1 == 1 }}'\nuntil: nowhere\ndelegate_to: '{{ nowhere }}'",
        "when: false\nno_log: '{{ nowhere }}'",
        "when: nowhere",
        "when: lookup('pipe', 'echo x') == 'y'",
        "when: false\nregister: 'r{{ 1 }}'\nignore_errors: '{{ nowhere }}'",
        "when: false\nkind: include_tasks",
        "when: false\nloop: [1, 2]",
    ],
)
def test_what_a_skipped_task_gives_does_not_depend_on_how_soon_that_is_seen(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    text = f"command: 'true'\n{words}"
    quick = bench.run(text)
    bench.environment.told.clear()
    monkeypatch.setattr(TaskRun, "skipped", lambda _run: None)
    assert bench.run(text) == quick


def test_a_failure_without_a_message_gets_one() -> None:
    assert "Module failed" in outcome.completed({"failed": True})["msg"]
    assert "msg" not in outcome.completed({"rc": 0})


def test_a_failure_before_a_break_when_that_cannot_be_told_is_kept(bench: Bench) -> None:
    result = bench.run("fail: {msg: first}\nloop: [1, 2]\nloop_control: {break_when: nowhere}")
    (item,) = result.result["results"]
    assert item["msg"] == "first"
    assert "nowhere" in item["break_when_result"]
    assert "break_when_suppressed_exception" in item
