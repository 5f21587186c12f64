"""In which collections the short names are that playbooks knew before there were collections.

A short name that is neither the user's nor built in is searched there. Only what is commonly used is listed; other
names are found where one installed collection has them. Source: the indexes of the collections' documentation.
"""

from __future__ import annotations

from functools import cache

GROUPS = {
    "acme": "community.crypto.acme",
    "aws": "amazon.aws.aws",
    "azure": "azure.azcollection.azure",
    "docker": "community.docker.docker",
    "gcp": "google.cloud.gcp",
    "k8s": "kubernetes.core.k8s",
    "os": "openstack.cloud.os",
    "ovirt": "ovirt.ovirt.ovirt",
    "vmware": "community.vmware.vmware",
}
"""Short names of action groups (`group/aws` in module_defaults) and what they stand for."""


@cache
def _homes(kind: str) -> dict[str, str]:
    from pyplay.source.collection_names import KINDS  # noqa: PLC0415  # most runs name what is built in, or say where

    return {name: home for home, names in KINDS.get(kind, {}).items() for name in names.split()}


def full_name(kind: str, name: str) -> str | None:
    """Give the full name of the well known plugin of `kind` (modules, filter, …) `name`, None if there is none."""
    home = _homes(kind).get(name)
    return None if home is None else f"{home}.{name}"


def install_hint(name: str) -> str:
    """Give the help text for something of the full name `name` whose collection is not installed."""
    collection = ".".join(name.split(".")[:2])
    return f"install the collection {collection}: pyplay install {collection}"


def home_hint(kind: str, name: str) -> str:
    """Give the help text for a plugin of `kind` that was not found: its collection, empty where that is not known."""
    known = name if name.count(".") >= 2 else full_name(kind, name)
    if not known or known.startswith("ansible.builtin."):
        return ""
    collection = ".".join(known.split(".")[:2])
    return f"it is from the collection {collection} (pyplay install {collection})"
