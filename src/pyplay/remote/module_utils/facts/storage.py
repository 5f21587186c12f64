"""Disks, partitions, logical volumes and mounted file systems."""

import os

from pyplay.remote.module_utils.facts.root import Root
from pyplay.remote.module_utils.usage import usage, usage_in_time

_LINKS = (("ids", "by-id"), ("labels", "by-label"), ("uuids", "by-uuid"))
_REMOTE = ("nfs", "cifs", "smb", "fuse", "ceph", "gluster", "9p", "afs", "beegfs", "lustre")


def human(size: float) -> str:
    """Give a size in bytes as 1.50 GB."""
    for unit in ("YB", "ZB", "EB", "PB", "TB", "GB", "MB", "KB"):
        limit = 1 << (10 * (1 + ("KB", "MB", "GB", "TB", "PB", "EB", "ZB", "YB").index(unit)))
        if size >= limit:
            return "%.2f %s" % (size / limit, unit)
    return "%.2f Bytes" % size


def device_links(root: Root) -> dict:
    """Give for every device the names that udev gave it, and who is built upon it."""
    found = {kind: _named(root, directory) for kind, directory in _LINKS}
    found["masters"] = {}
    for device in root.names("/sys/block"):
        for slave in root.names("/sys/block/%s/slaves" % device):
            found["masters"].setdefault(slave, []).append(device)
    return found


def _named(root: Root, directory: str) -> dict:
    """Give for every device its names in a directory of udev's."""
    found = {}
    for name in root.names("/dev/disk/" + directory):
        target = root.leads_to("/dev/disk/%s/%s" % (directory, name))
        if target:
            found.setdefault(target, []).append(name)
    return found


def _of(links: dict, device: str) -> dict:
    return {kind: sorted(links[kind].get(device, [])) for kind in ("ids", "labels", "masters", "uuids")}


def devices(root: Root) -> dict:
    """Give the block devices with their partitions."""
    if not root.exists("/sys/block"):
        return {"devices": {}}
    links = device_links(root)
    pci = None
    facts = {}
    for name in root.names("/sys/block"):
        base = "/sys/block/" + name
        if pci is None:
            pci = _pci_names(root)
        facts[name] = _device(root, name, base, links, pci)
    return {"devices": facts, "device_links": links}


def _pci_names(root: Root) -> dict:
    """Give what lspci calls each slot, where it is installed."""
    names = {}
    for line in (root.run(["lspci", "-D"]) or "").splitlines():
        slot, _, text = line.partition(" ")
        names[slot] = text.strip()
    return names


def _device(root: Root, name: str, base: str, links: dict, pci: dict) -> dict:
    hardware = root.exists(base + "/device")

    def value(path: str, default: object = None) -> object:
        return root.text(base + path, default) if hardware or not path.startswith("/device/") else default

    blocks = int(value("/size", "0"))  # of 512 bytes, whatever the disk's own are
    sector = value("/queue/logical_block_size") or value("/queue/hw_sector_size") or "512"
    device = {
        "virtual": 1,  # of every device, as ansible-core has it on all kernels of today
        "links": _of(links, name),
        "vendor": value("/device/vendor"),
        "model": value("/device/model"),
        "sas_address": value("/device/sas_address"),
        "sas_device_handle": value("/device/sas_device_handle"),
        "removable": value("/removable", ""),
        "support_discard": value("/queue/discard_granularity", ""),
        "rotational": value("/queue/rotational", ""),
        "scheduler_mode": "",
        "sectors": blocks * 512 // int(sector),
        "sectorsize": sector,
        "size": human(blocks * 512.0),
        "host": "",
        "holders": _holders(root, base),
        "partitions": {},
    }
    scheduler = value("/queue/scheduler", "")
    chosen, bracket, _ = scheduler.partition("[")[2].partition("]")
    device["scheduler_mode"] = chosen if bracket else ""
    serial = value("/device/serial") or (_vpd_serial(root, base) if hardware else "")
    if serial:
        device["serial"] = serial
    wwn = value("/wwid") or value("/device/wwid")
    identity = [item for item in device["links"]["ids"] if item.startswith("wwn-")]
    if identity:
        device["wwn"] = identity[0][4:]
    elif wwn and wwn.startswith("naa."):
        device["wwn"] = "0x" + wwn[4:]
    slots = [part[-12:] for part in root.link(base).split("/") if _is_slot(part[-12:])]
    if slots:
        device["host"] = pci.get(slots[-1], "")
    for part in root.names(base):
        if part.startswith(name) and root.exists("%s/%s/partition" % (base, part)):
            device["partitions"][part] = _partition(root, part, "%s/%s" % (base, part), links)
    return device


def _is_slot(text: str) -> bool:
    """Tell whether a text is a place on the PCI bus, as 0000:00:1f.2."""
    return len(text) == 12 and text[4] + text[7] + text[10] == "::." and not text.strip("0123456789abcdef:.")


def _vpd_serial(root: Root, base: str) -> str:
    """Read the serial number from SCSI's vital product data, page 80."""
    try:
        with open(root.path(base + "/device/vpd_pg80"), "rb") as stream:
            return stream.read()[4:].strip(b" \0").decode("ascii", "replace")
    except OSError:
        return ""


def _holders(root: Root, base: str) -> list:
    """Give the names of mapped devices upon a disk or partition."""
    names = [name for name in root.names(base + "/holders") if name.startswith("dm-")]
    return [root.text("/sys/block/%s/dm/name" % name) or name for name in names]


def _partition(root: Root, name: str, base: str, links: dict) -> dict:
    sectors = int(root.text(base + "/size", "0"))
    of = _of(links, name)
    return {
        "links": of,
        "start": root.text(base + "/start", "0"),
        "sectors": sectors,
        "sectorsize": 512,  # what the kernel counts partitions in
        "size": human(sectors * 512.0),
        "uuid": of["uuids"][0] if of["uuids"] else None,
        "holders": _holders(root, base),
    }


def lvm(root: Root) -> dict:
    """Give volume groups, logical and physical volumes; N/A without the tools or the right to ask."""
    if (root.live and os.geteuid() != 0) or not root.program("vgs"):
        return {"lvm": "N/A"}
    how = ["--noheadings", "--nosuffix", "--units", "g", "--separator", ","]
    groups, volumes, physical = {}, {}, {}
    for row in _rows(root.run(["vgs"] + how)):
        groups[row[0]] = {"size_g": row[-2], "free_g": row[-1], "num_lvs": row[2], "num_pvs": row[1], "lvs": {}}
    for row in _rows(root.run(["lvs"] + how)):
        volumes[row[0]] = {"size_g": row[3], "vg": row[1]}
        groups[row[1]]["lvs"][row[0]] = {"size_g": row[3]}
    for row in _rows(root.run(["pvs"] + how)):
        physical[row[0]] = {"size_g": row[4], "free_g": row[5], "vg": row[1]}
    return {"lvm": {"lvs": volumes, "vgs": groups, "pvs": physical}}


def _rows(text: object) -> list:
    return [line.strip().split(",") for line in (text or "").splitlines() if line.strip()]


def decode_octal(text: str) -> str:
    r"""Undo the escapes of /proc/mounts (\\040 is a blank)."""
    if "\\" not in text:
        return text
    import re  # noqa: PLC0415  # it takes a host 4 ms to load, and few paths have escapes

    return re.sub(r"\\([0-7]{3})", lambda found: chr(int(found.group(1), 8)), text)


def read_mounts(root: Root) -> list:
    """Give the rows of the mount table: device, mount point, type, options, dump, passno."""
    rows = []
    for line in root.lines("/proc/self/mounts") or root.lines("/proc/mounts") or root.lines("/etc/mtab"):
        words = line.split(" ")
        if len(words) >= 4:
            rows.append([decode_octal(word) for word in words[:4]] + (words[4:6] + ["0", "0"])[:2])
    return rows


def bind_mounts(root: Root) -> set:
    """Give the mount points that show a part of a file system (its root is not /)."""
    found = set()
    for line in root.lines("/proc/self/mountinfo"):
        words = line.split(" ")
        if len(words) > 6 and words[3] != "/":
            found.add(decode_octal(words[4]))
    return found


def mounts(root: Root, timeout: float) -> dict:
    """Give the mounted file systems that have a device or a server behind them.

    A network file system may never answer: it is given `timeout` seconds.
    """
    named = _named(root, "by-uuid")
    binds = bind_mounts(root)
    found = {}  # by mount point: of several mounts over each other the last one is seen
    for device, path, kind, options, dump, passno in read_mounts(root):
        if (not device.startswith(("/", "\\")) and ":/" not in device) or kind == "none":
            continue
        uuids = named.get(os.path.basename(os.path.realpath(root.path(device))), ["N/A"])
        entry = {
            "mount": path,
            "device": device,
            "fstype": kind,
            "options": options + (",bind" if path in binds else ""),
            "dump": int(dump),
            "passno": int(passno),
            "uuid": uuids[0],
        }
        if not root.live:
            pass
        elif kind.startswith(_REMOTE):
            entry.update(_patient(path, timeout))
        else:
            entry.update(usage(path))
        found[path] = entry
    return {"mounts": list(found.values())}


def _patient(path: str, timeout: float) -> dict:
    answer = usage_in_time(path, timeout)
    return {"note": "Timed out while reading the size of the file system"} if answer is None else answer
