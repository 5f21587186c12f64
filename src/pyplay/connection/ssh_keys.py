"""Private keys and agents: read and connected once per worker, offered to many hosts."""

from __future__ import annotations

import asyncio
import importlib.util
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import asyncssh

from pyplay.connection.host_keys import is_small
from pyplay.connection.login_texts import ATTEMPTS
from pyplay.connection.ssh_table import NeedsSsh
from pyplay.diagnostics.dataclass import dataclass
from pyplay.source.paths import is_file

if TYPE_CHECKING:
    from pyplay.connection.base import ConnectionOptions
    from pyplay.connection.login_texts import AskPassphrase
    from pyplay.connection.ssh_target import SshTarget

DEFAULT_IDENTITIES = ("~/.ssh/id_ed25519", "~/.ssh/id_ecdsa", "~/.ssh/id_rsa", "~/.ssh/id_ed25519_sk", "~/.ssh/id_dsa")


@dataclass(slots=True)
class KeyFile:
    """One identity file: its key (with a certificate, where one lies beside it), or why there is none."""

    key: Any = None
    public: bytes | None = None
    fault: str = ""
    token: bool = False  # it needs a security key, and the library for them is not here
    locked: bool = False  # it has a passphrase, which is not given
    sealed: bool = False  # it has a passphrase, which is given, and the library to open it (bcrypt) is not here

    def take(self, key: asyncssh.SSHKey) -> None:
        """Remember what kind of key it is."""
        self.public = key.public_data
        self.token = key.get_algorithm().startswith("sk-") and importlib.util.find_spec("fido2") is None


@dataclass(slots=True)
class Offered:
    """The keys to offer to one host in their order, and what to say of them should it refuse."""

    keys: list[Any] = field(default_factory=list[Any])
    tried: list[str] = field(default_factory=list[str])
    token: str = ""  # a default identity that needs a security key


class KeyStore:
    """Keys by file, agents by socket."""

    def __init__(self, ask: AskPassphrase | None = None) -> None:
        self._ask = ask
        self._asking = asyncio.Lock()
        self._files: dict[tuple[str, str | None], KeyFile] = {}
        self._agents: dict[str, Any] = {}
        self._refused: set[str] = set()  # files whose passphrase nobody would tell

    async def offer(self, target: SshTarget, options: ConnectionOptions) -> Offered:
        """Give the keys for a host. Where no identities are named, the default ones are taken.

        An agent's key for a named file comes first, then the file, then the agent's others (too many of them make a
        server hang up), as long as not only the named ones are wanted. Raises NeedsSsh for a named security key.
        """
        offered = Offered()
        if options.private_key:
            _offer_text(offered, options.private_key, options.passphrase)
        named = [self._file(path, options.passphrase) for path in target.identities]
        agent_keys = await self._agent_keys(target.agent)
        wanted = {file.public for file in named if file.public}
        for path, file in zip(target.identities, named, strict=True):
            held = [key for key in agent_keys if key.public_data == file.public]
            if file.locked and not held:
                file = await self._unlocked(path, file)  # noqa: PLW2901  # the same one, opened
            if file.token and not held:
                raise NeedsSsh(f"{path} needs a security key, which asyncssh does not use here")
            if file.sealed and not held:
                raise NeedsSsh(f"{path} has a passphrase, and the library bcrypt is not installed")
            if file.key is not None and not file.token:
                offered.keys += [(file.key, cert) for cert in target.certificates]
                offered.keys.append(file.key)
                offered.tried.append(path)
            elif held:
                offered.keys += held
                offered.tried.append(f"{path} (agent)")
            else:
                offered.tried.append(f"{path} ({file.fault})")
        only_named = target.identities_only and target.identities
        rest = [] if only_named else [key for key in agent_keys if key.public_data not in wanted]
        if rest:
            offered.keys += rest
            offered.tried.append(f"{len(rest)} keys of the agent")
        if not target.identities:
            await self._offer_defaults(offered, options)
        offered.keys = [key for key in offered.keys if not _is_small(key, target.rsa_size)]
        return offered

    async def _offer_defaults(self, offered: Offered, options: ConnectionOptions) -> None:
        """Offer the default files; one that has a passphrase only where there is nothing else."""
        files = {path: self._file(path, options.passphrase) for path in DEFAULT_IDENTITIES}
        if not offered.keys and options.password is None and not any(file.key for file in files.values()):
            files = {path: await self._unlocked(path, file) if file.locked else file for path, file in files.items()}
        for path, file in files.items():
            if file.token:
                offered.token = path
            elif file.key is not None:
                offered.keys.append(file.key)
                offered.tried.append(path)
            elif file.locked:
                offered.tried.append(f"{path} ({file.fault})")

    async def _unlocked(self, path: str, file: KeyFile) -> KeyFile:
        """Give a key file with the passphrase that a person types; as it was, if nobody does. Raises NeedsSsh.

        Each is asked for once, however many hosts want it.
        """
        if self._ask is None:
            return file
        async with self._asking:
            known = self._files[path, None]
            if known is not file or path in self._refused:
                return known
            if _read_key(path, "-").sealed:  # whatever the passphrase
                raise NeedsSsh(f"{path} has a passphrase, and the library bcrypt is not installed")
            for times in range(ATTEMPTS):
                typed = await self._ask(path, times)
                if not typed:
                    break
                opened = _read_key(path, typed)
                if opened.key is not None:
                    self._files[path, None] = opened
                    return opened
            self._refused.add(path)
            return file

    async def close(self) -> None:
        """Close the agents."""
        for agent in self._agents.values():
            if agent is not None:
                agent.close()
                await agent.wait_closed()
        self._agents.clear()

    def _file(self, path: str, passphrase: str | None) -> KeyFile:
        file = self._files.get((path, passphrase))
        if file is None:
            file = self._files[path, passphrase] = _read_key(path, passphrase)
        return file

    async def _agent_keys(self, path: str | None) -> list[Any]:
        if not path:
            return []
        if path not in self._agents:
            try:
                self._agents[path] = await asyncssh.connect_agent(path)
            except (OSError, asyncssh.Error):
                self._agents[path] = None
        agent = self._agents[path]
        if agent is None:
            return []
        try:
            return list(await agent.get_keys())
        except (ValueError, OSError, asyncssh.Error):
            return []


def _offer_text(offered: Offered, text: str, passphrase: str | None) -> None:
    """Offer the key that a variable holds itself."""
    try:
        offered.keys.append(asyncssh.import_private_key(text.strip() + "\n", passphrase))
        offered.tried.append("ansible_private_key")
    except (asyncssh.KeyEncryptionError, asyncssh.KeyImportError) as error:
        offered.tried.append(f"ansible_private_key ({error})")


def _read_key(name: str, passphrase: str | None) -> KeyFile:
    file = KeyFile()
    path = Path(name).expanduser()
    public = path.with_name(path.name + ".pub")
    if is_file(public):
        try:
            file.take(asyncssh.read_public_key(public))
        except (OSError, asyncssh.KeyImportError):
            file.public = None
    try:
        key = _read_private(path, passphrase)
    except FileNotFoundError:
        file.fault = "no such file"
    except OSError as error:
        file.fault = error.strerror or str(error)
    except (asyncssh.KeyEncryptionError, asyncssh.KeyImportError) as error:
        file.fault = _explain_key(str(error), passphrase)
        file.sealed = passphrase is not None and "bcrypt" in str(error)
        file.locked = passphrase is None and "passphrase" in str(error).lower()
    else:
        certificate = path.with_name(path.name + "-cert.pub")
        file.take(key)
        file.key = (key, str(certificate)) if is_file(certificate) else key
    return file


def _read_private(path: Path, passphrase: str | None) -> asyncssh.SSHKey:
    """Read a key; a passphrase that is given is for those that have one."""
    try:
        return asyncssh.read_private_key(path)
    except asyncssh.KeyImportError:
        if passphrase is None:
            raise
        return asyncssh.read_private_key(path, passphrase)


def _explain_key(error: str, passphrase: str | None) -> str:
    if passphrase is not None:
        return f"with its passphrase: {error}"
    if "passphrase" in error.lower():
        return "it has a passphrase: add it to the agent with ssh-add, or give ansible_private_key_passphrase"
    return error


def _is_small(key: Any, bits: int) -> bool:
    """Tell whether what is offered (a key, maybe with a certificate, or an agent's) is too short an RSA key."""
    own = key[0] if isinstance(key, tuple) else key  # pyright: ignore[reportUnknownVariableType]  # as offered
    return isinstance(own, asyncssh.SSHKey) and is_small(own, bits)
