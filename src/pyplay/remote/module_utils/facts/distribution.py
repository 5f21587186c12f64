"""Which distribution the host runs, under the names that playbooks test for."""

import re

from pyplay.remote.module_utils.facts.root import Root, assignments

# os-release's ID: (distribution, os_family, package manager, kind of file)
KNOWN = {
    "debian": ("Debian", "Debian", "apt", "Debian"),
    "ubuntu": ("Ubuntu", "Debian", "apt", "Debian"),
    "linuxmint": ("Linux Mint", "Debian", "apt", "Debian"),
    "raspbian": ("Debian", "Debian", "apt", "Debian"),
    "kali": ("Kali", "Debian", "apt", "Debian"),
    "devuan": ("Devuan", "Debian", "apt", "Debian"),
    "pop": ("Pop!_OS", "Debian", "apt", "Debian"),
    "deepin": ("Deepin", "Debian", "apt", "Debian"),
    "uos": ("Uos", "Debian", "apt", "Debian"),
    "neon": ("KDE neon", "Debian", "apt", "Debian"),
    "elementary": ("Elementary", "Debian", "apt", "Debian"),
    "parrot": ("Parrot", "Debian", "apt", "Debian"),
    "rhel": ("RedHat", "RedHat", "dnf", "RedHat"),
    "centos": ("CentOS", "RedHat", "dnf", "CentOS"),
    "rocky": ("Rocky", "RedHat", "dnf", "RedHat"),
    "almalinux": ("AlmaLinux", "RedHat", "dnf", "RedHat"),
    "ol": ("OracleLinux", "RedHat", "dnf", "OracleLinux"),
    "amzn": ("Amazon", "RedHat", "dnf", "Amazon"),
    "fedora": ("Fedora", "RedHat", "dnf", "RedHat"),
    "scientific": ("Scientific", "RedHat", "yum", "RedHat"),
    "openEuler": ("openEuler", "RedHat", "dnf", "RedHat"),
    "sles": ("SLES", "Suse", "zypper", "SUSE"),
    "sled": ("SLED", "Suse", "zypper", "SUSE"),
    "sles_sap": ("SLES_SAP", "Suse", "zypper", "SUSE"),
    "opensuse": ("openSUSE", "Suse", "zypper", "SUSE"),
    "opensuse-leap": ("openSUSE Leap", "Suse", "zypper", "SUSE"),
    "opensuse-tumbleweed": ("openSUSE Tumbleweed", "Suse", "zypper", "SUSE"),
    "arch": ("Archlinux", "Archlinux", "pacman", "Archlinux"),
    "archarm": ("Archlinux", "Archlinux", "pacman", "Archlinux"),
    "manjaro": ("Manjaro", "Archlinux", "pacman", "Archlinux"),
    "alpine": ("Alpine", "Alpine", "apk", "Alpine"),
    "gentoo": ("Gentoo", "Gentoo", "portage", "Gentoo"),
    "void": ("Void", "Void", "xbps", "NA"),
    "nixos": ("NixOS", "NixOS", "nix", "NA"),
    "clear-linux-os": ("Clear Linux OS", "ClearLinux", "swupd", "ClearLinux"),
    "slackware": ("Slackware", "Slackware", "slackpkg", "Slackware"),
}

_FILES = {
    "Debian": "/etc/os-release",
    "RedHat": "/etc/redhat-release",
    "CentOS": "/etc/centos-release",
    "OracleLinux": "/etc/oracle-release",
    "Amazon": "/etc/os-release",
    "SUSE": "/etc/os-release",
    "Archlinux": "/etc/arch-release",
    "Alpine": "/etc/alpine-release",
    "Gentoo": "/etc/gentoo-release",
    "ClearLinux": "/usr/lib/os-release",
    "Slackware": "/etc/slackware-version",
}


def os_release(root: Root) -> dict:
    """Give the host's os-release as a mapping."""
    return assignments(root.text("/etc/os-release") or root.text("/usr/lib/os-release") or "")


def collect(root: Root) -> dict:
    """Give distribution, its version, release name and family."""
    if root.live:
        import os  # noqa: PLC0415  # only to ask the kernel's name

        system = os.uname().sysname
        if system != "Linux":
            release = os.uname().release.split("-")[0]
            return _facts(system, release, os.uname().release, system, "")
    release = os_release(root)
    name = release.get("ID", "")
    if not name:
        return _facts("Linux", "NA", "NA", "Linux", "")
    distribution, family, _, variety = KNOWN.get(name) or _relative(release)
    version = release.get("VERSION_ID", "") or "NA"
    if variety == "Debian" and distribution == "Debian":
        version = _debian_version(root, version)
    elif name == "arch":
        version = "rolling" if version == "NA" else version
    elif variety in ("RedHat", "CentOS", "OracleLinux"):
        found = re.search(r"\d+(?:\.\d+)+|\d+", root.text(_FILES[variety], ""))
        version = found.group() if found and name != "fedora" else version
    facts = _facts(distribution, version, _codename(root, release, name), family, variety, root)
    if variety == "SUSE" or distribution == "Alpine":
        facts["distribution_major_version"] = version.split(".")[0]
    return facts


def _relative(release: dict) -> tuple:
    for like in release.get("ID_LIKE", "").split():
        if like in KNOWN:
            _, family, manager, variety = KNOWN[like]
            return release.get("NAME", release["ID"]), family, manager, variety
    name = release.get("NAME", release["ID"])
    return name, name, "unknown", "NA"


def _debian_version(root: Root, version: str) -> str:
    exact = root.text("/etc/debian_version", "")
    return exact if re.match(r"\d+(\.\d+)?$", exact) else version


def _codename(root: Root, release: dict, name: str) -> str:
    if release.get("VERSION_CODENAME"):
        return release["VERSION_CODENAME"]
    text = release.get("VERSION", "")
    if name in ("sles", "sled", "opensuse", "opensuse-leap", "sles_sap"):
        return text.rpartition("SP")[2] if "-SP" in text else release.get("VERSION_ID", "").partition(".")[2] or "0"
    found = re.search(r"\(([^)]+)\)", root.text("/etc/redhat-release", "") or text)
    return (
        found.group(1).split(",")[-1].strip().split(" ")[0]
        if found and name == "debian"
        else (found.group(1) if found else "NA")
    )


def _facts(name: str, version: str, codename: str, family: str, variety: str, root: object = None) -> dict:
    parts = version.split(".")
    facts = {
        "distribution": name,
        "distribution_version": version,
        "distribution_major_version": parts[0],
        "distribution_release": codename,
        "os_family": family,
    }
    if len(parts) > 1 and variety == "Debian":
        facts["distribution_minor_version"] = parts[1]
    path = _FILES.get(variety)
    if root is not None and path and root.exists(path):
        facts["distribution_file_path"] = path
        facts["distribution_file_variety"] = variety
        facts["distribution_file_parsed"] = True
    return facts


_MANAGERS = (
    ("/usr/bin/apt-get", "apt"),
    ("/usr/bin/dnf5", "dnf5"),
    ("/usr/bin/dnf", "dnf"),
    ("/usr/bin/dnf-3", "dnf"),
    ("/usr/bin/yum", "yum"),
    ("/usr/bin/zypper", "zypper"),
    ("/usr/bin/pacman", "pacman"),
    ("/sbin/apk", "apk"),
    ("/usr/bin/emerge", "portage"),
    ("/usr/bin/xbps-install", "xbps"),
    ("/run/current-system/sw/bin/nix-env", "nix"),
    ("/usr/bin/swupd", "swupd"),
    ("/usr/bin/rpm-ostree", "atomic_container"),
    ("/usr/sbin/pkg", "pkgng"),
    ("/usr/sbin/pkg_add", "openbsd_pkg"),
    ("/usr/local/bin/brew", "homebrew"),
    ("/opt/homebrew/bin/brew", "homebrew"),
)


def package_manager(root: Root) -> dict:
    """Give the package manager that playbooks should use, `unknown` where none is known."""
    found = [name for path, name in _MANAGERS if root.exists(path)]
    known = KNOWN.get(os_release(root).get("ID", ""))
    if known is None and found:
        known = _relative(os_release(root)) if os_release(root).get("ID") else None
    if known and known[1] == "RedHat":
        if root.exists("/run/ostree-booted"):
            return {"pkg_mgr": "atomic_container"}
        for name in ("dnf5", "dnf", "yum"):
            if name in found and (name != "dnf5" or _dnf_is_5(root)):
                return {"pkg_mgr": name}
    if known and known[2] in found:
        return {"pkg_mgr": known[2]}
    return {"pkg_mgr": found[0] if found else "unknown"}


def _dnf_is_5(root: Root) -> bool:
    return root.leads_to("/usr/bin/dnf") in ("dnf5", "") and not root.exists("/usr/bin/dnf-3")
