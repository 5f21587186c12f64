"""What is said and asked when somebody logs in, whoever speaks SSH."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

AskPassphrase = Callable[[str, int], Awaitable[str | None]]
"""Asks a person for the passphrase of a key file; the number says how often it was asked before. None: no answer."""

ATTEMPTS = 3
"""How often a passphrase is asked for, as with ssh."""

TOO_MANY = "Too many authentication failures"
"""How a server says that more keys were offered than it looks at (MaxAuthTries)."""

FEWER_KEYS = "name the right key with ansible_ssh_private_key_file, or offer fewer with IdentitiesOnly=yes"
