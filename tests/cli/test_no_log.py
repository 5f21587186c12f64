"""What no_log hides is nowhere: not in lines of the playbook, in warnings, labels, documents, logs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import CommandLine

MODULE = """#!/usr/bin/python
from ansible.module_utils.basic import AnsibleModule
m = AnsibleModule(argument_spec=dict(a=dict(), fail=dict(type='bool')), supports_check_mode=True)
m.warn("warned of %s" % m.params["a"])
m.deprecate("deprecated %s" % m.params["a"], version="9")
if m.params["fail"]:
    m.fail_json(msg="no %s" % m.params["a"])
m.exit_json(changed=True, a=m.params["a"], diff={"before": "", "after": m.params["a"]})
"""
PLAY = """
- hosts: localhost
  gather_facts: false
  tasks:
    - ignore_errors: true
      no_log: true
      block:
        - warns: {a: SECRET1}
        - warns: {a: "SECRET2", fail: true}
        - warns: {a: "SECRET3{{ item }}", fail: true}
          loop: [x, y]
        - warns: {a: SECRET4, fail: "{{ nope }}"}
        - command: "false SECRET5"
          register: r
          until: r.rc == 0
          retries: 1
          delay: 0
        - assert: {that: "'SECRET6' == 'x'", fail_msg: SECRET6}
        - file: {path: /nowhere/SECRET7, mode: 644, state: touch}
        - copy: {src: SECRET8, dest: /nowhere}
        - command: "echo SECRET9"
          when: nope
    - include_tasks: more.yml
      loop: [SECRET10]
      no_log: true
    - warns: {a: SECRET11}
      no_log: "{{ 1 == 1 }}"
"""


@pytest.mark.parametrize("callback", ["default", "yaml", "json", "jsonl", "minimal", "dense", "unixy"])
def test_nothing_hidden_is_shown(pyplay: CommandLine, callback: str) -> None:
    pyplay.write({"site.yml": PLAY, "more.yml": "- ping:\n", "library/warns.py": MODULE})
    environ = {
        "ANSIBLE_STDOUT_CALLBACK": callback, "ANSIBLE_CALLBACKS_ENABLED": "junit,tree", "JUNIT_OUTPUT_DIR": "junit",
        "ANSIBLE_CALLBACK_TREE_DIR": "tree", "ANSIBLE_LOG_PATH": "log",
    }  # fmt: skip
    done = pyplay("site.yml", "--diff", "-v", **environ)
    kept = [
        path
        for name in ("junit", "tree", "log")
        for path in (pyplay.root, *pyplay.root.rglob("*"))
        if path.is_file() and name in path.parts
    ]
    assert done.code == 0
    assert "SECRET" not in done.out + done.err
    assert len(kept) == 3
    assert not [path for path in kept if "SECRET" in path.read_text()]
    assert "warnings of this task are hidden by no_log" in done.err
    assert "site.yml:8:11" in done.err


LOOKED = """
    - file: {path: "{{ playbook_dir }}/{{ item }}", state: directory, mode: "0750"}
      loop: [one, two]
"""


@pytest.mark.parametrize(
    ("words", "keyword", "shown"),
    [([], "", 0), (["--diff"], "", 2), (["--diff"], "      diff: false\n", 0), ([], "      diff: true\n", 2)],
)
def test_items_show_their_diffs_where_it_is_asked_for(
    pyplay: CommandLine, words: list[str], keyword: str, shown: int
) -> None:
    done = pyplay.play(LOOKED + keyword, *words)
    assert done.code == 0, done.out
    assert done.out.count("+++ after") == shown


@pytest.mark.parametrize("words", [[], ["--check"]])
@pytest.mark.parametrize("task", ["copy: {content: 'new\\n'", "template: {src: t.j2"])
def test_a_diff_of_content_tells_of_the_mode_too(pyplay: CommandLine, words: list[str], task: str) -> None:
    pyplay.write({"t.j2": "new\n", "old": "old\n"})
    (pyplay.root / "old").chmod(0o600)
    done = pyplay.play(f"- {task}, dest: '{{{{ playbook_dir }}}}/old', mode: '0644'}}\n", "--diff", *words)
    assert done.code == 0, done.out + done.err
    for text in ("-old", "+new", '-    "mode": "0600"', '+    "mode": "0644"'):
        assert text in done.out
