"""Facts of hosts that were recorded as files, links and outputs of commands: one file of `hosts/` for each.

`facts` are the values that ansible-core gives for the same tree, except where a comment beside one says otherwise.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from pyplay.remote.module_utils.facts import collect, virtual
from pyplay.remote.module_utils.facts.root import Root

if TYPE_CHECKING:
    from collections.abc import Mapping

HOSTS = sorted((Path(__file__).parent / "hosts").glob("*.yml"))
GUESTS: dict[str, Any] = yaml.safe_load((Path(__file__).parent / "virtualization.yml").read_text())
KERNEL = ("Linux", "recorded.example.com", "6.1.0", "#1 SMP", "x86_64")


def recorded(top: Path, host: Mapping[str, Any]) -> Root:
    """Lay out a recorded host under `top`."""
    for name, text in host.get("files", {}).items():
        path = top / name.lstrip("/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    for name in host.get("directories", ()):
        (top / name.lstrip("/")).mkdir(parents=True, exist_ok=True)
    for name in host.get("programs", ()):
        path = top / name.lstrip("/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o755)
    for name, target in host.get("links", {}).items():
        path = top / name.lstrip("/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(target)
    kernel = os.uname_result([str(word) for word in host.get("uname", KERNEL)])
    return Root(str(top), kernel, host.get("commands"))


@pytest.mark.parametrize("path", HOSTS, ids=lambda path: path.stem)
def test_recorded_host(tmp_path: Path, path: Path) -> None:
    host = yaml.safe_load(path.read_text())
    warnings: list[str] = []
    request = collect.Request(["all"], [], 5, "/etc/ansible/facts.d", warnings.append)
    facts = collect.collect(request, recorded(tmp_path, host))
    expected = {f"ansible_{name}": value for name, value in host["facts"].items()}
    assert {name: facts.get(name, "absent") for name in expected} == expected
    assert [name for name in host.get("absent", ()) if f"ansible_{name}" in facts] == []
    assert warnings == []


@pytest.mark.parametrize("name", GUESTS)
def test_virtualization(tmp_path: Path, name: str) -> None:
    found = virtual.collect(recorded(tmp_path, GUESTS[name]))
    shown = {
        key[len("virtualization_") :]: sorted(value) if isinstance(value, list) else value
        for key, value in found.items()
    }
    assert shown == GUESTS[name]["facts"]


@pytest.mark.parametrize(
    ("variables", "kind", "guests"),
    [
        ({"kern.vm_guest": "none"}, "", []),
        ({"kern.vm_guest": "hv"}, "VirtualPC", ["VirtualPC"]),
        ({"kern.vm_guest": "kvm", "security.jail.jailed": "1"}, "jails", ["jails", "kvm"]),
    ],
)
def test_what_freebsd_runs_in(tmp_path: Path, variables: dict[str, str], kind: str, guests: list[str]) -> None:
    commands = {f"sysctl -n {name}": value + "\n" for name, value in variables.items()}
    host = {"uname": ["FreeBSD", "f", "14.1-RELEASE", "FreeBSD", "amd64"], "commands": commands}
    request = collect.Request(["!all", "!min", "virtual"], [], 5, "", lambda text: None)
    facts = collect.collect(request, recorded(tmp_path, host))
    assert facts["ansible_virtualization_type"] == kind
    assert facts["ansible_virtualization_role"] == ("guest" if kind else "")
    assert facts["ansible_virtualization_tech_guest"] == guests
