"""Why a host cannot be reached over SSH, in words, with what would mend it."""

from __future__ import annotations

import ipaddress
import socket
from typing import TYPE_CHECKING

import asyncssh

from pyplay.connection.login_texts import FEWER_KEYS, TOO_MANY
from pyplay.connection.ssh_crowd import TurnedAway
from pyplay.connection.ssh_time import SlowLogin

if TYPE_CHECKING:
    from pyplay.connection.base import ConnectionOptions
    from pyplay.connection.host_keys import KnownKeys
    from pyplay.connection.ssh_keys import Offered
    from pyplay.connection.ssh_target import SshTarget


def shown_key(key: asyncssh.SSHKey) -> str:
    """Give a key's kind and fingerprint."""
    return f"{key.get_algorithm()} {key.get_fingerprint()}"


def known_place(known: KnownKeys, key: asyncssh.SSHKey) -> str:
    """Give where the key stands that is known instead of `key`: file:line."""
    return known.places.get(key.get_algorithm()) or next(iter(known.places.values()), "")


def explain_login(error: Exception, target: SshTarget, offered: Offered, options: ConnectionOptions) -> str:
    """Tell why nobody could be logged in."""
    if isinstance(error, asyncssh.PermissionDenied):
        tried = [*offered.tried, *(["the password"] if options.password else [])]
        return f"login as {target.user} was refused (tried: {', '.join(tried) or 'no key, no password'})"
    if isinstance(error, TurnedAway):
        return f"port {target.port}: {error}"
    if isinstance(error, asyncssh.DisconnectError) and TOO_MANY in error.reason:
        return f"port {target.port}: {error.reason} (offered: {', '.join(offered.tried)}); {FEWER_KEYS}"
    if isinstance(error, SlowLogin):
        return str(error)
    silent = isinstance(error, asyncssh.ConnectionLost) and not str(error).strip()
    if silent or isinstance(error, TimeoutError):
        return no_answer(target)
    if isinstance(error, socket.gaierror):
        return f"the name {target.address} cannot be resolved: {error.strerror}"
    if _is_unscoped(target.address):
        return f"port {target.port}: {target.address} is a link-local address and needs its scope: %INTERFACE behind it"
    if isinstance(error, OSError):
        return f"port {target.port}: {error.strerror or error}"
    return f"port {target.port}: {text_of(error)}"


def no_answer(target: SshTarget) -> str:
    """Say that the time for connecting is over."""
    return f"no answer from port {target.port} within {target.connect_timeout:g} s"


def _is_unscoped(address: str) -> bool:
    """Tell whether `address` is a link-local one without the interface behind which it is."""
    try:
        return ipaddress.IPv6Address(address).is_link_local and "%" not in address
    except ValueError:
        return False


def text_of(error: Exception | None) -> str:
    """Give what an exception says, its kind if it says nothing."""
    reason = getattr(error, "reason", None) or str(error)
    return reason or type(error).__name__
