"""What listings and --syntax-check select and refuse, as ansible-playbook does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import CommandLine

NEVER = """
    - hosts: all
      tasks:
        - debug: {msg: plain}
        - debug: {msg: hidden}
          tags: never
        - debug: {msg: asked for}
          tags: [never, x]
"""


@pytest.mark.parametrize(
    ("words", "tags"),
    [
        (["--list-tags"], "[never, x]"),
        (["--list-tags", "--tags", "x"], "[never, x]"),
        (["--list-tags", "--tags", "all"], "[]"),
        (["--list-tags", "--tags", "tagged"], "[]"),
        (["--list-tags", "--skip-tags", "x"], "[]"),
    ],
)
def test_the_tags_of_what_never_runs_are_listed_unless_tags_are_chosen(
    pyplay: CommandLine, words: list[str], tags: str
) -> None:
    pyplay.write({"site.yml": NEVER})
    assert f"TASK TAGS: {tags}\n" in pyplay("-i", "h,", *words, "site.yml").out


def test_what_never_runs_is_no_task_of_the_list_of_tasks_alone(pyplay: CommandLine) -> None:
    pyplay.write({"site.yml": NEVER})
    listed = pyplay("-i", "h,", "--list-tasks", "site.yml").out
    assert listed.count("debug") == 1
    assert pyplay("-i", "h,", "--list-tasks", "--list-tags", "site.yml").out.count("debug") == 3


@pytest.mark.parametrize(
    "keyword", ["hosts", "name", "serial", "order", "strategy", "max_fail_percentage", "gather_facts", "force_handlers"]
)
@pytest.mark.parametrize("option", ["--syntax-check", "--list-hosts"])
def test_a_play_that_cannot_be_told_is_refused(pyplay: CommandLine, keyword: str, option: str) -> None:
    hosts = "" if keyword == "hosts" else "  hosts: all\n"
    pyplay.write({"site.yml": f"- {keyword}: '{{{{ nowhere }}}}'\n{hosts}  tasks: []\n"})
    done = pyplay("-i", "h,", option, "site.yml")
    assert (done.code, "'nowhere' is undefined" in done.err) == (4, True), done.err
    assert pyplay("-i", "h,", option, "site.yml", "-e", f"nowhere={FITS.get(keyword, 1)}").code == 0


FITS = {"hosts": "all", "order": "sorted", "strategy": "free"}


@pytest.mark.parametrize("keyword", ["remote_user", "connection", "become"])
def test_what_a_play_hands_to_its_tasks_is_not_looked_at(pyplay: CommandLine, keyword: str) -> None:
    pyplay.write({"site.yml": f"- hosts: all\n  {keyword}: '{{{{ nowhere }}}}'\n  tasks: []\n"})
    assert pyplay("-i", "h,", "--syntax-check", "site.yml").code == 0


@pytest.mark.parametrize("form", [["--list"], ["--list", "-y"], ["--list", "--toml"], ["--graph"]])
@pytest.mark.parametrize(("limit", "warned"), [("nope", True), ("g:!a", False), ("g:&ungrouped", False)])
def test_an_inventory_is_listed_without_hosts_under_a_limit_that_leaves_none(
    pyplay: CommandLine, form: list[str], limit: str, *, warned: bool
) -> None:
    pyplay.write({"inventory": "b\n[g]\na x=1\n"})
    done = pyplay("inventory", "-i", "inventory", *form, "--limit", limit)
    assert (done.code, "matches no host" in done.err, "x" in done.out) == (0, warned, False), done.err


@pytest.mark.parametrize(
    ("answers", "code", "ran"),
    [
        ("y\nn\nyes\n", 0, "one three"),
        ("y\nc\n", 0, "one two three"),
        ("y\nq\n", 99, "one"),
        ("y\n", 99, "one"),
        ("", 99, ""),
    ],
)
def test_answers_to_step_may_come_from_a_pipe(pyplay: CommandLine, answers: str, code: int, ran: str) -> None:
    tasks = "".join(f"- debug: {{msg: ran-{name}}}\n" for name in ("one", "two", "three"))
    done = pyplay.play(tasks, "--step", stdin=answers)
    assert done.code == code, done.err
    assert [name for name in ("one", "two", "three") if f"ran-{name}" in done.out] == ran.split()
