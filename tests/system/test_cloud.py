"""Hosts that a cloud gives: made by a module of a collection against moto, added to the inventory, then configured.

PYPLAY_CLOUD names a virtual environment with moto's server, boto3 and the collection amazon.aws in its site-packages
(`pip install 'moto[server]' boto3 ansible`). The instances are SSH servers on loopback, as moto's have no machine.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT = Path(__file__).parents[2]
CLOUD = Path(os.environ.get("PYPLAY_CLOUD", "/nowhere"))
COLLECTIONS = next(CLOUD.glob("lib/python3*/site-packages/ansible_collections"), None)


def missing() -> str:
    """Tell what is not there of what the test needs."""
    if "PYPLAY_CLOUD" not in os.environ:
        return "PYPLAY_CLOUD names no virtual environment"
    if not (CLOUD / "bin" / "moto_server").exists():
        return f"{CLOUD} has no moto_server"
    if COLLECTIONS is None or not (COLLECTIONS / "amazon" / "aws").exists():
        return f"{CLOUD} has no collection amazon.aws"
    return ""


pytestmark = pytest.mark.skipif(bool(missing()), reason=missing())

PLAYBOOK = """
- name: Make the machines
  hosts: localhost
  gather_facts: false
  module_defaults:
    group/amazon.aws.aws: {region: eu-central-1, endpoint_url: "{{ cloud }}", access_key: x, secret_key: "{{ secret }}"}
  vars: {ansible_python_interpreter: "{{ cloud_python }}"}
  tasks:
    - name: Two web servers
      amazon.aws.ec2_instance:
        exact_count: 2
        filters: {"tag:role": web, instance-state-name: [pending, running]}
        tags: {role: web}
        image_id: ami-12c6146b
        instance_type: t3.micro
        wait: false
      register: made
    - name: Ask for them
      amazon.aws.ec2_instance_info: {filters: {"tag:role": web, instance-state-name: [pending, running]}}
      register: found
    - name: Put them into the inventory
      add_host:
        name: "{{ item.instance_id }}"
        groups: web
        ansible_host: 127.0.0.1
        ansible_port: "{{ ports[place] }}"
        type: "{{ item.instance_type }}"
      loop: "{{ found.instances | sort(attribute='instance_id') }}"
      loop_control: {index_var: place, label: "{{ item.instance_id }}"}
      changed_when: false

- name: Configure them
  hosts: web
  gather_facts: false
  tasks:
    - name: A page
      copy: {content: "{{ inventory_hostname }} {{ type }} of {{ groups.web | length }}\\n", dest: page}
"""


@pytest.fixture
def endpoint(tmp_path: Path) -> Iterator[str]:
    """Start moto's server; gives its address."""
    log = (tmp_path / "moto.log").open("w+")
    server = subprocess.Popen([CLOUD / "bin" / "moto_server", "-H", "127.0.0.1", "-p", "0"], stdout=log, stderr=log)
    try:
        yield waited(lambda: address_in(tmp_path / "moto.log"))
    finally:
        server.terminate()
        server.wait(10)
        log.close()


def address_in(log: Path) -> str:
    found = re.search(r"http://127\.0\.0\.1:\d+", log.read_text())
    if found is None:
        return ""
    try:
        with urllib.request.urlopen(found[0] + "/moto-api/", timeout=5):
            return found[0]
    except urllib.error.URLError:
        return ""


def waited(ask: Callable[[], str]) -> str:
    """Give what is asked for once it is there."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        answer = ask()
        if answer:
            return answer
        time.sleep(0.2)
    raise AssertionError("moto did not start")


@pytest.fixture
def machines(tmp_path: Path) -> Iterator[tuple[Path, list[int]]]:
    """Start two SSH servers; gives their directory and their ports."""
    words = ["--dir", str(tmp_path / "hosts"), "--hosts", "2", "--until-eof"]
    program = [sys.executable, str(ROOT / "examples" / "embedded_hosts.py"), *words]
    hosts = subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert hosts.stdin is not None
    assert hosts.stdout is not None
    try:
        assert hosts.stdout.readline().strip() == "ready"
        inventory = (tmp_path / "hosts" / "inventory.ini").read_text()
        yield tmp_path / "hosts", [int(port) for port in re.findall(r"ansible_port=(\d+)", inventory)]
    finally:
        hosts.stdin.close()
        hosts.wait(10)
        hosts.stdout.close()


def test_machines_are_made_added_and_configured(
    tmp_path: Path, endpoint: str, machines: tuple[Path, list[int]]
) -> None:
    directory, ports = machines
    (tmp_path / "site.yml").write_text(PLAYBOOK)
    common = (directory / "inventory.ini").read_text().partition("[demo:vars]\n")[2]
    (tmp_path / "inventory.ini").write_text(f"[web]\n[web:vars]\n{common}")
    given = {"cloud": endpoint, "cloud_python": str(CLOUD / "bin" / "python"), "secret": "top-secret", "ports": ports}
    (tmp_path / "given.json").write_text(json.dumps(given))

    def run() -> str:
        done = subprocess.run(
            [sys.executable, "-m", "pyplay", "-i", "inventory.ini", "-e", "@given.json", "site.yml"],
            cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120, stdin=subprocess.DEVNULL,
            env={**os.environ, "ANSIBLE_COLLECTIONS_PATH": str(COLLECTIONS), "HOME": str(tmp_path)},
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        assert "top-secret" not in done.stdout + done.stderr
        return done.stdout

    first = run()
    assert re.search(r"localhost +: ok=3 +changed=1 ", first), first
    assert len(re.findall(r"^i-[0-9a-f]+ +: ok=1 +changed=1 ", first, re.MULTILINE)) == 2, first
    pages = sorted(path.read_text() for path in directory.glob("**/page"))
    assert [re.sub(r"^i-[0-9a-f]+ ", "", page) for page in pages] == ["t3.micro of 2\n"] * 2
    assert len(set(pages)) == 2
    second = run()
    assert re.search(r"localhost +: ok=3 +changed=0 ", second), second
    assert len(re.findall(r"^i-[0-9a-f]+ +: ok=1 +changed=0 ", second, re.MULTILINE)) == 2, second
    assert sorted(path.read_text() for path in directory.glob("**/page")) == pages
