"""`pyplay doc` of what is in files: modules and plugins of users and collections, roles."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import CommandLine

MODULE = '''
DOCUMENTATION = r"""
module: mine
short_description: do my thing
description: ["Does B(my) thing, see L(the page,https://example.com/x)."]
extends_documentation_fragment: [ns.coll.shared, ns.gone.away]
options:
  name: {description: The name of C(it)., type: str, required: true}
  rules:
    description: [What holds.]
    type: list
    elements: dict
    suboptions:
      port: {description: Where., type: int, default: 80}
"""
EXAMPLES = """
- mine: {name: x}
"""
RETURN = "size: {description: How big., type: int, returned: always}"
'''
FRAGMENT = """
class ModuleDocFragment:
    DOCUMENTATION = "options: {login: {description: Who., aliases: [user]}, name: {description: not this}}"
"""
SPECS = """
argument_specs:
  main: {short_description: a server, options: {port: {type: int, default: 80, description: Where.}}}
  other: {short_description: another way}
"""
COLL = "collections/ansible_collections/ns/coll"


@pytest.fixture
def tree(pyplay: CommandLine) -> CommandLine:
    pyplay.write({
        "library/mine.py": MODULE,
        "library/ours.py": '# pyplay.remote.module_utils\nOPTIONS = {"options": {"size": {"type": "int", "doc": "How big."}}}\n',
        "library/silent.sh": "#!/bin/sh\n",
        "more/extra.py": MODULE,
        "roles/web/meta/argument_specs.yml": SPECS,
        "roles/plain/tasks/main.yml": "",
        "elsewhere/far/meta/main.yml": SPECS,
        f"{COLL}/plugins/modules/theirs.py": MODULE,
        f"{COLL}/plugins/doc_fragments/shared.py": FRAGMENT,
        f"{COLL}/plugins/filter/twice.yml": "DOCUMENTATION: {name: twice, short_description: double it}\n",
        f"{COLL}/plugins/lookup/far.py": 'DOCUMENTATION = "short_description: look far"\n',
        f"{COLL}/plugins/inventory/cloud.py": 'DOCUMENTATION = "{short_description: hosts, options: {region: {}}}"\n',
        f"{COLL}/roles/db/meta/argument_specs.yml": SPECS,
    })  # fmt: skip
    return pyplay


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (["mine"], ["do my thing", "Does my thing, see the page.", "= name: str\n      The name of it.",
                    "- rules: list of dict", "- port: int", "- login: str", "aliases: user", "  - mine: {name: x}",
                    "more options: those of ns.gone.away"]),
        (["ours"], ["- size: int\n      How big."]),
        (["silent"], ["silent (module)"]),
        (["ns.coll.theirs"], ["ns.coll.theirs (module)", "= name: str"]),
        (["-t", "filter", "ns.coll.twice"], ["double it"]),
        (["-t", "lookup", "ns.coll.far"], ["look far"]),
        (["-t", "role", "web"], ["a server", "- port: int", "entry point: main"]),
        (["-t", "role", "web", "-e", "other"], ["another way", "entry point: other"]),
        (["-t", "role", "ns.coll.db"], ["a server"]),
        (["-t", "role", "-r", "elsewhere", "far"], ["a server"]),
        (["-M", "more", "extra"], ["do my thing"]),
        (["-s", "mine"], ["- name: do my thing\n  mine:\n      name: ", "# (required) The name of it.", "      login: "]),
        (["-s", "-t", "inventory", "ns.coll.cloud"], ["plugin: ns.coll.cloud\nregion:"]),
        (["-s", "-t", "lookup", "env"], ["lookup('env', term"]),
    ],
)  # fmt: skip
def test_described(tree: CommandLine, words: list[str], shown: list[str]) -> None:
    done = tree("doc", *words)
    assert done.code == 0, done.err
    for text in shown:
        assert text in done.out


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (["-l", "ns.coll"], ["ns.coll.theirs"]),
        (["-l", "ns"], ["ns.coll.theirs"]),
        (["-l", "mine", "copy"], ["copy", "mine"]),
        (["-l", "-t", "role"], ["ns.coll.db", "web"]),
        (["-l", "-t", "filter", "ns.coll"], ["ns.coll.twice"]),
        (["-l", "-t", "inventory"], ["ns.coll.cloud"]),
        (["-l", "-t", "strategy"], []),
        (["-F"], ["mine", "ns.coll.theirs", "ours", "silent"]),
    ],
)
def test_listed(tree: CommandLine, words: list[str], names: list[str]) -> None:
    done = tree("doc", *words)
    assert (done.code, [line.split()[0] for line in done.out.splitlines()]) == (0, names)


def test_what_is_built_in_can_be_listed_by_its_collection(tree: CommandLine) -> None:
    names = {line.split()[0] for line in tree("doc", "-l", "ansible.builtin").out.splitlines()}
    assert {"copy", "debug"} <= names
    assert "mine" not in names


def test_json_for_programs_that_know_ansible_doc(tree: CommandLine) -> None:
    data = json.loads(tree.called("ansible-doc", "-j", "mine").out)["mine"]
    assert data["doc"]["options"]["name"] == {"description": ["The name of it."], "required": True, "type": "str"}
    assert data["doc"]["short_description"] == "do my thing"
    assert data["doc"]["filename"].endswith("library/mine.py")
    assert data["return"]["size"]["type"] == "int"
    assert data["examples"] == "- mine: {name: x}"
    assert json.loads(tree("doc", "-j", "mine").out)["mine"]["summary"] == "do my thing"
    assert json.loads(tree("doc", "-j", "-l", "ns").out) == {"ns.coll.theirs": "do my thing"}


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["--metadata-dump"], 5, "the dump of all metadata"),
        (["--no-fail-on-errors"], 5, "the dump of all metadata"),
        (["mien"], 5, "did you mean 'mine'?"),
        (["-t", "role", "wbe"], 5, "did you mean 'web'?"),
        (["-t", "role", "web", "-e", "nope"], 5, "no entry point 'nope'"),
        (["-t", "connection", "ssh"], 5, "what is built in has its page"),
        (["-s", "-t", "role", "web"], 5, "no snippets of a role"),
        (["-l", "-s"], 2, "exclude each other"),
    ],
)
def test_refused(tree: CommandLine, words: list[str], code: int, said: str) -> None:
    done = tree("doc", *words)
    assert (done.code, said in done.err) == (code, True), done.err


def test_modules_of_roles_and_of_the_user_are_described(tree: CommandLine) -> None:
    tree.write({"roles/web/library/inrole.py": MODULE, "home/.ansible/plugins/modules/own.py": MODULE})
    for name in ("inrole", "own"):
        assert "do my thing" in tree("doc", name, HOME=str(tree.root / "home")).out
