"""Where `first_found` looks, for whom, and what it makes of its options: as in ansible-core."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from projects import differences, needs_oracle, play, run_both

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.parity, needs_oracle]

MODULES: dict[str, Any] = {
    "include_vars": "x.yml", "ansible.builtin.include_vars": "x.yml", "ansible.legacy.include_vars": "x.yml",
    "template": {"src": "x", "dest": "/nope"}, "ansible.builtin.template": {"src": "x", "dest": "/nope"},
    "copy": {"src": "x", "dest": "/nope"}, "include_tasks": "x.yml", "debug": {"msg": "x"}, "set_fact": {"a": 1},
    "include_role": {"name": "two"}, "command": "true",
}  # fmt: skip
FORMS: list[Any] = [
    ["all.x"],
    "all.x",
    ["nope", "outer.x"],
    [{"files": ["nope", "all.x"], "skip": True}],
    [{"files": ["nope", "all.x"], "paths": ["deep"]}],
    [{"files": ["all.x"], "paths": ["vars", "files"]}],
    [{"files": ["nope"], "skip": True}],
]
CALLS = [
    "'nope', 'd.x', paths=['deep']", "['nope', 'all.x'], 'd.x', paths=['deep']", "['nope'], skip=true",
    "{'files': ['nope']}, skip=true", "{'files': ['nope'], 'skip': true}, skip=false", "{'files': ['d.x']}, paths=['deep']",
    "{'paths': ['deep']}, files=['d.x']", "files=['d.x'], paths=['deep']", "[], files='d.x', paths='deep'",
    "'nope', files=['d.x'], paths=['deep']", "{'files': ['nope'], 'skip': true}, {'files': ['n']}",
    "{'files': ['nope'], 'skip': true}, 'n'", "{'files': ['n'], 'paths': ['deep']}, 'd.x'",
    "{'files': ['d.x', 'all.x'], 'paths': ['vars', 'deep', '.']}", "paths='deep', skip=true", "'all.x,d.x'",
    "{'files': ['d.x'], 'paths': [playbook_dir ~ '/deep']}", "'nope', {'files': 'all.x', 'paths': ['deep']}, skip=true",
    "nope, 'all.x'", "[nope ~ '.x', 'all.x']", "{'files': [nope ~ '.x', 'all.x']}", "files=[nope, 'all.x']",
]  # fmt: skip
UNDEFINED: list[Any] = [
    ["{{ nope }}.x", "all.x"],
    "{{ ['a', nope] }}",
    "{{ terms }}",
    ["{{ terms }}"],
    ["{{ options }}"],
    "{{ options }}",
    [["{{ nope }}.x", "all.x"], "b.x"],
    [{"files": ["{{ nope.a.b }}.x", "all.x"], "paths": ["{{ nope }}", "deep"]}],
    [{"files": ["all.x"], "skip": "{{ nope }}"}],
    [{"files": "{{ nope }}"}, "all.x"],
    [{"files": ["{{ undef('no') }}.x", "all.x"]}],
    ["{{ nope }}.x"],
    "{{ nope }}",
    [{"files": ["{{ nope }}"], "skip": True}],
]


def tree() -> dict[str, Any]:
    """Return files of a play, a role and a role that it calls, in every directory that may be searched."""
    files: dict[str, Any] = {}
    for place in (".", "roles/one", "roles/two"):
        for inner in (".", "files", "templates", "vars", "tasks", "deep", "tasks/deep", "files/deep", "vars/deep"):
            files[f"{place}/{inner}/all.x"] = files[f"{place}/{inner}/only_{place[-3:]}.x"] = ""
            if place != "roles/two":
                files[f"{place}/{inner}/outer.x"] = ""
    return {**files, "deep/d.x": ""}


def looping() -> list[dict[str, Any]]:
    """Return tasks that are skipped, but show their items: what was found."""
    tasks: list[dict[str, Any]] = []
    for module, arguments in MODULES.items():
        for form in FORMS:
            common = {module: arguments, "when": False, "vars": {"terms": form if isinstance(form, list) else [form]}}
            tasks.append({"name": f"{module} {form}", "with_first_found": form, **common})
            tasks.append({"name": f"{module} query {form}", "loop": "{{ query('first_found', terms) }}", **common})
            tasks.append({"name": f"{module} call {form}", "loop": ["{{ lookup('first_found', *terms) }}"], **common})
    return tasks


def test_each_place_of_a_task(tmp_path: Path) -> None:
    inner = [task for task in looping() if task["name"].startswith(("template", "include_vars", "copy"))]
    files = {
        **tree(),
        "roles/one/tasks/main.yml": [{"include_role": {"name": "two"}}, {"import_tasks": "deep/in.yml"}],
        "roles/one/tasks/deep/in.yml": inner,
        "roles/two/tasks/main.yml": looping(),
        "site.yml": [play(*looping(), roles=["one"])],
    }
    assert not differences(*run_both(files, tmp_path))


def test_what_calls_and_loops_mean(tmp_path: Path) -> None:
    calls = [
        {"name": call, "debug": {"msg": f"{{{{ query('first_found', {call}) }}}}"}, "ignore_errors": True}
        for call in CALLS
    ]
    loops = [
        {
            "name": f"loop {number}",
            "debug": {"msg": "{{ item }}"},
            "with_first_found": terms,
            "ignore_errors": True,
            "vars": {
                "terms": ["{{ nope }}.x", "all.x"],
                "options": {"files": ["{{ nope }}.x", "d.x"], "paths": "deep"},
            },
        }
        for number, terms in enumerate(UNDEFINED)
    ]
    assert not differences(*run_both({**tree(), "site.yml": [play(*calls, *loops)]}, tmp_path))


def test_lookups_in_a_directory_below_tasks(tmp_path: Path) -> None:
    names = [f"only_{place}.x" for place in ("./.", "one", "two")] + ["d.x", "beside.x"]
    probes = [
        {"debug": {"msg": "{{ query('first_found', item, skip=true) }}"}, "loop": names},
        {"debug": {"msg": "{{ query('file', item, errors='ignore') }}"}, "loop": ["beside.x", "all.x"]},
    ]
    files = {
        **tree(),
        **{f"{place}tasks/beside.x": "b" for place in ("", "roles/one/", "roles/two/")},
        "roles/one/tasks/main.yml": [{"include_role": {"name": "two"}}, {"include_tasks": "deep/in.yml"}],
        "roles/one/tasks/deep/in.yml": probes,
        "roles/two/tasks/main.yml": [{"import_tasks": "deep/in.yml"}],
        "roles/two/tasks/deep/in.yml": probes,
        "tasks/deep/in.yml": probes,
        "site.yml": [play({"include_tasks": "tasks/deep/in.yml"}, roles=["one"])],
    }
    assert not differences(*run_both(files, tmp_path))
