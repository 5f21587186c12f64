"""Whole runs: files in, exit code and output out."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from conftest import CommandLine


def test_a_built_in_that_is_not_there_is_missed_when_it_is_reached(pyplay: CommandLine) -> None:
    done = pyplay.play("""
        - ansible.builtin.dnf5: {name: x}
          when: false
        - ansible.posix.seboolean: {name: x}
          ignore_errors: true
          register: missed
        - assert: {that: missed is failed}
    """)
    assert (done.code, "skipped=1" in done.out, "ignored=1" in done.out) == (0, True, True)


def test_adhoc_arguments_may_be_json_for_every_module(pyplay: CommandLine) -> None:
    done = pyplay("adhoc", "localhost", "-m", "command", "-a", '{"cmd": "echo a b", "stdin": "x"}')
    assert (done.code, "a b" in done.out) == (0, True)
    done = pyplay("adhoc", "localhost", "-m", "shell", "-a", "{ echo c; echo d; }")
    assert (done.code, "c\nd" in done.out) == (0, True)


def test_adhoc_runs_tasks_and_roles_but_no_playbook(pyplay: CommandLine) -> None:
    pyplay.write({"roles/r/tasks/main.yml": "- debug: {msg: in role}\n", "t.yml": "- debug: {msg: in file}\n"})
    for module, words, said in (
        ("include_role", "name=r", "in role"), ("import_role", "name=r", "in role"), ("include_tasks", "t.yml", "in file"),
    ):  # fmt: skip
        done = pyplay("adhoc", "localhost", "-m", module, "-a", words)
        assert (done.code, said in done.out) == (0, True), done
    assert pyplay("adhoc", "localhost", "-m", "import_playbook", "-a", "x.yml").code != 0


def test_adhoc_pattern_and_module_may_be_templates(pyplay: CommandLine) -> None:
    values = '{"m": "debug", "v": {"plain": {"__ansible_unsafe": "{{ 1 }}"}, "t": ["{{ 1 }}"]}}'
    done = pyplay("adhoc", "{{ 'local' ~ 'host' }}", "-m", "{{ m }}", "-a", "var=v", "-e", values)
    assert done.code == 0
    assert json.loads(done.out.partition(" => ")[2]) == {"v": {"plain": "{{ 1 }}", "t": [1]}}
    assert "localhost" in pyplay("adhoc", "{{ 'localhost' }}", "--list-hosts").out


def test_adhoc_takes_roles_and_variables_from_the_directory_named(pyplay: CommandLine) -> None:
    pyplay.write({"pb/roles/r/tasks/main.yml": "- debug: {var: v}\n", "pb/group_vars/all.yml": "v: found\n"})
    done = pyplay("adhoc", "localhost", "--playbook-dir", "pb", "-m", "include_role", "-a", "name=r")
    assert (done.code, '"v": "found"' in done.out) == (0, True), done


def test_adhoc_results_may_be_one_line(pyplay: CommandLine) -> None:
    done = pyplay("adhoc", "localhost", "-o", "-m", "debug", "-a", "msg=hi")
    assert (done.code, done.out.count("\n")) == (0, 1)


def test_adhoc_arguments_may_come_from_a_setting(pyplay: CommandLine) -> None:
    done = pyplay("adhoc", "localhost", "-m", "debug", ANSIBLE_MODULE_ARGS="msg=set")
    assert (done.code, '"msg": "set"' in done.out) == (0, True)


def test_adhoc_jobs_are_asked_as_often_as_the_setting_says(pyplay: CommandLine) -> None:
    done = pyplay("adhoc", "localhost", "-m", "command", "-a", "echo hi", "-B", "5", ANSIBLE_POLL_INTERVAL="1")
    assert (done.code, "hi" in done.out) == (0, True)


def test_what_there_is_to_say_of_a_loop_is_said_once(pyplay: CommandLine) -> None:
    done = pyplay.play("""
        - debug: {msg: "{{ item }}"}
          loop: "{{ '[1, 2]' }} "
    """)
    assert (done.code, done.err.count("spells a list")) == (0, 1), done
