"""Network interfaces, addresses and default routes."""

import _socket  # see `netlink`
import struct

from pyplay.remote.module_utils.facts.netlink import Netlink
from pyplay.remote.module_utils.facts.root import Root

_TYPES = {"1": "ether", "32": "infiniband", "512": "ppp", "772": "loopback", "65534": "tunnel"}
_SCOPES = {0: "global", 200: "site", 253: "link", 254: "host", 255: "nowhere"}
_SECONDARY = 0x01
_OUTSIDE_4 = bytes((8, 8, 8, 8))  # any address that is not ours: only the way to it is asked, nothing is sent
_OUTSIDE_6 = _socket.inet_pton(_socket.AF_INET6, "2404:6800:400a:800::1012")


def collect(root: Root) -> dict:
    """Give the network facts, one for each interface included."""
    interfaces = {name: _interface(root, name) for name in _interface_names(root)}
    if root.program("ethtool"):
        from pyplay.remote.module_utils.facts import ethtool  # noqa: PLC0415  # rarely installed

        for name, interface in interfaces.items():
            interface.update(ethtool.collect(root, name))
    facts = {"all_ipv4_addresses": [], "all_ipv6_addresses": [], "default_ipv4": {}, "default_ipv6": {}}
    facts["locally_reachable_ips"] = {"ipv4": [], "ipv6": []}
    indices = {root.text("/sys/class/net/%s/ifindex" % name): name for name in interfaces}
    opened = root.netlink or (Netlink if root.live else None)
    if opened:
        try:
            with opened() as netlink:
                known = _addresses(netlink, interfaces, indices, facts)
                _local(netlink, facts["locally_reachable_ips"])
                _default(netlink, _socket.AF_INET, _OUTSIDE_4, interfaces, indices, known, facts)
                _default(netlink, _socket.AF_INET6, _OUTSIDE_6, interfaces, indices, known, facts)
        except OSError:
            pass  # a container without netlink: what /sys tells is all there is
    facts["interfaces"] = list(interfaces)
    for name, interface in interfaces.items():
        facts[name.replace("-", "_")] = interface
    return facts


def _interface_names(root: Root) -> list:
    return [name for name in root.names("/sys/class/net") if root.exists("/sys/class/net/%s/type" % name)]


def _interface(root: Root, name: str) -> dict:
    base = "/sys/class/net/" + name
    found = {"device": name}

    def number(file: str) -> object:
        text = root.text("%s/%s" % (base, file), "")
        return int(text) if (text[1:] if text.startswith("-") else text).isdecimal() else None

    address = root.text(base + "/address", "")
    if address and address != "00:00:00:00:00:00":
        found["macaddress"] = address
    mtu = number("mtu")
    if mtu is not None:
        found["mtu"] = mtu
    found["active"] = root.text(base + "/operstate", "") != "down"
    hardware = root.exists(base + "/device")
    if hardware and root.exists(base + "/device/driver/module"):
        found["module"] = root.leads_to(base + "/device/driver/module") or "module"
    found["type"] = _TYPES.get(root.text(base + "/type", ""), "unknown")
    if root.exists(base + "/bridge"):
        found["type"] = "bridge"
        found["interfaces"] = root.names(base + "/brif")
        found["stp"] = root.text(base + "/bridge/stp_state") == "1"
        if root.text(base + "/bridge/bridge_id"):
            found["id"] = root.text(base + "/bridge/bridge_id")
    if root.exists(base + "/bonding"):
        _bonding(root, base, found)
    if root.exists(base + "/bonding_slave"):
        for key in ("perm_hwaddr", "perm_macaddress"):
            permanent = root.text("%s/bonding_slave/%s" % (base, key))
            if permanent:
                found["perm_macaddress"] = permanent
    if hardware:
        found["pciid"] = root.leads_to(base + "/device") or "device"
    speed = number("speed")
    if speed is not None:
        found["speed"] = speed
    flags = root.text(base + "/flags", "0x0")
    found["promisc"] = bool(int(flags, 16) & 0x100)
    return found


def _bonding(root: Root, base: str, found: dict) -> None:
    def value(file: str) -> str:
        return root.text("%s/bonding/%s" % (base, file), "")

    found["type"] = "bonding"
    found["slaves"] = value("slaves").split()
    found["mode"] = (value("mode").split() or [""])[0]
    found["miimon"] = (value("miimon").split() or [""])[0]
    found["lacp_rate"] = (value("lacp_rate").split() or [""])[0]
    primary = value("primary")
    if primary:
        found["primary"] = primary
        found["all_slaves_active"] = value("all_slaves_active") == "1"


def _spell(data: bytes) -> str:
    return _socket.inet_ntop(_socket.AF_INET if len(data) == 4 else _socket.AF_INET6, data)


def _addresses(netlink: Netlink, interfaces: dict, indices: dict, facts: dict) -> dict:
    """Note the addresses of all interfaces; gives them by address, those of IPv4 with the `alias` they stand under."""
    known = {}
    for index, family, prefix, flags, scope, found in netlink.addresses():
        name = indices.get(str(index))
        if name is None:
            continue
        if family == _socket.AF_INET:
            entry = _ipv4(interfaces, name, prefix, flags, found)
            known[entry["address"]] = entry
            if not entry["address"].startswith("127."):
                facts["all_ipv4_addresses"].append(entry["address"])
        elif family == _socket.AF_INET6:
            address = _spell(found.get(2) or found[1])
            entry = {"address": address, "prefix": str(prefix), "scope": _SCOPES.get(scope, str(scope))}
            interfaces[name].setdefault("ipv6", []).append(entry)
            known[address] = entry
            if address != "::1":
                facts["all_ipv6_addresses"].append(address)
    return known


def _ipv4(interfaces: dict, name: str, prefix: int, flags: int, found: dict) -> dict:
    """Note an address of IPv4 at its interface, or at what its label names: eth0:1 is listed as eth0_1."""
    address = _spell(found.get(2) or found[1])
    mask = (0xFFFFFFFF << (32 - prefix)) & 0xFFFFFFFF
    network = struct.unpack("!I", _socket.inet_aton(address))[0] & mask
    entry = {
        "address": address,
        "broadcast": _spell(found[4]) if 4 in found else "",
        "netmask": _spell(struct.pack("!I", mask)),
        "network": _spell(struct.pack("!I", network)),
        "prefix": str(prefix),
    }
    alias = found[3].rstrip(b"\0").decode("ascii", "replace") if 3 in found else name
    label = alias.replace(":", "_")
    if flags & _SECONDARY:
        for owner in (name,) if label == name else (name, label):
            interfaces.setdefault(owner, {}).setdefault("ipv4_secondaries", []).append(entry)
    elif "ipv4" in interfaces.setdefault(label, {}):
        interfaces[label].setdefault("ipv4_secondaries", []).append(entry)
    else:
        interfaces[label]["ipv4"] = entry
    return dict(entry, alias=alias)


def _local(netlink: Netlink, facts: dict) -> None:
    for key, family, full in (("ipv4", _socket.AF_INET, 32), ("ipv6", _socket.AF_INET6, 128)):
        try:
            rows = netlink.local_routes(family)
        except OSError:
            continue
        for data, prefix in rows:
            text = _spell(data) + ("/%d" % prefix if prefix != full else "")
            if text not in facts[key]:
                facts[key].append(text)


def _default(
    netlink: Netlink, family: int, outside: bytes, interfaces: dict, indices: dict, known: dict, facts: dict
) -> None:
    key = "default_ipv4" if family == _socket.AF_INET else "default_ipv6"
    try:
        route = netlink.route_to(family, outside)
    except OSError:
        return
    if 4 not in route or 7 not in route:
        return
    name = indices.get(str(struct.unpack("=I", route[4])[0]), "")
    default = {"interface": name, "address": _spell(route[7])}
    if 5 in route:
        default["gateway"] = _spell(route[5])
    if default["address"] in known:
        device = interfaces.get(name, {})
        default["macaddress"] = device.get("macaddress", "")
        default.update((field, device[field]) for field in ("mtu", "type") if field in device)
        default.update(known[default["address"]])
    facts[key] = default
