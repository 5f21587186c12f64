from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pyplay.diagnostics.errors import PlaybookError
from pyplay.playbook.compile import compile_handlers, compile_role, role_handlers

if TYPE_CHECKING:
    from conftest import Project
    from pyplay.playbook.model import Role


def role(name: str, *, deps: str = "", tasks: str = "") -> dict[str, str]:
    files = {f"roles/{name}/tasks/main.yml": tasks or f"- ping:\n  name: {name}\n"}
    if deps:
        files[f"roles/{name}/meta/main.yml"] = f"dependencies: {deps}\n"
    return files


def names(roles: list[Role]) -> list[str]:
    return [r.name for r in roles]


def test_a_role_s_files_are_read(project: Project) -> None:
    (play,) = project.load(
        "- hosts: all\n  roles: [{role: r, p: 1, vars: {v: 2}, tags: t, when: w, become: true}]\n",
        {
            **role("r"),
            "roles/r/defaults/main.yaml": "d: 1\n",
            "roles/r/vars/main/a.yml": "x: 1\ny: 1\n",
            "roles/r/vars/main/b.json": '{"y": 2}',
            "roles/r/handlers/main.yml": "- ping:\n  name: h\n  listen: topic\n",
            "roles/r/meta/main.yml": "allow_duplicates: true\n",
        },
    )
    (made,) = play.roles
    assert (made.defaults, made.vars, made.params) == ({"d": 1}, {"x": 1, "y": 2}, {"p": 1})
    assert made.allow_duplicates
    assert made.path == str(project.root / "roles/r")
    (task,) = project.flat(made.tasks[:1])
    assert (task.role, task.tags, task.when, task.become, task.block_vars) == (made, ("t",), ("w",), True, ({"v": 2},))
    (handler,) = project.flat(compile_handlers(play))
    assert (handler.label, handler.listen, handler.kind) == ("r : h", ("topic",), "handler")


def test_dependencies_run_first_and_inherit(project: Project) -> None:
    (play,) = project.load(
        "- hosts: all\n  roles: [{role: a, when: w, tags: t, p: 1}]\n",
        {**role("a", deps="[b, {role: c, q: 2}]"), **role("b", deps="[c]"), **role("c")},
    )
    assert project.order(play) == [
        "!flush_handlers", "c : c", "!role_complete", "b : b", "!role_complete", "c : c", "!role_complete", "a : a",
        "!role_complete", "!flush_handlers", "!flush_handlers",
    ]  # fmt: skip
    (a,) = play.roles
    b, c = a.dependencies
    assert names(list(b.dependencies[0].parents)) == ["b", "a"]
    assert c.params == {"q": 2}
    assert all(t.when == ("w",) and t.tags == ("t",) for t in project.flat(compile_role(a)) if not t.implicit)
    assert [block.ends_role for block in c.tasks] == [False, True]


# observed with ansible-core 2.21: what makes two uses of a role different
@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("r", "r", True),
        ("r", "{role: r}", True),
        ("{role: r, p: 1}", "{role: r, p: 1}", True),
        ("{role: r, p: 1}", "{role: r, p: 2}", False),
        ("r", "{role: r, tags: x}", False),
        ("r", "{role: r, when: x}", False),
        ("r", "{role: r, vars: {a: 1}}", False),
        ("r", "{role: r, become: true}", True),
    ],
)
def test_which_uses_are_the_same(project: Project, first: str, second: str, same: object) -> None:
    (play,) = project.load(f"- hosts: all\n  roles:\n    - {first}\n    - {second}\n", role("r"))
    one, two = play.roles
    assert (one.identity == two.identity) is same
    hash(one.identity)


def test_roles_that_depend_on_each_other_are_shown_as_the_cycle(project: Project) -> None:
    files = {**role("a", deps="[b]"), **role("b", deps="[c]"), **role("c", deps="[a]")}
    assert [code for code, _ in project.faults("- hosts: all\n  roles: [a]\n", files)] == ["role-cycle"]
    with pytest.raises(PlaybookError, match="a → b → c → a") as caught:
        project.load("- hosts: all\n  roles: [a]\n", files)
    (fault,) = caught.value.diagnostics
    root = project.root / "roles"
    assert [note.replace(f"{root}/", "") for note in fault.notes] == [
        "a names b at a/meta/main.yml:1:16", "b names c at b/meta/main.yml:1:16", "c names a at c/meta/main.yml:1:16",
    ]  # fmt: skip


def test_where_roles_are_found(project: Project) -> None:
    (project.root / "ansible.cfg").write_text("[defaults]\nroles_path = more\ncollections_path = coll\n")
    files = {
        **role("beside", deps="[sibling]"),
        "more/far/tasks/main.yml": "- ping:\n",
        "more/far/meta/main.yml": "dependencies: [near]\n",
        "more/near/tasks/main.yml": "- ping:\n",
        "roles/sibling/tasks/main.yml": "- ping:\n",
        "elsewhere/path/tasks/main.yml": "- ping:\n",
        "plain/tasks/main.yml": "- ping:\n",
        "coll/ansible_collections/ns/col/roles/deep/tasks/main.yml": "- ping:\n",
        "coll/ansible_collections/ns/col/roles/deep/meta/main.yml": "dependencies: [shallow]\n",
        "coll/ansible_collections/ns/col/roles/shallow/tasks/main.yml": "- ping:\n",
    }
    text = f"- hosts: all\n  roles: [beside, far, {project.root}/elsewhere/path, plain, ns.col.deep]\n"
    (play,) = project.load(text, files)
    assert [r.path.removeprefix(str(project.root)) for r in play.roles] == [
        "/roles/beside", "/more/far", "/elsewhere/path", "/plain", "/coll/ansible_collections/ns/col/roles/deep",
    ]  # fmt: skip
    assert play.roles[2].name == f"{project.root}/elsewhere/path"
    assert (play.roles[4].name, play.roles[4].fqcn) == ("deep", "ns.col.deep")
    assert play.roles[4].dependencies[0].fqcn == "ns.col.shallow"
    assert play.roles[4].collections == ("ns.col",)


def test_collections_of_the_play_are_searched_for_short_names(project: Project) -> None:
    files = {"collections/ansible_collections/ns/col/roles/r/tasks/main.yml": "- ping:\n"}
    (play,) = project.load("- hosts: all\n  collections: [ns.col]\n  roles: [r]\n", files)
    assert play.roles[0].fqcn == "ns.col.r"


def test_tasks_of_a_role_search_the_collections_that_its_meta_names(project: Project) -> None:
    files = {
        "roles/r/tasks/main.yml": "- ping:\n",
        "roles/r/handlers/main.yml": "- ping:\n",
        "roles/r/meta/main.yml": "collections: [of.role]\n",
        "roles/plain/tasks/main.yml": "- ping:\n",
    }
    (play,) = project.load(
        """
        - hosts: all
          collections: [of.play]
          roles: [r, {role: plain, collections: [of.use]}]
          tasks: [{ping: null}, {import_role: {name: r}}]
        """,
        files,
    )
    found = [[task.collections for block in role.tasks for task in block.tasks][:1] for role in play.roles]
    assert found == [[("of.role",)], [()], [("of.role",)]]
    assert play.roles[0].handlers[0].tasks[0].collections == ("of.role",)
    tasks = [task for block in play.tasks for task in block.tasks]
    assert tasks[0].collections == ("of.play",)


def test_import_role_stands_where_it_was_written(project: Project) -> None:
    (play,) = project.load(
        """
        - hosts: all
          tasks:
            - ping:
              name: before
            - import_role: {name: r, tasks_from: other, vars_from: more}
              vars: {v: 1}
              when: w
            - ping:
              name: after
        """,
        {
            **role("r"),
            "roles/r/tasks/other.yml": "- ping:\n  name: other\n",
            "roles/r/vars/more.yml": "x: 1\n",
            "roles/r/handlers/main.yml": "- ping:\n  name: h\n",
        },
    )
    assert project.order(play)[1:5] == ["before", "r : other", "!role_complete", "after"]
    (made,) = play.roles
    assert (made.imported, made.public, made.allow_duplicates, made.vars) == (True, True, True, {"x": 1})
    other = project.flat(play.tasks)[1]
    assert (other.when, other.block_vars) == (("w",), ({"v": 1},))
    assert [t.label for t in project.flat(compile_handlers(play))] == ["r : h"]


def test_a_part_of_a_role_may_stand_elsewhere(project: Project) -> None:
    project.write({"away.yml": "- ping:\n  name: away\n", "roles/bare/vars/main.yml": "x: 1\n"})
    (play,) = project.load(
        f"- hosts: all\n  tasks: [{{import_role: {{name: bare, tasks_from: {project.root}/away.yml}}}}]\n"
    )
    assert "bare : away" in project.order(play)
    assert play.roles[0].vars == {"x": 1}


@pytest.mark.parametrize(
    ("given", "files", "found"),
    [
        ("x", ["x", "x.yml", "x.json"], "x"),
        ("x", ["x.yml", "x.yaml"], "x.yml"),
        ("x.yml", ["x.yml", "x.yml.yml"], "x.yml"),
        ("main", ["main", "main.yml"], "main.yml"),
        ("../gone/../tasks/x", ["x.yml"], "x.yml"),
        ("./sub/../x.yml", ["x.yml"], "x.yml"),
    ],
)
def test_a_given_name_is_that_of_a_file_before_endings_are_tried(
    project: Project, given: str, files: list[str], found: str
) -> None:
    (play,) = project.load(
        f"- hosts: all\n  tasks: [{{import_role: {{name: r, tasks_from: '{given}'}}}}]\n",
        {f"roles/r/tasks/{name}": f"- ping:\n  name: {name}\n" for name in files},
    )
    assert f"r : {found}" in project.order(play)


def test_handlers_stand_once_and_those_of_dependencies_first(project: Project) -> None:
    files = {**role("a", deps="[b]"), **role("b")}
    for name in "ab":
        files[f"roles/{name}/handlers/main.yml"] = f"- ping:\n  name: h{name}\n"
    (play,) = project.load(
        "- hosts: all\n  roles: [a, a]\n  handlers:\n    - ping:\n      name: own\n  tasks:\n    - import_role: {name: b}\n",
        files,
    )
    assert [t.name for t in project.flat(compile_handlers(play))] == ["hb", "ha", "own", "hb"]
    assert [t.name for t in project.flat(role_handlers(play.roles[0]))] == ["hb", "ha"]


def test_a_described_role_checks_its_variables_first(project: Project) -> None:
    specs = "argument_specs:\n  main:\n    short_description: The thing\n    options:\n      n: {type: int}\n"
    (play,) = project.load(
        "- hosts: all\n  roles: [{role: r, n: 3, tags: x, vars: {of_no_option: 1}}]\n",
        {**role("r"), "roles/r/meta/argument_specs.yml": specs},
    )
    check, task, _ = project.flat(play.roles[0].tasks)
    assert check.name == "Validating arguments against arg spec 'main' - The thing"
    assert check.resolved_action == "ansible.builtin.validate_argument_spec"
    assert check.args["argument_spec"] == {"n": {"type": "int"}}
    assert check.args["provided_arguments"] == {"n": 3}
    assert check.tags == ("x", "always")
    assert task.name == "r"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[gone]", [("missing-role", 2)]),
        ("r", [("not-a-list", 2)]),
        ("[{tags: x}]", [("no-role", 2)]),
        ("[3]", [("not-a-role", 2)]),
        ("[{role: r, become_user: [a]}]", [("bad-value", 2)]),
        ("[gone, r, away]", [("missing-role", 2), ("missing-role", 2)]),
    ],
)
def test_faults(project: Project, text: str, expected: list[tuple[str, int]]) -> None:
    assert project.faults(f"- hosts: all\n  roles: {text}\n", role("r")) == expected


def test_a_misspelt_role_is_recognised(project: Project) -> None:
    with pytest.raises(Exception, match="no role 'ngnix'") as caught:
        project.load("- hosts: all\n  roles: [ngnix]\n", role("nginx"))
    assert caught.value.diagnostics[0].help == "did you mean 'nginx'?"


def test_faults_inside_a_role_are_placed_in_its_files(project: Project) -> None:
    files = {
        **role("r", tasks="- ping:\n  wehn: x\n"),
        "roles/r/vars/main.yml": "- a\n",
        "roles/r/handlers/main.yml": "a: [\n",
    }
    found = project.faults("- hosts: all\n  roles: [r]\n", files)
    assert sorted(code for code, _ in found) == ["not-a-mapping", "unclosed-bracket", "unknown-keyword"]


@pytest.mark.parametrize("specs", ["[1]", "{main: foo}", "text"])
def test_specifications_that_are_no_mapping_are_faults(project: Project, specs: str) -> None:
    files = {**role("r"), "roles/r/meta/argument_specs.yml": f"argument_specs: {specs}\n"}
    found = project.faults("- hosts: all\n  roles: [r]\n", files)
    assert found == [("bad-meta", 1)]


def test_a_role_in_a_subdirectory_of_a_collection_goes_without_its_name(project: Project) -> None:
    (project.root / "ansible.cfg").write_text("[defaults]\ncollections_path = coll\n")
    files = {"coll/ansible_collections/ns/col/roles/outer/roles/deep/tasks/main.yml": "- ping:\n  name: here\n"}
    (play,) = project.load("- hosts: all\n  roles: [ns.col.outer.roles.deep]\n", files)
    assert [(role.name, role.fqcn) for role in play.roles] == [("deep", "ns.col.deep")]
