"""doas: how it is called, how it asks, how it says no. Source: doas(1) of OpenBSD and OpenDoas."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING

from pyplay.connection.base import missing_password, wrong_password

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyplay.connection.base import BecomeOptions


class Doas:
    """`doas -u USER …`, with -n where there is no password. It asks on a terminal only."""

    name = "doas"
    pty = True

    def command(self, options: BecomeOptions, argv: Sequence[str], key: str) -> list[str]:  # noqa: ARG002  # doas has its own prompt
        """Give doas' words."""
        flags = shlex.split(options.flags) if options.flags else []
        if options.password is None and "-n" not in flags:
            flags.append("-n")
        return [*shlex.split(options.exe or "doas"), *flags, "-u", options.user, *argv]

    def asks(self, said: bytes, key: str) -> bool:  # noqa: ARG002  # as above
        """`doas (user@host) password:`, or PAM's own."""
        return re.search(rb"(?i)password: *$", said) is not None

    def refusal(self, said: bytes) -> str | None:
        """What doas prints when it will not."""
        if re.search(rb"(?i)authorization required|authentication required", said):
            return missing_password(self.name)
        if re.search(rb"(?i)authorization failed|authentication failed", said):
            return wrong_password(self.name)
        found = re.search(rb"(?im)^doas: (?:unknown user|operation not permitted|doas is not enabled)[^\n]*", said)
        return found.group().decode("utf-8", "replace").strip() if found else None

    def wants_pty(self, said: bytes) -> bool:
        """It has one from the start."""
        return b"a tty is required" in said
