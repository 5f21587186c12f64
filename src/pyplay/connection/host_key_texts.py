"""What is said and asked about host keys, whoever speaks SSH."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyplay.diagnostics.dataclass import dataclass

if TYPE_CHECKING:
    from pyplay.connection.ssh_target import SshTarget


@dataclass(frozen=True, slots=True)
class HostKeyQuestion:
    """A key that is not known: what a user needs to decide whether to trust it."""

    host: str
    address: str
    port: int
    key_type: str
    fingerprint: str  # SHA256:…


def unknown_key(target: SshTarget, key: str) -> str:
    """Tell that nothing is known about the host's key, and how to make it known. `key`: its kind and fingerprint."""
    port = f"-p {target.port} " if target.port != 22 else ""
    file = target.known_hosts_file
    file = "~/.ssh/known_hosts" if file in (None, "/dev/null") else file
    shown = f" ({key})" if key else ""
    return f"the host key is not known{shown}. If it is the right one: ssh-keyscan {port}{target.address} >> {file}"


def changed_key(target: SshTarget, place: str, key: str) -> str:
    """Tell that the host shows another key than the one known at `place` (file:line), and how to forget that."""
    name = target.key_name if target.key_port == 22 else f"[{target.key_name}]:{target.key_port}"
    file = place.rpartition(":")[0] or target.known_hosts_file
    return (
        f"the host key has CHANGED to {key}; {place} holds another. "
        f"Somebody may be in between. If the host was made anew: ssh-keygen -R '{name}' -f {file}"
    )
