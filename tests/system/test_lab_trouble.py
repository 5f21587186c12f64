"""Hosts that die, hang or fail in mid-run, and what is left on them afterwards."""

from __future__ import annotations

import signal
import time

import pytest

pytestmark = pytest.mark.lab
OURS = "ps -eo pid,args | grep -E 'python.*-I|ANSIBLE_MODULE|sleep 98[0-9]' | grep -v grep || true"


def wait_until(condition, seconds: float) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.5)
    return condition()


def test_a_killed_host_is_unreachable_and_the_others_finish(lab) -> None:
    site = lab.write(
        "kill.yml",
        """
- hosts: all
  gather_facts: false
  tasks:
    - command: sleep 6
    - command: echo on
""",
    )
    process = lab.start("-i", lab.inventory(), str(site), quiet=False)
    time.sleep(3)
    try:
        lab("kill", "h3")
        out, _ = process.communicate(timeout=90)
    finally:
        lab("up", "3")
    assert process.returncode == 4, out
    assert "fatal: [h3]: UNREACHABLE!" in out
    assert "h1                         : ok=2 " in out
    assert "unreachable=1" in out


def test_a_failure_is_rescued_on_one_host(lab) -> None:
    run = lab.play("""
- hosts: all
  gather_facts: false
  tasks:
    - block:
        - command: /bin/false
          when: inventory_hostname == 'h2'
      rescue:
        - debug: {msg: "saved {{ ansible_failed_result.rc }}"}
""")
    assert run.code == 0
    assert run.recap["h2"]["rescued"] == 1
    assert run.recap["h1"]["rescued"] == 0


DAEMON = """
- hosts: h1,h2
  gather_facts: false
  tasks:
    - shell: nohup sleep 981 >/dev/null 2>&1 &
    - command: sleep 982
"""


def test_nothing_is_left_after_the_controller_is_killed(lab) -> None:
    process = lab.start("-i", lab.inventory(), str(lab.write("site.yml", DAEMON)))
    assert wait_until(lambda: "sleep 982" in lab.exec("h1", OURS), 20)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert wait_until(lambda: "sleep 982" not in lab.exec("h1", OURS) + lab.exec("h2", OURS), 60)
    for host in ("h1", "h2"):
        left = lab.exec(host, OURS)
        assert "python" not in left
        assert "sleep 981" in left
        lab.exec(host, "pkill -f 'sleep 981'")


def test_nothing_is_left_on_a_host_that_was_cut_off(lab) -> None:
    process = lab.start("-i", lab.inventory(), str(lab.write("site.yml", DAEMON)))
    assert wait_until(lambda: "sleep 982" in lab.exec("h1", OURS), 20)
    try:
        lab("cut", "h1")
        assert wait_until(lambda: "sleep 982" not in lab.exec("h1", OURS), 75)
        left = lab.exec("h1", OURS)
        assert "python" not in left
        assert "sleep 981" in left
    finally:
        process.kill()
        process.wait()
        lab("heal", "h1")
        wait_until(lambda: "sleep 982" not in lab.exec("h2", OURS), 60)
        for host in ("h1", "h2"):
            lab.exec(host, "pkill -f 'sleep 981'")


def test_a_connection_lost_between_tasks_is_made_again(lab) -> None:
    run = lab.play("""
- hosts: h1
  gather_facts: false
  tasks:
    - command: echo before
    - command: "pkill -u deploy -f 'sshd: deploy'"
      delegate_to: h1root
    - pause: {seconds: 1}
    - command: echo after
""", inventory=lab.inventory(hosts="h1", extra="[aside]\nh1root ansible_host=198.18.0.11 ansible_user=root"))  # fmt: skip
    assert run.code == 0, run.out
    assert run.recap["h1"]["ok"] == 4


def test_fifty_delegations_to_one_host_run_side_by_side(lab) -> None:
    hosts = "\n".join(f"v{n} ansible_host=198.18.0.11" for n in range(50))
    run = lab.play("""
- hosts: many
  gather_facts: false
  tasks:
    - command: sleep 2
      delegate_to: h1
""", inventory=lab.inventory(hosts="h1", extra=f"[many]\n{hosts}"))  # fmt: skip
    assert run.code == 0, run.out
    assert run.seconds < 30


def test_a_runner_killed_by_somebody_else_can_be_rescued(lab) -> None:
    run = lab.play("""
- hosts: h1
  gather_facts: false
  tasks:
    - block:
        - shell: kill -9 $(ps -o ppid= -p $PPID)
      rescue:
        - ping:
""")
    assert run.code == 0, run.out + run.err
    assert "rescued=1" in run.out


@pytest.mark.parametrize("processes", [1, 2, 3, 4])
def test_a_user_who_may_start_no_process_is_told_so(lab, processes: int) -> None:
    limits = "/etc/security/limits.d/few.conf"
    lab.exec("h1", f"echo 'plain hard nproc {processes}' > {limits}", check=True)
    try:
        run = lab.play(
            "- hosts: h1,h2\n  gather_facts: false\n  tasks: [{ping: }]\n", "-T", "10", inventory=lab.inventory("plain")
        )
    finally:
        lab.exec("h1", f"rm {limits}", check=True)
    assert run.recap["h2"]["ok"] == 1
    assert run.recap["h1"]["ok"] == 0
    assert "process" in run.out + run.err or "Resource temporarily unavailable" in run.out + run.err, run.out
    assert "something else than frames" not in run.out
    assert "import sys" not in run.out, "our own command is shown"
