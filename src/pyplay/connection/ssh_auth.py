"""Logging in with a key in fewer round trips: `none` is not asked first, and the key signs without asking before.

A login by key is three requests to asyncssh and to ssh: `none`, to hear which ways there are; the key, to hear whether
it would do; the key with a signature. The last one is enough where the key is at hand, and RFC 4252 (§7) allows it
("The client MAY send the signature directly"); paramiko has always done so. Besides the two round trips it saves what
sshd sleeps over each request, 5 to 9 ms. What a server logs and counts (MaxAuthTries) is the same: a key that it does
not take is one failure, signed or not. `none` is asked for where no key was taken: some servers want nothing else.

Keys of an agent, of cards and security keys are still asked about: to sign, they may ask for a finger.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from asyncssh import auth

from pyplay.connection.tickets import has_gssapi

if TYPE_CHECKING:
    import asyncssh

    from pyplay.connection.base import ConnectionOptions
    from pyplay.connection.ssh_keys import Offered
    from pyplay.connection.ssh_target import SshTarget

FEW = 3
"""Keys that may be tried before `none`: with more of them a server may hang up before its own way has its turn."""

# asyncssh has no hooks for the order of what is tried. These are its own names; without them all is as it was.
_METHODS = "_auth_methods"  # of a connection: what is to be tried next, only `none` in the beginning
_HANDLERS: Any = getattr(auth, "_client_auth_handlers", {})
_BY_KEY, _NONE = b"publickey", b"none"
_KEYS_FIRST = "keys_first"
_Asking: Any = getattr(auth, "_ClientPublicKeyAuth", object)


class SigningAuth(_Asking):
    """Authentication by key, signed at once where the key is at hand."""

    async def send_request(self, *args: bytes, key: Any = None, trivial: bool = True) -> None:
        """Send a request, and instead of one that only asks about a key that is at hand the one with its signature."""
        if key is None and _at_hand(self._keypair):
            await self._send_signed_request()
        else:
            await _Asking.send_request(self, *args, key=key, trivial=trivial)

    def auth_failed(self) -> None:
        """Put `none` behind the ways that the server has just named, where it was not asked for yet."""
        if self._conn.get_extra_info(_KEYS_FIRST):
            getattr(self._conn, _METHODS).append(_NONE)


def sign_at_once() -> None:
    """Have asyncssh's clients in this process sign with a key that is at hand without asking about it first."""
    if _HANDLERS.get(_BY_KEY) is _Asking:
        _HANDLERS[_BY_KEY] = SigningAuth


def begins_with_keys(target: SshTarget, offered: Offered, options: ConnectionOptions) -> bool:
    """Tell whether keys are the way in, so that nobody need ask which ways there are.

    Debian's configuration switches GSSAPI on for everybody; without its library here it is no way.
    """
    tickets = target.gssapi and has_gssapi()
    other_ways = options.password is not None or tickets or target.preferred
    return target.public_key and not other_ways and 0 < len(offered.keys) <= FEW


def try_keys_first(connection: asyncssh.SSHClientConnection) -> None:
    """Begin with the keys, and ask for `none` behind them. To be called when the connection is made."""
    if getattr(connection, _METHODS, None) == [_NONE]:
        setattr(connection, _METHODS, [_BY_KEY, _NONE])
        connection.set_extra_info(**{_KEYS_FIRST: True})


def _at_hand(pair: Any) -> bool:
    """Tell whether a key is in memory and opened: others sign elsewhere, and may want a finger for it."""
    return pair.get_key_type() == "local" and not pair.use_executor
