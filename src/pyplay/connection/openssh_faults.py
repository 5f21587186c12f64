"""Why the system's ssh gave up, from what it logged: in our words where they say more, else in its last ones."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pyplay.connection.host_key_texts import changed_key, unknown_key
from pyplay.connection.login_texts import FEWER_KEYS, TOO_MANY
from pyplay.diagnostics.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pyplay.connection.askpass import Answers

LAST = 3  # lines that are shown where nothing better is known
FAILED = 255
"""The exit status of ssh if it is not the program's own."""
# What ssh also says when all is well, or says again below.
_CHATTER = re.compile(
    r"^(?:debug\d|Authenticated to |Authenticating to |Connecting to |OpenSSH_|Warning: Permanently added|"
    r"Transferred: |Bytes per second|Connection to \S+ closed\.$|Shared connection to|Server accepts key|Remote: |\*\*|"
    r"Killed by signal|Exit status|Executing command|Pseudo-terminal will not|Host key fingerprint)"
)


@dataclass(frozen=True, slots=True)
class Fault:
    """Why there is no connection. `passing`: it may be otherwise in a moment; `early`: the server did not greet."""

    reason: str
    passing: bool = False
    early: bool = False


def telling(lines: Sequence[str]) -> list[str]:
    """Give the lines that say what went wrong."""
    return [line.strip() for line in lines if line.strip() and not _CHATTER.match(line.strip())]


def explain_end(lines: Sequence[str], status: int, answers: Answers) -> Fault:
    """Give why ssh ended with `status` after it had said `lines` (its log, then its standard error)."""
    told = telling(lines)
    text = "\n".join(told)
    for pattern, explain in _KNOWN:
        found = re.search(pattern, text, re.MULTILINE)
        if found:
            return explain(found, answers)
    return Fault("; ".join(told[-LAST:]) or f"ssh ended with status {status} without a word", passing=not told)


def _changed(found: re.Match[str], answers: Answers) -> Fault:
    offending = re.search(r"Offending (?:\S+ )?key in (\S+:\d+)", found.string)
    key = re.search(r"(SHA256:\S+?|MD5:\S+?)\.?$", found.string, re.MULTILINE)
    kind = re.search(r"for the (\S+) key", found.string)
    shown = " ".join(part[1] for part in (kind, key) if part) or found[0]
    return Fault(changed_key(answers.target, offending[1] if offending else "known_hosts", shown))


def _unknown(found: re.Match[str], answers: Answers) -> Fault:
    if "revoked" in found.string.lower():
        return Fault("the host key was REVOKED: somebody may be in between")
    return Fault(unknown_key(answers.target, answers.key))


def _denied(found: re.Match[str], answers: Answers) -> Fault:
    wrong = next(iter(sorted(answers.wrong or answers.given)), "")
    more = f"; the {wrong} is wrong" if wrong else ""
    if not wrong and answers.unanswered:
        more = f"; nobody could answer `{' '.join(answers.unanswered.split())}`"
    who = found["who"] or answers.target.user
    return Fault(f"login as {who.partition('@')[0]} was refused (the server takes {found['methods']}){more}")


def _no_port(found: re.Match[str], answers: Answers) -> Fault:
    reason = found["why"].strip()
    port = found["port"]
    if "timed out" in reason:
        return Fault(f"no answer from port {port} within {answers.target.connect_timeout:g} s", passing=True)
    return Fault(f"port {port}: {reason}", passing=True)


def _no_name(found: re.Match[str], _: Answers) -> Fault:
    return Fault(f"the name {found['name']} cannot be resolved: {found['why']}")


def _passing(found: re.Match[str], _: Answers) -> Fault:
    early = "kex_exchange_identification" in found[0] and ("closed" in found[0] or "reset" in found[0])
    return Fault(found[0].strip(), passing=True, early=early)


def _too_many(found: re.Match[str], _: Answers) -> Fault:
    return Fault(f"port {found['port']}: {TOO_MANY}; {FEWER_KEYS}")


_KNOWN: tuple[tuple[str, Callable[[re.Match[str], Answers], Fault]], ...] = (
    (r"REMOTE HOST IDENTIFICATION HAS CHANGED", _changed),
    (r"Host key verification failed|you have requested strict checking", _unknown),
    (r"^(?:(?P<who>\S+@\S+): )?Permission denied \((?P<methods>[^)]*)\)", _denied),
    (rf"^Received disconnect from \S+ port (?P<port>\d+):.*{TOO_MANY}", _too_many),
    (r"^.*Could not resolve hostname (?P<name>\S+): (?P<why>.*)$", _no_name),
    (r"^.*connect to (?:host|address) \S+ port (?P<port>\d+): (?P<why>.*)$", _no_port),
    (
        r"^.*(?:Connection (?:closed|reset|timed out)|kex_exchange_identification|banner exchange|Broken pipe).*$",
        _passing,
    ),
)
