"""The distribution, as `distro` tells it: from os-release, and Debian's own file for the point release."""

import os
import re
import shlex

_FILES = ("/etc/os-release", "/usr/lib/os-release")
_IDS = {"ol": "oracle", "opensuse-leap": "opensuse", "rhel": "rhel"}


def os_release_info():
    """Give what os-release says, its names in lower case."""
    for path in _FILES:
        try:
            with open(path, encoding="utf-8", errors="surrogateescape") as stream:
                return _parse(stream.read())
        except OSError:
            continue
    return {}


def _parse(text):
    found = {}
    for line in text.splitlines():
        key, equals, value = line.strip().partition("=")
        if equals and not key.startswith("#"):
            try:
                found[key.lower()] = " ".join(shlex.split(value))
            except ValueError:
                found[key.lower()] = value
    if "version_codename" not in found:
        match = re.search(r"\((\D+)\)|,\s*(\D+)", found.get("version", ""))
        if match:
            found["codename"] = (match.group(1) or match.group(2)).strip()
    else:
        found["codename"] = found["version_codename"]
    return found


def os_release_attr(attribute):
    """Give one entry of os-release, "" where it is not there."""
    return os_release_info().get(attribute, "")


def lsb_release_info():
    """Give nothing: the program lsb_release is not asked."""
    return {}


def distro_release_info():
    """Give what the distribution's own release file says: its name and version."""
    try:
        with open("/etc/redhat-release", encoding="utf-8", errors="surrogateescape") as stream:
            match = re.match(r"(.*?)\s+(?:release\s+)?([\d.]+)", stream.readline())
    except OSError:
        return {}
    return {"name": match.group(1), "version_id": match.group(2)} if match else {}


def id():  # noqa: A001  # the name that importers use
    """Give the short name: debian, rhel, fedora …; "" where it is unknown."""
    if os.uname().sysname.endswith("BSD"):
        return os.uname().sysname.lower()
    name = os_release_info().get("id", "").lower().replace(" ", "_")
    return _IDS.get(name, name)


def name(pretty=False):
    """Give the long name, with its version where `pretty`."""
    info = os_release_info()
    return info.get("pretty_name", "") if pretty else info.get("name", "")


def version(pretty=False, best=False):
    """Give the version, the longest that is known with `best`, with the code name where `pretty`."""
    info = os_release_info()
    found = [info.get("version_id", ""), distro_release_info().get("version_id", "")]
    if info.get("id") == "debian":
        found.append(_debian_version())
    chosen = max(found, key=lambda text: text.count(".")) if best else next(filter(None, found), "")
    return "%s (%s)" % (chosen, codename()) if pretty and codename() else chosen


def _debian_version():
    try:
        with open("/etc/debian_version", encoding="utf-8") as stream:
            text = stream.read().strip()
    except OSError:
        return ""
    return text if re.match(r"[\d.]+$", text) else ""


def version_parts(best=False):
    """Give (major, minor, build) as text."""
    parts = (version(best=best).split(".") + ["", "", ""])[:3]
    return tuple(parts)


def major_version(best=False):
    """Give the first part of the version."""
    return version_parts(best)[0]


def minor_version(best=False):
    """Give the second part of the version."""
    return version_parts(best)[1]


def build_number(best=False):
    """Give the third part of the version."""
    return version_parts(best)[2]


def like():
    """Give the distributions that this one is like, as words."""
    return os_release_info().get("id_like", "")


def codename():
    """Give the code name, "" where it has none."""
    return os_release_info().get("codename", "")


def info(pretty=False, best=False):
    """Give all of it."""
    major, minor, build = version_parts(best)
    return {
        "id": id(),
        "version": version(pretty, best),
        "version_parts": {"major": major, "minor": minor, "build_number": build},
        "like": like(),
        "codename": codename(),
    }


def linux_distribution(full_distribution_name=True):
    """Give (name, version, code name)."""
    return (name() if full_distribution_name else id(), version(), codename())
