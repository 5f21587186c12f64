"""Faults in the arguments of an ad-hoc command show the text after `-a`, with a caret."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import CommandLine


@pytest.mark.parametrize(
    ("module", "words", "said", "shown"),
    [
        ("file", "path=/x stat=y", "'file' has no option 'stat'", ":1:9|path=/x stat=y|        ^^^^"),
        (
            "file",
            '{"path": "/x", "stat": 1}',
            "no option 'stat'",
            ':1:17|{"path": "/x", "stat": 1}|' + " " * 16 + "^^^^",
        ),
        ("file", "path=/x\nstat=y", "'file' has no option 'stat'", ":2:1|stat=y|^^^^"),
        ("copy", "content=a", "missing required arguments: dest", ":1:1|content=a|^"),
        ("debug", 'msg="x', "is never closed", ':1:1|msg="x|^^^^^^'),
        ("debug", "msg={{ x", "is never closed", ":1:1|msg={{ x|^^^^^^^^"),
        ("debug", "{bad", "is not closed", ":1:1|{bad|^"),
        ("command", 'echo "x', "is never closed", ':1:1|echo "x|^'),
    ],
)
def test_the_words_are_shown(pyplay: CommandLine, module: str, words: str, said: str, shown: str) -> None:
    done = pyplay("adhoc", "localhost", "-m", module, "-a", words, ANSIBLE_INVENTORY_UNPARSED_WARNING="0")
    place, source, caret = shown.split("|")
    lines = done.err.splitlines()
    assert done.code == 4
    assert said in lines[0]
    assert lines[1].endswith(f"--> <-a>{place}")
    assert lines[3].partition(" | ")[2] == source
    assert lines[4].partition(" | ")[2].startswith(caret)


def test_a_mapping_may_be_yaml(pyplay: CommandLine) -> None:
    done = pyplay("adhoc", "localhost", "-m", "debug", "-a", "{msg: 'hello {{ 1 + 1 }}'}")
    assert (done.code, '"msg": "hello 2"' in done.out) == (0, True)


def test_warnings_point_into_the_words(pyplay: CommandLine) -> None:
    done = pyplay("adhoc", "localhost", "-m", "copy", "-a", "dest=/nowhere src=nope.txt")
    assert "there is no file 'nope.txt'\n  --> <-a>:1:15\n" in done.err
    assert "1 | dest=/nowhere src=nope.txt\n  |               ^^^\n" in done.err


@pytest.mark.parametrize("callback", ["debug", "unixy", "json", "profile_tasks", "minimal"])
@pytest.mark.parametrize("words", [("debug", "-a", "msg={{ nope }}"), ("command", "-a", "echo"), ("copy",)])
def test_the_play_that_it_stands_for_is_nowhere_shown(pyplay: CommandLine, callback: str, words: list[str]) -> None:
    environ = {"ANSIBLE_LOAD_CALLBACK_PLUGINS": "1", "ANSIBLE_STDOUT_CALLBACK": callback}
    done = pyplay("adhoc", "localhost", "-m", *words, "-vvv", **environ)
    assert "<adhoc>" not in done.out + done.err
    assert "PLAYBOOK" not in done.out


def test_the_default_callback_is_no_choice(pyplay: CommandLine) -> None:
    environ = {"ANSIBLE_LOAD_CALLBACK_PLUGINS": "1", "ANSIBLE_STDOUT_CALLBACK": "default"}
    assert pyplay("adhoc", "localhost", "-m", "ping", **environ).out.startswith("localhost | SUCCESS => {\n")
