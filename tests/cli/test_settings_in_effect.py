"""Settings that decide what a run does or shows, each where it makes a difference."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import CommandLine

PLAY = "- hosts: h\n  connection: local\n  gather_facts: no\n"
LOCAL = "- hosts: localhost\n  gather_facts: no\n"


@pytest.mark.parametrize(("mismatch", "code", "told"), [("warning", 0, True), ("ignore", 0, False), ("error", 1, True)])
def test_a_pattern_that_names_nothing(pyplay: CommandLine, mismatch: str, code: int, told: bool) -> None:  # noqa: FBT001
    pyplay.write({"p.yml": LOCAL.replace("localhost", "nowhere")})
    done = pyplay("-i", "a,", "p.yml", ANSIBLE_HOST_PATTERN_MISMATCH=mismatch)
    assert (done.code != 0) == bool(code)
    assert ("'nowhere' matches no host" in done.err) is told


def test_warnings_and_deprecations_that_nobody_wants(pyplay: CommandLine) -> None:
    tasks = "  tasks:\n  - debug:\n    when: \"'{{ 1 }}' == '1'\"\n  - debug:\n    when: '{{ true }}'\n"
    pyplay.write({"p.yml": LOCAL + tasks})
    told = pyplay("p.yml").err
    assert "is itself a template" in told
    assert "written as a template" in told
    assert "written as a template" not in pyplay("p.yml", ANSIBLE_DEPRECATION_WARNINGS="0").err
    assert "is itself a template" not in pyplay("p.yml", ANSIBLE_ACTION_WARNINGS="0").err


def test_templates_in_constants_stay_text(pyplay: CommandLine) -> None:
    pyplay.write({"p.yml": LOCAL + "  tasks:\n  - debug: {msg: \"{{ lookup('items', '<{{ 6 * 7 }}>') }}\"}\n"})
    assert '"<42>"' in pyplay("p.yml").out
    assert '"<{{ 6 * 7 }}>"' in pyplay("p.yml", ANSIBLE_ALLOW_EMBEDDED_TEMPLATES="no").out


def test_a_keyword_that_an_include_does_not_take(pyplay: CommandLine) -> None:
    pyplay.write({"p.yml": LOCAL + "  tasks:\n  - include_tasks: t.yml\n    async: 5\n", "t.yml": "- debug:\n"})
    assert pyplay("p.yml").code == 4
    done = pyplay("p.yml", ANSIBLE_INVALID_TASK_ATTRIBUTE_FAILED="no")
    assert (done.code, "p.yml:5:5" in done.err, "ok=2" in done.out) == (0, True, True)


@pytest.mark.parametrize(("size", "told"), [("4", True), ("5", False), ("0", False)])
def test_a_large_file_has_no_diff(pyplay: CommandLine, size: str, told: bool) -> None:  # noqa: FBT001
    pyplay.write({"p.yml": LOCAL + f"  tasks:\n  - copy: {{content: '12345', dest: {pyplay.root}/f}}\n"})
    done = pyplay("-C", "-D", "p.yml", ANSIBLE_MAX_DIFF_SIZE=size)
    assert (f"greater than {size}" in done.out) is told
    assert ("+12345" in done.out) is not told


def test_vars_files_may_be_turned_off(pyplay: CommandLine) -> None:
    files = {
        "p.yml": PLAY + "  tasks:\n  - debug: {msg: \"{{ x | d('none') }}\"}\n",
        "inventory/hosts": "h\n",
        "inventory/group_vars/all.yml": "x: inventory\n",
    }
    pyplay.write(files)
    assert '"inventory"' in pyplay("-i", "inventory", "p.yml").out
    assert '"none"' in pyplay("-i", "inventory", "p.yml", ANSIBLE_VARS_ENABLED="").out
    pyplay.write({"host_vars/h.yml": "x: playbook\n"})
    assert (
        '"playbook"' in pyplay("-i", "inventory", "p.yml", ANSIBLE_VARS_ENABLED="ansible.builtin.host_group_vars").out
    )
    done = pyplay("-i", "inventory", "p.yml", ANSIBLE_VARS_ENABLED="my.own.vars")
    assert ('"none"' in done.out, "my.own.vars" in done.err) == (True, True)


@pytest.mark.parametrize(("policy", "code", "told"), [("warn", 0, True), ("ignore", 0, False), ("error", 4, True)])
def test_keys_given_twice_wherever_variables_stand(
    pyplay: CommandLine,
    policy: str,
    code: int,
    told: bool,  # noqa: FBT001
) -> None:
    pyplay.write({"p.yml": PLAY + "  tasks:\n  - debug:\n", "hosts": "h\n"})
    for place in ("group_vars/all.yml", "host_vars/h.yml"):
        pyplay.write({place: "x: 1\nx: 2\n"})
        done = pyplay("-i", "hosts", "p.yml", ANSIBLE_DUPLICATE_YAML_DICT_KEY=policy)
        assert (done.code != 0) == bool(code)
        assert (f"{place}:2:1" in done.err + done.out) is told
        (pyplay.root / place).unlink()


def test_extensions_of_vars_files_count_beside_the_playbook_too(pyplay: CommandLine) -> None:
    pyplay.write(
        {
            "p.yml": PLAY + "  tasks:\n  - debug: {msg: '<{{ x }}>'}\n",
            "group_vars/all.vars": "x: 7\n",
        }
    )
    assert "<7>" in pyplay("-i", "h,", "p.yml", ANSIBLE_YAML_FILENAME_EXT=".vars").out


@pytest.mark.parametrize("place", ["group_vars/all.yml", "host_vars/h.yml"])
def test_a_vars_file_that_cannot_be_read_fails_its_hosts_in_its_line(pyplay: CommandLine, place: str) -> None:
    pyplay.write({"p.yml": PLAY + "  tasks:\n  - debug:\n", place: "x: 1\ny: [\n"})
    done = pyplay("-i", "h,", "p.yml")
    assert (done.code, "is not closed" in done.out, "has a bug" in done.out + done.err) == (2, True, False)
    assert f"{place}:2:4" in done.out


def test_colours_and_the_lines_around_a_difference(pyplay: CommandLine) -> None:
    pyplay.write({"f": "1\n2\n3\n4\n5\n6\n7\n8\n9\n"})
    text = "1\\n2\\n3\\n4\\nx\\n6\\n7\\n8\\n9\\n"
    pyplay.write({"p.yml": LOCAL + f'  tasks:\n  - copy: {{content: "{text}", dest: {pyplay.root}/f}}\n'})
    done = pyplay("-C", "-D", "p.yml", ANSIBLE_DIFF_CONTEXT="1")
    assert " 4\n-5\n+x\n 6\n\n" in done.out.replace("@@ -4,3 +4,3 @@\n", "")
    assert " 3\n" not in done.out
    plain = pyplay("-C", "-D", "p.yml", ANSIBLE_FORCE_COLOR="1").out
    assert "\x1b[0;33mchanged: [localhost]\x1b[0m" in plain
    assert "\x1b[0;32m+x\x1b[0m" in plain
    mine = {"ANSIBLE_COLOR_CHANGED": "rgb512", "ANSIBLE_COLOR_DIFF_ADD": "Bright Cyan", "ANSIBLE_COLOR_OK": "nothing"}
    done = pyplay("-C", "-D", "p.yml", ANSIBLE_FORCE_COLOR="1", **mine)
    assert "\x1b[38;5;204mchanged: [localhost]\x1b[0m" in done.out
    assert "\x1b[1;36m+x\x1b[0m" in done.out


@pytest.mark.parametrize(
    ("private", "listed", "imported", "included"),
    [(None, "ab", "i", "-"), ("no", "ab", "i", "c"), ("yes", "--", "-", "-")],
)
def test_variables_of_roles_are_private_or_not(
    pyplay: CommandLine, private: str | None, listed: str, imported: str, included: str
) -> None:
    shown = "\"{{ a | d('-') }}{{ b | d('-') }} {{ i | d('-') }} {{ c | d('-') }}\""
    tasks = "  - import_role: {name: i}\n  - include_role: {name: c}\n  - debug: {msg: " + shown + "}\n"
    pyplay.write({"p.yml": LOCAL + "  roles: [a, {role: b}]\n  tasks:\n" + tasks})
    for role, where in (("a", "vars"), ("b", "defaults"), ("i", "vars"), ("c", "defaults")):
        pyplay.write({f"roles/{role}/{where}/main.yml": f"{role}: {role}\n"})
        check = f"- assert: {{that: \"{role} == '{role}'\", quiet: true}}\n"
        pyplay.write({f"roles/{role}/tasks/main.yml": check})
    done = pyplay("p.yml", **({} if private is None else {"ANSIBLE_PRIVATE_ROLE_VARS": private}))
    assert (done.code, f'"{listed} {imported} {included}"' in done.out) == (0, True)


def test_where_the_status_of_async_tasks_is(pyplay: CommandLine) -> None:
    tasks = "  tasks:\n  - {command: echo hi, async: 30, poll: 0, register: r}\n"
    tasks += "  - {async_status: {jid: '{{ r.ansible_job_id }}'}, register: s, until: s.finished, retries: 100, delay: 0.1}\n"
    pyplay.write({"p.yml": LOCAL + tasks, "ansible.cfg": f"[defaults]\nasync_dir = {pyplay.root}/jobs\n"})
    done = pyplay("p.yml")
    assert (done.code, len(list((pyplay.root / "jobs").iterdir()))) == (0, 1)
