"""Logging in over SSH, through asyncssh. One transport per worker holds what connections share."""

from __future__ import annotations

import asyncio
import logging
import random
import shlex
from contextlib import nullcontext
from functools import partial
from typing import TYPE_CHECKING, Any

import asyncssh
from asyncssh.public_key import get_default_certificate_algs, get_default_public_key_algs

from pyplay.connection.base import ConnectionOptions
from pyplay.connection.coalesce import CoalescingTransport
from pyplay.connection.host_key_texts import HostKeyQuestion, changed_key, unknown_key
from pyplay.connection.host_keys import KnownHosts, KnownKeys
from pyplay.connection.login_texts import TOO_MANY
from pyplay.connection.proxy_command import ProxyCommands
from pyplay.connection.ssh_acks import acknowledge_at_once
from pyplay.connection.ssh_algorithms import fit_algorithms, list_algorithms
from pyplay.connection.ssh_auth import begins_with_keys, sign_at_once, try_keys_first
from pyplay.connection.ssh_config import SshConfig, SshConfigError, SshConfigs
from pyplay.connection.ssh_connection import SshConnection
from pyplay.connection.ssh_crowd import Doors, TurnedAway, door_of
from pyplay.connection.ssh_faults import explain_login, known_place, no_answer, shown_key
from pyplay.connection.ssh_jumps import JumpPool
from pyplay.connection.ssh_keys import KeyStore
from pyplay.connection.ssh_options import make_options_here
from pyplay.connection.ssh_socket import connect_socket
from pyplay.connection.ssh_table import NeedsSsh
from pyplay.connection.ssh_target import SshTarget, plan_login, read_words
from pyplay.connection.ssh_time import LOGIN_TIMEOUT, SlowLogin, in_time
from pyplay.connection.tickets import has_gssapi, may_have_tickets
from pyplay.diagnostics.errors import HostUnreachable
from pyplay.source.paths import is_socket

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from pyplay.connection.login_texts import AskPassphrase
    from pyplay.connection.ssh_jumps import Ride
    from pyplay.connection.ssh_keys import Offered
    from pyplay.connection.ssh_target import Jump

EXPIRED = "Login timeout expired"
"""What asyncssh says after its `login_timeout`."""
NO_COMMON = "No matching "
"""How asyncssh begins to say that both sides have no algorithm in common."""

# The cheapest of what servers offer first; everything asyncssh knows stays behind them.
KEX = "^curve25519-sha256,curve25519-sha256@libssh.org,ecdh-sha2-nistp256"
CIPHERS = "^aes128-gcm@openssh.com,aes256-gcm@openssh.com,chacha20-poly1305@openssh.com,aes128-ctr"


class SshTransport:
    """Opens SSH connections. Configuration, known hosts, keys, agents and jump hosts are read or connected once."""

    def __init__(
        self,
        *,
        ask: Callable[[HostKeyQuestion], Awaitable[bool]] | None = None,
        ask_passphrase: AskPassphrase | None = None,
        config: Callable[[str | None], SshConfig] | None = None,
        warn: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._ask, self._warn = ask, warn
        self._config = config or SshConfigs().get
        self._known: dict[tuple[str, ...], KnownHosts] = {}
        self._keys = KeyStore(ask_passphrase)
        self._proxies = ProxyCommands()
        self._jumps = JumpPool(self._login)
        self._doors = Doors()
        self._asking = asyncio.Lock()
        # What goes wrong is told by the exceptions; asyncssh's log of it would be a second voice.
        logging.getLogger("asyncssh").setLevel(logging.CRITICAL)
        sign_at_once()
        make_options_here()

    async def connect(self, options: ConnectionOptions) -> SshConnection:
        """Log in. Raises HostUnreachable, with what would mend it where that is known, and NeedsSsh."""
        return SshConnection(options, await self._login(options), partial(self._one_more, options))

    async def close(self) -> None:
        """Close jump hosts and agents."""
        self._jumps.close()
        await self._keys.close()
        await self._proxies.close()

    # -- logging in -------------------------------------------------------------------------------------------------

    async def _login(self, options: ConnectionOptions) -> asyncssh.SSHClientConnection:
        target = self._target(options)
        attempts = max(1, target.attempts, options.retries + 1)
        for attempt in range(attempts):
            try:
                return await self._doors.enter(door_of(target), lambda: self._attempt(options, target))
            except HostUnreachable as error:
                _try_ssh(error, target)
                if attempt + 1 == attempts or not isinstance(error.__cause__, _TRANSIENT):
                    raise
            await asyncio.sleep(min(2**attempt, 30) * random.uniform(0.5, 1))  # noqa: S311  # spreads hosts, no secret
        raise AssertionError

    async def _one_more(self, options: ConnectionOptions) -> asyncssh.SSHClientConnection:
        """Log in once more where it went well before: for ssh it is too late. Raises HostUnreachable."""
        try:
            return await self._login(options)
        except NeedsSsh as need:
            raise HostUnreachable(options.host, options.address, need.reason) from need

    def _target(self, options: ConnectionOptions) -> SshTarget:
        try:
            plan = plan_login(options, self._config)
        except SshConfigError as error:
            raise HostUnreachable(options.host, options.address, str(error)) from error
        if plan.why is not None:
            raise NeedsSsh(plan.why)
        for warning in plan.warnings:
            self._warn(warning)
        return plan.target

    async def _attempt(self, options: ConnectionOptions, target: SshTarget) -> asyncssh.SSHClientConnection:
        """Log in once; ask about an unknown host key in between, if there is somebody to ask."""
        try:
            return await self._handshake(options, target)
        except _UnknownKey as unknown:
            if not await self._trusted(options, target, unknown.key):
                raise HostUnreachable(
                    options.host, target.address, unknown_key(target, shown_key(unknown.key))
                ) from None
        return await self._handshake(options, target)

    async def _handshake(self, options: ConnectionOptions, target: SshTarget) -> asyncssh.SSHClientConnection:
        known = self._known_hosts(target).lookup(target.key_name, target.key_port)
        if known.authorities and target.ca_algorithms:
            raise NeedsSsh(
                f"CASignatureAlgorithms {target.ca_algorithms}: asyncssh does not ask how a key was certified"
            )
        known.drop_small(target.rsa_size)
        offered = await self._keys.offer(target, options)
        keys_first = begins_with_keys(target, offered, options)
        ride = await self._ride(options, target)
        arrived: list[_Client] = []

        def client() -> _Client:
            arrived.append(_Client(known, target, ride, keys_first=keys_first))
            return arrived[-1]

        with ride.kept() if ride else nullcontext():
            try:
                login = self._open(options, target, known, offered, ride, client)
                return await in_time(login, lambda: any(met.exchanged for met in arrived), target.connect_timeout)
            except (OSError, asyncssh.Error, ValueError, EOFError) as error:
                met = arrived[-1] if arrived else None
                cause: Exception = error
                if met and met.parting.startswith(NO_COMMON):  # the server hung up before we could say so
                    cause = asyncssh.KeyExchangeFailed(met.parting)
                elif met and not met.greeted and not target.proxy_command and _hung_up(error):
                    cause = TurnedAway()
                elif met and isinstance(error, TimeoutError):
                    cause = SlowLogin(no_answer(target))
                elif met and met.exchanged and str(error) == EXPIRED:
                    cause = SlowLogin(f"port {target.port}: the login was not done within {LOGIN_TIMEOUT:g} s")
                elif _ends_at_one_key(error, offered):
                    cause = asyncssh.PermissionDenied(str(error))
                raise _explained(cause, met, target, offered, options) from cause

    async def _open(  # noqa: PLR0917  # one step, cut out for its length
        self,
        options: ConnectionOptions,
        target: SshTarget,
        known: KnownKeys,
        offered: Offered,
        ride: Ride | None,
        client: Callable[[], _Client],
    ) -> asyncssh.SSHClientConnection:
        more: dict[str, Any] = {}
        if ride is not None:
            more["tunnel"] = ride.connection
        elif target.proxy_command:
            more["sock"] = self._proxies.start(target.proxy_command)
        else:
            more["sock"] = await connect_socket(target)
        if target.forward_agent and target.agent:
            more["agent_forwarding"] = target.agent
        more |= _rekeying(target.rekey)
        return await asyncssh.connect(
            target.address,
            target.port,
            config=None,
            client_factory=client,
            username=target.user,
            password=options.password,
            client_keys=offered.keys or None,
            agent_path=None,
            known_hosts=(known.trusted, known.authorities, known.revoked),
            server_host_key_algs=_host_key_algorithms(target, known),
            kex_algs=list_algorithms("KexAlgorithms", target.kex) or list_algorithms("KexAlgorithms", KEX),
            encryption_algs=list_algorithms("Ciphers", target.ciphers) or list_algorithms("Ciphers", CIPHERS),
            mac_algs=list_algorithms("MACs", target.macs),
            signature_algs=list_algorithms("PubkeyAcceptedAlgorithms", target.signatures),
            compression_algs=["zlib@openssh.com", "none"] if target.compression else ["none"],
            preferred_auth=target.preferred or (),
            public_key_auth=target.public_key,
            password_auth=target.password,
            kbdint_auth=target.keyboard,
            host_based_auth=False,
            gss_kex=False,
            gss_auth=target.gssapi,
            gss_delegate_creds=target.gssapi_delegate,
            x509_trusted_certs=None,
            connect_timeout=None,
            login_timeout=LOGIN_TIMEOUT,
            keepalive_interval=target.keepalive,
            keepalive_count_max=target.keepalive_count,
            tcp_keepalive=target.tcp_keepalive,
            env=dict(target.environment) or None,
            **more,
        )

    # -- what is shared ---------------------------------------------------------------------------------------------

    def _known_hosts(self, target: SshTarget) -> KnownHosts:
        known = self._known.get(target.known_hosts)
        if known is None:
            known = self._known[target.known_hosts] = KnownHosts(target.known_hosts)
        return known

    async def _ride(self, options: ConnectionOptions, target: SshTarget) -> Ride | None:
        """Give a place on the connection to the last jump host, which all share who go the same way."""
        if not target.jumps:
            return None
        try:
            return await self._jumps.ride(_way(options, target.jumps))
        except HostUnreachable as error:
            raise HostUnreachable(options.host, target.address, f"jump host {error.address}: {error.reason}") from error

    # -- host keys --------------------------------------------------------------------------------------------------

    async def _trusted(self, options: ConnectionOptions, target: SshTarget, key: asyncssh.SSHKey) -> bool:
        """Decide on a key that is not known, and remember it if it is to be trusted."""
        known = self._known_hosts(target)
        async with self._asking:
            if key in known.lookup(target.key_name, target.key_port).trusted:
                return True
            if target.checking == "yes" or (target.checking == "ask" and self._ask is None):
                return False
            if target.checking == "ask" and self._ask is not None:
                fingerprint = key.get_fingerprint()
                question = HostKeyQuestion(options.host, target.address, target.port, key.get_algorithm(), fingerprint)
                if not await self._ask(question):
                    return False
            try:
                known.remember(
                    target.key_name, target.key_port, key, target.known_hosts_file, hashed=target.hash_known_hosts
                )
            except OSError:
                return True  # trusted for this run, as ssh does when it cannot write
            return True


class _UnknownKey(Exception):  # noqa: N818  # a question, not a fault
    """The host showed a key that nothing is known about."""

    def __init__(self, key: asyncssh.SSHKey) -> None:
        self.key = key
        super().__init__("unknown host key")


class _Client(asyncssh.SSHClient):
    """Judges a host's key that is not among the trusted ones; keeps why it was refused."""

    def __init__(self, known: KnownKeys, target: SshTarget, ride: Ride | None, *, keys_first: bool) -> None:
        self._known, self._target, self._ride = known, target, ride
        self._keys_first = keys_first
        self.fault: Exception | None = None
        self.parting = ""  # why we hung up
        self._connection: asyncssh.SSHClientConnection | None = None

    @property
    def greeted(self) -> bool:
        """Whether the server said which version of SSH it speaks."""
        return self._connection is not None and bool(self._connection.get_extra_info("server_version"))

    @property
    def exchanged(self) -> bool:
        """Whether both sides have the keys to encrypt with."""
        return self._connection is not None and bool(self._connection.get_extra_info("send_cipher"))

    def connection_made(self, conn: asyncssh.SSHClientConnection) -> None:
        """Put our collector before the transport, and listen to why we hang up; asyncssh has no hooks for them."""
        self._connection = conn
        transport: Any = getattr(conn, "_transport", None)
        if isinstance(transport, asyncio.Transport):
            acknowledge_at_once(conn)
            setattr(conn, "_transport", CoalescingTransport(transport))  # noqa: B010  # an attribute that is not ours
        send: Any = getattr(conn, "_send_disconnect", None)

        def hang_up(code: int, reason: str, lang: str) -> None:
            self.parting = reason
            send(code, reason, lang)

        if send is not None:
            setattr(conn, "_send_disconnect", hang_up)  # noqa: B010  # as above
        if self._keys_first:
            try_keys_first(conn)

    def validate_host_public_key(
        self,
        host: str,  # noqa: ARG002  # the protocol's argument
        addr: str,  # noqa: ARG002  # the protocol's argument
        port: int,  # noqa: ARG002  # the protocol's argument
        key: asyncssh.SSHKey,
    ) -> bool:  # asyncssh's names
        """Tell whether to go on with this key."""
        if not self._known.trusted:
            self.fault = _UnknownKey(key)
            return False
        if self._target.checking == "no":
            return True
        self.fault = SshConfigError(changed_key(self._target, known_place(self._known, key), shown_key(key)))
        return False

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002  # asyncssh's names
        """Give the place on the jump host back; why is told by the exception that connect raises."""
        if self._ride is not None:
            self._ride.end()


def _explained(
    error: Exception, met: _Client | None, target: SshTarget, offered: Offered, options: ConnectionOptions
) -> Exception:
    """Give what a login that failed with `error` comes to; `met` is what there was of a connection."""
    if met and isinstance(met.fault, _UnknownKey):
        return met.fault
    if isinstance(error, asyncssh.PermissionDenied) and offered.token:
        return NeedsSsh(f"{offered.token} needs a security key, which asyncssh does not use here")
    reason = str(met.fault) if met and met.fault else explain_login(error, target, offered, options)
    return HostUnreachable(options.host, target.address, reason)


_TRANSIENT = (OSError, TimeoutError, asyncssh.ConnectionLost, asyncssh.DisconnectError, asyncssh.KeyExchangeFailed)


def _ends_at_one_key(error: Exception, offered: Offered) -> bool:
    """Tell whether the server ended the login because it allows one failure only and had it: a refusal."""
    return len(offered.keys) == 1 and isinstance(error, asyncssh.DisconnectError) and TOO_MANY in error.reason


def _hung_up(error: BaseException) -> bool:
    """Tell whether the other side closed the connection; that nobody answered is another thing."""
    return isinstance(error, ConnectionError) or (isinstance(error, asyncssh.ConnectionLost) and bool(str(error)))


def _host_key_algorithms(target: SshTarget, known: KnownKeys) -> Any:
    """Prefer the kinds of keys that we know of the host, but let it show others: that is how a change is noticed."""
    wanted = fit_algorithms("HostKeyAlgorithms", target.host_key_algorithms)
    if wanted:
        return wanted
    ours = [name.decode() for key in known.trusted for name in key.sig_algorithms]
    certificates = get_default_certificate_algs() if known.authorities else []
    names = [name.decode() for name in (*certificates, *get_default_public_key_algs())]
    return list(dict.fromkeys([*names[: len(certificates)], *ours, *names]))


def _way(options: ConnectionOptions, jumps: tuple[Jump, ...]) -> ConnectionOptions:
    """Give how the last of `jumps` is reached: as with ssh by its own configuration, not by the words for the host.

    Equal for all hosts that go the same way; its name is not the host's.
    """
    last, file = jumps[-1], read_words(options).config_file
    before = ",".join(_jump_text(jump) for jump in jumps[:-1])
    words = [*(["-F", shlex.quote(file)] if file else []), *(["-J", before] if before else [])]
    return ConnectionOptions(
        host=last.address,
        address=last.address,
        port=last.port,
        user=last.user,
        timeout=options.timeout,
        ssh_common_args=" ".join(words),
    )


def _jump_text(jump: Jump) -> str:
    address = f"[{jump.address}]" if ":" in jump.address else jump.address
    return f"{jump.user + '@' if jump.user else ''}{address}{f':{jump.port}' if jump.port else ''}"


def _rekeying(limit: str | None) -> dict[str, Any]:
    """Read RekeyLimit: an amount of data and a time, each of which may be `default` or `none`."""
    size, seconds = [*(limit or "").split(), "none", "none"][:2]
    found = {} if size.lower() in ("default", "none") else {"rekey_bytes": size}
    return found if seconds.lower() in ("default", "none") else {**found, "rekey_seconds": seconds}


def _try_ssh(error: HostUnreachable, target: SshTarget) -> None:
    """Raise NeedsSsh where ssh may get in although asyncssh did not."""
    cause = error.__cause__
    if isinstance(cause, asyncssh.KeyExchangeFailed) and cause.reason.startswith(NO_COMMON):
        kind, _, offer = cause.reason.removeprefix(NO_COMMON).partition(" algorithm")
        offer = offer.rpartition("received ")[2]
        raise NeedsSsh(
            f"asyncssh knows none of the algorithms for {kind.strip()} that the host offers: {offer}"
        ) from error
    if not isinstance(cause, asyncssh.PermissionDenied):
        return
    if target.gssapi and not has_gssapi() and may_have_tickets():
        raise NeedsSsh(f"{error.reason}; GSSAPIAuthentication is on and python-gssapi is not installed") from error
    if target.control_path and is_socket(target.control_path):
        raise NeedsSsh(f"{error.reason}; there is an open connection at {target.control_path}") from error
