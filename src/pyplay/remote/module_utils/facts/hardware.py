"""Processor, memory, firmware (DMI) and uptime."""

import os

from pyplay.remote.module_utils.facts.root import Root

# SMBIOS specification 3.5, table 17: chassis types from 1
_CHASSIS = (
    "Other", "Unknown", "Desktop", "Low Profile Desktop", "Pizza Box", "Mini Tower", "Tower", "Portable", "Laptop",
    "Notebook", "Hand Held", "Docking Station", "All In One", "Sub Notebook", "Space-saving", "Lunch Box",
    "Main Server Chassis", "Expansion Chassis", "Sub Chassis", "Bus Expansion Chassis", "Peripheral Chassis",
    "RAID Chassis", "Rack Mount Chassis", "Sealed-case PC", "Multi-system", "CompactPCI", "AdvancedTCA", "Blade",
    "Blade Enclosure", "Tablet", "Convertible", "Detachable", "IoT Gateway", "Embedded PC", "Mini PC", "Stick PC",
)  # fmt: skip

_DMI = (
    ("bios_date", "bios_date"),
    ("bios_vendor", "bios_vendor"),
    ("bios_version", "bios_version"),
    ("board_asset_tag", "board_asset_tag"),
    ("board_name", "board_name"),
    ("board_serial", "board_serial"),
    ("board_vendor", "board_vendor"),
    ("board_version", "board_version"),
    ("chassis_asset_tag", "chassis_asset_tag"),
    ("chassis_serial", "chassis_serial"),
    ("chassis_vendor", "chassis_vendor"),
    ("chassis_version", "chassis_version"),
    ("form_factor", "chassis_type"),
    ("product_name", "product_name"),
    ("product_serial", "product_serial"),
    ("product_uuid", "product_uuid"),
    ("product_version", "product_version"),
    ("system_vendor", "sys_vendor"),
)


def dmi(root: Root) -> dict:
    """Give what the firmware says of the machine; NA where it says nothing or this user may not read it."""
    if not root.exists("/sys/devices/virtual/dmi/id/product_name"):
        from pyplay.remote.module_utils.facts import dmidecode  # noqa: PLC0415  # rarely needed

        return dmidecode.collect(root)
    facts = {}
    for name, file in _DMI:
        value = root.text("/sys/devices/virtual/dmi/id/" + file)
        if value is None:
            value = "NA"
        elif name == "form_factor" and value.isdigit():
            value = _CHASSIS[int(value) - 1] if 0 < int(value) <= len(_CHASSIS) else "unknown (%s)" % value
        facts[name] = value
    return facts


def processor(root: Root) -> dict:
    """Give the processors: one index, vendor and model each, and how many sockets, cores and threads there are."""
    listed, sockets, cores, siblings = [], {}, {}, {}
    socket, count = "0", 0
    flags = None
    for line in root.lines("/proc/cpuinfo"):
        key, _, value = (part.strip() for part in line.partition(":"))
        if key == "processor":
            count += 1
            listed.append(value)
        elif key in ("vendor_id", "model name", "Model Name", "vendor", "cpu", "Vendor", "family"):
            listed.append(value)
        elif key == "physical id":
            socket = value
            sockets.setdefault(socket, 0)
            sockets[socket] += 1
        elif key == "cpu cores":
            cores[socket] = int(value)
        elif key == "siblings":
            siblings[socket] = int(value)
        elif key == "flags" and flags is None:
            flags = value.split()
        elif key == "# processors":  # s390x: one socket
            cores[socket], sockets[socket] = int(value), 1
        elif key == "ncpus active":  # sparc64
            count = int(value)
    facts = {"processor": listed}
    if flags is not None:
        facts["flags"] = flags
    if sockets and cores:
        per_socket = next(iter(cores.values()))
        threads = max(1, next(iter(siblings.values()), per_socket) // max(per_socket, 1))
        facts["processor_count"] = len(sockets)
    else:
        per_socket, threads = 1, 1
        facts["processor_count"] = count or 1
    facts["processor_cores"] = per_socket
    facts["processor_threads_per_core"] = threads
    facts["processor_vcpus"] = facts["processor_count"] * per_socket * threads
    facts["processor_nproc"] = len(os.sched_getaffinity(0)) if root.live else count
    return facts


def memory(root: Root) -> dict:
    """Give sizes of memory and swap in MiB."""
    sizes = {}
    for line in root.lines("/proc/meminfo"):
        name, _, rest = line.partition(":")
        words = rest.split()
        if words and words[0].isdigit():
            sizes[name] = int(words[0]) // 1024
    if "MemTotal" not in sizes:
        return {}

    def size(name: str) -> int:
        return sizes.get(name, 0)

    free_without_cache = size("MemFree") + size("Cached") + size("Buffers")
    return {
        "memtotal_mb": size("MemTotal"),
        "memfree_mb": size("MemFree"),
        "swaptotal_mb": size("SwapTotal"),
        "swapfree_mb": size("SwapFree"),
        "memory_mb": {
            "real": {
                "total": size("MemTotal"),
                "used": size("MemTotal") - size("MemFree"),
                "free": size("MemFree"),
            },
            "nocache": {"free": free_without_cache, "used": size("MemTotal") - free_without_cache},
            "swap": {
                "total": size("SwapTotal"),
                "free": size("SwapFree"),
                "used": size("SwapTotal") - size("SwapFree"),
                "cached": size("SwapCached"),
            },
        },
    }


def uptime(root: Root) -> dict:
    """Give for how many seconds the host has been up."""
    text = root.text("/proc/uptime", "")
    return {"uptime_seconds": int(float(text.split()[0]))} if text else {}
