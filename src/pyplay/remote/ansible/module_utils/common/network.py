"""Addresses and masks, as text."""

import re
import socket
import struct

VALID_MASKS = [2**8 - 2**bits for bits in range(9)]


def is_netmask(val):
    """Tell whether this is a dotted netmask."""
    parts = str(val).split(".")
    if len(parts) != 4:
        return False
    try:
        return all(int(part) in VALID_MASKS for part in parts)
    except ValueError:
        return False


def is_masklen(val):
    """Tell whether this is the length of an IPv4 prefix."""
    try:
        return 0 <= int(val) <= 32
    except ValueError:
        return False


def to_netmask(val):
    """Give the netmask of a prefix length. Raises ValueError."""
    if not is_masklen(val):
        raise ValueError("%r is no prefix length" % (val,))
    bits = ~((1 << (32 - int(val))) - 1) & 0xFFFFFFFF
    return socket.inet_ntoa(struct.pack("!L", bits))


def to_masklen(val):
    """Give the prefix length of a netmask. Raises ValueError."""
    if not is_netmask(val):
        raise ValueError("%r is no netmask" % (val,))
    return to_bits(val).count("1")


def to_subnet(addr, mask, dotted_notation=False):
    """Give the network of an address as a.b.c.d/len, or with `dotted_notation` with its netmask. Raises ValueError."""
    length = to_masklen(mask) if is_netmask(mask) else int(mask)
    netmask = to_netmask(length)
    network = struct.unpack("!L", socket.inet_aton(addr))[0] & struct.unpack("!L", socket.inet_aton(netmask))[0]
    text = socket.inet_ntoa(struct.pack("!L", network))
    return "%s %s" % (text, netmask) if dotted_notation else "%s/%s" % (text, length)


def _first_groups(addr, count):
    """Give the first groups of an IPv6 address, `::` after them."""
    head, double, tail = addr.partition("::")
    groups = head.split(":") if head else []
    if double:
        rest = tail.split(":") if tail else []
        groups += ["0"] * (8 - len(groups) - len(rest)) + rest
    groups = groups[:count]
    while groups and not int(groups[-1] or "0", 16):
        groups.pop()
    return ":".join(groups) + "::"


def to_ipv6_network(addr):
    """Give the /48 network of an IPv6 address."""
    return _first_groups(addr, 3)


def to_ipv6_subnet(addr):
    """Give the /64 network of an IPv6 address."""
    return _first_groups(addr, 4)


def to_bits(val):
    """Give a netmask as a text of ones and zeros."""
    return "".join("{0:08b}".format(int(part)) for part in val.split("."))


def is_mac(mac_address):
    """Tell whether this is a MAC address."""
    return re.match(r"[0-9a-f]{2}([-:])[0-9a-f]{2}(\1[0-9a-f]{2}){4}$", mac_address.lower()) is not None
