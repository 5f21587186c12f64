"""What is refused at the start or as a task's failure, with core's exit codes; what a bug of ours leaves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from conftest import CommandLine

PLAY = "- hosts: localhost\n  gather_facts: false\n  tasks:\n    - debug:\n"


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        pytest.param(["nope.yml"], 1, "the playbook nope.yml is not there", id="no playbook"),
        pytest.param(["."], 1, "is no file", id="a directory"),
        pytest.param(["site.yml", "-e", "@nope.yml"], 1, "nope.yml is not there", id="no extra vars"),
        pytest.param(["site.yml", "-b", "--become-method", "nope"], 2, "unknown become method", id="become method"),
        pytest.param(["site.yml", "--tags", ""], 0, "", id="tags that select nothing"),
        pytest.param(["name.yml"], 4, "'nope' is undefined", id="a play's name"),
        pytest.param(["debugger.yml"], 2, "'debugger' takes always", id="debugger"),
    ],
)
def test_refused(pyplay: CommandLine, words: list[str], code: int, said: str) -> None:
    named = PLAY.replace("- hosts", "- name: '{{ nope }}'\n  hosts")
    pyplay.write({"site.yml": PLAY, "name.yml": named, "debugger.yml": PLAY + "      debugger: x\n"})
    done = pyplay(*words)
    assert done.code == code
    assert said in done.out + done.err
    assert "Hello world" not in done.out


@pytest.mark.parametrize(
    ("options", "code", "saved"),
    [
        ("name: gone", 0, True),
        ("name: gone, rescuable: false", 4, False),
        ("name: there, tasks_from: gone", 0, True),
        ("name: there, tasks_from: gone, rescuable: false", 4, False),
    ],
)
def test_roles_that_are_not_there(pyplay: CommandLine, options: str, code: int, saved: Any) -> None:
    pyplay.write({"roles/there/tasks/main.yml": "- debug:\n"})
    done = pyplay.play(f"""
        - block:
            - include_role: {{{options}}}
          rescue:
            - debug: {{msg: saved}}
    """)
    assert (done.code, "saved" in done.out) == (code, saved)


def test_a_missing_file_of_tasks_names_where_it_was_searched(pyplay: CommandLine) -> None:
    done = pyplay.play("- include_tasks: gone.yml")
    assert done.code == 2
    assert f"searched: {pyplay.root}/gone.yml" in done.out
    assert "\\n" not in done.out


def test_who_registers_what_add_host_gave(pyplay: CommandLine) -> None:
    pyplay.write({
        "site.yml": """
            - hosts: a,b
              gather_facts: false
              tasks:
                - add_host: {name: z}
                  register: one
                - add_host: {name: z}
                  run_once: true
                  register: all
                - debug: {msg: "{{ inventory_hostname }} {{ one is defined }} {{ all is defined }}"}
        """
    })  # fmt: skip
    done = pyplay("-i", "a,b,", "site.yml")
    assert '"a True True"' in done.out
    assert '"b False True"' in done.out


def test_names_of_included_roles(pyplay: CommandLine) -> None:
    pyplay.write({"roles/r/tasks/main.yml": "- debug:\n"})
    done = pyplay.play("""
        - include_role: {name: r}
        - debug: {msg: "{{ ansible_play_role_names }} {{ ansible_role_names }}"}
    """)
    assert "['r'] ['r']" in done.out


def test_a_found_python_is_told_again_when_it_was_forgotten(pyplay: CommandLine) -> None:
    done = pyplay.play(
        """
        - ping:
        - meta: clear_facts
        - ping:
        - ping:
        """,
        "-v", "-e", "ansible_python_interpreter=auto",
    )  # fmt: skip
    assert done.out.count("discovered_interpreter_python") == 2


def test_pythons_to_search_for(pyplay: CommandLine) -> None:
    extra = '{"ansible_python_interpreter": "auto", "ansible_interpreter_python_fallback": ["/nope/python3"]}'
    done = pyplay.play("- ping:", "-e", extra)
    assert "No python interpreters found for host 'localhost' among /nope/python3: " in done.err
    done = pyplay.play("- ping:", "-e", extra.replace("/nope/python3", "a b"))
    assert "names no program: 'a b'" in done.out


def test_aliases_are_resolved_once(pyplay: CommandLine) -> None:
    levels = "".join(f"    l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 10)}]\n" for n in range(1, 8))
    pyplay.write(
        {
            "bomb.yml": "- hosts: localhost\n  gather_facts: false\n  vars:\n    l0: &l0 ['{{ 1 }}', x]\n"
            + levels
            + "    bomb: {a: *l7, bad: '{{ nope }}'}\n  tasks:\n"
            '    - debug: {msg: "{{ bomb | length }} {{ bomb is mapping }} {{ bomb.keys() | list }}"}\n'
            "    - set_fact: {q: '{{ l7 }}'}\n"
            "    - debug: {msg: \"{{ (q | combine({}, list_merge='replace')) if q is mapping else q | length }}\"}\n"
        }
    )
    done = pyplay("bomb.yml")
    assert done.code == 0
    assert "2 True ['a', 'bad']" in done.out


@pytest.mark.parametrize(
    ("written", "meant"),
    [("debgu", "debug"), ("set_fcat", "set_fact"), ("asert", "assert"), ("includ_tasks", "include_tasks")],
)
def test_a_misspelt_action_without_a_module_file_is_known(pyplay: CommandLine, written: str, meant: str) -> None:
    done = pyplay.play(f"- {written}: {{}}")
    assert (done.code, f"did you mean '{meant}'?" in done.err) == (4, True)


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        pytest.param(["inventory", "--host", "nope"], 5, "there is no host 'nope'", id="inventory host"),
        pytest.param(["inventory", "--graph", "nope"], 5, "there is no group 'nope'", id="inventory group"),
        pytest.param(["inventory"], 5, "give one of --list, --host NAME, --graph", id="inventory without an action"),
        pytest.param(["inventory", "--list", "--graph"], 5, "give one of --list", id="inventory with two"),
        pytest.param(["config", "view"], 1, "there is no configuration file", id="no configuration"),
        pytest.param(["config", "view", "-c", "nope"], 5, "there is no configuration file nope", id="not that one"),
    ],
)
def test_other_commands_end_with_the_codes_of_core(pyplay: CommandLine, words: list[str], code: int, said: str) -> None:
    done = pyplay(*words, "-i", "a,b,") if words[0] == "inventory" else pyplay(*words)
    assert (done.code, said in done.err) == (code, True)


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("{key: all}", "group 'all' cannot be its own child"),
        ("{key: above, parents: [below]}", "groups contain each other: below → above → below"),
    ],
)
def test_groups_that_would_contain_each_other_fail_the_task(pyplay: CommandLine, key: str, said: str) -> None:
    done = pyplay.play(f"""
        - group_by: {{key: below, parents: [above]}}
        - block:
            - group_by: {key}
          rescue:
            - debug: {{msg: "{{{{ ansible_failed_result.msg }}}} {{{{ ansible_failed_result.changed }}}}"}}
        - group_by: {key}
          ignore_errors: "{{{{ 1 == 1 }}}}"
        - group_by: {{key: fine}}
          ignore_errors: true
    """)
    assert done.code == 0
    assert f"Task failed: {said} False" in done.out
    assert "rescued=1    ignored=1" in done.out
    assert done.out.count("...ignoring") == 1


def test_an_item_that_would_make_groups_contain_each_other_fails_alone(pyplay: CommandLine) -> None:
    done = pyplay.play("""
        - group_by: {key: "{{ item }}"}
          loop: [fine, all, good]
          register: made
          ignore_errors: true
        - debug: {msg: "{{ made.results | map(attribute='failed') }} {{ made.failed }} {{ 'good' in groups }} {{ made.changed }}"}
    """)
    assert '"[False, True, False] True True True"' in done.out.replace("'", "")


def test_a_localhost_that_no_inventory_names_is_grouped_too(pyplay: CommandLine) -> None:
    pyplay.write({
        "site.yml": """
            - hosts: localhost
              gather_facts: false
              tasks:
                - group_by: {key: mine, parents: [ours]}
                - group_by: {key: mine, parents: [ours]}
            - hosts: ours
              gather_facts: false
              tasks:
                - debug: {msg: "{{ inventory_hostname }} {{ group_names }} {{ groups.mine }} {{ groups.all }}"}
            - hosts: all
              gather_facts: false
              tasks:
                - debug: {msg: not here}
        """
    })  # fmt: skip
    done = pyplay("site.yml")
    assert "localhost ['mine', 'ours'] ['localhost'] []" in done.out
    assert "not here" not in done.out
    assert "ok=3    changed=1 " in done.out


@pytest.mark.parametrize(
    ("words", "environment", "told"),
    [
        pytest.param(("site.yml",), {}, (True, True), id="a playbook"),
        pytest.param(("-i", "empty", "site.yml"), {}, (False, True), id="an empty inventory"),
        pytest.param(("-i", "h,", "site.yml"), {}, (False, False), id="a host"),
        pytest.param(("site.yml",), {"ANSIBLE_LOCALHOST_WARNING": "0"}, (True, False), id="no hosts need not be told"),
        pytest.param(("site.yml",), {"ANSIBLE_INVENTORY_UNPARSED_WARNING": "0"}, (False, True), id="nor no inventory"),
        pytest.param(("adhoc", "localhost", "-m", "ping"), {}, (True, False), id="localhost is what was asked for"),
        pytest.param(("adhoc", "all", "-m", "ping"), {}, (True, True), id="it is not among all"),
        pytest.param(("adhoc", "all", "--list-hosts"), {}, (True, True), id="nor when hosts are listed"),
    ],
)
def test_a_run_that_has_only_the_implicit_localhost_says_so(
    pyplay: CommandLine, words: tuple[str, ...], environment: dict[str, str], told: tuple[bool, bool]
) -> None:
    pyplay.write({"site.yml": "- {hosts: all, gather_facts: false}", "empty": ""})
    done = pyplay(*words, **environment)
    assert ("no inventory was parsed" in done.err, "which 'all' does not match" in done.err) == told


@pytest.mark.parametrize(("value", "shown"), [("false", False), ("0", False), ("true", True), ("maybe", False)])
def test_an_extra_variable_says_whether_skipped_hosts_are_shown(
    pyplay: CommandLine, value: str, *, shown: bool
) -> None:
    task = "- debug:\n  when: false\n  vars: {ansible_display_skipped_hosts: false}"  # only an extra variable counts
    done = pyplay.play(task, "-e", f"ansible_display_skipped_hosts={value}")
    assert ("skipping: [localhost]" in done.out) == shown


@pytest.mark.parametrize(
    ("task", "environment", "told"),
    [
        pytest.param('- debug: "{{ x }}"', {}, True, id="beside the module's name"),
        pytest.param('- debug:\n  args: "{{ x }}"', {}, True, id="args"),
        pytest.param('- debug:\n  args: {msg: "{{ x }}"}', {}, False, id="one option"),
        pytest.param('- debug: "{{ x }}"', {"ANSIBLE_INJECT_FACT_VARS": "0"}, False, id="no fact takes its place"),
    ],
)
def test_a_template_for_all_options_is_told(
    pyplay: CommandLine, task: str, environment: dict[str, str], *, told: bool
) -> None:
    done = pyplay.play(task, "-e", '{"x": {"msg": "hi"}}', **environment)
    assert "ok=1 " in done.out
    assert ("a template for all options of a task" in done.err) == told
