"""Asking and driving APT through its programs: dpkg-query, apt-cache, apt-get.

The programs are used and not python3-apt: they work under every interpreter, and asking dpkg what is installed takes a
twentieth of the time that opening python3-apt's cache takes.
"""

import fnmatch
import os
import re
import time

from pyplay.remote.module_utils import process

LISTS = "/var/lib/apt/lists"
STAMP = "/var/lib/apt/periodic/update-success-stamp"
NOTHING = re.compile(r"^0 upgraded, 0 newly installed, (?:0 downgraded, )?0 to remove", re.MULTILINE)
_LOCKED = re.compile(r"Could not get lock|Unable to lock|Unable to acquire the dpkg frontend lock")
ENVIRONMENT = {
    "DEBIAN_FRONTEND": "noninteractive",
    "DEBIAN_PRIORITY": "critical",
    "APT_LISTCHANGES_FRONTEND": "none",
    "NEEDRESTART_MODE": "l",
}


class Spec:
    """A package as a task names it: name[:arch], maybe a version (with globs) or a lower bound."""

    __slots__ = ("name", "text", "version", "version_at_least")

    def __init__(self, text: str) -> None:
        """Take `name`, `name=1.2*` or `name>=1.2`."""
        self.text = text.strip()
        self.version = None
        self.version_at_least = False
        if ">=" in self.text:
            self.name, self.version = (part.strip() for part in self.text.split(">=", 1))
            self.version_at_least = True
        elif "=" in self.text:
            self.name, self.version = (part.strip() for part in self.text.split("=", 1))
        else:
            self.name = self.text

    @property
    def globbed(self) -> bool:
        """Whether the name stands for several."""
        return bool(re.search(r"[*?\[]", self.name))

    def accepts(self, version: str) -> bool:
        """Tell whether an installed or available version is one that is asked for."""
        if self.version is None:
            return True
        if self.version_at_least:
            return compare(version, "ge", self.version)
        return fnmatch.fnmatchcase(version, self.version)


def compare(one: str, operator: str, other: str) -> bool:
    """Compare versions as dpkg does; `operator` is lt, le, eq, ne, ge or gt."""
    return process.run(["dpkg", "--compare-versions", one, operator, other])[0] == 0


def installed(names: list) -> dict:
    """Give {name and name:arch: (version, status)} of the packages that dpkg knows among `names` (globs allowed)."""
    form = "${Package}\\t${Architecture}\\t${Version}\\t${db:Status-Status}\\n"
    _, out, _ = process.run(["dpkg-query", "-W", "-f", form, "--"] + list(names))
    found = {}
    for line in out.splitlines():
        name, architecture, version, status = line.split("\t")
        found["%s:%s" % (name, architecture)] = (version, status)
        if found.get(name, ("", ""))[1] != "installed":
            found[name] = (version, status)
    return found


def provided(names: list) -> set:
    """Give those of `names` (virtual packages) that an installed package provides."""
    _, out, _ = process.run(["dpkg-query", "-W", "-f", "${db:Status-Status}\\t${Provides}\\n"])
    virtual = set()
    for line in out.splitlines():
        status, _, provides = line.partition("\t")
        if status == "installed" and provides:
            virtual.update(item.split("(")[0].strip().split(":")[0] for item in provides.split(","))
    return {name for name in names if name in virtual}


class Available:
    """What the package lists know of one package."""

    __slots__ = ("candidate", "versions")

    def __init__(self) -> None:
        """Begin with nothing."""
        self.candidate = None
        self.versions = []


def available(names: list, release: object = None) -> dict:
    """Give {name: Available} for the real packages among `names`; `release` is preferred as by apt-get -t."""
    options = ["-o", "APT::Default-Release=%s" % release] if release else []
    _, out, _ = process.run(["apt-cache"] + options + ["policy"] + list(names))
    found = {}
    current = None
    for line in out.splitlines():
        if line and not line.startswith(" "):
            current = found.setdefault(line.rstrip(":"), Available())
        elif current is not None:
            candidate = re.match(r"  Candidate: (\S+)", line)
            version = re.match(r"(?: \*\*\*|    ) (\S+) -?\d+$", line)
            if candidate and candidate.group(1) != "(none)":
                current.candidate = candidate.group(1)
            elif version:
                current.versions.append(version.group(1))
    return found


def virtual(name: str) -> bool:
    """Tell whether some available package provides `name`."""
    _, out, _ = process.run(["apt-cache", "showpkg", name])
    _, _, providers = out.partition("Reverse Provides:")
    return bool(providers.strip())


def all_names() -> list:
    """Give the names of all packages that the lists know."""
    return process.run(["apt-cache", "pkgnames"])[1].split()


def automatic() -> set:
    """Give the names of packages that were installed only because others need them."""
    names, name = set(), ""
    try:
        with open("/var/lib/apt/extended_states") as stream:
            for line in stream:
                if line.startswith("Package: "):
                    name = line[9:].strip()
                elif line.startswith("Auto-Installed: 1"):
                    names.add(name)
    except OSError:
        pass
    return names


def cache_time() -> int:
    """Give when the package lists were last brought up to date, in seconds since 1970; 0 if never."""
    for path in (STAMP, LISTS):
        try:
            return int(os.stat(path).st_mtime)
        except OSError:
            continue
    return 0


def patiently(argv: list, patience: float) -> tuple:
    """Run an APT program, again while another one holds the lock, for up to `patience` seconds."""
    limit = time.monotonic() + patience
    while True:
        rc, out, err = process.run(argv, environment=ENVIRONMENT)
        if rc == 0 or not _LOCKED.search(err) or time.monotonic() > limit:
            return rc, out, err
        time.sleep(1)


def summary(out: str) -> str:
    """Give the part of apt-get's output that tells what it will do, for the diff."""
    kept = []
    for line in out.partition("Reading state information...\n")[2].splitlines():
        kept.append(line)
        if re.match(r"\d+ upgraded", line):
            break
    return "\n".join(kept)
