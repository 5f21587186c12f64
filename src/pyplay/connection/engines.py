"""All engines, by the names that inventories use; and the names of what nobody here can reach."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyplay.connection.chroot import CHROOT, NSPAWN
from pyplay.connection.docker import DOCKER
from pyplay.connection.jail import IOCAGE, JAIL
from pyplay.connection.kubectl import KUBECTL, OC
from pyplay.connection.lxc import LIBVIRT_LXC, LXC
from pyplay.connection.lxd import INCUS, LXD
from pyplay.connection.machinectl import MACHINECTL
from pyplay.connection.nsenter import NSENTER
from pyplay.connection.podman import BUILDAH, PODMAN

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyplay.connection.engine import Engine

ALL: tuple[Engine, ...] = (
    BUILDAH, CHROOT, DOCKER, INCUS, IOCAGE, JAIL, KUBECTL, LIBVIRT_LXC, LXC, LXD, MACHINECTL, NSENTER, NSPAWN, OC,
    PODMAN,
)  # fmt: skip
ENGINES: Mapping[str, Engine] = {name: engine for engine in ALL for name in engine.names}

_WINDOWS = "Windows hosts are not managed"
_NETWORK = "network devices are not managed: nothing runs on them that modules could be sent to"
_NO_ENGINE = "delegate such tasks to a host that is reached by ssh, or run them with Ansible"
_PLAIN: Mapping[str, str] = {
    **dict.fromkeys(("winrm", "psrp"), f"{_WINDOWS}; leave them out with --limit, or run their plays with Ansible"),
    **dict.fromkeys(
        ("network_cli", "netconf", "httpapi", "grpc", "persistent"),
        f"{_NETWORK}; leave them out with --limit, or run their plays with Ansible",
    ),
    "aws_ssm": "use ssh with ProxyCommand `aws ssm start-session --target %h --document-name AWS-StartSSHSession "
    "--parameters portNumber=%p`",
    "iap": "use ssh with ProxyCommand `gcloud compute start-iap-tunnel %h %p --listen-on-stdin`",
    "proxmox_pct_remote": "use ssh to the container itself, with the Proxmox host as jump host",
    "wsl": "use ssh to the distribution itself, with the Windows host as jump host",
    **dict.fromkeys(("funcd", "libvirt_qemu", "qubes", "saltstack", "vmware_tools", "zone"), _NO_ENGINE),
}


def mend_for(kind: str) -> str | None:
    """Give what can be done about a connection of Ansible's that there is not here, None for a name nobody knows."""
    return _PLAIN.get(kind.rpartition(".")[2])
