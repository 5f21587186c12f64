"""Addresses of providers, `hostname/namespace/type`, and names of their archives.

Source: the provider network mirror protocol; RFC 5891 (host names beyond ASCII).
"""

from __future__ import annotations

import re

from pyplay.content.faults import ContentError
from pyplay.content.versions import Version
from pyplay.diagnostics.dataclass import dataclass

DEFAULT_HOST, DEFAULT_NAMESPACE = "registry.terraform.io", "hashicorp"
_LABEL = re.compile(r"[a-z0-9](?:[a-z0-9-]*[a-z0-9])?", re.ASCII)
_PART = re.compile(r"[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?", re.ASCII)
_PLATFORM = re.compile(r"[a-z0-9]+_[a-z0-9]+", re.ASCII)
_ARCHIVE = re.compile(r"terraform-provider-([^_/]+)_([^_/]+)_([a-z0-9]+_[a-z0-9]+)\.zip", re.ASCII)
_HELP = "write HOSTNAME/NAMESPACE/TYPE, such as registry.terraform.io/hashicorp/random"


@dataclass(frozen=True, slots=True)
class Address:
    """What names a provider; `hostname` is part of the name, no place to fetch from."""

    hostname: str
    namespace: str
    type: str

    def __str__(self) -> str:
        return f"{self.hostname}/{self.namespace}/{self.type}"


@dataclass(frozen=True, slots=True)
class ArchiveName:
    """What the name of an archive says: `terraform-provider-TYPE_VERSION_OS_ARCH.zip`."""

    type: str
    version: str
    platform: str

    def __str__(self) -> str:
        return f"terraform-provider-{self.type}_{self.version}_{self.platform}.zip"


def read_address(text: str) -> Address:
    """Return the address that `text` means: of one, two or three parts. Raise ContentError for text that is none."""
    parts = text.split("/")
    if len(parts) > 3 or not all(parts):
        raise ContentError.of("mirror-address", f"'{text}' is no address of a provider", help=_HELP)
    hostname, namespace, name = ([DEFAULT_HOST, DEFAULT_NAMESPACE][: 3 - len(parts)] + parts)[-3:]
    for part in (namespace, name):
        if not _PART.fullmatch(part.lower()):
            raise ContentError.of("mirror-address", f"'{part}' in '{text}' is no name of a provider", help=_HELP)
    return Address(_hostname(hostname, text), namespace.lower(), name.lower())


def _hostname(hostname: str, text: str) -> str:
    if ":" in hostname:
        raise ContentError.of(
            "mirror-address", f"'{text}' names a port", help="leave the port out: clients fail on such addresses"
        )
    try:
        ascii_name = hostname.lower().encode("idna").decode().lower()
    except UnicodeError:
        ascii_name = ""
    labels = ascii_name.split(".")
    if len(labels) < 2 or not all(map(_LABEL.fullmatch, labels)):
        raise ContentError.of("mirror-address", f"'{hostname}' in '{text}' is no host name", help=_HELP)
    return ascii_name


def read_archive_name(name: str) -> ArchiveName | None:
    """Return what the name of an archive says, None if it is the name of none."""
    match = _ARCHIVE.fullmatch(name)
    if match is None or not _PART.fullmatch(match[1]) or not is_version(match[2]):
        return None
    return ArchiveName(match[1], match[2], match[3])


def is_version(text: str) -> bool:
    """Whether `text` is a semantic version."""
    try:
        Version(text)
    except ValueError:
        return False
    return True


def is_platform(text: str) -> bool:
    """Whether `text` has the form OS_ARCH."""
    return _PLATFORM.fullmatch(text) is not None
