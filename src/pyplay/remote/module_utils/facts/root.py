"""Reading the host's files; a directory can stand for `/`, so that recorded hosts can be examined."""

import os


class Root:
    """The file tree that facts are read from. `live` is true for the running host itself."""

    def __init__(
        self, prefix: str = "", kernel: object = None, commands: object = None, netlink: object = None
    ) -> None:
        """Take the directory that stands for `/`, "" for the host itself.

        For a recorded host also what uname(2) says there, what commands print: {"sysctl -n hw.model": text}, and what
        gives, when it is called, a Netlink of its routing tables.
        """
        self.prefix = prefix.rstrip("/")
        self.live = not self.prefix
        self.commands = commands or {}
        self.netlink = netlink
        self._kernel = kernel

    def uname(self) -> object:
        """Give names of kernel, host and machine, as os.uname does."""
        return self._kernel or os.uname()

    def path(self, path: str) -> str:
        """Give where the absolute `path` really is."""
        return self.prefix + path

    def text(self, path: str, default: object = None) -> object:
        """Give a file's text without blanks at its ends, `default` where it cannot be read or is empty."""
        try:
            number = os.open(self.prefix + path, os.O_RDONLY)  # a file object would cost more than what is read
        except OSError:
            return default
        pieces = [b""]
        try:
            while len(pieces) == 1 or pieces[-1]:
                pieces.append(os.read(number, 1 << 16))
                if path.startswith("/sys/"):  # an attribute, which comes whole
                    break
        except OSError:
            return default
        finally:
            os.close(number)
        return b"".join(pieces).decode("utf-8", "replace").strip() or default

    def lines(self, path: str) -> list:
        """Give the lines of a file, none where it cannot be read."""
        return self.text(path, "").splitlines()

    def exists(self, path: str) -> bool:
        """Tell whether something is at `path`."""
        return os.path.exists(self.prefix + path)

    def names(self, path: str) -> list:
        """Give the sorted names in a directory, none where it cannot be read."""
        try:
            return sorted(os.listdir(self.prefix + path))
        except OSError:
            return []

    def leads_to(self, path: str) -> str:
        """Give the last name of what a link leads to, "" where it is no link."""
        return os.path.basename(self.link(path))

    def link(self, path: str) -> str:
        """Give what a link holds, "" where it is no link."""
        try:
            return os.readlink(self.prefix + path)
        except OSError:
            return ""

    def program(self, name: str) -> object:
        """Give the path of a program, None where it is not there. A recorded host has those whose output it knows."""
        if not self.live:
            return name if any(line.split(" ")[0] == name for line in self.commands) else None
        from pyplay.remote.module_utils import process  # noqa: PLC0415  # few facts need a program

        return process.find(name)

    def run(self, argv: list) -> object:
        """Give what a program prints, None where it is not there, fails, or takes more than ten seconds."""
        if not self.live:
            return self.commands.get(" ".join(argv))
        program = self.program(argv[0])
        if program is None:
            return None
        from pyplay.remote.module_utils import process  # noqa: PLC0415  # as above

        try:
            rc, out, _ = process.run([program] + list(argv[1:]), timeout=10)
        except OSError:
            return None
        return out if rc == 0 else None


def assignments(text: str) -> dict:
    """Read NAME=value lines as /etc/os-release has them; quotes are taken off."""
    values = {}
    for line in text.splitlines():
        name, equals, value = line.strip().partition("=")
        if equals and not name.startswith("#"):
            value = value.strip()
            if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
                value = value[1:-1].replace('\\"', '"').replace("\\$", "$")
            values[name] = value
    return values
