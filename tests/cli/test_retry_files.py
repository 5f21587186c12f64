"""Retry files, and that a playbook with failed hosts is the last one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import CommandLine

PLAY = """
- hosts: {hosts}
  gather_facts: false
  tasks:
    - block:
        - fail: {{msg: x}}
          when: inventory_hostname == "{bad}"
    - debug: {{msg: "reached {name}"}}
"""
HOSTS = ("-i", "a,b,c,", "-c", "local")


@pytest.fixture
def books(pyplay: CommandLine) -> CommandLine:
    pyplay.write({
        "sub/some.yml": PLAY.format(hosts="a,b,c", bad="b", name="some"),
        "sub/next.yml": PLAY.format(hosts="a,c", bad="", name="next"),
    })  # fmt: skip
    return pyplay


def test_the_failed_hosts_are_kept_and_can_be_limited_to(books: CommandLine) -> None:
    done = books("sub/some.yml", *HOSTS, ANSIBLE_RETRY_FILES_ENABLED="1")
    path = books.root / "sub/some.retry"
    assert path.read_text() == "b\n"
    assert f"\n\tto retry, use: --limit @{path}\n\nPLAY RECAP" in done.out
    again = books("sub/some.yml", *HOSTS, "--limit", f"@{path}")
    assert [line.split()[0] for line in again.out.partition("PLAY RECAP")[2].splitlines()[1:] if line] == ["b"]


def test_where_they_go(books: CommandLine) -> None:
    environ = {"ANSIBLE_RETRY_FILES_ENABLED": "1", "ANSIBLE_RETRY_FILES_SAVE_PATH": "kept/deep"}
    books("sub/some.yml", *HOSTS, **environ)
    assert (books.root / "kept/deep/some.retry").read_text() == "b\n"
    assert not (books.root / "sub/some.retry").exists()
    environ["ANSIBLE_RETRY_FILES_SAVE_PATH"] = "/proc/nowhere"
    done = books("sub/some.yml", *HOSTS, **environ)
    assert "cannot write the retry file /proc/nowhere/some.retry" in done.err
    assert done.code == 2


@pytest.mark.parametrize(("book", "enabled"), [("some", "0"), ("next", "1")])
def test_none_is_written_without_need(books: CommandLine, book: str, enabled: str) -> None:
    books(f"sub/{book}.yml", *HOSTS, ANSIBLE_RETRY_FILES_ENABLED=enabled)
    assert list((books.root / "sub").glob("*.retry")) == []


def test_a_playbook_with_failed_hosts_is_the_last_one(books: CommandLine) -> None:
    done = books("sub/next.yml", "sub/some.yml", "sub/next.yml", *HOSTS)
    assert done.code == 2
    assert done.out.count("reached next") == 2
    done = books("sub/some.yml", "sub/next.yml", *HOSTS)
    assert (done.code, "reached some" in done.out, "reached next" in done.out) == (2, True, False)


def test_a_playbook_that_is_named_twice_runs_twice(books: CommandLine) -> None:
    done = books("sub/next.yml", "sub/next.yml", *HOSTS)
    assert (done.code, done.out.count("\nPLAY [")) == (0, 2)
    assert books("sub/next.yml", "sub/next.yml", "--list-tasks", *HOSTS).out.count("\nplaybook: ") == 2


@pytest.mark.parametrize("callback", ["json", "jsonl"])
def test_the_line_about_them_is_not_in_a_document(books: CommandLine, callback: str) -> None:
    done = books("sub/some.yml", *HOSTS, ANSIBLE_RETRY_FILES_ENABLED="1", ANSIBLE_STDOUT_CALLBACK=callback)
    documents = done.out.splitlines() if callback == "jsonl" else [done.out]
    assert [json.loads(document) for document in documents]
    assert f"to retry, use: --limit @{books.root}/sub/some.retry" in done.err


def test_an_adhoc_command_leaves_none(books: CommandLine) -> None:
    done = books("adhoc", "all", *HOSTS, "-m", "fail", ANSIBLE_RETRY_FILES_ENABLED="1")
    assert (done.code, "retry" in done.out, list(books.root.rglob("*.retry"))) == (2, False, [])
