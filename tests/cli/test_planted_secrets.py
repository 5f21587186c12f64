"""Secrets planted in vaults are in no output of a run, however they are escaped there."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from conftest import CommandLine

TEXTS = {
    "markup": "<&a\"b'>zebra&amp;",
    "quotes": 'it\'s "zebra" \\ here',
    "long": "word " * 40 + "end of a long zebra text",
    "lines": "first zebra line\nsecond: zebra line\n",
    "accents": "gehëim-zebra",
    "blanks": "  zebra  with   blanks  ",
    "colon": "key: zebra # no comment",
    "control": "tab\tzebra\x07bell",
}
NUMBERS = {"port": 84431, "ratio": 2718.2818, "account": 12345678901234567890, "negative": -77123}
PLAY = """
    - hosts: all
      gather_facts: false
      vars_files: [secrets.yml]
      tasks:
        - name: "named {{ secret }}"
          debug: {msg: "<{{ secret }}>", verbosity: 0}
        - debug: {var: secret}
        - debug: {msg: {"{{ secret }}": ["{{ secret }}", {"deep": "{{ secret }}"}]}}
        - command: {argv: [printf, '%s', '{{ secret | string }}']}
          loop: [1, 2]
          loop_control: {label: "{{ secret }}"}
        - copy: {content: "a\\n{{ secret }}\\nb\\n", dest: "{{ playbook_dir }}/out"}
        - fail: {msg: "because {{ secret }}"}
          ignore_errors: true
        - assert: {that: ["secret == 1"], fail_msg: "not {{ secret }}"}
          ignore_errors: true
        - set_fact: {taken: "{{ secret }}"}
        - set_stats: {data: {told: "{{ secret }}"}}
"""
SINKS: dict[str, dict[str, str]] = {
    "default": {},
    "yaml": {"ANSIBLE_CALLBACK_RESULT_FORMAT": "yaml"},
    "json": {"ANSIBLE_STDOUT_CALLBACK": "json"},
    "jsonl": {"ANSIBLE_STDOUT_CALLBACK": "jsonl"},
    "minimal": {"ANSIBLE_STDOUT_CALLBACK": "minimal"},
    "oneline": {"ANSIBLE_STDOUT_CALLBACK": "oneline"},
    "files": {
        "ANSIBLE_CALLBACKS_ENABLED": "junit,tree,profile_tasks", "JUNIT_OUTPUT_DIR": "kept",
        "ANSIBLE_CALLBACK_TREE_DIR": "kept", "ANSIBLE_LOG_PATH": "kept.log",
    },
}  # fmt: skip


def shown(pyplay: CommandLine, value: Any, sink: str) -> str:
    """Run the play with `value` as the secret of an encrypted file; return all that is shown or written of it."""
    pyplay.write({"secrets.yml": json.dumps({"secret": value}) + "\n", "pw": "word\n", "site.yml": PLAY})
    assert pyplay("vault", "encrypt", "--vault-password-file", "pw", "secrets.yml").code == 0
    done = pyplay(
        "-i", "h,", "-c", "local", "site.yml", "-vvv", "--diff", "--vault-password-file", "pw",
        ANSIBLE_SHOW_CUSTOM_STATS="1", **SINKS[sink],
    )  # fmt: skip
    assert done.code == 0, done.out + done.err
    files = [*(pyplay.root / "kept").glob("**/*"), pyplay.root / "kept.log"]
    return done.out + done.err + "".join(path.read_text() for path in files if path.is_file())


def parts(value: Any) -> list[str]:
    """The words of a secret of which none may be seen."""
    return [word for word in str(value).split() if "zebra" in word] or [str(value)]


@pytest.mark.parametrize("sink", SINKS)
@pytest.mark.parametrize("name", TEXTS)
def test_no_text_of_a_vault_is_shown(pyplay: CommandLine, name: str, sink: str) -> None:
    everything = shown(pyplay, TEXTS[name], sink)
    for part in parts(TEXTS[name]):
        assert part not in everything
    assert "********" in everything


@pytest.mark.parametrize("sink", SINKS)
@pytest.mark.parametrize("name", NUMBERS)
def test_no_number_of_a_vault_is_shown(pyplay: CommandLine, name: str, sink: str) -> None:
    everything = shown(pyplay, NUMBERS[name], sink)
    assert str(NUMBERS[name]) not in everything
    assert "********" in everything


READS = {
    "file": "secrets.yml",
    "directory": {"dir": "vars"},
    "name": {"file": "secrets.yml", "name": "below"},
    "not a mapping": "list.yml",
    "no YAML": "broken.yml",
}


@pytest.mark.parametrize("sink", SINKS)
@pytest.mark.parametrize("kind", READS)
def test_of_encrypted_files_include_vars_shows_nothing(pyplay: CommandLine, kind: str, sink: str) -> None:
    read = {"include_vars": READS[kind], "register": "r", "ignore_errors": True}
    loop = {"include_vars": "{{ item }}", "loop": ["plain.yml", "secrets.yml"]}
    tasks: list[Any] = [read, loop, {"debug": {"msg": "{{ r | dict2items | map(attribute='key') | sort }}"}}]
    inside = "text: zebra text\nnumber: 84431\nshort: ze\nwhen: 2001-02-03\n"
    pyplay.write({
        "pw": "word\n", "secrets.yml": inside, "vars/secrets.yml": inside, "vars/a.yml": "plain: yes\n",
        "list.yml": "- zebra text\n- 84431", "broken.yml": f"{inside}]zebra text",
        "plain.yml": "{plain: 1}", "site.yml": json.dumps([{"hosts": "all", "gather_facts": False, "tasks": tasks}]),
    })  # fmt: skip
    files = ["secrets.yml", "vars/secrets.yml", "list.yml", "broken.yml"]
    assert pyplay("vault", "encrypt", "--vault-password-file", "pw", *files).code == 0
    done = pyplay("-i", "h,", "-c", "local", "site.yml", "-vvv", "--vault-password-file", "pw", **SINKS[sink])
    written = [*(pyplay.root / "kept").glob("**/*"), pyplay.root / "kept.log"]
    everything = done.out + done.err + "".join(path.read_text() for path in written if path.is_file())
    for part in ("zebra", "84431", "short", "2001-02", "number"):
        assert part not in everything
    assert done.code == 0
    assert "ansible_included_var_files" in everything  # what is registered is all there


def test_an_ad_hoc_include_vars_of_an_encrypted_file_shows_nothing(pyplay: CommandLine) -> None:
    pyplay.write({"secrets.yml": "text: zebra text\n", "pw": "word\n"})
    assert pyplay("vault", "encrypt", "--vault-password-file", "pw", "secrets.yml").code == 0
    ask = ("adhoc", "-i", "h,", "-c", "local", "h", "-m", "include_vars", "-a", "secrets.yml")
    done = pyplay(*ask, "--vault-password-file", "pw")
    assert done.code == 0
    assert "no_log" in done.out
    assert "zebra" not in done.out


def test_no_line_of_an_encrypted_file_is_shown_with_a_fault(pyplay: CommandLine) -> None:
    pyplay.write({"tasks.yml": "- name: one\n  fail:\n", "pw": "word\n",
                  "site.yml": "- hosts: all\n  gather_facts: false\n  tasks: [{include_tasks: tasks.yml}]\n"})  # fmt: skip
    assert pyplay("vault", "encrypt", "--vault-password-file", "pw", "tasks.yml").code == 0
    body = (pyplay.root / "tasks.yml").read_text().splitlines()
    done = pyplay("-i", "h,", "-c", "local", "site.yml", "--vault-password-file", "pw")
    assert "tasks.yml:1" in done.out + done.err
    assert not any(line in done.out + done.err for line in body)
