"""Links, addresses and routes as the kernel has them, asked over a netlink socket. Source: rtnetlink(7)."""

import _socket  # `socket` wraps it in enums and files: two milliseconds of its import
import struct

GETLINK, GETADDR, GETROUTE = 18, 22, 26
_REQUEST, _DUMP = 1, 0x300
_ERROR, _DONE = 2, 3
TABLE_LOCAL, TYPE_LOCAL = 255, 2


def attributes(data: bytes) -> dict:
    """Split a row of attributes: {type: payload}."""
    found = {}
    while len(data) >= 4:
        size, kind = struct.unpack_from("=HH", data)
        if size < 4:
            break
        found[kind & 0x3FFF] = data[4:size]
        data = data[(size + 3) & ~3 :]
    return found


class Netlink:
    """A socket to the kernel's routing tables; a context manager. Raises OSError where there is none."""

    def __init__(self) -> None:
        """Open the socket."""
        self.socket = _socket.socket(_socket.AF_NETLINK, _socket.SOCK_RAW | _socket.SOCK_CLOEXEC, 0)
        self.socket.settimeout(5)
        self.sequence = 0

    def __enter__(self) -> "Netlink":
        return self

    def __exit__(self, *about: object) -> None:
        self.socket.close()

    def ask(self, kind: int, body: bytes, dump: bool = True) -> list:
        """Send one request and give the bodies of the answers. Raises OSError where the kernel refuses."""
        self.sequence += 1
        flags = _REQUEST | (_DUMP if dump else 0)
        self.socket.send(struct.pack("=LHHLL", 16 + len(body), kind, flags, self.sequence, 0) + body)
        answers = []
        while True:
            data = self.socket.recv(1 << 17)
            while len(data) >= 16:
                size, what, _, sequence, _ = struct.unpack_from("=LHHLL", data)
                body = data[16:size]
                data = data[(size + 3) & ~3 :]
                if sequence != self.sequence:
                    continue
                if what == _DONE:
                    return answers
                if what == _ERROR:
                    number = -struct.unpack_from("=i", body)[0]
                    raise OSError(number, "netlink")
                answers.append(body)
            if not dump:
                return answers

    def addresses(self) -> list:
        """Give every address: (index, family, prefix, flags, scope, attributes)."""
        rows = []
        for body in self.ask(GETADDR, struct.pack("=BBBBi", 0, 0, 0, 0, 0)):
            family, prefix, flags, scope, index = struct.unpack_from("=BBBBI", body)
            rows.append((index, family, prefix, flags, scope, attributes(body[8:])))
        return rows

    def local_routes(self, family: int) -> list:
        """Give the destinations that are this host itself: (address bytes, prefix length)."""
        rows = []
        for body in self.ask(GETROUTE, struct.pack("=BBBBBBBBI", family, 0, 0, 0, TABLE_LOCAL, 0, 0, TYPE_LOCAL, 0)):
            prefix, table, kind = body[1], body[4], body[7]
            found = attributes(body[12:])
            if 15 in found:
                table = struct.unpack("=I", found[15])[0]
            if table == TABLE_LOCAL and kind == TYPE_LOCAL and 1 in found:
                rows.append((found[1], prefix))
        return rows

    def route_to(self, family: int, destination: bytes) -> dict:
        """Give how a packet to `destination` would leave: attributes of the route (4 oif, 5 gateway, 7 source)."""
        body = struct.pack("=BBBBBBBBI", family, len(destination) * 8, 0, 0, 0, 0, 0, 0, 0)
        body += struct.pack("=HH", 4 + len(destination), 1) + destination
        answers = self.ask(GETROUTE, body, dump=False)
        return attributes(answers[0][12:]) if answers else {}
