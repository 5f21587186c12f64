"""Loops on hosts that do not answer: who was found to be away is not asked again for the items that are left."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conftest import CommandLine


class Silent:
    """A port that takes connections and says nothing."""

    def __init__(self) -> None:
        self.taken: list[socket.socket] = []
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port = self._server.getsockname()[1]
        threading.Thread(target=self._take, daemon=True).start()

    def _take(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                self.taken.append(self._server.accept()[0])

    def close(self) -> None:
        for each in (*self.taken, self._server):
            each.close()


@pytest.fixture
def silent() -> Iterator[Silent]:
    server = Silent()
    yield server
    server.close()


def inventory(silent: Silent) -> str:
    return f"away ansible_host=127.0.0.1 ansible_port={silent.port}\nhere ansible_connection=local\n"


@pytest.mark.parametrize("task", ["ping:", "raw: 'true'", "copy: {content: x, dest: /nowhere}"])
def test_a_host_that_is_away_is_asked_once_for_a_loop(pyplay: CommandLine, silent: Silent, task: str) -> None:
    play = f"- hosts: away\n  gather_facts: false\n  tasks:\n    - {task}\n      loop: '{{{{ range(30) | list }}}}'\n"
    pyplay.write({"inventory": inventory(silent), "site.yml": play})
    begin = time.monotonic()
    done = pyplay("-i", "inventory", "--timeout", "1", "site.yml")
    assert (done.code, done.out.count("UNREACHABLE!")) == (4, 30)
    assert time.monotonic() - begin < 20
    assert len(silent.taken) <= 3, "the host was tried again for items behind the first"


def test_items_that_run_elsewhere_are_not_held_up(pyplay: CommandLine, silent: Silent) -> None:
    play = """
    - hosts: here
      gather_facts: false
      tasks:
        - ping:
          loop: [away, here, away, here, away]
          delegate_to: "{{ item }}"
          ignore_errors: true
          register: r
        - debug: {msg: "{{ r.results | map(attribute='failed') | list }}"}
    """
    pyplay.write({"inventory": inventory(silent), "site.yml": play})
    done = pyplay("-i", "inventory", "--timeout", "1", "site.yml")
    assert done.code == 0, done.out + done.err
    assert "".join(done.out.split()).count('"msg":[true,false,true,false,true]') == 1
    assert len(silent.taken) <= 3


def test_an_action_that_waits_for_a_host_tries_it_for_each_item(pyplay: CommandLine, silent: Silent) -> None:
    play = """
    - hosts: away
      gather_facts: false
      tasks:
        - ping:
          ignore_unreachable: true
        - wait_for_connection: {timeout: 2, sleep: 1, connect_timeout: 1}
          loop: [1, 2]
          ignore_errors: true
    """
    pyplay.write({"inventory": inventory(silent), "site.yml": play})
    done = pyplay("-i", "inventory", "--timeout", "1", "site.yml")
    assert done.out.count("timed out waiting for ping module test") >= 2, done.out + done.err


JOB = """
    - command: sleep 30.4217
      async: 60
      poll: 0
      register: job
    - replace: {path: "{{ job.results_file }}", regexp: '"_boot": *"[^"]*"', replace: '"_boot": "another"'}
    - async_status: {jid: "{{ job.ansible_job_id }}"}
      register: status
      ignore_errors: true
    - debug: {msg: "{{ status.finished }} {{ status.msg }} {{ '_boot' in status }}"}
    - command: pkill -f 'sleep 30.4217'
      ignore_errors: true
"""


def test_a_job_that_a_reboot_ended_says_so(pyplay: CommandLine) -> None:
    done = pyplay.play(JOB)
    assert "True the job has ended without a result: the host was started anew while it ran False" in done.out, done.out
