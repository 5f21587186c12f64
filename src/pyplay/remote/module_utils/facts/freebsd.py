"""Hardware, network and virtualization of FreeBSD: what sysctl(8), ifconfig(8), dmidecode(8) and its files tell."""

import re
import socket
import struct
import time

from pyplay.remote.module_utils.facts import dmidecode
from pyplay.remote.module_utils.facts.root import Root
from pyplay.remote.module_utils.usage import usage, usage_in_time

_GUESTS = {
    "bhyve": "bhyve",
    "hv": "VirtualPC",
    "kvm": "kvm",
    "parallels": "parallels",
    "vbox": "virtualbox",
    "vmware": "VMware",
    "xen": "xen",
}
_DISK = re.compile(r"(ada|da|vtbd|nda|nvd|mmcsd|xbd|aacd|mfid|cd)\d+$")
_SLICE = re.compile(r"((?:ada|da|vtbd|nda|nvd|mmcsd|xbd|aacd|mfid)\d+)(?:[ps]\d+\w*|[a-h])$")


def sysctl(root: Root, name: str) -> str:
    """Give one of the kernel's variables, "" where it has none of that name."""
    return (root.run(["sysctl", "-n", name]) or "").strip()


def hardware(root: Root, timeout: float) -> dict:
    """Give processor, memory, firmware, disks, the file systems of /etc/fstab and uptime."""
    facts = _processor(root)
    facts.update(_memory(root))
    facts.update(dmidecode.collect(root))
    facts["devices"] = _devices(root)
    facts["mounts"] = [_mount(root, line.split(), timeout) for line in root.lines("/etc/fstab") if _is_mount(line)]
    boot = re.search(r"\bsec = (\d+)", sysctl(root, "kern.boottime"))
    if boot:
        facts["uptime_seconds"] = int(time.time()) - int(boot.group(1))
    return facts


def _processor(root: Root) -> dict:
    facts = {"processor": [], "processor_count": sysctl(root, "hw.ncpu")}
    lines = root.lines("/var/run/dmesg.boot") or (root.run(["dmesg"]) or "").splitlines()
    for line in lines:
        if line.startswith("CPU: "):
            facts["processor"].append(line[len("CPU: ") :].strip())
        found = re.search(r"Logical CPUs per core: (\d+)", line)
        if found:
            facts["processor_cores"] = found.group(1)
    return facts


def _memory(root: Root) -> dict:
    counts = dict(re.findall(r"^(vm\.stats\.vm\.v_\w+): (\d+)", root.run(["sysctl", "vm.stats"]) or "", re.MULTILINE))
    page = int(counts.get("vm.stats.vm.v_page_size", 0))
    facts = {}
    if page:
        facts["memtotal_mb"] = page * int(counts.get("vm.stats.vm.v_page_count", 0)) // 1024 // 1024
        facts["memfree_mb"] = page * int(counts.get("vm.stats.vm.v_free_count", 0)) // 1024 // 1024
    rows = [line.split() for line in (root.run(["swapinfo", "-k"]) or "").splitlines()[1:]]
    if rows and len(rows[-1]) > 3:  # the last line is the only device, or the total
        facts["swaptotal_mb"] = int(rows[-1][1]) // 1024
        facts["swapfree_mb"] = int(rows[-1][3]) // 1024
    return facts


def _devices(root: Root) -> dict:
    names = root.names("/dev")
    found = {name: [] for name in names if _DISK.match(name)}
    for name in names:
        part = _SLICE.match(name)
        if part and part.group(1) in found:
            found[part.group(1)].append(name)
    return found


def _is_mount(line: str) -> bool:
    return len(line.split()) > 3 and not line.lstrip().startswith("#")


def _mount(root: Root, words: list, timeout: float) -> dict:
    entry = {"mount": words[1], "device": words[0], "fstype": words[2], "options": words[3]}
    if root.live and words[1].startswith("/"):
        entry.update((usage_in_time(words[1], timeout) if ":" in words[0] else usage(words[1])) or {})
    return entry


def virtual(root: Root) -> dict:
    """Give what the host runs in."""
    guest = _GUESTS.get(sysctl(root, "kern.vm_guest"))
    found = (["jails"] if sysctl(root, "security.jail.jailed") == "1" else []) + ([guest] if guest else [])
    return {
        "virtualization_type": found[0] if found else "",
        "virtualization_role": "guest" if found else "",
        "virtualization_tech_guest": found,
        "virtualization_tech_host": [],
    }


def network(root: Root) -> dict:
    """Give interfaces, addresses and default routes."""
    interfaces = _interfaces(root.run(["ifconfig", "-a"]) or "")
    facts = {"interfaces": list(interfaces), "all_ipv4_addresses": [], "all_ipv6_addresses": []}
    for name, interface in interfaces.items():
        facts[name] = interface
        for address in interface["ipv4"]:
            if not address["address"].startswith("127."):
                facts["all_ipv4_addresses"].append(address["address"])
        for address in interface["ipv6"]:
            if address["address"] not in ("::1", "fe80::1%lo0"):
                facts["all_ipv6_addresses"].append(address["address"])
    for family, words in (("ipv4", []), ("ipv6", ["-inet6"])):
        facts["default_" + family] = _default(root, family, words, interfaces)
    return facts


def _default(root: Root, family: str, words: list, interfaces: dict) -> dict:
    rows = re.findall(
        r"^\s*(gateway|interface): (\S+)", root.run(["route", "-n", "get"] + words + ["default"]) or "", re.MULTILINE
    )
    default = dict(rows)
    device = interfaces.get(default.get("interface"))
    if device:
        default.update((key, value) for key, value in device.items() if key not in ("ipv4", "ipv6"))
        if device[family]:
            default.update(device[family][0])
    return default


def _interfaces(text: str) -> dict:
    """Read what `ifconfig -a` prints."""
    found = {}
    interface = {}
    for line in text.splitlines():
        words = line.split()
        if not words:
            continue
        if not line[0].isspace():
            interface = _begin(line, words)
            found[interface["device"]] = interface
        elif words[0] == "ether":
            interface["macaddress"], interface["type"] = words[1], "ether"
        elif words[0].startswith(("options=", "nd6")):
            interface["options"] = _inside(line)
        elif words[0] == "inet":
            interface["ipv4"].append(_inet(words))
        elif words[0] == "inet6":
            interface["ipv6"].append(_inet6(words))
        elif words[0] == "media:":
            _media(interface, words)
        elif words[0] == "status:":
            interface["status"] = words[1]
    return found


def _begin(line: str, words: list) -> dict:
    flags = _inside(line)
    interface = {
        "device": words[0].rstrip(":"),
        "ipv4": [],
        "ipv6": [],
        "type": "loopback" if "LOOPBACK" in flags else "unknown",
        "flags": flags,
        "macaddress": "unknown",
    }
    for name in ("metric", "mtu"):
        if name in words:
            interface[name] = words[words.index(name) + 1]
    return interface


def _inside(line: str) -> list:
    found = re.search(r"<([^>]*)>", line)
    return found.group(1).split(",") if found else []


def _inet(words: list) -> dict:
    number = int(words[words.index("netmask") + 1], 16) if "netmask" in words else 0xFFFFFFFF
    address = struct.unpack("!I", socket.inet_aton(words[1]))[0]

    def spell(value: int) -> str:
        return socket.inet_ntoa(struct.pack("!I", value))

    broadcast = words[words.index("broadcast") + 1] if "broadcast" in words else spell(address | ~number & 0xFFFFFFFF)
    return {"address": words[1], "netmask": spell(number), "network": spell(address & number), "broadcast": broadcast}


def _inet6(words: list) -> dict:
    entry = {"address": words[1]}
    for word, key in (("prefixlen", "prefix"), ("scopeid", "scope")):
        if word in words:
            entry[key] = words[words.index(word) + 1]
    return entry


def _media(interface: dict, words: list) -> None:
    """Read "media: Ethernet autoselect (1000baseT <full-duplex>)"."""
    interface["media"] = words[1]
    if len(words) > 2:
        interface["media_select"] = words[2]
    if len(words) > 3:
        interface["media_type"] = words[3].strip("()")
    if len(words) > 4:
        interface["media_options"] = _inside(words[4])
