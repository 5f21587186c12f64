"""Listing installed packages, one function for each package manager."""

import os
import re


def apt(module: object) -> list:
    """Give the packages that dpkg has installed."""
    form = "${db:Status-Status}\\t${Package}\\t${Version}\\t${Architecture}\\t${Section}\\n"
    _, out, _ = module.run_command(["dpkg-query", "-W", "-f", form], check=True)
    found = []
    for line in out.splitlines():
        status, name, version, architecture, section = line.split("\t")
        if status == "installed":
            entry = {"name": name, "version": version, "arch": architecture, "category": section}
            found.append(entry)
    origins = _apt_origins(module, [entry["name"] for entry in found])
    for entry in found:
        entry["origin"] = origins.get(entry["name"], "")
    return found


def _apt_origins(module: object, names: list) -> dict:
    """Give who made the installed version of each package, as the release that holds it says (its field Origin).

    One that no release holds has none. Source: `policy` in apt-cache(8).
    """
    if not names or module.find_program("apt-cache") is None:
        return {}
    _, releases, _ = module.run_command(["apt-cache", "policy"])
    makers = dict(re.findall(r"^ *-?\d+ (.*)\n +release (?:.*,)?o=([^,\n]*)", releases, re.MULTILINE))
    found, name, installed = {}, "", False
    _, policy, _ = module.run_command(["apt-cache", "policy"] + names)
    for line in policy.splitlines():
        if not line.startswith(" "):
            name = line.rstrip(":").partition(":")[0]
        elif not line.startswith(" " * 8):
            installed = line.startswith(" *** ")
        elif installed:
            found.setdefault(name, makers.get(line.strip().partition(" ")[2], ""))
    return found


def rpm(module: object) -> list:
    """Give the packages that rpm has installed."""
    form = "%{NAME}\\t%{VERSION}\\t%{RELEASE}\\t%{EPOCH}\\t%{ARCH}\\n"
    _, out, _ = module.run_command(["rpm", "-qa", "--qf", form], check=True)
    found = []
    for line in out.splitlines():
        name, version, release, epoch, architecture = line.split("\t")
        number = int(epoch) if epoch.isdigit() else None
        architecture = None if architecture == "(none)" else architecture
        entry = {"name": name, "version": version, "release": release, "epoch": number, "arch": architecture}
        found.append(entry)
    return found


def pacman(module: object) -> list:
    """Give the packages that pacman has installed."""
    _, out, _ = module.run_command(["pacman", "-Qi"], check=True)
    found = []
    for block in out.split("\n\n"):
        fields = {}
        for line in block.splitlines():
            name, colon, value = line.partition(" : ")
            if colon:
                fields[name.strip()] = value.strip()
        if "Name" in fields:
            found.append({"name": fields["Name"], "version": fields["Version"], "arch": fields.get("Architecture")})
    return found


def apk(module: object) -> list:
    """Give the packages in apk's database."""
    found = []
    with open("/lib/apk/db/installed") as stream:
        for block in stream.read().split("\n\n"):
            fields = dict(line.split(":", 1) for line in block.splitlines() if line[1:2] == ":")
            if "P" in fields:
                version, _, release = fields["V"].rpartition("-r")
                found.append({"name": fields["P"], "version": version, "release": release})
    del module
    return found


def portage(module: object) -> list:
    """Give the packages in portage's database: /var/db/pkg/CATEGORY/NAME-VERSION."""
    del module
    found = []
    top = "/var/db/pkg"
    for category in sorted(os.listdir(top)):
        for item in sorted(os.listdir(os.path.join(top, category))):
            match = re.match(r"(.+?)-(\d[^-]*(?:-r\d+)?)$", item)
            if match:
                found.append({"name": match.group(1), "version": match.group(2), "category": category})
    return found


def pkg(module: object) -> list:
    """Give the packages of FreeBSD's pkg."""
    _, out, _ = module.run_command(["pkg", "query", "%n\t%v\t%o\t%q"], check=True)
    found = []
    for line in out.splitlines():
        name, version, origin, architecture = line.split("\t")
        found.append({"name": name, "version": version, "origin": origin, "arch": architecture})
    return found


def pkg5(module: object) -> list:
    """Give the packages of Solaris."""
    _, out, _ = module.run_command(["pkg", "list", "-Hv"], check=True)
    found = []
    for line in out.splitlines():
        name, _, version = line.split()[0].rpartition("@")
        found.append({"name": name.rpartition("/")[2], "version": version.split(",")[0]})
    return found


def pkg_info(module: object) -> list:
    """Give the packages of OpenBSD and NetBSD."""
    _, out, _ = module.run_command(["pkg_info", "-a"], check=True)
    found = []
    for line in out.splitlines():
        name, _, version = (line.split() or [""])[0].rpartition("-")
        if name:
            found.append({"name": name, "version": version})
    return found


# in the order in which `auto` tries them; the program that tells whether the manager is there
MANAGERS = {
    "apt": ("dpkg-query", apt),
    "rpm": ("rpm", rpm),
    "pacman": ("pacman", pacman),
    "apk": ("apk", apk),
    "portage": ("emerge", portage),
    "pkg": ("pkg", pkg),
    "pkg5": ("pkg", pkg5),
    "pkg_info": ("pkg_info", pkg_info),
}
_ALIASES = {"yum": "rpm", "dnf": "rpm", "dnf5": "rpm", "zypper": "rpm", "pkgng": "pkg", "openbsd_pkg": "pkg_info"}


def find(name: str) -> object:
    """Give the name under which `MANAGERS` has a package manager, None for one of another system."""
    name = _ALIASES.get(name, name)
    if name in ("pkg", "pkg5"):
        system = os.uname().sysname
        return name if system == {"pkg": "FreeBSD", "pkg5": "SunOS"}[name] else None
    return name if name in MANAGERS else None
