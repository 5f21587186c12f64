"""From names to shipped modules."""

from __future__ import annotations

import ast
import io
import json
import subprocess
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hosts import OLDEST_AND_NEWEST, builder, write_module

import pyplay.remote
from pyplay.diagnostics.errors import PlaybookError
from pyplay.shipping.build import ModuleBuilder
from pyplay.shipping.imports import Import, find_imports
from pyplay.shipping.module_text import find_options, find_style
from pyplay.shipping.payload import runner_payload
from pyplay.shipping.prepared import lean
from pyplay.shipping.search import ModuleSearch, builtin_directory

if TYPE_CHECKING:
    from pyplay.shipping.build import BuiltModule

OURS = "from pyplay.remote.module_utils.module import main\n"
BUILT_INS = sorted(ModuleSearch(None).names())


@pytest.mark.parametrize("name", BUILT_INS)
def test_every_built_in_module_is_self_contained(name: str) -> None:
    module = builder().build(name)
    assert module.style == "pyplay"
    assert module.options is not None
    assert not module.needs_site or module.options.get("needs_site")
    names = {part.name for part in module.parts}
    assert {"pyplay", "pyplay.remote", "pyplay.remote.module_utils"} <= names


@pytest.mark.parametrize("python", OLDEST_AND_NEWEST, ids=lambda path: path.parts[-3])
def test_a_zip_runs_by_hand(tmp_path: Path, python: Path) -> None:
    path = tmp_path / "ping.pyz"
    path.write_bytes(builder().build("ping").zip_bytes)
    given = json.dumps({"ANSIBLE_MODULE_ARGS": {"data": "by hand"}}).encode()
    done = subprocess.run([str(python), str(path)], input=given, capture_output=True, check=True)
    assert json.loads(done.stdout)["ping"] == "by hand"


def test_a_zip_is_the_same_bytes_each_time() -> None:
    first, second = (builder().build("ping") for _ in range(2))
    assert first.zip_bytes == second.zip_bytes
    assert first.digest == second.digest
    dates = {entry.date_time for entry in zipfile.ZipFile(io.BytesIO(first.zip_bytes)).infolist()}
    assert dates == {(1980, 1, 1, 0, 0, 0)}


def test_the_digest_knows_every_part(tmp_path: Path) -> None:
    write_module(tmp_path / "library", "m.py", "from ansible.module_utils import helper\n")

    def digest(text: str) -> str:
        write_module(tmp_path / "module_utils", "helper.py", text)
        return builder(tmp_path / "library").build("m").digest

    assert digest("A = 1\n") == digest("A = 1\n") != digest("A = 2\n")


# -- names ----------------------------------------------------------------------------------------------------------


def test_roles_of_the_run_lend_their_modules_behind_all_others(tmp_path: Path) -> None:
    write_module(tmp_path / "lender/library", "lent.py", OURS)
    write_module(tmp_path / "lender/library", "only.py", OURS)
    search = layout(tmp_path)
    with pytest.raises(PlaybookError, match="no module `lent`"):
        search.find("lent")
    search.add_role(str(tmp_path / "lender"))
    for name in ("lent", "ansible.legacy.lent"):
        assert search.find(name).path == tmp_path / "lender/library/lent.py"
    assert search.find("only").builtin
    with pytest.raises(PlaybookError, match="no module"):
        search.find("ansible.builtin.lent")


def layout(tmp_path: Path) -> ModuleSearch:
    for place in ("role/library", "play/library", "minus_m", "builtin"):
        write_module(tmp_path / place, "everywhere.py", OURS)
    write_module(tmp_path / "play/library", "beside.sh", "#!/bin/sh\n")
    write_module(tmp_path / "minus_m", "beside.py", OURS)
    write_module(tmp_path / "builtin", "only.py", OURS)
    for name in ("note.md", "old.pyc", ".hidden.py", "__init__.py", "_old.py", "backup.py~"):
        write_module(tmp_path / "play/library", name, "x")
    return ModuleSearch(
        None, [str(tmp_path / "play")], module_path=[str(tmp_path / "minus_m")], builtin=tmp_path / "builtin"
    )


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("everywhere", "role/library/everywhere.py"),
        ("ansible.legacy.everywhere", "role/library/everywhere.py"),
        ("ansible.builtin.everywhere", "builtin/everywhere.py"),
        ("beside", "play/library/beside.sh"),
        ("only", "builtin/only.py"),
        ("_old", "play/library/_old.py"),
        ("old", "play/library/_old.py"),
    ],
)
def test_names_are_found_in_order(tmp_path: Path, name: str, place: str) -> None:
    found = layout(tmp_path).find(name, roles=[str(tmp_path / "role")])
    assert found.path == tmp_path / place
    assert found.builtin is place.startswith("builtin")


def test_without_the_role_its_library_is_not_seen(tmp_path: Path) -> None:
    assert layout(tmp_path).find("everywhere").path == tmp_path / "play/library/everywhere.py"


def test_an_unknown_name_is_told_with_the_nearest(tmp_path: Path) -> None:
    search = layout(tmp_path)
    with pytest.raises(PlaybookError, match="there is no module `evrywhere`") as caught:
        search.find("evrywhere")
    assert caught.value.diagnostics[0].help == "did you mean `everywhere`?"
    assert list(search.names()) == ["_old", "beside", "everywhere", "only"]


def test_a_path_is_a_module_too(tmp_path: Path) -> None:
    path = write_module(tmp_path / "somewhere", "mine.py", OURS)
    assert builder().build_file(path).name == "mine"
    with pytest.raises(PlaybookError, match="there is no module file"):
        builder().build_file(tmp_path / "missing.py")


# -- kinds ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "source", "style"),
    [
        ("a.py", b"from pyplay.remote.module_utils.module import main", "pyplay"),
        ("a.py", b"from ansible.module_utils.basic import AnsibleModule", "python"),
        ("a.py", b"import json, sys\njson.load(sys.stdin)", "python"),
        ("a", b"#!/usr/bin/env python3\nimport json", "python"),
        ("a.py", b"# WANT_JSON\nimport sys\nopen(sys.argv[1])", "want_json"),
        ("a.py", b"import sys\nopen(sys.argv[1])", "key_value"),
        ("a.sh", b"#!/bin/sh\n# WANT_JSON\n", "want_json"),
        ("a.sh", b"#!/bin/sh\n. $1\n", "key_value"),
        ("a.rb", b"#!/usr/bin/ruby\nargs = '<<INCLUDE_ANSIBLE_MODULE_JSON_ARGS>>'", "json_args"),
        ("a", b"\x7fELF\0\0", "binary"),
        ("a.py", b"#!/usr/bin/env -S python3.9 -u\nimport json", "python"),
        ("a", b"#!/usr/libexec/platform-python\nimport json", "python"),
        ("a.py", b"#!mypython\nimport json", "key_value"),
        ("a.py", b"#!mypython\nfrom ansible.module_utils.basic import AnsibleModule", "python"),
    ],
)
def test_kinds(tmp_path: Path, name: str, source: bytes, style: str) -> None:
    assert find_style(tmp_path / name, source) == style


@pytest.mark.parametrize(
    ("line", "word"),
    [
        (b"#!/usr/bin/ruby -w", "ruby"),
        (b"#!/usr/bin/env perl", "perl"),
        (b"#!/usr/bin/env -S node --harmony", "node"),
        (b"#! sh", "sh"),
        (b"#!", ""),
        (b"puts 1", ""),
    ],
)
def test_the_first_line_names_what_runs_a_program(tmp_path: Path, line: bytes, word: str) -> None:
    path = tmp_path / "library" / "prog"
    path.parent.mkdir()
    path.write_bytes(line + b"\n# WANT_JSON\n")
    assert builder().build_file(path).runs_with == word


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("OPTIONS = {'options': {}, 'needs_site': True}", {"options": {}, "needs_site": True}),
        ("OPTIONS = dict(options={})", None),
        ("x = 1", None),
    ],
)
def test_options_are_read_not_run(text: str, expected: object) -> None:
    assert find_options(ast.parse(text)) == expected


@pytest.mark.parametrize(
    ("text", "needs_site"),
    [
        (OURS + "OPTIONS = {'needs_site': True}\n", True),
        (OURS + "OPTIONS = {'needs_site': False}\nimport requests\n", False),
        (OURS + "import requests\n", True),
        (OURS + "import json\nOPTIONS = {}\n", False),
        ("import json\n", True),
    ],
)
def test_who_needs_the_hosts_packages(tmp_path: Path, text: str, *, needs_site: bool) -> None:
    write_module(tmp_path, "m.py", text)
    assert builder(tmp_path).build("m").needs_site is needs_site


@pytest.mark.parametrize(
    ("text", "early"),
    [
        ("from ansible.module_utils import plain\n", ["ansible.module_utils.plain"]),
        ("from ansible.module_utils import outside\n", []),
        ("from ansible.module_utils import through, plain\n", ["ansible.module_utils.plain"]),
        ("from ansible.module_utils import round_a\n", []),
        ("from ansible.module_utils import late\n", ["ansible.module_utils.late"]),
        ("import json, requests\n", ["json"]),
    ],
)
def test_what_looks_for_other_libraries_is_not_imported_before_the_fork(
    tmp_path: Path, text: str, early: list[str]
) -> None:
    """The Runner has no site-packages on its path: a part would keep in mind that there is no such library."""
    parts = {
        "plain": "import json\n",
        "outside": "try:\n    import requests\nexcept ImportError:\n    requests = None\n",
        "through": "from ansible.module_utils.outside import requests\n",
        "round_a": "from ansible.module_utils import round_b\n",
        "round_b": "from ansible.module_utils import round_a\nimport requests\n",
        "late": "def ask():\n    from ansible.module_utils import outside\n    return outside\n",
    }
    for name, source in parts.items():
        write_module(tmp_path / "module_utils", f"{name}.py", source)
    write_module(tmp_path / "library", "m.py", text)
    assert builder(tmp_path / "library").build("m").imports == tuple(early)


# -- imports --------------------------------------------------------------------------------------------------------


def test_imports_are_read() -> None:
    text = (
        "import os, a.b as c\nfrom d import e, f\nfrom . import g\nfrom .h import i\nfrom ..j import *\n"
        "try:\n    import k\nexcept ImportError:\n    k = None\n"
        "def late():\n    import m\n"
        "if __name__ == '__main__':\n    from n import o\n"
    )
    found = [(entry.name, entry.member, entry.eager) for entry in find_imports(ast.parse(text), "p.q")]
    assert found == [
        ("os", "", True), ("a.b", "", True), ("d", "e", True), ("d", "f", True), ("p.q", "g", True), ("p.q.h", "i", True),
        ("p.j", "", True), ("k", "", True), ("m", "", False), ("n", "o", True),
    ]  # fmt: skip
    assert isinstance(find_imports(ast.parse("import os"))[0], Import)


def built(tmp_path: Path, text: str) -> BuiltModule:
    write_module(tmp_path / "library", "m.py", text)
    return builder(tmp_path / "library").build("m")


def test_parts_are_found_through_each_other(tmp_path: Path) -> None:
    utils = tmp_path / "module_utils"
    write_module(utils, "one.py", "from ansible.module_utils.pack.two import X\n")
    write_module(utils / "pack", "__init__.py", "from . import three\n")
    write_module(utils / "pack", "two.py", "from .three import X\nimport socket\n")
    write_module(utils / "pack", "three.py", "X = 1\n")
    write_module(utils, "unused.py", "")
    module = built(tmp_path, "import json, requests\nfrom ansible.module_utils import one\n")
    names = [part.name for part in module.parts]
    assert sorted(names) == [
        "ansible", "ansible.module_utils", "ansible.module_utils.one", "ansible.module_utils.pack",
        "ansible.module_utils.pack.three", "ansible.module_utils.pack.two",
    ]  # fmt: skip
    assert module.imports == ("json", "ansible.module_utils.one")


def test_a_source_for_another_python_is_left_to_the_host(tmp_path: Path) -> None:
    module = built(tmp_path, "print 'hello'\n")
    assert (module.style, module.parts) == ("python", ())


def test_a_module_is_built_once() -> None:
    one = builder()
    assert one.build("ping") is one.build("ansible.builtin.ping")


def test_the_runner_is_small() -> None:
    assert len(runner_payload()) < 14000  # with the round trip of its start in one TCP window


@pytest.mark.parametrize(
    "path",
    sorted([*Path(pyplay.remote.__file__).parent.rglob("*.py"), *builtin_directory().glob("*.py")]),
    ids=lambda path: path.stem,
)
def test_what_is_left_out_of_a_source_is_words_alone(path: Path) -> None:
    def shape(source: bytes) -> str:
        tree = ast.parse(source)
        for node in ast.walk(tree):
            if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)):
                node.body = [line for line in node.body if not _is_text(line)]
        lines = [node.lineno for node in ast.walk(tree) if isinstance(node, (ast.stmt, ast.expr))]
        return f"{ast.dump(tree)} {lines}"

    whole = path.read_bytes()
    short = lean(whole)
    assert shape(short) == shape(whole)
    assert short.count(b"\n") == whole.count(b"\n")
    assert not ast.get_docstring(ast.parse(short))


def _is_text(line: ast.stmt) -> bool:
    return isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant) and isinstance(line.value.value, str)


def test_a_builder_may_have_more_packages(tmp_path: Path) -> None:
    write_module(tmp_path / "theirs", "thing.py", "")
    write_module(tmp_path / "lib", "m.py", "import ns.plugins.thing\n")
    search = ModuleSearch(None, module_path=[str(tmp_path / "lib")])
    module = ModuleBuilder(search, packages={"ns.plugins": [tmp_path / "theirs"]}).build("m")
    assert [part.path for part in module.parts] == ["ns/__init__.py", "ns/plugins/__init__.py", "ns/plugins/thing.py"]
