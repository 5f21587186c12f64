"""Actions that do their work on the controller. Keys and values are those of ansible-core 2.21 for the same tasks."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from bench import NoTerminal

from pyplay.actions import reboot, wait_for_connection
from pyplay.actions.options import Options
from pyplay.source.options import RunOptions

if TYPE_CHECKING:
    from bench import Bench

NOT_COMPARED = ("exception", "start", "stop")


def result_of(bench: Bench, text: str) -> dict[str, Any]:
    result = bench.run(text).result
    return {key: value for key, value in result.items() if not key.startswith("_ansible_") and key not in NOT_COMPARED}


OK = {"changed": False, "failed": False}
FAILED = {"changed": False, "failed": True}

ROWS = [
    ("debug:", {**OK, "msg": "Hello world!"}),
    ("debug: {msg: [a, {b: 1}]}", {**OK, "msg": ["a", {"b": 1}]}),
    ("debug: {var: 1 + 1}", {**OK, "1 + 1": 2}),
    ("debug: {var: d.k}\nvars: {d: {k: v}}", {**OK, "d.k": "v"}),
    ("debug: {msg: null}", OK),
    ("debug: {msg: x, verbosity: 1}", {**OK, "skipped": True, "skipped_reason": "Verbosity threshold not met."}),
    ("debug: {msg: x, var: y}", {**FAILED, "msg": "parameters are mutually exclusive: msg|var"}),
    ("fail: {msg: boo}", {**FAILED, "msg": "boo"}),
    ("fail:", {**FAILED, "msg": "Failed as requested from task"}),
    ("assert: {that: [1 == 1, true]}", {**OK, "msg": "All assertions passed"}),
    ("assert: {that: []}", {**OK, "msg": "All assertions passed"}),
    ("assert: {that: 1 == 1, success_msg: fine}", {**OK, "msg": "fine"}),
    ("assert: {that: 1 == 2}", {**FAILED, "msg": "Assertion failed", "assertion": "1 == 2", "evaluated_to": False}),
    ("assert: {that: [1 == 2], fail_msg: [a, b], quiet: true}",
     {**FAILED, "msg": ["a", "b"], "assertion": "1 == 2", "evaluated_to": False}),
    ("assert: {that: 1 == 1, success_msg: ''}", {**OK, "msg": ""}),
    ("assert: {that: 1 == 1, success_msg: 12}",
     {**FAILED, "msg": "option 'success_msg' must be text or a list of texts, not 12"}),
    ("assert: {that: 1 == 2, fail_msg: [a, {b: 1}]}",
     {**FAILED, "msg": "option 'fail_msg' must be text or a list of texts, not ['a', {'b': 1}]"}),
    ("assert:", {**FAILED, "msg": "missing required arguments: that"}),
    ("set_fact: {x: 1, y: '{{ [1] }}'}", {**OK, "ansible_facts": {"x": 1, "y": [1]}}),
    ("set_fact: {cacheable: true}",
     {**FAILED, "msg": "No key/value pairs provided, at least one is required for this action to succeed"}),
    ("set_stats: {data: {a: 1}, per_host: yes, aggregate: no}",
     {**OK, "ansible_stats": {"data": {"a": 1}, "per_host": True, "aggregate": False}}),
    ("set_stats: {data: {'n_{{ 1 + 1 }}': 1}, aggregate: neither}",
     {**OK, "ansible_stats": {"data": {"n_2": 1}, "per_host": False, "aggregate": False}}),
    ("set_stats: {data: {a b: 1}}", {**FAILED, "msg": "Invalid variable name 'a b': names start with a letter or underscore and hold letters, digits and underscores"}),
    ("set_stats: {data: text}", {**FAILED, "msg": "The 'data' option needs to be a dictionary/hash"}),
    ("group_by: {key: os y}", {"changed": True, "failed": False, "add_group": "os-y", "parent_groups": ["all"]}),
    ("group_by: {key: k, parents: [p q]}", {"changed": True, "failed": False, "add_group": "k", "parent_groups": ["p-q"]}),
    ("group_by:", {**FAILED, "msg": "the 'key' param is required when using group_by"}),
    ("add_host: {name: 'z:22', groups: 'a,b', foo: 1}",
     {"changed": True, "failed": False,
      "add_host": {"host_name": "z", "groups": ["a", "b"], "host_vars": {"ansible_ssh_port": 22, "foo": 1}}}),
    ("add_host: {hostname: z, group: g}",
     {"changed": True, "failed": False, "add_host": {"host_name": "z", "groups": ["g"], "host_vars": {"group": "g"}}}),
    ("add_host: {host: z, groupname: g}",
     {"changed": True, "failed": False, "add_host": {"host_name": "z", "groups": ["g"], "host_vars": {"host": "z"}}}),
    ("add_host:", {**FAILED, "msg": "name, host or hostname needs to be provided"}),
    ("pause: {seconds: x}", {**FAILED, "msg": "argument 'seconds' is not a whole number: 'x'"}),
    ("pause: {seconds: 1, minutes: 1}", {**FAILED, "msg": "parameters are mutually exclusive: minutes|seconds"}),
    ("pause: {prompt: who}",
     {**OK, "delta": 0, "echo": True, "rc": 0, "stderr": "", "stderr_lines": [], "stdout": "Paused for 0.0 minutes",
      "stdout_lines": ["Paused for 0.0 minutes"], "user_input": "",
      "warnings": ["Not waiting for response to prompt as stdin is not interactive"]}),
    ("validate_argument_spec: {argument_spec: {a: {type: int, required: true}}, provided_arguments: {a: 1}}",
     {**OK, "msg": "The arg spec validation passed", "validate_args_context": {}}),
    ("reboot:",
     {**FAILED, "msg": "Running reboot with local connection would reboot the control node.", "elapsed": 0, "rebooted": False}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), ROWS, ids=[text.replace("\n", " ") for text, _ in ROWS])
def test_result(bench: Bench, text: str, expected: dict[str, Any]) -> None:
    assert result_of(bench, text) == expected


@pytest.mark.parametrize("that", ["null", "''", "[null]"])
def test_assert_takes_no_empty_condition(bench: Bench, that: str) -> None:
    result = bench.run(f"assert: {{that: {that}}}")
    assert result.failed
    assert "the condition is empty" in result.result["msg"]


def test_a_type_that_there_is_not_is_a_fault_of_the_specification(bench: Bench) -> None:
    text = "validate_argument_spec: {argument_spec: {a: {type: nope}}, provided_arguments: {a: 1}}"
    (fault,) = bench.run(text).result["argument_errors"]
    assert fault.startswith("type 'nope' of option 'a' is none of: ")


@pytest.mark.parametrize(("module", "named"), [("setup", "ansible.legacy.setup"), ("nope", "nope")])
def test_modules_that_cannot_gather_are_named(bench: Bench, tmp_path: Path, module: str, named: str) -> None:
    own = tmp_path / "library" / "nope.py"
    own.parent.mkdir()
    own.write_text("#!/usr/bin/python3\nprint('{\"failed\": true}')\n")
    text = f"gather_facts: {{gather_subset: [nope]}}\nvars: {{ansible_facts_modules: [{module}]}}"
    assert list(bench.run(text).result["failed_modules"]) == [named]


def test_an_unknown_option_is_named_with_the_nearest_one(bench: Bench) -> None:
    said = bench.run("debug: {mgs: hi}").result["msg"]
    assert said.startswith("Unsupported parameters for (debug) module: mgs. Did you mean msg?")


def test_debug_of_something_undefined_says_so_and_goes_on(bench: Bench) -> None:
    result = bench.run("debug: {var: nowhere}").result
    assert result["nowhere"] == "<< error 1 - 'nowhere' is undefined >>"
    assert not result["failed"]


def test_debug_shows_what_is_defined_around_what_is_not(bench: Bench) -> None:
    text = "debug: {var: d}\nvars: {d: {a: '{{ nope }}', b: 1, l: [2, 'x{{ gone }}']}}"
    result = bench.run(text).result
    assert result["d"] == {
        "a": "<< error 1 - 'nope' is undefined >>", "b": 1, "l": [2, "<< error 2 - 'gone' is undefined >>"],
    }  # fmt: skip
    assert len(result["warnings"]) == 2


@pytest.mark.parametrize("text", ["!unsafe d", "\"{{ 'd' }}\""])
def test_debug_evaluates_no_text_that_is_not_trusted(bench: Bench, text: str) -> None:
    bench.variables["d"] = 1
    result = bench.run(f"debug: {{var: {text}}}").result
    assert result["failed"]
    assert "not trusted" in result["msg"]


def test_verbosity_lets_debug_speak(bench: Bench) -> None:
    bench.options = RunOptions(verbosity=2)
    assert bench.run("debug: {msg: hi, verbosity: 2}").result["msg"] == "hi"


def test_what_the_controller_must_do_is_told_apart(bench: Bench) -> None:
    result = bench.run("add_host: {name: '{{ item }}'}\nloop: [a, b]")
    assert [call["host_name"] for call in result.add_hosts] == ["a", "b"]
    assert bench.run("group_by: {key: k}").add_groups == ({"add_group": "k", "parent_groups": ["all"]},)
    assert bench.run("set_stats: {data: {a: 1}}").stats == ({"data": {"a": 1}, "per_host": False, "aggregate": True},)


def test_arguments_of_a_role_are_checked_with_their_suboptions(bench: Bench) -> None:
    result = bench.run(
        "validate_argument_spec:\n  argument_spec: {a: {type: int}, d: {type: dict, options: {n: {type: int}}}}\nvars: {a: x, d: {n: y}}"
    )
    assert result.failed
    assert len(result.result["argument_errors"]) == 2
    assert result.result["msg"].startswith("Validation of arguments failed:\n")


def test_a_variable_that_renders_to_omit_is_not_given(bench: Bench) -> None:
    result = bench.run(
        "validate_argument_spec:\n  argument_spec: {a: {type: int, required: true}}\nvars: {a: '{{ omit }}'}"
    )
    assert len(result.result["argument_errors"]) == 1
    assert "required" in result.result["msg"]


def test_a_variable_names_the_modules_that_gather_facts(bench: Bench, tmp_path: Path) -> None:
    module = tmp_path / "library" / "own_facts.py"
    module.parent.mkdir()
    module.write_text('#!/usr/bin/python3\nprint(\'{"ansible_facts": {"of_my_own": 1}}\')\n')
    result = bench.run("gather_facts:\nvars: {ansible_facts_modules: [own_facts, own_facts]}").result
    assert result["ansible_facts"]["of_my_own"] == 1
    assert "distribution" not in str(result)


class TestIncludeVars:
    """include_vars: files, directories, and what becomes of names that exist."""

    @pytest.fixture(autouse=True)
    def files(self, tmp_path: Path) -> None:
        for name, content in {
            "vars/one.yml": "v: 1\nlater: '{{ v + 1 }}'",
            "vars/tree/a.yml": "a: 1",
            "vars/tree/b.json": '{"b": 2}',
            "vars/tree/sub/c.yaml": "c: 3",
            "vars/odd/x.txt": "x: 1",
            "vars/bare/plain": "p: 1",
            "vars/bare/yml": "q: 1",
            "vars/list.yml": "[1]",
        }.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)

    @pytest.mark.parametrize(
        ("options", "names"),
        [
            pytest.param("dir: tree", ["a", "b", "c"], id="all below"),
            pytest.param("dir: tree, depth: 1", ["a", "b"], id="depth"),
            pytest.param("dir: tree, extensions: [json]", None, id="another extension is an error"),
            pytest.param("dir: tree, extensions: [json], ignore_unknown_extensions: true", ["b"], id="extensions"),
            pytest.param("dir: tree, files_matching: '^a'", ["a"], id="files_matching"),
            pytest.param("dir: tree, ignore_files: [a.yml, c.yaml]", ["b"], id="ignore_files"),
            pytest.param("dir: odd", None, id="unknown extension"),
            pytest.param("dir: bare, extensions: ['', yml]", ["p", "q"], id="no extension"),
            pytest.param("dir: bare", None, id="a name is no extension"),
            pytest.param("dir: nowhere", None, id="no directory"),
            pytest.param("file: list.yml", None, id="no mapping"),
            pytest.param("file: nowhere.yml", None, id="no file"),
            pytest.param("file: one.yml, dir: tree", None, id="both"),
            pytest.param("file: one.yml", ["later", "v"], id="file"),
            pytest.param("file: one.yml, name: n", ["n"], id="name"),
        ],
    )
    def test_which_variables(self, bench: Bench, options: str, names: list[str] | None) -> None:
        result = bench.run(f"include_vars: {{{options}}}").result
        if names is None:
            assert result["failed"]
        else:
            assert sorted(result["ansible_facts"]) == names

    def test_values_stay_templates(self, bench: Bench) -> None:
        found = bench.run_all("- include_vars: one.yml\n- debug: {msg: '{{ later }}'}")
        assert found[0].store["include_vars"]["h1"]["later"] == "{{ v + 1 }}"
        assert found[1].result["msg"] == 2

    def test_merging_keeps_what_is_there(self, bench: Bench, tmp_path: Path) -> None:
        (tmp_path / "vars/m.yml").write_text("m: {b: {d: 2}}")
        bench.variables["m"] = {"a": 1, "b": {"c": 1}}
        result = bench.run("include_vars: {file: m.yml, hash_behaviour: merge}").result
        assert result["ansible_facts"] == {"m": {"a": 1, "b": {"c": 1, "d": 2}}}

    def test_merging_is_not_among_the_files_of_a_directory(self, bench: Bench, tmp_path: Path) -> None:
        (tmp_path / "vars/ms").mkdir()
        (tmp_path / "vars/ms/1.yml").write_text("m: {a: 1}")
        (tmp_path / "vars/ms/2.yml").write_text("m: {b: 2}")
        bench.variables["m"] = {"c": 3}
        result = bench.run("include_vars: {dir: ms, hash_behaviour: merge}").result
        assert result["ansible_facts"] == {"m": {"b": 2, "c": 3}}

    @pytest.mark.parametrize(
        ("options", "said"),
        [
            ("dir: tree, ignore_files: 123", "option must be a list"),
            ("dir: tree, extensions: {a: b}", "option must be a list"),
            ("fil: one.yml", "'fil' is not a valid option in include_vars; did you mean file?"),
            ("file: one.yml, dir: tree", "these are incompatible"),
            ("dir: nowhere", "directory does not exist"),
            ("dir: one.yml", "is not a directory"),
            ("name: x", "Could not find file"),
            ("dir: odd", "does not have a valid extension"),
            ("file: list.yml", "must hold a mapping (dictionary) of variables, this is list"),
        ],
    )
    def test_faults_have_the_words_that_scripts_look_for(self, bench: Bench, options: str, said: str) -> None:
        assert said in bench.run(f"include_vars: {{{options}}}").result["msg"]

    def test_a_broken_file_is_shown_where_it_is_broken(self, bench: Bench) -> None:
        broken = Path(bench.basedir, "broken.yml")
        broken.write_text("a: 1\nb: {{ x }}\n")
        result = bench.run("include_vars: broken.yml").result
        assert result["_ansible_origin"] == f"{broken}:2:4"
        assert result["msg"].endswith('; write "{{ x }}"')


class Person(NoTerminal):
    """Types an answer; keeps whether it was to be seen."""

    interactive = True

    async def pause(self, text: str, *, echo: bool, seconds: float | None) -> str | None:
        del seconds
        self.shown.append(f"{text.splitlines()[-1]} {echo}")
        return "typed"


@pytest.mark.parametrize(
    ("text", "shown"),
    [("pause: {prompt: who}", "who: True"), ("pause: {prompt: who, echo: false}", "who (output is hidden): False")],
)
def test_what_a_person_types_may_be_hidden(bench: Bench, text: str, shown: str) -> None:
    bench.prompter = Person()
    result = bench.run(text).result
    assert (bench.prompter.shown, result["user_input"]) == ([shown], "typed")
    assert result["echo"] is ("hidden" not in shown)


@pytest.mark.parametrize(
    ("text", "pause", "each"),
    [
        ("wait_for_connection:", 1, 5),
        ("wait_for_connection: {sleep: 3}", 3, 5),
        ("wait_for_connection: {connect_timeout: 9}", 1, 9),
    ],
)
def test_how_patiently_a_host_is_waited_for(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, text: str, pause: int, each: int
) -> None:
    asked: dict[str, float] = {}

    async def wait_until(_attempt: Any, **how: float) -> None:
        asked.update(how)

    monkeypatch.setattr(wait_for_connection, "wait_until", wait_until)
    bench.run(text)
    assert (asked["pause"], asked["each"]) == (pause, each + wait_for_connection._START)


@pytest.mark.parametrize(("delay", "minutes"), [(0, 0), (59, 0), (150, 2)])
def test_a_reboot_may_wait_whole_minutes(monkeypatch: pytest.MonkeyPatch, delay: int, minutes: int) -> None:
    given = Options("reboot", reboot.OPTIONS).check({"pre_reboot_delay": delay})
    naps: list[float] = []
    lines: list[str] = []

    class Remote:
        async def raw(self, line: str) -> dict[str, Any]:
            lines.append(line)
            return {"rc": 0, "stdout": "", "stderr": ""}

    async def sleep(seconds: float) -> None:
        naps.append(seconds)

    monkeypatch.setattr(reboot.asyncio, "sleep", sleep)
    call: Any = SimpleNamespace(remote=Remote())
    asyncio.run(reboot._shut_down(call, given))
    assert f"-r +{minutes} " in lines[0]
    assert naps == [minutes * 60]


def test_the_file_of_include_vars_may_be_a_folded_text(bench: Bench) -> None:
    Path(bench.basedir, "folded.yml").write_text("a: 1\n")
    assert bench.run("include_vars: >\n  folded.yml\n").result["ansible_facts"] == {"a": 1}
