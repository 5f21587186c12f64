"""fact_caching from the command line: kept, used by smart gathering and by other hosts, cleared and flushed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import CommandLine

SETTINGS = """
    [defaults]
    gathering = smart
    fact_caching = jsonfile
    fact_caching_connection = facts
    fact_caching_timeout = 3600
"""
GATHER = """
    - hosts: all
      gather_subset: ["!all", "!min"]
      tasks:
        - set_fact: {kept: "{{ inventory_hostname }}", cacheable: true}
        - set_fact: {lost: 1}
"""
LOOK = """
    - hosts: a
      gather_facts: false
      tasks:
        - debug:
            msg: "{{ [kept | default('none'), lost | default('gone'), hostvars.b.kept | default('none'),
                      ansible_facts.kept | default('none')] | join('/') }}"
"""


@pytest.fixture
def cached(pyplay: CommandLine) -> CommandLine:
    pyplay.write({"ansible.cfg": SETTINGS, "gather.yml": GATHER, "look.yml": LOOK, "hosts": "[all]\na\nb\n"})
    done = pyplay("-i", "hosts", "-c", "local", "gather.yml")
    assert done.code == 0, done.out + done.err
    assert "TASK [Gathering Facts]" in done.out
    return pyplay


def test_facts_of_the_run_before_are_there_for_all_hosts(cached: CommandLine) -> None:
    done = cached("-i", "hosts", "-c", "local", "look.yml")
    assert '"a/gone/b/a"' in done.out, done.out + done.err
    again = cached("-i", "hosts", "-c", "local", "gather.yml")
    assert "TASK [Gathering Facts]" not in again.out


def test_flush_cache_forgets_them(cached: CommandLine) -> None:
    done = cached("-i", "hosts", "-c", "local", "--flush-cache", "look.yml")
    assert '"none/gone/none/none"' in done.out, done.out + done.err
    assert not list((cached.root / "facts").iterdir())


def test_clear_facts_forgets_those_of_the_plays_hosts(cached: CommandLine) -> None:
    cached.write({"clear.yml": "- hosts: a\n  gather_facts: false\n  tasks: [{meta: clear_facts}]\n"})
    assert cached("-i", "hosts", "-c", "local", "clear.yml").code == 0
    done = cached("-i", "hosts", "-c", "local", "look.yml")
    assert '"none/gone/b/none"' in done.out, done.out + done.err
