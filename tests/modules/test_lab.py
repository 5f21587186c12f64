"""System modules on the lab's hosts: check predicts, the first run changes, the second does not."""

from __future__ import annotations

import io
import json
import os
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
LAB = os.environ.get("PYPLAY_LAB", "")
HOST = os.environ.get("PYPLAY_LAB_HOST", "h1")

pytestmark = [pytest.mark.lab, pytest.mark.skipif(not LAB, reason="PYPLAY_LAB names no lab command")]


def packed(name: str) -> bytes:
    """Give a module as a zip that Python runs."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("__main__.py", (ROOT / "modules" / (name + ".py")).read_text())
        for package in ("pyplay", "pyplay/remote", "pyplay/remote/module_utils", "pyplay/remote/module_utils/facts"):
            for path in sorted((ROOT / "src" / package).glob("*.py")):
                if package.startswith("pyplay/remote/") or path.name == "__init__.py":
                    archive.writestr(f"{package}/{path.name}", path.read_text())
    return stream.getvalue()


def on_host(name: str, args: dict[str, Any], *, check: bool = False) -> dict[str, Any]:
    """Run a module on the lab's host as root."""
    program = (
        "import json, os, subprocess, sys, tempfile; size, text = sys.stdin.buffer.readline().split(b' ', 1); "
        "f = tempfile.NamedTemporaryFile(suffix='.pyz'); f.write(sys.stdin.buffer.read(int(size))); f.flush(); "
        "sys.exit(subprocess.run([sys.executable, '-I', f.name], input=text).returncode)"
    )
    data = packed(name)
    text = json.dumps({"ANSIBLE_MODULE_ARGS": {**args, "_ansible_check_mode": check, "_ansible_diff": True}})
    argv = [LAB, "exec", HOST, "--", "/usr/bin/python3", "-c", program]
    done = subprocess.run(argv, input=b"%d %s\n" % (len(data), text.encode()) + data, capture_output=True, check=False)
    assert done.stdout, done.stderr.decode()
    return json.loads(done.stdout)


STEPS = [
    pytest.param(
        [
            ("group", {"name": "pp1", "gid": 4321}),
            ("group", {"name": "pp1", "gid": 4322}),
            ("group", {"name": "pp1", "state": "absent"}),
        ],
        id="group",
    ),
    pytest.param(
        [
            (
                "user",
                {
                    "name": "pp2",
                    "comment": "a b",
                    "groups": ["games"],
                    "append": True,
                    "shell": "/bin/sh",
                    "password": "$6$a$b",
                },
            ),
            (
                "user",
                {
                    "name": "pp2",
                    "groups": ["audio", "video"],
                    "expires": 1422403387,
                    "password_lock": True,
                    "password_expire_max": 90,
                },
            ),
            (
                "user",
                {
                    "name": "pp2",
                    "home": "/home/pp3",
                    "move_home": True,
                    "password_lock": False,
                    "expires": -1,
                    "groups": [],
                },
            ),
            (
                "user",
                {"name": "pp2", "generate_ssh_key": True, "ssh_key_type": "ed25519", "ssh_key_passphrase": "secret"},
            ),
            (
                "authorized_key",
                {"user": "pp2", "key": "ssh-ed25519 AAAAC3Nza me@x", "key_options": 'command="a b",no-pty'},
            ),
            ("authorized_key", {"user": "pp2", "key": "ssh-ed25519 AAAAC3Nza me@x", "state": "absent"}),
            ("user", {"name": "pp2", "state": "absent", "remove": True}),
        ],
        id="user",
    ),
    pytest.param(
        [
            ("apt", {"name": ["hello", "demo=1*"]}),
            ("apt", {"name": "demo", "state": "latest"}),
            ("apt", {"name": "hell?", "state": "absent", "purge": True}),
            ("systemd_service", {"name": "demo", "enabled": False, "state": "stopped"}),
            ("systemd_service", {"name": "demo", "enabled": True, "state": "started"}),
            ("systemd_service", {"name": "demo", "enabled": False, "state": "stopped"}),
            ("systemd_service", {"name": "demo", "masked": True}),
            ("systemd_service", {"name": "demo", "masked": False}),
            ("service", {"name": "demo", "state": "started"}),
            ("apt", {"name": "demo", "state": "absent", "purge": True, "autoremove": True}),
        ],
        id="packages and services",
    ),
    pytest.param(
        [
            ("cron", {"name": "pp", "job": "true 2>&1", "minute": "*/5"}),
            ("cron", {"name": "pp", "job": "true 2>&1", "special_time": "daily", "disabled": True}),
            ("cron", {"name": "PP", "job": "x", "env": True}),
            ("cron", {"name": "PP", "state": "absent", "env": True}),
            ("cron", {"name": "pp", "state": "absent"}),
            ("cron", {"name": "pp", "job": "true", "user": "root", "cron_file": "pp"}),
            ("cron", {"name": "pp", "state": "absent", "cron_file": "pp"}),
        ],
        id="cron",
    ),
    pytest.param(
        [
            (
                "sysctl",
                {"name": "net.ipv4.ip_forward", "value": "1", "sysctl_set": True, "sysctl_file": "/tmp/pp.conf"},
            ),
            ("file", {"path": "/tmp/pp.conf", "state": "absent"}),
        ],
        id="sysctl",
    ),
    pytest.param(
        [("sysvinit", {"name": "rsync", "enabled": enabled, "runlevels": ["2", "3"]}) for enabled in (False, True)],
        id="sysvinit",
    ),
]


@pytest.mark.parametrize("steps", STEPS)
def test_each_step_is_predicted_done_once_and_then_left_alone(steps: list[tuple[str, dict[str, Any]]]) -> None:
    for name, args in steps:
        predicted = on_host(name, args, check=True)
        done = on_host(name, args)
        again = on_host(name, args)
        assert not done.get("failed"), done
        assert (predicted["changed"], done["changed"], again["changed"]) == (True, True, False), (name, args, done)
        assert "secret" not in json.dumps(done)


def test_facts_tell_what_the_host_tells_of_itself() -> None:
    facts = on_host("setup", {})["ansible_facts"]
    assert facts["ansible_distribution"] == "Debian"
    assert facts["ansible_pkg_mgr"] == "apt"
    assert facts["ansible_service_mgr"] == "systemd"
    assert facts["ansible_hostname"] == HOST
    assert facts["ansible_default_ipv4"]["interface"] == "host0"
    assert facts["ansible_virtualization_type"] == "container"  # what root sees, as with ansible-core
    assert "systemd-nspawn" in facts["ansible_virtualization_tech_guest"]
