"""LXC without a daemon: `lxc-attach`, and libvirt's own kind of container through `virsh`.

Source: lxc-attach(1), virsh(1).
"""

from __future__ import annotations

from pyplay.connection.engine import ROOT, Engine, Entry, Target, option
from pyplay.source.setting import Kind


def enter_lxc(target: Target) -> Entry:
    """Give `lxc-attach --name CONTAINER --clear-env --`."""
    return Entry(words=("lxc-attach", "--name", target.address, "--clear-env", "--"))


def enter_libvirt(target: Target) -> Entry:
    """Give `virsh … lxc-enter-namespace … DOMAIN --`."""
    label = ["--noseclabel"] if target.flag("noseclabel") else []
    return Entry(words=("virsh", "-q", "-c", "lxc:///", "lxc-enter-namespace", *label, target.address, "--"))


LXC = Engine(
    name="lxc",
    names=frozenset({"lxc", "community.general.lxc"}),
    entry=enter_lxc,
    hosts=("ansible_lxc_host",),
    shells=("ansible_executable", "ansible_lxc_executable"),
    takes_user=False,
    default_user=ROOT,
)
LIBVIRT_LXC = Engine(
    name="libvirt_lxc",
    names=frozenset({"libvirt_lxc", "community.libvirt.libvirt_lxc"}),
    entry=enter_libvirt,
    hosts=("ansible_libvirt_lxc_host",),
    takes_user=False,
    default_user=ROOT,
    options=(
        option(
            "noseclabel",
            "ansible_libvirt_lxc_noseclabel",
            "Enter without the container's security label.",
            env="ANSIBLE_LIBVIRT_LXC_NOSECLABEL",
            ini="selinux.libvirt_lxc_noseclabel",
            kind=Kind.BOOL,
        ),
    ),
)
