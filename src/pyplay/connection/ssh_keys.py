"""Private keys and agents: read and connected once per worker, offered to many hosts."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import asyncssh

from pyplay.source.paths import is_file

DEFAULT_IDENTITIES = ("~/.ssh/id_ed25519", "~/.ssh/id_ecdsa", "~/.ssh/id_rsa", "~/.ssh/id_ed25519_sk", "~/.ssh/id_dsa")


@dataclass(slots=True)
class KeyFile:
    """One identity file: its key (with a certificate, where one lies beside it), or why there is none."""

    key: Any = None
    public: bytes | None = None
    fault: str = ""


@dataclass(slots=True)
class Offered:
    """The keys to offer to one host in their order, and what to say of them should it refuse."""

    keys: list[Any] = field(default_factory=list[Any])
    tried: list[str] = field(default_factory=list[str])


class KeyStore:
    """Keys by file, agents by socket."""

    def __init__(self) -> None:
        self._files: dict[str, KeyFile] = {}
        self._agents: dict[str, Any] = {}

    async def offer(
        self, files: list[str], agent: str | None, *, identities_only: bool, certificates: list[str]
    ) -> Offered:
        """Give the keys for a host. `files` are identities that were named; without any, the default ones are taken.

        An agent's key for a named file comes first, then the file, then the agent's others (too many of them make a
        server hang up), as long as not only the named ones are wanted.
        """
        offered = Offered()
        named = [self._file(path) for path in files]
        agent_keys = await self._agent_keys(agent)
        wanted = {file.public for file in named if file.public}
        for path, file in zip(files, named, strict=True):
            held = [key for key in agent_keys if key.public_data == file.public]
            if file.key is not None:
                offered.keys += [(file.key, cert) for cert in certificates]
                offered.keys.append(file.key)
                offered.tried.append(path)
            elif held:
                offered.keys += held
                offered.tried.append(f"{path} (agent)")
            else:
                offered.tried.append(f"{path} ({file.fault})")
        rest = [] if identities_only and files else [key for key in agent_keys if key.public_data not in wanted]
        if rest:
            offered.keys += rest
            offered.tried.append(f"{len(rest)} keys of the agent")
        if not files:
            self._offer_defaults(offered)
        return offered

    def _offer_defaults(self, offered: Offered) -> None:
        for path in DEFAULT_IDENTITIES:
            file = self._file(path)
            if file.key is not None:
                offered.keys.append(file.key)
                offered.tried.append(path)

    async def close(self) -> None:
        """Close the agents."""
        for agent in self._agents.values():
            if agent is not None:
                agent.close()
                await agent.wait_closed()
        self._agents.clear()

    def _file(self, path: str) -> KeyFile:
        file = self._files.get(path)
        if file is None:
            file = self._files[path] = _read_key(Path(path).expanduser())
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


def _read_key(path: Path) -> KeyFile:
    file = KeyFile()
    public = path.with_name(path.name + ".pub")
    if is_file(public):
        try:
            file.public = asyncssh.read_public_key(public).public_data
        except (OSError, asyncssh.KeyImportError):
            file.public = None
    try:
        key = asyncssh.read_private_key(path)
    except FileNotFoundError:
        file.fault = "no such file"
    except OSError as error:
        file.fault = error.strerror or str(error)
    except (asyncssh.KeyEncryptionError, asyncssh.KeyImportError) as error:
        secret = "passphrase" in str(error).lower()
        file.fault = "it has a passphrase: add it to the agent with ssh-add" if secret else str(error)
    else:
        certificate = path.with_name(path.name + "-cert.pub")
        file.key = (key, str(certificate)) if is_file(certificate) else key
        file.public = key.public_data
    return file
