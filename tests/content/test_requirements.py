from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pyplay.content.faults import ContentError
from pyplay.content.names import Kind, Origins, Wanted
from pyplay.content.requirements import read_requirements

if TYPE_CHECKING:
    from pathlib import Path


def read(tmp_path: Path, text: str) -> list[Wanted]:
    path = tmp_path / "requirements.yml"
    path.write_text(text)
    return read_requirements(path)


GIT, URL, FILE, GALAXY = Origins.GIT, Origins.URL, Origins.FILE, Origins.GALAXY
FORMS: list[tuple[str, dict[str, Any]]] = [
    ("collections: [a.b]", {"name": "a.b", "type": GALAXY}),
    ("collections: ['a.b:>=1.0.0']", {"name": "a.b", "version": ">=1.0.0"}),
    ("collections: [{name: a.b, version: '1.0.0', source: https://g.example/}]", {"server": "https://g.example/"}),
    ("collections: [{name: a.b, version: 1.0.0, signatures: [x.asc]}]", {"signatures": ("x.asc",)}),
    ("collections: [{name: git+https://g.example/r.git, version: main}]", {"type": GIT, "version": "main"}),
    ("collections: ['git+https://g.example/r.git#/sub/x,v1']", {"subdirectory": "sub/x", "version": "v1"}),
    ("collections: ['git@g.example:o/r.git,v1']", {"place": "git@g.example:o/r.git", "version": "v1"}),
    ("collections: [{name: https://g.example/r.git, type: git}]", {"type": GIT, "place": "https://g.example/r.git"}),
    ("collections: [{source: https://g.example/r.git, type: git}]", {"type": GIT}),
    ("collections: [https://g.example/a-b-1.0.0.tar.gz]", {"type": URL}),
    ("collections: [./a-b-1.0.0.tar.gz]", {"type": FILE}),
    ("collections: [{name: ./d, type: dir}]", {"type": Origins.DIR}),
    ("collections: [{name: ./d, type: subdirs}]", {"type": Origins.SUBDIRS}),
    ("roles: [o.r]", {"kind": Kind.ROLE, "name": "o.r", "type": GALAXY}),
    ("- o.r", {"kind": Kind.ROLE, "name": "o.r"}),
    ("- 'o.r,1.0,x'", {"name": "x", "place": "o.r", "version": "1.0"}),
    ("- {src: o.r, version: '1.0'}", {"version": "1.0"}),
    ("- {src: o.r, name: short}", {"place": "o.r", "name": "short"}),
    ("- src: https://github.com/o/r", {"type": GIT, "name": "r"}),
    ("- {src: https://g.example/o/r, scm: git, name: x}", {"type": GIT, "name": "x"}),
    ("- src: git+file:///srv/r.git", {"type": GIT, "name": "r"}),
    ("- src: https://g.example/r.tar.gz", {"type": URL, "name": "r"}),
    ("- {src: 'git@g.example:o/r.git', version: v1}", {"type": GIT, "name": "r"}),
]


@pytest.mark.parametrize(("text", "fields"), FORMS, ids=[text for text, _ in FORMS])
def test_each_documented_form_is_read(tmp_path: Path, text: str, fields: dict[str, Any]) -> None:
    (wanted,) = read(tmp_path, text)
    assert {key: getattr(wanted, key) for key in fields} == fields


FAULTS = [
    ("collections:\n- nme: a.b\n", "unknown key 'nme'", 2),
    ("collection: []\n", "unknown key 'collection'", 1),
    ("collections: {a: b}\n", "`collections` is no list", 1),
    ("collections:\n- a b\n", "no name of a collection", 2),
    ("collections:\n- name: a.b\n  version: '>x'\n", "the version of a.b", 3),
    ("collections:\n- name: a.b\n  type: gti\n", "no type 'gti'", 3),
    ("roles:\n- src: x\n  scm: hg\n", "'hg' cannot be read from", 3),
    ("roles:\n- src: --upload-pack=x\n", "", 2),
    ("collections:\n- name: git+https://x/y.git\n  version: --help\n", "begins its place or version with -", 3),
    ("just text\n", "is a mapping with `collections`", 1),
    ("roles:\n- include: requirements.yml\n", "include each other", 1),
]


@pytest.mark.parametrize(("text", "message", "line"), FAULTS, ids=[text for text, *_ in FAULTS])
def test_faults_have_their_place(tmp_path: Path, text: str, message: str, line: int) -> None:
    with pytest.raises(ContentError) as caught:
        read(tmp_path, text)
    (fault, *_) = caught.value.diagnostics
    assert message in fault.message
    assert fault.origin is not None
    assert abs(fault.origin.line - line) <= 1
    assert fault.help


def test_all_faults_are_told_together(tmp_path: Path) -> None:
    with pytest.raises(ContentError) as caught:
        read(tmp_path, "collections: ['a b', 'c d']\nroles: [{scm: git}]\n")
    assert len(caught.value.diagnostics) == 3


def test_included_roles_are_read_from_beside(tmp_path: Path) -> None:
    (tmp_path / "more.yml").write_text("- o.second\n")
    names = [each.name for each in read(tmp_path, "- o.first\n- include: more.yml\n")]
    assert names == ["o.first", "o.second"]
