"""Ways in: passwords, sudo passwords, agents, jump hosts, host keys; and how each says no."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.lab
WHO = """
- hosts: h1
  gather_facts: false
  tasks:
    - command: id -un
      register: me
      changed_when: false
    - command: id -un
      register: root
      become: true
      changed_when: false
    - command: id -un
      register: other
      become: true
      become_user: plain
      changed_when: false
    - debug: {msg: "{{ me.stdout }} {{ root.stdout }} {{ other.stdout }}"}
"""
PING = "- hosts: h1\n  gather_facts: false\n  tasks: [ping: ]\n"


def knowing(lab, known: Path) -> str:
    """Give an inventory of h1 whose known hosts are those in the file `known`."""
    inventory = Path(lab.inventory(hosts="h1"))
    inventory.write_text(inventory.read_text().replace(f"{lab.state}/known_hosts", str(known)))
    return str(inventory)


def test_passwordless_sudo(lab) -> None:
    run = lab.play(WHO)
    assert '"msg": "deploy root plain"' in run.out, run.out + run.err


def test_login_and_sudo_with_passwords(lab) -> None:
    inventory = lab.inventory("ops", key=False, extra="ansible_password=ops-pass\nansible_become_password=ops-pass")
    run = lab.play(WHO, inventory=inventory)
    assert '"msg": "ops root plain"' in run.out, run.out + run.err


def test_passwords_from_prompts(lab) -> None:
    run = lab.play(WHO, "-k", "-K", inventory=lab.inventory("ops", key=False), stdin="ops-pass\nops-pass\n")
    assert '"msg": "ops root plain"' in run.out, run.out + run.err


@pytest.mark.parametrize(
    ("extra", "code", "state"),
    [
        pytest.param("ansible_password=wrong", 4, "UNREACHABLE!", id="wrong login password"),
        pytest.param(
            "ansible_password=ops-pass\nansible_become_password=wrong", 2, "FAILED!", id="wrong sudo password"
        ),
        pytest.param("ansible_password=ops-pass", 2, "FAILED!", id="no sudo password"),
    ],
)
def test_a_wrong_password_fails_within_seconds(lab, extra: str, code: int, state: str) -> None:
    run = lab.play(WHO, inventory=lab.inventory("ops", key=False, extra=extra))
    assert run.code == code, run.out + run.err
    assert f"fatal: [h1]: {state}" in run.out
    assert "assword" in run.out
    assert run.seconds < 20
    assert "ops-pass" not in run.out + run.err


def test_a_key_that_only_the_agent_has(lab) -> None:
    started = subprocess.run(["ssh-agent", "-s"], capture_output=True, text=True, check=True).stdout
    agent = dict(re.findall(r"(SSH_\w+)=([^;]+);", started))
    try:
        subprocess.run(["ssh-add", "-q", str(lab.state / "id_ed25519")], env=os.environ | agent, check=True)
        run = lab.play(PING, inventory=lab.inventory(key=False), SSH_AUTH_SOCK=agent["SSH_AUTH_SOCK"])
        assert run.code == 0, run.out + run.err
    finally:
        os.kill(int(agent["SSH_AGENT_PID"]), signal.SIGTERM)


def test_through_a_jump_host(lab) -> None:
    lab.write(
        ".ssh/config",
        f"""
Host 198.18.0.12
  ProxyJump bastion
Host bastion
  HostName 198.18.0.11
  User deploy
  IdentityFile {lab.state}/id_ed25519
  UserKnownHostsFile {lab.state}/known_hosts
""",
    )
    run = lab.play("""
- hosts: h2
  gather_facts: false
  tasks:
    - shell: echo $SSH_CONNECTION
      register: c
    - debug: {msg: "{{ c.stdout }}"}
""", inventory=lab.inventory(hosts="h1 h2"))  # fmt: skip
    assert run.code == 0, run.out + run.err
    assert "198.18.0.11" in run.out


def test_a_changed_host_key_is_refused_with_the_mend(lab) -> None:
    lines = (lab.state / "known_hosts").read_text().splitlines()
    other = next(line for line in lines if line.startswith("198.18.0.12") or "h2" in line.split()[0])
    forged = "198.18.0.11 " + other.split(maxsplit=1)[1]
    known = lab.write("known_hosts", forged + "\n")
    inventory = knowing(lab, known)
    run = lab.play(PING, inventory=inventory)
    assert run.code == 4, run.out + run.err
    assert "ssh-keygen -R" in run.out + run.err


def test_an_unknown_host_key_is_refused_with_the_mend(lab) -> None:
    known = lab.write("known_hosts", "")
    inventory = knowing(lab, known)
    run = lab.play(PING, inventory=inventory)
    assert run.code == 4, run.out + run.err
    assert "ssh-keyscan" in run.out + run.err


def test_connection_variables_change_in_mid_play(lab) -> None:
    run = lab.play("""
- hosts: h1
  gather_facts: false
  tasks:
    - command: id -un
      register: one
    - command: id -un
      vars: {ansible_user: root}
      register: two
    - set_fact: {ansible_user: plain}
    - command: id -un
      register: three
    - debug: {msg: "{{ one.stdout }} {{ two.stdout }} {{ three.stdout }}"}
""", "-e", "x=1", inventory=lab.inventory(hosts="h1"))  # fmt: skip
    assert '"msg": "deploy root plain"' in run.out, run.out + run.err
