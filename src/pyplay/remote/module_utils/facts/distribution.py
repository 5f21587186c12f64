"""Which distribution the host runs, under the names that playbooks test for."""

from pyplay.remote.module_utils.facts.root import Root, assignments

# os-release's ID: (distribution, os_family); a name of "" is the NAME in os-release
KNOWN = {
    "debian": ("Debian", "Debian"),
    "ubuntu": ("Ubuntu", "Debian"),
    "linuxmint": ("Linux Mint", "Debian"),
    "raspbian": ("Debian", "Debian"),
    "kali": ("Kali", "Debian"),
    "devuan": ("Devuan", "Debian"),
    "pop": ("Pop!_OS", "Debian"),
    "deepin": ("Deepin", "Debian"),
    "uos": ("Uos", "Debian"),
    "parrot": ("Parrot", "Debian"),
    "rhel": ("RedHat", "RedHat"),
    "centos": ("CentOS", "RedHat"),
    "rocky": ("Rocky", "RedHat"),
    "almalinux": ("AlmaLinux", "RedHat"),
    "ol": ("OracleLinux", "RedHat"),
    "amzn": ("Amazon", "RedHat"),
    "fedora": ("Fedora", "RedHat"),
    "scientific": ("Scientific", "RedHat"),
    "openEuler": ("openEuler", "RedHat"),
    "euleros": ("EulerOS", "RedHat"),
    "kylin": ("Kylin Linux Advanced Server", "RedHat"),
    "mageia": ("Mageia", "Mageia"),
    "sles": ("SLES", "Suse"),
    "sled": ("SLED", "Suse"),
    "sles_sap": ("SLES_SAP", "Suse"),
    "suse": ("", "Suse"),
    "opensuse": ("openSUSE", "Suse"),
    "opensuse-leap": ("openSUSE Leap", "Suse"),
    "opensuse-tumbleweed": ("openSUSE Tumbleweed", "Suse"),
    "opensuse-microos": ("openSUSE MicroOS", "Suse"),
    "arch": ("Archlinux", "Archlinux"),
    "archarm": ("Archlinux", "Archlinux"),
    "altlinux": ("Altlinux", "Altlinux"),
    "alpine": ("Alpine", "Alpine"),
    "flatcar": ("Flatcar", "Flatcar"),
    "openwrt": ("OpenWrt", "OpenWrt"),
    "clear-linux-os": ("Clear Linux OS", "ClearLinux"),
    "slackware": ("Slackware", "Slackware"),
}

_DEBIANS = ("debian", "ubuntu", "linuxmint", "raspbian", "kali", "devuan", "deepin", "uos", "parrot")
_SUSES = ("sles", "sled", "sles_sap")  # and all that begin with opensuse, sl-micro or sle-

# IDs whose facts name a file of their own: (kind of file, path)
_FILES = {
    "amzn": ("Amazon", "/etc/os-release"),
    "ol": ("OracleLinux", "/etc/oracle-release"),
    "altlinux": ("Altlinux", "/etc/altlinux-release"),
    "flatcar": ("Flatcar", "/etc/os-release"),
    "openwrt": ("OpenWrt", "/etc/openwrt_release"),
    "clear-linux-os": ("ClearLinux", "/usr/lib/os-release"),
    "slackware": ("Slackware", "/etc/slackware-version"),
}

_SEARCHED = {"OracleLinux": "Oracle Linux", "Altlinux": "ALT"}
_UNNAMED = ("lsb-release", "os-release", "system-release")  # /etc/*-release that are not the distribution's own


def os_release(root: Root) -> dict:
    """Give the host's os-release as a mapping."""
    return assignments(root.text("/etc/os-release") or root.text("/usr/lib/os-release") or "")


def collect(root: Root) -> dict:
    """Give distribution, its version, release name and family."""
    kernel = root.uname()
    if kernel.sysname != "Linux":
        return _other_system(root, kernel)
    release = os_release(root) or _without_os_release(root)
    if not release:
        return _facts("OtherLinux", "NA", "NA", "OtherLinux")
    name, family = _name(root, release)
    facts = _facts(name, _version(root, release, name), _codename(root, release, name), family)
    if name == "Amazon" and "." not in facts["distribution_version"]:
        facts["distribution_minor_version"] = "NA"
    elif name == "Debian":
        major, _, minor = root.text("/etc/debian_version", "").partition(".")
        if major.isdecimal() and minor.isdecimal():
            facts["distribution_minor_version"] = minor
    facts.update(_file(root, release, name))
    return facts


def _other_system(root: Root, kernel: object) -> dict:
    """Give the facts of what is not Linux. FreeBSD: a version as 14.1, a release as 14.1-RELEASE-p5."""
    import re  # noqa: PLC0415  # it takes a host 4 ms to load

    name, release = kernel.sysname, kernel.release
    found = re.match(r"(\d+)\.(\d+)-(RELEASE|STABLE|CURRENT|RC\d*|BETA\d*|ALPHA\d*|PRERELEASE)", release)
    if name == "FreeBSD" and found:
        facts = _facts(name, "%s.%s" % found.groups()[:2], release, name)
        facts["distribution_major_version"] = found.group(1)
        return facts
    if name == "Darwin":
        version = (root.run(["sw_vers", "-productVersion"]) or release).strip()
        return _facts("MacOSX", version, release, "Darwin")
    return _facts(name, release, release, name)


def _without_os_release(root: Root) -> dict:
    """Read a release file, as hosts older than os-release have it: "NAME release VERSION (CODENAME)"."""
    import re  # noqa: PLC0415  # as above

    text = root.text("/etc/redhat-release") or root.text("/etc/system-release") or ""
    found = re.match(r"(.+?) release ([\d.]+)(?: \(([^)]*)\))?", text)
    if not found:
        return {}
    kind = next(
        (key for word, key in (("Amazon", "amzn"), ("Red Hat", "rhel"), ("CentOS", "centos")) if word in text), ""
    )
    return {"ID": kind, "NAME": found.group(1), "VERSION_ID": found.group(2), "VERSION": "(%s)" % found.group(3)}


def _name(root: Root, release: dict) -> tuple:
    """Give distribution and family."""
    kind, name = release.get("ID", ""), release.get("NAME", release.get("ID", ""))
    if root.exists("/etc/arch-release") and kind not in _DEBIANS:
        return KNOWN["arch"]
    if root.exists("/etc/alpine-release"):
        return KNOWN["alpine"]
    if kind in ("sles", "sles_sap") and root.leads_to("/etc/products.d/baseproduct").endswith("SLES_SAP.prod"):
        return KNOWN["sles_sap"]
    if kind == "linuxmint" and "LMDE" in name:
        return "Linux Mint Debian Edition", "Debian"
    if kind in KNOWN:
        return KNOWN[kind]
    family = next((KNOWN[like][1] for like in release.get("ID_LIKE", "").split() if like in KNOWN), None)
    words = root.text("/etc/redhat-release", "").split()
    if words and family in (None, "RedHat"):
        name = "RedHat" if "Red Hat" in " ".join(words) else words[0]
    if family is None and kind.startswith(("sl-micro", "sle-")):
        family = "Suse"
    return name, family or name


def _version(root: Root, release: dict, name: str) -> str:
    version = release.get("VERSION_ID", "")
    if release.get("ID") == "debian":
        exact = root.text("/etc/debian_version", "")
        major, dot, minor = exact.partition(".")
        numbers = major.isdecimal() and (minor.isdecimal() or not dot)
        return exact if numbers or not version else version
    if name == "CentOS":  # its os-release has the major number alone
        import re  # noqa: PLC0415  # as above

        found = re.search(r"\d+\.\d+", root.text("/etc/centos-release", ""))
        return found.group() if found else version
    if name == "Alpine":
        return root.text("/etc/alpine-release") or version or "NA"
    return version or "NA"


def _codename(root: Root, release: dict, name: str) -> str:
    """Give the release's name: what os-release says, else what stands in brackets in it or in a release file."""
    if name in ("SLES", "SLED", "SLES_SAP", "SLE Micro"):
        return release.get("VERSION_ID", "").partition(".")[2] or "0"
    if name == "openSUSE Leap":
        return release.get("VERSION_ID", "").partition(".")[2] or "0"
    if name in ("openSUSE Tumbleweed", "openSUSE MicroOS"):
        return ""
    if name == "Clear Linux OS":
        return release["ID"]
    if name == "CentOS" and "Stream" in root.text("/etc/centos-release", release.get("NAME", "")):
        return "Stream"
    if "VERSION_CODENAME" in release:
        return release["VERSION_CODENAME"]
    inner, bracket, _ = release.get("VERSION", "").partition("(")[2].rpartition(")")
    if bracket and inner and not any(letter.isdecimal() for letter in inner):
        return inner
    if name in ("OracleLinux", "Amazon"):
        return "NA"  # their other release files name what they were made from
    import re  # noqa: PLC0415  # as above

    for file in root.names("/etc"):
        if re.match(r"\w+[-_]release$", file) and file not in _UNNAMED:
            found = re.search(r"\(([^)]+)\)", root.text("/etc/" + file, ""))
            if found:
                return found.group(1)
    return "NA"


def _file(root: Root, release: dict, name: str) -> dict:
    """Give which file told the name."""
    kind = release.get("ID", "")
    variety, path = _FILES.get(kind, ("NA", "/etc/os-release"))
    if name == "Archlinux" and root.exists("/etc/arch-release"):
        return {"distribution_file_path": "/etc/arch-release", "distribution_file_variety": "Archlinux"}
    if name == "Alpine" and root.exists("/etc/alpine-release"):
        variety, path = "Alpine", "/etc/alpine-release"
    elif kind in _DEBIANS or kind == "cumulus-linux":
        variety = "Debian"
    elif kind in _SUSES or kind.startswith(("opensuse", "sl-micro", "sle-")):
        variety = "SUSE"
    elif kind == "centos" and "Stream" in root.text("/etc/centos-release", ""):
        variety, path = "CentOS", "/etc/centos-release"
    elif kind not in _FILES and root.exists("/etc/redhat-release"):
        variety, path = "RedHat", "/etc/redhat-release"
    facts = {"distribution_file_path": path, "distribution_file_variety": variety, "distribution_file_parsed": True}
    searched = "Red Hat" if name == "RedHat" else _SEARCHED.get(name)
    if searched:
        facts["distribution_file_search_string"] = searched
    return facts if root.exists(path) else {}


def _facts(name: str, version: str, codename: str, family: str) -> dict:
    return {
        "distribution": name,
        "distribution_release": codename,
        "distribution_version": version,
        "distribution_major_version": version.partition(".")[0],
        "os_family": family,
    }


_MANAGERS = (
    ("/usr/bin/apt-get", "apt"),
    ("/usr/bin/dnf", "dnf"),
    ("/usr/bin/yum", "yum"),
    ("/usr/bin/zypper", "zypper"),
    ("/usr/bin/pacman", "pacman"),
    ("/sbin/apk", "apk"),
    ("/usr/sbin/urpmi", "urpmi"),
    ("/usr/bin/emerge", "portage"),
    ("/usr/bin/xbps-install", "xbps"),
    ("/usr/bin/swupd", "swupd"),
    ("/usr/bin/opkg", "opkg"),
    ("/bin/opkg", "opkg"),
    ("/usr/sbin/sorcery", "sorcery"),
    ("/usr/sbin/pkg", "pkgng"),
    ("/usr/bin/pkg", "pkg5"),
    ("/usr/sbin/pkgadd", "svr4pkg"),
    ("/usr/pkg/bin/pkgin", "pkgin"),
    ("/opt/local/bin/pkgin", "pkgin"),
    ("/opt/tools/bin/pkgin", "pkgin"),
    ("/usr/sbin/pkg_add", "openbsd_pkg"),
    ("/opt/local/bin/port", "macports"),
    ("/usr/local/bin/brew", "homebrew"),
    ("/opt/homebrew/bin/brew", "homebrew"),
)
_OF_FAMILY = {"Suse": "zypper", "Archlinux": "pacman", "Alpine": "apk", "Gentoo": "portage", "Slackware": "slackpkg"}


def package_manager(root: Root) -> dict:
    """Give the package manager that playbooks should use, `unknown` where none is known."""
    found = [name for path, name in _MANAGERS if root.exists(path)]
    family = collect(root)["os_family"]
    if family == "RedHat" and root.exists("/run/ostree-booted"):
        return {"pkg_mgr": "atomic_container"}
    if family == "Debian":
        return {"pkg_mgr": "apt"}
    if "apt" in found and (family == "Altlinux" or (root.exists("/usr/bin/rpm") and not root.exists("/usr/bin/dpkg"))):
        found[found.index("apt")] = "apt_rpm"
    if "dnf" in found:
        found[found.index("dnf")] = dnf = "dnf5" if root.leads_to("/usr/bin/dnf") == "dnf5" else "dnf"
        if family == "RedHat":
            return {"pkg_mgr": dnf}
    if _OF_FAMILY.get(family) in found:
        return {"pkg_mgr": _OF_FAMILY[family]}
    return {"pkg_mgr": found[0] if found else "unknown"}
