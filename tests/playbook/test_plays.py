from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest

from pyplay.diagnostics.errors import PlaybookError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from conftest import Project


def test_everything_of_a_play_is_read(project: Project) -> None:
    (play,) = project.load("""
        - name: the play
          hosts: [web, '!old']
          gather_facts: no
          gather_subset: [min]
          gather_timeout: 5
          fact_path: /f
          serial: [1, 30%]
          max_fail_percentage: 30%
          any_errors_fatal: '{{ x }}'
          strategy: free
          order: sorted
          force_handlers: true
          user: bob
          become: true
          connection: local
          tags: [a]
          vars: {v: 1}
          vars_files: one.yml
          vars_prompt: [{name: p, prompt: Which, private: false, default: x}]
          collections: [a.b]
          validate_argspec: true
          environment: {A: b}
        """)
    expected = {
        "name": "the play", "hosts": ["web", "!old"], "gather_facts": False, "gather_subset": ("min",),
        "gather_timeout": 5, "fact_path": "/f", "serial": (1, "30%"), "max_fail_percentage": 30,
        "any_errors_fatal": "{{ x }}", "strategy": "free", "order": "sorted", "force_handlers": True, "tags": ("a",),
        "vars": {"v": 1}, "vars_files": ("one.yml",), "collections": ("a.b",), "validate_argspec": True,
        "vars_prompt": ({"name": "p", "prompt": "Which", "private": False, "default": "x"},),
        "path": str(project.root / "site.yml"), "basedir": str(project.root),
    }  # fmt: skip
    assert {name: getattr(play, name) for name in expected} == expected
    assert play.keywords["remote_user"] == "bob"
    assert play.keywords["environment"] == ({"A": "b"},)
    assert project.loader.plays[play.id] is play


def test_the_order_of_a_play(project: Project) -> None:
    (play,) = project.load(
        """
        - hosts: all
          post_tasks: [{ping: , name: post}]
          tasks: [{ping: , name: task}]
          roles: [r]
          pre_tasks: [{ping: , name: pre}]
        """,
        {"roles/r/tasks/main.yml": "- ping:\n"},
    )
    assert project.order(play) == [
        "pre", "!flush_handlers", "r : ping", "!role_complete", "task", "!flush_handlers", "post", "!flush_handlers",
    ]  # fmt: skip
    ids = [task.id for task in project.loader.tasks.values()]
    assert len(set(ids)) == len(ids)
    assert len(play.flush_points) == 3


def test_imported_playbooks_take_vars_when_and_tags(project: Project) -> None:
    plays = project.load(
        "- import_playbook: sub/web.yml\n  vars: {v: import, n: 1}\n  when: c\n  tags: t\n- hosts: db\n",
        {
            "sub/web.yml": "- hosts: web\n  tags: own\n  vars: {v: play}\n  tasks: [{ping: , when: d}]\n- import_playbook: deep.yml\n",
            "sub/deep.yml": "- hosts: deep\n  roles: [r]\n",
            "sub/roles/r/tasks/main.yml": "- ping:\n",
        },
    )
    web, deep, db = plays
    assert [p.hosts for p in plays] == ["web", "deep", "db"]
    assert (web.vars, web.tags, web.keywords["when"]) == ({"v": "import", "n": 1}, ("t", "own"), ("c",))
    assert project.flat(web.tasks)[0].when == ("c", "d")
    assert (deep.vars["n"], deep.tags, deep.basedir) == (1, ("t",), str(project.root / "sub"))
    assert "when" not in db.keywords


def test_a_playbook_of_a_collection(project: Project) -> None:
    files = {"collections/ansible_collections/ns/col/playbooks/site.yml": "- hosts: col\n"}
    project.environ["ANSIBLE_COLLECTIONS_PATH"] = str(project.root / "collections")
    assert [p.hosts for p in project.load("- import_playbook: ns.col.site\n", files)] == ["col"]


def test_names_of_imports_are_rendered_with_static_variables(project: Project) -> None:
    def render(value: Any, variables: Mapping[str, Any]) -> Any:
        text = str(value)
        for name in ("which", "kind", "role_path"):
            if f"{{{{ {name} }}}}" in text:
                text = text.replace(f"{{{{ {name} }}}}", str(variables[name]))
        return text

    files = {
        "a.yml": "- ping:\n  name: a\n",
        "roles/b/tasks/main.yml": "- import_tasks: '{{ role_path }}/x.yml'\n",
        "roles/b/x.yml": "- ping:\n  name: b\n",
    }
    text = "- hosts: all\n  vars: {which: z, kind: b}\n  tasks:\n    - import_tasks: '{{ which }}.yml'\n    - import_role: {name: '{{ kind }}'}\n"
    (play,) = project.load(text, files, render=render, extra_vars={"which": "a"})
    assert [t.name for t in project.flat(play.tasks) if not t.implicit] == ["a", "b"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", [("not-a-playbook", 1)]),
        ("hosts: all\n", [("not-a-playbook", 1)]),
        ("- text\n", [("not-a-mapping", 1)]),
        ("- tasks: []\n", [("no-hosts", 1)]),
        ("- hosts: []\n", [("no-hosts", 1)]),
        ("- hosts:\n", [("no-hosts", 1)]),
        ("[]\n", [("not-a-playbook", 1)]),
        ("- hosts: 3\n", [("bad-value", 1)]),
        ("- hosts: [a, {b: c}]\n", [("bad-value", 1)]),
        ("- hosts: a\n  user: x\n  remote_user: x\n", [("two-users", 2)]),
        ("- hosts: a\n  vars_files: {a: b}\n", [("bad-value", 2)]),
        ("- hosts: a\n  handlers: [{include_role: {name: x}}]\n", [("role-as-handler", 2)]),
        ("- hosts: a\n  handlers: [{name: h, meta: flush_handlers}]\n", [("flush-as-handler", 2)]),
        ("- hosts: a\n  handlers:\n  - block: [{ping: }]\n    rescue:\n    - block: [{ping: }]\n", [("block-as-handler", 5)]),
        ("- hosts: all\n  taks: []\n", [("unknown-keyword", 2)]),
        ("- hosts: all\n  loop: []\n", [("unknown-keyword", 2)]),
        ("- hosts: all\n  become: maybe\n  gather_facts: x\n", [("bad-value", 2), ("bad-value", 3)]),
        ("- hosts: all\n  order: upwards\n", [("bad-value", 2)]),
        ("- hosts: all\n  vars_prompt: [{prompt: x}]\n", [("bad-value", 2)]),
        ("- hosts: all\n  vars_prompt: [{name: x, promt: x}]\n", [("unknown-option", 2)]),
        ("- hosts: all\n  vars: {a b: 1}\n", [("bad-value", 2)]),
        ("- import_playbook: gone.yml\n", [("missing-file", 1)]),
        ("- import_playbook: site.yml\n", [("import-cycle", 1)]),
        ("- import_playbook:\n", [("no-target", 1)]),
        ("- import_playbook: x.yml\n  loop: []\n", [("unknown-keyword", 2), ("missing-file", 1)]),
        ("- debug: {msg: x}\n  register: y\n", [("no-hosts", 1), ("unknown-keyword", 1), ("unknown-keyword", 2)]),
        ("- hosts: a\n  tasks: [{ping: , wehn: x}]\n- hosts: b\n  taks: []\n", [("unknown-keyword", 2), ("unknown-keyword", 4)]),
    ],
)  # fmt: skip
def test_faults(project: Project, text: str, expected: list[tuple[str, int]]) -> None:
    assert sorted(project.faults(text)) == sorted(expected)


ROUND = {
    "playbooks": (
        {"site.yml": "- import_playbook: a.yml\n", "a.yml": "- import_playbook: sub/b.yml\n",
         "sub/b.yml": "- hosts: a\n- import_playbook: ../a.yml\n"},
        "a.yml → sub/b.yml → a.yml", ["a.yml:1:20", "sub/b.yml:2:20"],
    ),
    "a file in itself": (
        {"site.yml": "- hosts: a\n  tasks: [import_tasks: a.yml]\n", "a.yml": "- ping:\n- import_tasks: a.yml\n"},
        "a.yml → a.yml", ["a.yml:2:17"],
    ),
    "tasks": (
        {"site.yml": "- hosts: a\n  tasks: [import_tasks: a.yml]\n", "a.yml": "- import_tasks: b.yml\n",
         "b.yml": "- block:\n    - import_tasks: {file: a.yml}\n"},
        "a.yml → b.yml → a.yml", ["a.yml:1:17", "b.yml:2:22"],
    ),
    "handlers": (
        {"site.yml": "- hosts: a\n  handlers: [import_tasks: a.yml]\n", "a.yml": "- import_tasks: a.yml\n"},
        "a.yml → a.yml", ["a.yml:1:17"],
    ),
    "roles that import each other": (
        {"site.yml": "- hosts: a\n  roles: [a]\n", "roles/a/tasks/main.yml": "- import_role: {name: b}\n",
         "roles/b/tasks/main.yml": "- import_role: {name: a}\n"},
        "a → b → a", ["roles/a/tasks/main.yml:1:3", "roles/b/tasks/main.yml:1:3"],
    ),
    "a role and what depends on it": (
        {"site.yml": "- hosts: a\n  roles: [a]\n", "roles/a/meta/main.yml": "dependencies: [b]\n",
         "roles/b/tasks/main.yml": "- import_role: {name: a}\n"},
        "a → b → a", ["roles/a/meta/main.yml:1:16", "roles/b/tasks/main.yml:1:3"],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("files", "circle", "where"), ROUND.values(), ids=ROUND)
def test_what_goes_round_is_shown_as_the_cycle_with_its_places(
    project: Project, files: dict[str, str], circle: str, where: list[str]
) -> None:
    with pytest.raises(PlaybookError) as caught:
        project.load(files["site.yml"], files)
    (fault,) = caught.value.diagnostics
    assert fault.code in ("import-cycle", "role-cycle")
    assert fault.message.endswith(f": {circle}")
    assert [note.split(f" at {project.root}/")[1] for note in fault.notes] == where
    assert fault.origin is not None
    assert fault.origin.path == f"{project.root}/{where[-1].split(':')[0]}"


def test_a_key_given_twice_is_a_warning(project: Project) -> None:
    project.load("- hosts: a\n  hosts: b\n")
    assert [w.code for w in project.warnings] == ["duplicate-key"]


def test_tasks_that_no_user_wrote(project: Project) -> None:
    (play,) = project.load("- hosts: all\n  become: true\n")
    task = project.loader.make_task(play, "ansible.builtin.setup", {}, tags=("always",), become=play.keywords["become"])
    assert (task.become, task.play_id, project.loader.tasks[task.id]) == (True, play.id, task)


def test_a_thousand_tasks_and_fifty_roles_parse_in_a_moment(project: Project) -> None:
    task = "- name: t\n  copy:\n    src: a\n    dest: b\n  when: x\n  tags: [a]\n"
    files = {f"roles/r{i}/tasks/main.yml": task * 20 for i in range(50)}
    roles = ", ".join(f"r{i}" for i in range(50))
    start = time.process_time()
    (play,) = project.load(f"- hosts: all\n  roles: [{roles}]\n", files)
    assert time.process_time() - start < 1.5
    assert len(project.flat([b for r in play.roles for b in r.tasks])) == 1050


def test_a_playbook_may_be_text(project: Project) -> None:
    (play,) = project.loader.load_text('[{"hosts": "all", "tasks": [{"action": "ping"}]}]', "<adhoc>", basedir="/b")
    assert (play.path, play.basedir, project.flat(play.tasks)[0].origin.path) == ("<adhoc>", "/b", "<adhoc>")
