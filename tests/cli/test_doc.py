"""`pyplay doc`: what there is, described from the tables and docstrings themselves."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from pyplay.playbook.keywords import KEYWORDS

if TYPE_CHECKING:
    from conftest import CommandLine


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("-t", "keyword", "become"), "stands on: block, handler, play, role, task"),
        (
            ("-t", "filter", "ansible.builtin.combine"),
            "called as: value | combine(recursive=False, list_merge='replace', ",
        ),
        (("-t", "lookup", "env"), "lookup('env', term"),
        (("-t", "test", "version"), "value is version(version"),
        (("copy",), "= dest: path"),
        (("ansible.builtin.set_fact",), "- cacheable: bool"),
    ],
)
def test_one_description(pyplay: CommandLine, words: tuple[str, ...], said: str) -> None:
    done = pyplay("doc", *words)
    assert done.code == 0
    assert said in done.out


def test_all_keywords_are_described(pyplay: CommandLine) -> None:
    assert json.loads(pyplay("doc", "-t", "keyword", "-j").out).keys() == KEYWORDS.keys()
    assert pyplay("doc", "-t", "keyword", "-l").out.count("\n") == len(KEYWORDS)


def test_modules_hide_what_passes_between_their_halves(pyplay: CommandLine) -> None:
    options = json.loads(pyplay("doc", "-j", "copy").out)["copy"]["options"]
    assert options["dest"]["required"]
    assert not [name for name in options if name.startswith("_")]


def test_what_is_not_there_is_named_with_the_nearest(pyplay: CommandLine) -> None:
    done = pyplay("doc", "-t", "filter", "combin")
    assert done.code == 5
    assert "did you mean 'combine'?" in done.err


def test_the_schema_knows_modules(pyplay: CommandLine) -> None:
    task = json.loads(pyplay("doc", "--schema").out)["$defs"]["task"]["properties"]
    assert "dest" in task["ansible.builtin.copy"]["properties"]
    assert {"when", "become", "debug"} <= task.keys()


@pytest.mark.parametrize(
    ("words", "help_"),
    [
        (("cpy",), "did you mean 'copy'?"),
        (("combine",), "pyplay doc -t filter combine"),
        (("-t", "filter", "when"), "pyplay doc -t keyword when"),
        (("-t", "test", "defined"), "#jinja-tests.defined"),
        (("default",), "#jinja-filters.default"),
    ],
)
def test_what_is_not_there_is_shown_where_it_is(pyplay: CommandLine, words: tuple[str, ...], help_: str) -> None:
    done = pyplay("doc", *words)
    assert done.code == 5
    assert help_ in done.err
