"""The command line of the system's ssh: the words that Ansible would give it, and before them what must hold here.

The first value found holds with ssh, so what stands first wins over the user's words and files. Source: ssh(1).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyplay.connection.login_texts import ATTEMPTS
from pyplay.connection.ssh_table import WORDS

if TYPE_CHECKING:
    from pathlib import Path

    from pyplay.connection.base import ConnectionOptions
    from pyplay.connection.ssh_target import Plan

# Ours in any case: no master stays behind (an open one is used), the log tells faults from the program's own end.
_ALWAYS = ("LogLevel=VERBOSE", "ControlMaster=no", "ControlPersist=no", "EscapeChar=none")
# Ours where the user's words or files know the keyword: older releases do not, and refuse it.
_WHERE_KNOWN = {
    "remotecommand": "RemoteCommand=none",
    "sessiontype": "SessionType=default",
    "stdinnull": "StdinNull=no",
    "forkafterauthentication": "ForkAfterAuthentication=no",
    "batchmode": "BatchMode=no",
}


def ssh_command(
    options: ConnectionOptions, plan: Plan, log: Path, command: str, *, pty: bool, asks: bool = False
) -> list[str]:
    """Give the words that run the shell line `command` on the host, with ssh's own messages in `log`.

    `asks`: somebody can be asked for passphrases.
    """
    settings = [*_ALWAYS, *_prompts(options, asks=asks), f"RequestTTY={'force' if pty else 'no'}"]
    known = plan.answers.places
    settings += [ours for keyword, ours in _WHERE_KNOWN.items() if keyword in known]
    if options.pkcs11_provider:
        settings += ["KbdInteractiveAuthentication=no", "PreferredAuthentications=publickey"]
        settings += ["PasswordAuthentication=no", f"PKCS11Provider={options.pkcs11_provider}"]
    unknown = ",".join(sorted(known.keys() - WORDS.keys()))
    if unknown:  # warned about; ssh may know them, or would refuse to go on
        settings.append(f"IgnoreUnknown={unknown},{plan.answers.values.get('ignoreunknown', unknown)}")
    words = [options.ssh_executable, "-E", str(log)]
    for setting in settings:
        words += ["-o", setting]
    words += ["-F", plan.words.config_file] if plan.words.config_file else []
    words += plan.words.argv
    for keyword, value in (
        ("ServerAliveInterval", plan.target.keepalive),
        ("ServerAliveCountMax", plan.target.keepalive_count),
    ):
        if keyword.lower() not in known:
            words += ["-o", f"{keyword}={value:.0f}"]
    return [*words, "--", options.address or options.host, command]


def _prompts(options: ConnectionOptions, *, asks: bool) -> tuple[str, ...]:
    """Give how often ssh asks: once for what is set, as often as it would by itself for what a person types."""
    if options.password is not None or options.passphrase is not None or not asks:
        return ("NumberOfPasswordPrompts=1",)
    return (f"NumberOfPasswordPrompts={ATTEMPTS}", "PasswordAuthentication=no", "KbdInteractiveAuthentication=no")
