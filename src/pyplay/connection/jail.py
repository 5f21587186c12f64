"""FreeBSD's jails, also those of iocage: `jexec`. Source: jexec(8)."""

from __future__ import annotations

from pyplay.connection.engine import ROOT, Engine, Entry, Target


def enter_jail(target: Target) -> Entry:
    """Give `jexec … JAIL`; the user is one of the jail's."""
    return Entry(words=("jexec", *(["-U", target.user] if target.user else []), target.address))


def enter_iocage(target: Target) -> Entry:
    """Give the same for a jail of iocage, which names it `ioc-NAME`, without dots."""
    return enter_jail(Target(address="ioc-" + target.address.replace(".", "_"), user=target.user))


JAIL = Engine(
    name="jail",
    names=frozenset({"jail", "community.general.jail"}),
    entry=enter_jail,
    hosts=("ansible_jail_host",),
    users=("ansible_jail_user",),
    default_user=ROOT,
)
IOCAGE = Engine(
    name="iocage",
    names=frozenset({"iocage", "community.general.iocage"}),
    entry=enter_iocage,
    hosts=("ansible_iocage_host",),
    users=("ansible_iocage_user",),
    default_user=ROOT,
)
