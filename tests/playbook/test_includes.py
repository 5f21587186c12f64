from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest

from pyplay.diagnostics.errors import PlaybookError

if TYPE_CHECKING:
    from conftest import Project
    from pyplay.playbook.model import Task

# observed with ansible-core 2.21: which two.yml an include or import finds
TREE = {
    "sub/one.yml": "- include_tasks: two.yml\n- include_tasks: deep/three.yml\n- import_tasks: two.yml\n",
    "sub/two.yml": "- ping:\n  name: two in sub\n",
    "two.yml": "- ping:\n  name: two in top\n",
    "sub/deep/three.yml": "- include_tasks: two.yml\n",
    "sub/only.yml": "- ping:\n  name: only\n",
}


def included(project: Project, task: Task, **more: Any) -> list[Task]:
    return project.flat(project.loader.load_tasks(task.args["_raw_params"], task, **more))


def test_relative_names_are_found_as_core_finds_them(project: Project) -> None:
    (one,) = project.tasks("- include_tasks: sub/one.yml", TREE)
    two, three, static = included(project, one)
    assert static.name == "two in sub"
    assert included(project, two)[0].name == "two in sub"
    (nested,) = included(project, three)
    assert included(project, nested)[0].name == "two in top"


def test_in_a_role_includes_and_imports_differ(project: Project) -> None:
    (x,) = project.tasks(
        "- import_role: {name: d}",
        {
            "roles/d/tasks/main.yml": "- include_tasks: sub/x.yml\n",
            "roles/d/tasks/sub/x.yml": "- include_tasks: y.yml\n- import_tasks: y.yml\n- include_tasks: z.yml\n",
            "roles/d/tasks/sub/y.yml": "- ping:\n  name: in sub\n",
            "roles/d/tasks/sub/z.yml": "- ping:\n  name: z\n",
            "roles/d/tasks/y.yml": "- ping:\n  name: in tasks\n",
        },
    )[:1]
    dynamic, static, z = included(project, x)
    assert static.name == "in sub"
    assert included(project, dynamic)[0].name == "in tasks"
    assert included(project, z)[0].name == "z"
    root = project.root
    assert static.search_dirs == (f"{root}/roles/d", f"{root}/roles/d/tasks/sub", str(root))


def test_included_tasks_inherit_from_around_the_include_not_from_it(project: Project) -> None:
    (include,) = project.tasks(
        """
        - block:
            - include_tasks: t.yml
              tags: own
              when: own
              no_log: true
              vars: {v: 1}
          tags: outer
          when: outer
          become: true
          vars: {b: 1}
        """,
        {"t.yml": "- ping:\n"},
    )
    (task,) = included(project, include, params={"item": 3})
    assert (task.tags, task.when, task.no_log, task.become) == (("outer",), ("outer",), None, True)
    assert task.block_vars == ({"b": 1},)
    assert task.include_params == ({"v": 1}, {"item": 3})
    assert task.play_id == include.play_id


def test_apply_is_for_the_tasks_inside(project: Project) -> None:
    (include,) = project.tasks(
        "- include_tasks: {file: t.yml, apply: {tags: [a], when: c, become: true, vars: {v: 1}}}\n  vars: {v: 2}",
        {"t.yml": "- ping:\n  tags: own\n"},
    )
    assert "apply" not in include.args
    (task,) = included(project, include)
    assert (task.tags, task.when, task.become) == (("a", "own"), ("c",), True)
    assert (task.block_vars, task.include_params) == (({"v": 1},), ({"v": 2},))


def test_params_of_nested_includes_stack_outermost_first(project: Project) -> None:
    (outer,) = project.tasks(
        "- include_tasks: a.yml\n  vars: {x: 1}",
        {"a.yml": "- include_tasks: b.yml\n  vars: {x: 2}\n", "b.yml": "- ping:\n"},
    )
    (inner,) = included(project, outer)
    assert inner.include_params == ({"x": 1}, {"x": 2})
    assert included(project, inner)[0].include_params == ({"x": 1}, {"x": 2})


def test_include_role(project: Project) -> None:
    (include,) = project.tasks(
        "- include_role: {name: r, tasks_from: other, public: true, apply: {tags: [t]}}\n  vars: {v: 1}",
        {
            "roles/r/tasks/other.yml": "- ping:\n  name: other\n",
            "roles/r/meta/main.yml": "dependencies: [d]\n",
            "roles/d/tasks/main.yml": "- ping:\n  name: dep\n",
        },
    )
    options = {key: value for key, value in include.args.items() if key != "name"}
    made, blocks = project.loader.load_role("r", include, **options)
    assert (made.public, made.allow_duplicates, made.imported) == (True, True, True)
    found = project.flat(blocks)
    assert [t.args.get("_raw_params") or t.name for t in found] == ["dep", "role_complete", "other", "role_complete"]
    assert (found[2].tags, found[2].include_params, found[2].role) == (("t",), ({"v": 1},), made)
    assert project.loader.tasks[found[2].id] is found[2]
    assert project.loader.roles[made.id] is made


def test_include_role_searches_the_collections_that_it_names(project: Project) -> None:
    project.write({"collections/ansible_collections/n/c/roles/r/tasks/main.yml": "- ping:\n"})
    (include,) = project.tasks("- include_role: {name: r}\n  collections: [n.c]")
    assert project.loader.load_role("r", include)[0].fqcn == "n.c.r"


def test_a_role_may_include_itself_under_a_condition(project: Project) -> None:
    files = {"roles/r/tasks/main.yml": "- include_role: {name: r}\n  when: c\n"}
    (include, _) = project.tasks("- import_role: {name: r}", files)
    for _ in range(3):
        _, blocks = project.loader.load_role("r", include)
        include = project.flat(blocks)[0]


def test_a_file_may_import_what_includes_it_under_a_condition(project: Project) -> None:
    files = {"a.yml": "- include_tasks: b.yml\n  when: c\n", "b.yml": "- import_tasks: a.yml\n"}
    (include,) = project.tasks("- import_tasks: a.yml", files)
    for _ in range(3):
        (include,) = included(project, include)


def test_includes_among_handlers_bring_handlers(project: Project) -> None:
    (play,) = project.load(
        "- hosts: all\n  handlers:\n    - include_tasks: h.yml\n      listen: t\n    - import_tasks: h.yml\n",
        {"h.yml": "- ping:\n  name: h\n  listen: u\n"},
    )
    include, static = project.flat(play.handlers)
    assert (static.kind, static.listen) == ("handler", ("u",))
    (task,) = included(project, include, handler=True)
    assert (task.kind, task.listen) == ("handler", ("u",))


@pytest.mark.parametrize(
    ("text", "code"),
    [("- ping:\n  wehn: x\n", "unknown-keyword"), ("a: [\n", "unclosed-bracket"), ("a: b\n", "not-a-list")],
)
def test_faults_in_included_files(project: Project, text: str, code: str) -> None:
    (include,) = project.tasks("- include_tasks: t.yml", {"t.yml": text})
    with pytest.raises(PlaybookError) as caught:
        project.loader.load_tasks("t.yml", include)
    assert [d.code for d in caught.value.diagnostics] == [code]


def test_a_missing_file_is_named_with_what_was_meant(project: Project) -> None:
    (include,) = project.tasks("- include_tasks: instal.yml", {"install.yml": "- ping:\n"})
    with pytest.raises(PlaybookError) as caught:
        project.loader.load_tasks("instal.yml", include)
    (fault,) = caught.value.diagnostics
    assert (fault.code, fault.help) == ("missing-file", "did you mean 'install.yml'?")
    assert fault.origin
    assert fault.origin.line == 3
    assert project.loader.find_tasks("install.yml", include) == str(project.root / "install.yml")
    assert project.loader.find_tasks("gone.yml", include) is None


def test_a_thousand_includes_take_a_moment(project: Project) -> None:
    (include,) = project.tasks("- include_tasks: t.yml", {"t.yml": "- debug: {msg: x}\n  when: y\n" * 3})
    start = time.process_time()
    for number in range(1000):
        project.loader.load_tasks("t.yml", include, params={"item": number})
    assert time.process_time() - start < 1.5
