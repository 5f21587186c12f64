"""compat = 2.18: what old projects write is taken as it was meant, with a warning; without it, it is a fault."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import CommandLine

OLD = {
    "site.yml": """
        - hosts: localhost
          gather_facts: false
          vars: {word: text, empty: '', n: 3, numbers: [1]}
          tasks:
            - include: told.yml a=1
              vars: {b: 2}
            - include: "{{ item }}.yml a=3"
              with_items: [told]
              vars: {b: 4}
              environment: {X: y}
        - include: other.yml
        """,
    "told.yml": """
        - debug: {msg: "told {{ a }}{{ b }}"}
        """,
    "other.yml": """
        - hosts: localhost
          gather_facts: false
          tasks: [{debug: {msg: other}}]
        """,
}


def test_include_is_an_import_or_an_include(pyplay: CommandLine) -> None:
    pyplay.write({**OLD, "ansible.cfg": "[pyplay]\ncompat = 2.18\n"})
    done = pyplay("site.yml")
    assert done.code == 0, done.out + done.err
    for text in ("told 12", "told 34", "other"):
        assert f'"{text}"' in done.out
    for name in ("import_tasks", "include_tasks", "import_playbook"):
        assert f"'include' is no longer there; it is taken as '{name}'" in done.err


def test_include_is_a_fault_that_names_the_setting(pyplay: CommandLine) -> None:
    pyplay.write(OLD)
    done = pyplay("site.yml")
    assert done.code == 4
    assert done.err.count("error[removed-include]") == 3
    assert "compat = 2.18 in the section [pyplay] of ansible.cfg" in done.err


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("word", True),
        ("empty", False),
        ("numbers", True),
        ("{{ n }} == 3", True),
        ("n == {{ n }} and '{{ word }}' == 'text'", True),
        ("{{ n }} == 4 or {{ empty }}", False),
        ("word == '{{ word }}' and word != '{{ n }}'", True),
    ],
)
def test_conditions_are_taken_by_their_truth(pyplay: CommandLine, condition: str, *, holds: bool) -> None:
    tasks = f"""
        - debug: {{msg: reached}}
          vars: {{word: text, empty: '', n: 3, numbers: [1]}}
          when: "{condition}"
    """
    done = pyplay.play(tasks, PYPLAY_COMPAT="2.18")
    assert done.code == 0, done.out + done.err
    assert ("reached" in done.out) is holds
    assert "[WARNING]" in done.err
    assert "site.yml:4" in done.err


def test_an_unknown_version_is_a_fault(pyplay: CommandLine) -> None:
    done = pyplay.play("- debug:", PYPLAY_COMPAT="2.9")
    assert "PYPLAY_COMPAT must be one of 2.18" in done.err
