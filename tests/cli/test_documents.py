"""Reports that programs read have standard output for themselves."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import CommandLine


@pytest.mark.parametrize("callback", ["json", "jsonl"])
def test_what_goes_with_a_document_is_on_standard_error(pyplay: CommandLine, callback: str) -> None:
    environ = {"ANSIBLE_STDOUT_CALLBACK": callback, "ANSIBLE_CALLBACKS_ENABLED": "timer,profile_tasks,profile_roles"}
    done = pyplay.play("- ping:", "-vvv", **environ)
    documents = done.out.splitlines() if callback == "jsonl" else [done.out]
    assert [json.loads(document) for document in documents]
    for said in ("Playbook run took ", "TASKS RECAP ***", "ROLES RECAP ***"):
        assert said in done.err


@pytest.mark.parametrize("callback", ["json", "jsonl"])
def test_questions_are_asked_on_standard_error(pyplay: CommandLine, callback: str) -> None:
    done = pyplay.play("- fail:\n  debugger: on_failed", ANSIBLE_STDOUT_CALLBACK=callback)
    documents = done.out.splitlines() if callback == "jsonl" else [done.out]
    assert [json.loads(document) for document in documents]
    assert (done.code, "(debug)> " in done.err) == (2, True)
