"""Wait until a port is open or closed, its connections have ended, or a file is there or says something."""

import mmap
import os
import re
import select
import socket
import time

from pyplay.remote.module_utils import files

OPTIONS = {
    "options": {
        "host": {"type": "str", "default": "127.0.0.1", "doc": "Name or address that has the port."},
        "port": {"type": "int", "doc": "The TCP port to watch."},
        "path": {"type": "path", "blank_unset": True, "doc": "The file to watch."},
        "state": {
            "type": "str",
            "default": "started",
            "choices": ["absent", "drained", "present", "started", "stopped"],
            "doc": "started/present: open or there; stopped/absent: closed or gone; drained: no connections.",
        },
        "search_regex": {"type": "str", "doc": "Text that the file or the port's answer must contain."},
        "timeout": {"type": "int", "default": 300, "doc": "Seconds to wait at most."},
        "connect_timeout": {"type": "int", "default": 5, "doc": "Seconds for one attempt to connect."},
        "delay": {"type": "int", "default": 0, "doc": "Seconds before the first look."},
        "sleep": {"type": "int", "default": 1, "doc": "Seconds between looks."},
        "active_connection_states": {
            "type": "list",
            "elements": "str",
            "default": ["ESTABLISHED", "FIN_WAIT1", "FIN_WAIT2", "SYN_RECV", "SYN_SENT", "TIME_WAIT"],
            "doc": "States of connections that count for drained.",
        },
        "exclude_hosts": {"type": "list", "elements": "str", "doc": "Peers that do not count for drained."},
        "msg": {"type": "str", "doc": "What to say if the time runs out."},
    },
    "mutually_exclusive": [["port", "path"]],
    "check_mode": "none",
    "diff": False,
    "identity": ["host", "port", "path"],
    "absent_undoes": False,
    "platforms": "posix",
    "returns": {
        "elapsed": "Seconds that were waited.",
        "match_groups": "The groups of search_regex.",
        "match_groupdict": "Its named groups.",
    },
}

# /proc/net/tcp's numbers: include/net/tcp_states.h
_STATES = {
    "ESTABLISHED": "01",
    "SYN_SENT": "02",
    "SYN_RECV": "03",
    "FIN_WAIT1": "04",
    "FIN_WAIT2": "05",
    "TIME_WAIT": "06",
}


class Wait:
    """One call, with its clock."""

    def __init__(self, module):
        """Start the clock and compile the pattern."""
        self.module = module
        self.args = module.args
        self.begin = time.monotonic()
        self.limit = self.begin + self.args["timeout"]
        self.match = None
        pattern = self.args["search_regex"]
        try:
            self.pattern = re.compile(pattern.encode("utf-8"), re.MULTILINE) if pattern is not None else None
        except re.error as error:
            module.fail("Invalid regular expression in search_regex: %s" % error)

    def elapsed(self):
        """Give the seconds since the start, whole."""
        return int(time.monotonic() - self.begin)

    def left(self):
        """Give the seconds that are left."""
        return self.limit - time.monotonic()

    def until(self, test, what):
        """Look until `test()` is true; fails with `what` when the time is over."""
        while not test():
            if self.left() <= 0:
                self.module.fail(self.args["msg"] or "Timeout when waiting for %s" % what, elapsed=self.elapsed())
            time.sleep(max(0, min(self.args["sleep"], self.left())))

    def connect(self):
        """Open a connection to the port; gives the socket, None where it is refused or does not answer."""
        patience = max(0.1, min(self.args["connect_timeout"], self.left() or 0.1))
        try:
            return socket.create_connection((self.args["host"], self.args["port"]), patience)
        except OSError:
            return None

    def port_open(self):
        """Tell whether the port answers, and says what it shall."""
        connection = self.connect()
        if connection is None:
            return False
        with connection:
            if self.pattern is None:
                try:
                    connection.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass
                return True
            return self.port_says(connection)

    def port_says(self, connection):
        """Read from a connection until the pattern is found or it ends."""
        data = b""
        while self.left() > 0:
            ready, _, _ = select.select([connection], [], [], max(0.0, min(self.args["connect_timeout"], self.left())))
            if not ready:
                continue
            try:
                piece = connection.recv(4096)
            except OSError:
                return False
            if not piece:
                return False
            data += piece
            self.match = self.pattern.search(data)
            if self.match:
                return True
        return False

    def port_closed(self):
        """Tell whether the port refuses."""
        connection = self.connect()
        if connection is not None:
            connection.close()
        return connection is None

    def file_there(self):
        """Tell whether the file is there, and says what it shall."""
        path = self.args["path"]
        if self.pattern is None:
            return os.path.exists(path)
        try:
            with open(path, "rb") as stream:
                try:
                    with mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as view:
                        found = self.pattern.search(view)
                        self.match = self.pattern.search(bytes(view[found.start() : found.end()])) if found else None
                        if found and not self.match:  # the pattern looks around itself
                            self.match = self.pattern.search(bytes(view))
                except (ValueError, OSError):  # an empty file, or one in /proc, cannot be mapped
                    self.match = self.pattern.search(stream.read())
        except OSError:
            return False
        return self.match is not None

    def file_gone(self):
        """Tell whether the file is gone, or does not say it."""
        return not self.file_there() if self.pattern is not None else not os.path.exists(self.args["path"])

    def drained(self):
        """Tell whether no connection to the port is left."""
        return connections(self.args) == 0

    def groups(self):
        """Give the groups of the match, numbered and named."""
        if self.match is None:
            return [], {}
        numbered = [_text(group) for group in self.match.groups()]
        return numbered, {name: _text(group) for name, group in self.match.groupdict().items()}


def _text(group):
    return None if group is None else group.decode("utf-8", "backslashreplace")


def _address(text):
    """Read an address of /proc/net/tcp: words of 4 bytes in the host's order."""
    data = b"".join(bytes(reversed(bytes.fromhex(text[at : at + 8]))) for at in range(0, len(text), 8))
    if len(data) == 16 and data[:12] == b"\0" * 10 + b"\xff\xff":
        data = data[12:]
    return data


def _resolve(names):
    found = set()
    for name in names:
        try:
            rows = socket.getaddrinfo(name, None)
        except OSError:
            continue
        for family, _, _, _, address in rows:
            found.add(socket.inet_pton(family, address[0].partition("%")[0]))
    return found


def connections(args):
    """Give how many connections to the port there are, of the states and peers that count."""
    states = {_STATES[name] for name in args["active_connection_states"] if name in _STATES}
    excluded = _resolve(args["exclude_hosts"] or ())
    anywhere = args["host"] in ("0.0.0.0", "::", "")  # compared, not bound
    mine = _resolve([args["host"]])
    count = 0
    for path in ("/proc/net/tcp", "/proc/net/tcp6"):
        try:
            with open(path) as stream:
                rows = stream.read().splitlines()[1:]
        except OSError:
            continue
        for row in rows:
            words = row.split()
            local, remote, state = words[1], words[2], words[3]
            address, _, port = local.partition(":")
            if state not in states or int(port, 16) != args["port"] or _address(remote.partition(":")[0]) in excluded:
                continue
            if anywhere or _address(address) in mine or not any(_address(address)):
                count += 1
    return count


def run(module):
    """Wait."""
    args = module.args
    wait = Wait(module)
    state = args["state"]
    if args["path"] and state in ("stopped", "drained"):
        module.fail("state=%s is for ports, not for files" % state)
    if args["port"] is None and state == "drained":
        module.fail("state=drained needs a port")
    unknown = [name for name in args["active_connection_states"] if name not in _STATES]
    if args["exclude_hosts"] and state != "drained":
        module.fail("exclude_hosts is only for state=drained")
    if unknown:
        known = ", ".join(sorted(_STATES))
        module.fail("unknown active_connection_state (%s), there are: %s" % (unknown[0], known), elapsed=0)
    if args["delay"]:
        time.sleep(args["delay"])
    where = args["path"] or "%s:%s" % (args["host"], args["port"])
    wanted = "file %s" % where if args["path"] else where
    if args["search_regex"]:
        wanted = "search string %s in %s" % (args["search_regex"], where)
    if args["port"] is None and args["path"] is None:
        time.sleep(args["timeout"])  # `delay` comes on top, where there is nothing to look at
    elif state in ("absent", "stopped"):
        test = wait.file_gone if args["path"] else wait.port_closed
        wait.until(test, "%s to %s" % (where, "be absent" if args["path"] else "stop"))
    elif state == "drained":
        wait.until(wait.drained, "%s to drain" % where)
    else:
        test = wait.file_there if args["path"] else wait.port_open
        wait.until(test, wanted)
    numbered, named = wait.groups()
    result = {"state": state, "port": args["port"], "search_regex": args["search_regex"], "path": args["path"]}
    result.update(match_groups=numbered, match_groupdict=named, elapsed=wait.elapsed())
    if args["path"]:
        result.update(
            {key: value for key, value in files.describe(args["path"]).items() if key != "state" or value != "absent"}
        )
    return result


if __name__ == "__main__":
    from pyplay.remote.module_utils.module import main

    main(run, OPTIONS)
