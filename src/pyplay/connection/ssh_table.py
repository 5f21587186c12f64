"""Every word of ssh_config(5) and every letter of ssh(1), and what becomes of it: one table.

A word is honoured, without effect here, or something that asyncssh cannot do and that matters: then the host is reached
by the system's `ssh`. `docs/connections.md` shows the same rows. Source: the man pages of OpenSSH 10, and the names
that its older releases knew.
"""

from __future__ import annotations

from enum import StrEnum

from pyplay.diagnostics.dataclass import dataclass


class Way(StrEnum):
    """What becomes of a word."""

    HONOURED = "honoured"
    IDLE = "without effect"
    SSH = "through ssh"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Word:
    """One keyword as the man page spells it. `how`: how it is honoured, why it has no effect, why ssh is needed.

    `harmless` are the values with which one that needs `ssh` changes nothing.
    """

    name: str
    way: Way
    how: str
    harmless: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Flag:
    """One letter of the command line: short for `keyword` with `value` (None: the next word), or a way of its own."""

    letter: str
    keyword: str = ""
    value: str | None = None
    way: Way = Way.IDLE
    how: str = ""


def _honoured(how: str, *names: str) -> list[Word]:
    return [Word(name, Way.HONOURED, how) for name in names]


def _idle(how: str, *names: str) -> list[Word]:
    return [Word(name, Way.IDLE, how) for name in names]


def _ssh(how: str, *names: str, harmless: str = "") -> list[Word]:
    return [Word(name, Way.SSH, how, tuple(harmless.split())) for name in names]


_WORDS = (
    # where to
    *_honoured("which lines hold for the host", "Host"),
    *_honoured("`all`, `exec`, `final`, `host`, `localuser`, `originalhost`, `tagged`, `user`; others go through ssh",
               "Match"),
    *_honoured("with patterns, relative to the including side's directory, sixteen deep", "Include"),
    *_honoured("what it names is passed over", "IgnoreUnknown"),
    *_honoured("for `Match tagged`", "Tag"),
    *_honoured("the first value found; with tokens", "Hostname", "User", "Port"),
    *_honoured("of the socket", "AddressFamily", "BindAddress", "TCPKeepAlive"),
    *_honoured("seconds, or as `1m30s`; the inventory's timeout comes before the files", "ConnectTimeout"),
    *_honoured("the larger of it and `ansible_ssh_retries`, with a growing pause", "ConnectionAttempts"),
    *_honoured("one connection per jump host for all behind it; chains; ssh's tokens", "ProxyJump"),
    *_honoured("run by /bin/sh with ssh's tokens", "ProxyCommand"),
    *_ssh("asyncssh takes no socket from a proxy", "ProxyUseFdpass", harmless="no"),
    *_ssh("asyncssh looks for no canonical name", "CanonicalizeHostname", harmless="no none"),
    *_idle("part of CanonicalizeHostname", "CanonicalDomains", "CanonicalizeFallbackLocal", "CanonicalizeMaxDots",
           "CanonicalizePermittedCNAMEs"),
    *_ssh("asyncssh binds to addresses alone", "BindInterface", harmless="none"),
    *_honoured("the class for sessions without a terminal; none unless asked for", "IPQoS"),
    # host keys
    *_honoured("yes, no, off, accept-new, ask (asks at a terminal, refuses elsewhere)", "StrictHostKeyChecking"),
    *_honoured("all files; @cert-authority, @revoked, hashed names, patterns", "UserKnownHostsFile",
               "GlobalKnownHostsFile"),
    *_honoured("for keys that are remembered", "HashKnownHosts"),
    *_honoured("the name that known_hosts is asked for", "HostKeyAlias"),
    *_honoured("with + - ^ and patterns; what asyncssh lacks is left out, with nothing left ssh is needed",
               "HostKeyAlgorithms", "Ciphers", "MACs", "KexAlgorithms", "PubkeyAcceptedAlgorithms"),
    *_honoured("smaller RSA keys are neither trusted nor offered", "RequiredRSASize"),
    *_honoured("through ssh where an @cert-authority is known for the host; it matters nowhere else",
               "CASignatureAlgorithms"),
    *_ssh("asyncssh does not compare addresses with names", "CheckHostIP", harmless="no"),
    *_ssh("asyncssh asks no program for keys", "KnownHostsCommand", harmless="none"),
    *_ssh("asyncssh reads no list of revoked keys", "RevokedHostKeys", harmless="none"),
    *_ssh("asyncssh asks no DNS for keys", "VerifyHostKeyDNS", harmless="no"),
    *_ssh("asyncssh knows no exception for this machine", "NoHostAuthenticationForLocalhost", harmless="no"),
    *_idle("known_hosts is changed for new keys alone", "UpdateHostKeys"),
    # logging in
    *_honoured("see the order below", "IdentityFile", "CertificateFile", "IdentitiesOnly", "IdentityAgent"),
    *_honoured("yes and no; unbound and host-bound mean yes", "PubkeyAuthentication"),
    *_honoured("with the password that is given", "PasswordAuthentication", "KbdInteractiveAuthentication"),
    *_honoured("the order of the ways to log in", "PreferredAuthentications"),
    *_honoured("by asyncssh with python-gssapi, else through ssh once a login was refused and there may be tickets",
               "GSSAPIAuthentication", "GSSAPIDelegateCredentials"),
    *_ssh("asyncssh offers no such key exchange here", "GSSAPIKeyExchange", harmless="no"),
    *_idle("part of GSSAPIKeyExchange", "GSSAPIKexAlgorithms", "GSSAPIRenewalForcesRekey"),
    *_ssh("asyncssh takes the name as it stands", "GSSAPITrustDns", "GSSAPIClientIdentity", "GSSAPIServerIdentity",
          harmless="no"),
    *_ssh("asyncssh signs with no host key here", "HostbasedAuthentication", harmless="no"),
    *_idle("part of HostbasedAuthentication", "HostbasedAcceptedAlgorithms", "EnableSSHKeysign"),
    *_ssh("asyncssh opens no smart card here", "PKCS11Provider", harmless="none"),
    *_ssh("asyncssh uses no security key here", "SecurityKeyProvider", harmless="internal"),
    *_idle("keys are read once and stay in memory", "AddKeysToAgent", "UseKeychain"),
    *_idle("one password is given, once", "BatchMode", "NumberOfPasswordPrompts"),
    # the connection
    *_honoured("yes and no; a path or a variable need ssh", "ForwardAgent"),
    *_honoured("off unless asked for", "Compression"),
    *_honoured("keeps a connection alive and notices when it is not; 30 s and 3 unless said otherwise",
               "ServerAliveInterval", "ServerAliveCountMax"),
    *_honoured("bytes and seconds", "RekeyLimit"),
    *_honoured("names with patterns, `-` takes back", "SendEnv"),
    *_honoured("the first one found", "SetEnv"),
    *_idle("connections are kept open anyway; a login that is refused is tried by ssh where a master is open",
           "ControlMaster", "ControlPath", "ControlPersist"),
    *_ssh("asyncssh makes no tunnel device here", "Tunnel", harmless="no"),
    *_idle("part of Tunnel", "TunnelDevice"),
    *_ssh("asyncssh forwards no ports here; ClearAllForwardings takes it back", "LocalForward", "RemoteForward",
          "DynamicForward"),
    *_honoured("yes takes back the forwardings", "ClearAllForwardings"),
    *_idle("part of forwarding", "ExitOnForwardFailure", "GatewayPorts", "PermitRemoteOpen", "StreamLocalBindMask",
           "StreamLocalBindUnlink"),
    *_ssh("it is ssh that refuses then", "RefuseConnection"),
    *_ssh("asyncssh runs no command here when it has connected", "PermitLocalCommand", harmless="no"),
    *_idle("runs with PermitLocalCommand alone", "LocalCommand"),
    # what a program on a host has no use for
    *_idle("the Runner is started in its place", "RemoteCommand", "SessionType", "StdinNull",
           "ForkAfterAuthentication"),
    *_idle("a terminal is asked for where sudo wants one", "RequestTTY", "EscapeChar", "EnableEscapeCommandline",
           "ObscureKeystrokeTiming", "ChannelTimeout"),
    *_idle("modules have no display", "ForwardX11", "ForwardX11Trusted", "ForwardX11Timeout", "XAuthLocation"),
    *_idle("what went wrong is told in the run's own words", "LogLevel", "LogVerbose", "SyslogFacility",
           "VisualHostKey", "FingerprintHash", "WarnWeakCrypto", "VersionAddendum"),
    *_idle("OpenSSH itself does nothing with it any more", "Protocol", "Cipher", "CompressionLevel", "UseRoaming",
           "UsePrivilegedPort", "RhostsRSAAuthentication", "RSAAuthentication", "RhostsAuthentication", "FallBackToRsh",
           "UseRsh", "GlobalKnownHostsFile2", "UserKnownHostsFile2", "KerberosAuthentication", "KerberosTgtPassing",
           "AFSTokenPassing"),
)  # fmt: skip

WORDS = {word.name.lower(): word for word in _WORDS}
"""The rows of keywords, by their names in lower case."""

ALIASES = {
    "challengeresponseauthentication": "kbdinteractiveauthentication",
    "skeyauthentication": "kbdinteractiveauthentication",
    "tisauthentication": "kbdinteractiveauthentication",
    "dsaauthentication": "pubkeyauthentication",
    "pubkeyacceptedkeytypes": "pubkeyacceptedalgorithms",
    "hostbasedkeytypes": "hostbasedacceptedalgorithms",
    "hostbasedacceptedkeytypes": "hostbasedacceptedalgorithms",
    "smartcarddevice": "pkcs11provider",
    "keepalive": "tcpkeepalive",
    "identityfile2": "identityfile",
}
"""Older names of keywords."""

_NO_COMMAND = "no command could be run with it"
_MESSAGES = "what went wrong is told in the run's own words"

FLAGS = {
    flag.letter: flag
    for flag in (
        Flag("4", "AddressFamily", "inet"),
        Flag("6", "AddressFamily", "inet6"),
        Flag("A", "ForwardAgent", "yes"),
        Flag("a", "ForwardAgent", "no"),
        Flag("B", "BindInterface"),
        Flag("b", "BindAddress"),
        Flag("C", "Compression", "yes"),
        Flag("c", "Ciphers"),
        Flag("D", "DynamicForward"),
        Flag("E", how=_MESSAGES),
        Flag("e", "EscapeChar"),
        Flag("F", way=Way.HONOURED, how="the one file to read; `none` for no file"),
        Flag("f", "ForkAfterAuthentication", "yes"),
        Flag("G", value="", how=_NO_COMMAND),
        Flag("g", "GatewayPorts", "yes"),
        Flag("I", "PKCS11Provider"),
        Flag("i", "IdentityFile"),
        Flag("J", "ProxyJump"),
        Flag("K", "GSSAPIAuthentication", "yes"),
        Flag("k", "GSSAPIDelegateCredentials", "no"),
        Flag("L", "LocalForward"),
        Flag("l", "User"),
        Flag("M", "ControlMaster", "yes"),
        Flag("m", "MACs"),
        Flag("N", "SessionType", "none"),
        Flag("n", "StdinNull", "yes"),
        Flag("O", way=Way.REFUSED, how="it steers another ssh instead of running commands"),
        Flag("o", way=Way.HONOURED, how="any keyword, as `X=Y` or `X Y`"),
        Flag("P", "Tag"),
        Flag("p", "Port"),
        Flag("Q", way=Way.REFUSED, how="it lists algorithms instead of running commands"),
        Flag("q", value="", how=_MESSAGES),
        Flag("R", "RemoteForward"),
        Flag("S", "ControlPath"),
        Flag("s", "SessionType", "subsystem"),
        Flag("T", "RequestTTY", "no"),
        Flag("t", "RequestTTY", "yes"),
        Flag("V", value="", how=_NO_COMMAND),
        Flag("v", value="", how=_MESSAGES),
        Flag("W", way=Way.REFUSED, how="it forwards a stream instead of running commands; meant for a ProxyCommand"),
        Flag("w", "Tunnel"),
        Flag("X", "ForwardX11", "yes"),
        Flag("x", "ForwardX11", "no"),
        Flag("Y", "ForwardX11Trusted", "yes"),
        Flag("y", value="", how=_MESSAGES),
    )
}
"""The rows of letters."""


class NeedsSsh(Exception):  # noqa: N818  # a way to go, not a fault
    """asyncssh cannot do what is asked for, and it matters; `reason` names the word and its place."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


def rows() -> list[tuple[str, str, str]]:
    """Give (word, what becomes of it, how) of the whole table, as the documentation shows it."""
    found = [(f"-{flag.letter}", *_way_of(flag)) for flag in FLAGS.values()]
    for word in sorted(_WORDS, key=lambda word: word.name.lower()):
        unless = f" (not with `{'`, `'.join(word.harmless)}`)" if word.harmless else ""
        found.append((word.name, word.way.value, word.how + unless))
    return found


def _way_of(flag: Flag) -> tuple[str, str]:
    if not flag.keyword:
        return flag.way.value, flag.how
    return WORDS[flag.keyword.lower()].way.value, f"{flag.keyword} {flag.value or ''}".strip()
