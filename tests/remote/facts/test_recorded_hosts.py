"""Facts of hosts that were recorded as files, links and outputs of commands: one file of `hosts/` for each.

`facts` are the values that ansible-core gives for the same tree, except where a comment beside one says otherwise.
"""

from __future__ import annotations

import errno
import functools
import ipaddress
import os
import socket
import struct
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from pyplay.remote.module_utils.facts import collect, virtual
from pyplay.remote.module_utils.facts.netlink import GETADDR, Netlink
from pyplay.remote.module_utils.facts.root import Root

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

HOSTS = sorted((Path(__file__).parent / "hosts").glob("*.yml"))
WHOLE = sorted((Path(__file__).parent / "whole").glob("*.yml"))
OF_THIS_PROCESS = (
    "env",
    "date_time",
    "python",
    "fqdn",
    "domain",
    "user_",
    "real_",
    "effective_",
    "is_chroot",
    "userspace_",
)
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
    for name in host.get("executable", ()):
        (top / name.lstrip("/")).chmod(0o755)
    kernel = os.uname_result([str(word) for word in host.get("uname", KERNEL)])
    rows = host.get("netlink")
    indices = {path.parent.name: int(path.read_text()) for path in (top / "sys/class/net").glob("*/ifindex")}
    return Root(
        str(top), kernel, host.get("commands"), functools.partial(RecordedNetlink, rows, indices) if rows else None
    )


class RecordedNetlink(Netlink):
    """A kernel's routing tables, written as rows and given as the bytes that the kernel would send (rtnetlink(7))."""

    def __init__(self, rows: Mapping[str, Any], indices: Mapping[str, int]) -> None:
        self.rows = rows
        self.indices = indices

    def __exit__(self, *about: object) -> None:
        """There is no socket to close."""

    def ask(self, kind: int, body: bytes, dump: bool = True) -> list[bytes]:  # noqa: FBT001, FBT002  # as it is there
        if kind == GETADDR:
            return [self._address(row) for row in self.rows["addresses"]]
        family = "ipv4" if body[0] == socket.AF_INET else "ipv6"
        if dump:
            return [self._local(body[0], word) for word in self.rows.get("local", {}).get(family, ())]
        return [self._way(body[0], self.rows.get("routes", {}).get(family))]

    def _address(self, row: Mapping[str, Any]) -> bytes:
        interface = ipaddress.ip_interface(row["address"])
        family = socket.AF_INET if interface.version == 4 else socket.AF_INET6
        found = [(1, interface.packed)]
        if family == socket.AF_INET:
            found += [(2, interface.packed), (3, row.get("label", row["dev"]).encode() + b"\0")]
        if "broadcast" in row:
            found.append((4, socket.inet_aton(row["broadcast"])))
        scope = {"global": 0, "link": 253, "host": 254}[row.get("scope", "global")]
        head = struct.pack(
            "=BBBBI",
            family,
            interface.network.prefixlen,
            int(row.get("secondary", False)),
            scope,
            self.indices[row["dev"]],
        )
        return head + attributes(found)

    def _local(self, family: int, word: str) -> bytes:
        network = ipaddress.ip_network(word)
        head = struct.pack("=BBBBBBBBI", family, network.prefixlen, 0, 0, 255, 2, 254, 2, 0)
        return head + attributes([(1, network.network_address.packed)])

    def _way(self, family: int, row: Mapping[str, str] | None) -> bytes:
        if row is None:
            raise OSError(errno.ENETUNREACH, "netlink")
        found = [(4, struct.pack("=I", self.indices[row["dev"]]))]
        found += [
            (key, socket.inet_pton(family, row[name])) for key, name in ((5, "gateway"), (7, "source")) if name in row
        ]
        return struct.pack("=BBBBBBBBI", family, 0, 0, 0, 254, 2, 0, 1, 0) + attributes(found)


def attributes(rows: Iterable[tuple[int, bytes]]) -> bytes:
    """Write attributes as the kernel does: length, type, payload, filled up to four bytes."""
    return b"".join(struct.pack("=HH", 4 + len(data), kind) + data + bytes(-len(data) % 4) for kind, data in rows)


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


@pytest.mark.parametrize("path", WHOLE, ids=lambda path: path.stem)
def test_all_facts_of_a_whole_host(tmp_path: Path, path: Path) -> None:
    """Every fact, none more and none less, but those of the process that asks.

    `facts` are what ansible-core gives for the same tree, its programs answering with the same outputs; where it gives
    another value, that stands in `core` (selinux apart, for which it wants libselinux).
    """
    host = yaml.safe_load(path.read_text())
    warnings: list[str] = []
    request = collect.Request(["all"], [], 5, "/etc/ansible/facts.d", warnings.append)
    facts = collect.collect(request, recorded(tmp_path, host))
    found = {name.removeprefix("ansible_"): value for name, value in facts.items()}
    for name in [name for name in found if name.startswith((*OF_THIS_PROCESS, "gather_subset", "module_setup"))]:
        del found[name]
    if host["uname"][0] == "FreeBSD":
        assert found.pop("uptime_seconds") > 0  # counted from the time at which it was started
    assert found == host["facts"]
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
