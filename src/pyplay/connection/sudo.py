"""sudo: how it is called, how it asks, how it says no. Source: sudo(8), sudoers(5), and what sudo-rs prints."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING

from pyplay.connection.base import missing_password, wrong_password

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyplay.connection.base import BecomeOptions

FLAGS = "-H -S -n"
ENTER = 'cd "$1" && shift && exec "$@"'
SHELL_FLAG = r"-[A-Za-z]*[is][A-Za-z]*|--login|--shell"
PLAIN = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 ./:;,=_+(){}<>|&[]*-")
REFUSALS = (
    (
        rb"is not in the sudoers file|is not allowed to (?:run sudo|execute)|I'm sorry .*can't do that",
        "sudo does not allow it",
    ),
    (rb"unknown user|user '[^\n']*' not found", "the user does not exist there"),
    (rb"Account expired|account has expired|account validation failure", "the account is closed"),
    (rb"effective uid is not 0|must be owned by uid 0", "sudo is not installed as it must be"),
)


class Sudo:
    """`sudo -H -S -n -u USER …`, or with a password `sudo -H -S -p PROMPT -u USER …`; never /dev/tty."""

    name = "sudo"
    pty = False

    def command(self, options: BecomeOptions, argv: Sequence[str], key: str) -> list[str]:
        """Give sudo's words. `become_flags` replace ours, as in Ansible; -n goes and -S comes with a password."""
        flags = shlex.split(options.flags if options.flags is not None else FLAGS)
        if options.password is not None:
            flags = [flag for flag in (_without_n(flag) for flag in flags) if flag]
            if not any(re.fullmatch(r"-[A-Za-z]*S[A-Za-z]*|--stdin", flag) for flag in flags):
                flags.append("-S")
            flags += ["-p", prompt(key)]
        elif "-n" not in flags and "--non-interactive" not in flags:
            flags.append("-n")
        words = _for_login_shell(argv) if any(re.fullmatch(SHELL_FLAG, flag) for flag in flags) else list(argv)
        called = [*shlex.split(options.exe or "sudo"), *flags, "-u", options.user, "--", *words]
        return called if options.chdir is None else ["/bin/sh", "-c", ENTER, "sh", options.chdir, *called]

    def asks(self, said: bytes, key: str) -> bool:
        """Our own prompt, or one that PAM insists on."""
        return prompt(key).encode() in said or re.search(rb"(?i)password[^\n]*: ?$", said) is not None

    def refusal(self, said: bytes) -> str | None:
        """What sudo prints when it will not."""
        if re.search(
            rb"(?:a password is required|interactive authentication is required|no password was provided)", said
        ):
            return missing_password(self.name)
        if re.search(rb"incorrect password attempt|Sorry, try again|Authentication failed, try again", said):
            return wrong_password(self.name)
        for pattern, reason in REFUSALS:
            found = re.search(rb"[^\n]*(?:" + pattern + rb")[^\n]*", said)
            if found:
                return f"{reason}: {found.group().decode('utf-8', 'replace').strip()}"
        return None

    def wants_pty(self, said: bytes) -> bool:
        """`Defaults requiretty`."""
        return re.search(rb"you must have a tty|must be run from a terminal|a terminal is required", said) is not None


def _for_login_shell(argv: Sequence[str]) -> list[str]:
    """Give words that survive `sudo -i` and `-s`.

    These hand one line to the user's shell and protect every special character but the dollar sign, so there must be
    none: the line is rebuilt on the other side. Source: sudo(8), "the command is passed to the shell as an argument".
    """
    line = shlex.join(argv).encode("utf-8", "surrogateescape")
    escaped = "".join(chr(byte) if byte in PLAIN else f"\\0{byte:03o}" for byte in line)
    return ["/bin/sh", "-c", f"eval \"`printf %b '{escaped}'`\""]


def prompt(key: str) -> str:
    """Give a prompt that nothing else prints."""
    return f"[pyplay become {key}] password:"


def _without_n(flag: str) -> str:
    """Take -n out of a word of flags such as -Hn."""
    if flag == "--non-interactive":
        return ""
    if re.fullmatch(r"-[A-Za-z]+", flag) and "n" in flag:
        flag = flag.replace("n", "")
        return "" if flag == "-" else flag
    return flag
