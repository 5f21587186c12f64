"""Every option of every module is given a value by a test, so that leaving it out is seen."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from action_rows import ACTION_ROWS
from option_rows import ROWS, WEB_ROWS

from pyplay.actions.registry import ACTIONS
from pyplay.actions.tables import action_table, read_table
from pyplay.remote.module_utils.options import FILE_OPTIONS, options_of

if TYPE_CHECKING:
    from collections.abc import Iterator

TESTS = Path(__file__).parents[1]
MODULES = TESTS.parent / "modules"
NAMES = sorted({path.stem for path in MODULES.glob("*.py")} | ACTIONS.keys())
PREFIX = re.compile(r"^(ansible\.(builtin|legacy|posix)\.)")
FREE = re.compile(r"(?<![\w.])([a-z_]\w*)=")


def table(name: str) -> dict[str, Any]:
    """Give the options of a module, with those of its action."""
    own = action_table(name) or {}
    shipped = read_table(MODULES / f"{own.get('extends', name)}.py") or {}
    return options_of({**shipped, **own, "options": {**shipped.get("options", {}), **own.get("options", {})}})


# -- what Python says -----------------------------------------------------------------------------------------------


def given_in(tree: ast.Module) -> Iterator[tuple[set[str], set[str]]]:
    """Give, for each top-level piece of a test file, the texts in it and the names that are given values in it.

    What a piece uses of the file's constants, fixtures and helpers counts as its own.
    """
    pieces: dict[str, ast.stmt] = {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            pieces[node.name] = node
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            pieces[node.targets[0].id] = node
    for node in pieces.values():
        texts, keys, seen, todo = set[str](), set[str](), set[str](), [node]
        while todo:
            for each in ast.walk(todo.pop()):
                if isinstance(each, ast.Constant) and isinstance(each.value, str):
                    texts.add(each.value)
                elif isinstance(each, ast.Dict):
                    keys |= {
                        key.value for key in each.keys if isinstance(key, ast.Constant) and isinstance(key.value, str)
                    }
                elif isinstance(each, ast.keyword) and each.arg:
                    keys.add(each.arg)
                word = each.id if isinstance(each, ast.Name) else each.arg if isinstance(each, ast.arg) else ""
                if word in pieces and word not in seen and pieces[word] is not node:
                    seen.add(word)
                    todo.append(pieces[word])
        yield texts, keys


# -- what playbooks say ---------------------------------------------------------------------------------------------


class Loader(yaml.SafeLoader):
    """Takes tags of any kind as text."""


Loader.add_multi_constructor("", lambda _loader, _suffix, _node: "")


def tasks_in(value: Any) -> Iterator[tuple[str, Any]]:
    """Give every key and value of parsed YAML, at any depth."""
    if isinstance(value, dict):
        yield from value.items()
        for each in value.values():
            yield from tasks_in(each)
    elif isinstance(value, list):
        for each in value:
            yield from tasks_in(each)


def given_by_tasks(text: str) -> Iterator[tuple[str, set[str]]]:
    """Give the module and the names of its arguments of every task in a text of YAML."""
    try:
        parsed = list(yaml.load_all(text, Loader))  # the safe loader's heir
    except (yaml.YAMLError, ValueError):
        return
    for key, value in tasks_in(parsed):
        name = PREFIX.sub("", key) if isinstance(key, str) else ""
        if name in NAMES:
            yield name, set(map(str, value)) if isinstance(value, dict) else set(FREE.findall(str(value)))
        if name in ("action", "local_action") and isinstance(value, dict) and value.get("module") in NAMES:
            yield value["module"], set(map(str, value))


def texts_of(path: Path) -> Iterator[str]:
    """Give the texts of a file that may be playbooks."""
    if path.suffix in (".yml", ".yaml"):
        yield path.read_text(errors="replace")
    elif path.suffix == ".py":
        for node in ast.walk(parsed(path)):
            text = ""
            if isinstance(node, ast.JoinedStr):
                text = "".join(str(part.value) if isinstance(part, ast.Constant) else "x" for part in node.values)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                text = node.value
            if ": " in text:
                yield text


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


@pytest.fixture(scope="module")
def tried() -> dict[str, set[str]]:
    """Give, for each module, the names of options that some test gives a value."""
    found: dict[str, set[str]] = defaultdict(set)
    for row in (*ROWS, *WEB_ROWS):
        found[row.base.module] |= {row.option, *row.base.args}
    for (name, args, _files), option, _value, _shown in ACTION_ROWS:
        found[name] |= {option, *args}
    for path in sorted(TESTS.rglob("*")):
        if path.suffix not in (".yml", ".yaml", ".py") or path == Path(__file__):
            continue
        for text in texts_of(path):
            for name, keys in given_by_tasks(text):
                found[name] |= keys
        if path.suffix == ".py":
            for texts, keys in given_in(parsed(path)):
                for name in texts & set(NAMES):
                    found[name] |= keys
                    found[name] |= {key for text in texts for key in FREE.findall(text)}
    return found


SHARED = FILE_OPTIONS.keys()
"""Options of one implementation in `module_utils.files`, which all modules that write files share."""

NOTHING_TO_SEE = {
    "apt": {"auto_install_module_deps", "force_apt_get"},
    "apt_repository": {"install_python_apt"},
    "deb822_repository": {"install_python_debian"},
    "dnf": {"auto_install_module_deps"},
    "unarchive": {"io_buffer_size"},
}
"""Options that by their own documentation change nothing that can be seen."""

OTHER_HOSTS: dict[str, set[str]] = {}
"""Options that matter on hosts and networks of a kind that the tests do not have."""


def holes(name: str, tried: dict[str, set[str]]) -> set[str]:
    return {
        option
        for option, spec in table(name).items()
        if not option.startswith("_") and option not in SHARED and not tried[name] & {option, *spec.get("aliases", ())}
    }


@pytest.mark.parametrize("name", NAMES)
def test_every_option_is_given_a_value(tried: dict[str, set[str]], name: str) -> None:
    assert holes(name, tried) == NOTHING_TO_SEE.get(name, set()) | OTHER_HOSTS.get(name, set())


def test_every_option_of_files_is_given_a_value(tried: dict[str, set[str]]) -> None:
    assert SHARED - set().union(*tried.values()) == set()
