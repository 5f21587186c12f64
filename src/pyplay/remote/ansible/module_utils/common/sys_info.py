"""Which system this is."""

import platform

from .. import distro
from ._utils import get_all_subclasses

__all__ = ["get_all_subclasses", "get_distribution", "get_distribution_codename", "get_distribution_version",
           "get_platform_subclass"]  # fmt: skip

_NAMES = {"Amzn": "Amazon", "Rhel": "Redhat", "Ol": "OracleLinux"}


def get_distribution():
    """Give the name of the distribution, capitalized (Debian, Redhat, Amazon, OtherLinux); other systems' names."""
    system = platform.system()
    name = distro.id().capitalize()
    if system == "Linux":
        return _NAMES.get(name, name) or "OtherLinux"
    return {"Freebsd": "Freebsd", "Sunos": "SunOS"}.get(name, name or system)


def get_distribution_version():
    """Give the version of the distribution as text: with its minor part on CentOS and Debian."""
    best = distro.id() in ("centos", "debian")
    version = distro.version(best=False)
    if not best:
        return version
    longer = distro.version(best=True)
    return ".".join(longer.split(".")[:2]) if longer.startswith(version) and longer else version


def get_distribution_codename():
    """Give the code name of the distribution, None where it has none."""
    if platform.system() != "Linux":
        return None
    release = distro.os_release_info()
    name = release.get("version_codename") or release.get("ubuntu_codename") or distro.codename()
    return name or None


def get_platform_subclass(cls):
    """Give the class below `cls` that is for this distribution, else for this platform, else `cls` itself."""
    system, name = platform.system(), get_distribution()
    chosen = None
    if name is not None:
        for child in get_all_subclasses(cls):
            if child.distribution is not None and child.distribution == name and child.platform == system:
                chosen = child
    if chosen is None:
        for child in get_all_subclasses(cls):
            if child.platform == system and child.distribution is None:
                chosen = child
    return chosen or cls
