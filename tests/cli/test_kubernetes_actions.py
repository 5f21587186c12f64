"""The controller's half of kubernetes.core, with modules in place of its own that tell their arguments."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from conftest import CommandLine

ECHO = """
from ansible.module_utils.basic import AnsibleModule

names = ("resource_definition", "src", "kubeconfig", "template", "local_path", "state", "values_files")
module = AnsibleModule({name: dict(type="raw") for name in names})
module.exit_json(given={name: value for name, value in module.params.items() if value is not None})
"""
COLL = "collections/ansible_collections/kubernetes/core/plugins"
ONE = "kind: {{ kind }}\n{% if kind %}\nname: x\n{% endif %}\n"


@pytest.fixture
def tree(pyplay: CommandLine) -> CommandLine:
    pyplay.write({
        **{f"{COLL}/modules/{name}.py": ECHO for name in ("k8s", "k8s_cp", "helm", "k8s_other")},
        **{f"{COLL}/action/{name}.py": "" for name in ("k8s", "k8s_cp", "helm", "k8s_other")},
        "templates/one.j2": ONE,
        "templates/two.j2": "kind: [[ kind ]]\n",
        "files/conf": "apiVersion: v1\n",
        "group_vars/all.yml": "kind: Pod\n",
    })  # fmt: skip
    return pyplay


def result_of(tree: CommandLine, task: str, *words: str) -> dict[str, Any]:
    """Give the result of a task on this machine."""
    text = f"- hosts: localhost\n  gather_facts: false\n  tasks:\n  - {task}\n    register: found\n    ignore_errors: true\n"
    tree.write({"p.yml": f"{text}  - copy: {{content: '{{{{ found | to_json }}}}', dest: '{tree.root}/found.json'}}\n"})
    done = tree("p.yml", *words)
    assert done.code == 0, done.out + done.err
    found: dict[str, Any] = json.loads((tree.root / "found.json").read_text())
    return found


@pytest.mark.parametrize(
    ("template", "text"),
    [
        pytest.param("one.j2", "kind: Pod\nname: x\n", id="path"),
        pytest.param(
            '{path: two.j2, variable_start_string: "[[", variable_end_string: "]]"}', "kind: Pod\n", id="options"
        ),
        pytest.param("[one.j2, {path: one.j2}]", "kind: Pod\nname: x\n\n---\nkind: Pod\nname: x\n", id="several"),
    ],
)
def test_templates_are_rendered_here(tree: CommandLine, template: str, text: str) -> None:
    assert result_of(tree, f"kubernetes.core.k8s: {{template: {template}}}")["given"] == {"resource_definition": text}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        pytest.param("{template: one.j2, src: x}", "mutually exclusive", id="two sources"),
        pytest.param("{template: absent.j2}", "absent.j2", id="absent"),
        pytest.param("{template: {pth: one.j2}}", "takes the path", id="no path"),
        pytest.param("{template: {path: one.j2, trim: true}}", "knows no trim", id="unknown option"),
    ],
)
def test_what_a_template_cannot_be(tree: CommandLine, options: str, message: str) -> None:
    found = result_of(tree, f"kubernetes.core.k8s: {options}")
    assert found["failed"] is True
    assert message in found["msg"]


@pytest.mark.parametrize(
    ("task", "key", "place"),
    [
        pytest.param("kubernetes.core.k8s: {src: conf}", "src", "{root}/files/conf", id="src"),
        pytest.param("kubernetes.core.helm: {kubeconfig: conf}", "kubeconfig", "{root}/files/conf", id="kubeconfig"),
        pytest.param("kubernetes.core.k8s: {kubeconfig: {a: b}}", "kubeconfig", {"a": "b"}, id="mapping"),
        pytest.param("kubernetes.core.k8s: {src: absent}", "src", "absent", id="absent"),
        pytest.param("kubernetes.core.k8s: {src: 'https://x/conf'}", "src", "https://x/conf", id="URL"),
        pytest.param("kubernetes.core.k8s_cp: {local_path: conf}", "local_path", "{root}/files/conf", id="to a pod"),
        pytest.param("kubernetes.core.k8s_cp: {local_path: conf, state: from_pod}", "local_path", "conf", id="from it"),
    ],
)
def test_files_of_this_machine_are_searched(tree: CommandLine, task: str, key: str, place: Any) -> None:
    wanted = place.format(root=tree.root) if isinstance(place, str) else place
    assert result_of(tree, task)["given"][key] == wanted


def test_others_with_an_action_plugin_are_refused(tree: CommandLine) -> None:
    tree.write(
        {"p.yml": "- hosts: localhost\n  gather_facts: false\n  tasks:\n  - kubernetes.core.k8s_other: {src: x}\n"}
    )
    done = tree("p.yml")
    assert done.code == 2
    assert "'kubernetes.core.k8s_other' needs the action plugin" in done.out
