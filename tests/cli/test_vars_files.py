"""vars_files and what is told without a host: which hosts a play is for, its batches, names, imports, tags."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import CommandLine

PLAY = """
    - hosts: "{{ who }}"
      name: "on {{ who }}"
      serial: "{{ batch }}"
      gather_facts: false
      connection: local
      vars_files: VARS_FILES
      vars: {stage: prod, who: overridden}
      roles: ["{{ role }}"]
      tasks:
        - import_tasks: "{{ part }}.yml"
        - debug: {msg: "{{ who }} {{ batch }} {{ only | default('') }}"}
          tags: "{{ tags_of_it }}"
"""
VALUES = "who: localhost\nbatch: 1\nrole: web\npart: more\ntags_of_it: [x, y]\n"
FILES = {
    "inv.ini": "localhost kind=b\n",
    "roles/web/tasks/main.yml": "- debug: {msg: in web}\n",
    "more.yml": "- debug: {msg: more}\n",
    "vars/prod.yml": VALUES,
    "b.yml": VALUES + "only: of b\n",
    "default.yml": VALUES + "only: of the default\nleft: over\n",
}


@pytest.mark.parametrize(
    ("written", "seen"),
    [
        pytest.param("[prod.yml]", "localhost 1 ", id="a file"),
        pytest.param("['{{ stage }}.yml']", "localhost 1 ", id="named by the play's variables"),
        pytest.param("[prod.yml, '{{ kind }}.yml']", "localhost 1 of b", id="one that needs a host"),
        pytest.param("[['{{ kind }}.yml', default.yml]]", "localhost 1 of b", id="the first that exists"),
    ],
)
def test_a_play_sees_its_vars_files_before_it_has_hosts(pyplay: CommandLine, written: str, seen: str) -> None:
    pyplay.write({**FILES, "site.yml": PLAY.replace("VARS_FILES", written)})
    done = pyplay("-i", "inv.ini", "site.yml", "-e", "stage=prod")
    assert done.code == 0, done.err
    assert "PLAY [on localhost]" in done.out
    assert f'"msg": "{seen}"' in done.out
    listed = pyplay("-i", "inv.ini", "--list-hosts", "--list-tasks", "site.yml", "-e", "stage=prod")
    assert "play #1 (localhost): on localhost" in listed.out, listed.err
    assert "    hosts (1):\n      localhost\n" in listed.out
    assert [line.strip() for line in listed.out.split("tasks:\n")[1].splitlines()] == [
        "debug\tTAGS: []",
        "debug\tTAGS: []",
        "debug\tTAGS: [x, y]",
    ]


def test_what_is_known_without_a_host_does_not_leak_to_hosts_with_other_files(pyplay: CommandLine) -> None:
    play = PLAY.replace("VARS_FILES", "[['{{ kind }}.yml', default.yml]]").replace("only |", "left |")
    pyplay.write({**FILES, "site.yml": play})
    done = pyplay("-i", "inv.ini", "site.yml")
    assert '"msg": "localhost 1 "' in done.out, done.out + done.err


def test_a_list_of_mappings_counts_as_its_items(pyplay: CommandLine) -> None:
    pyplay.write({
        "v.yml": "- {a: 1, b: 1}\n- {b: 2}\n",
        "p.yml": "- hosts: localhost\n  gather_facts: false\n  vars_files: [v.yml]\n  tasks:\n  - debug: msg={{ [a, b] }}\n",
    })  # fmt: skip
    assert "[\n        1,\n        2\n    ]" in pyplay("p.yml").out
    pyplay.write({"v.yml": "- {a: 1}\n- 5\n"})
    assert pyplay("p.yml").code == 4


def test_a_share_of_failures_that_is_undefined_ends_the_run(pyplay: CommandLine) -> None:
    play = (
        "- hosts: localhost\n  gather_facts: false\n  max_fail_percentage: '{{ nope }}'\n  tasks:\n  - debug: msg=ran\n"
    )
    pyplay.write({"p.yml": play})
    done = pyplay("p.yml")
    assert done.code == 4
    assert "Error processing keyword 'max_fail_percentage': 'nope' is undefined" in done.err
    assert "ran" not in done.out
