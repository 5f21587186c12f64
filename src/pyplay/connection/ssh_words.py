"""The words of `ssh_args`, `ssh_common_args` and `ssh_extra_args`: OpenSSH's command line, as settings.

Every word is honoured, without effect here (`IDLE`, and why), or refused; none is dropped in silence. Source: ssh(1).
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass

from pyplay.connection.ssh_config import Setting, SshConfigError, matches, parse_line

FLAGS = {
    "4": ("addressfamily", "inet"),
    "6": ("addressfamily", "inet6"),
    "A": ("forwardagent", "yes"),
    "a": ("forwardagent", "no"),
    "C": ("compression", "yes"),
    "K": ("gssapiauthentication", "yes"),
    "k": ("gssapidelegatecredentials", "no"),
}
WITH_VALUE = {
    "J": "proxyjump",
    "i": "identityfile",
    "p": "port",
    "l": "user",
    "b": "bindaddress",
    "c": "ciphers",
    "m": "macs",
    "P": "tag",
}
IDLE_FLAGS = frozenset("TtqvnxXYMNfgysV")
IDLE_WITH_VALUE = frozenset("SeEODLRwB")

HONOURED = frozenset(
    {
        "addressfamily", "bindaddress", "certificatefile", "challengeresponseauthentication", "ciphers", "compression",
        "connectionattempts", "connecttimeout", "forwardagent", "globalknownhostsfile", "gssapiauthentication",
        "gssapidelegatecredentials", "hashknownhosts", "hostkeyalgorithms", "hostkeyalias", "hostname",
        "identitiesonly", "identityagent", "identityfile", "kbdinteractiveauthentication", "kexalgorithms", "macs",
        "passwordauthentication", "port", "preferredauthentications", "proxycommand", "proxyjump",
        "pubkeyacceptedalgorithms", "pubkeyacceptedkeytypes", "pubkeyauthentication", "rekeylimit", "sendenv",
        "serveralivecountmax", "serveraliveinterval", "setenv", "stricthostkeychecking", "tag", "tcpkeepalive", "user",
        "userknownhostsfile", "ignoreunknown",
    }
)  # fmt: skip
IDLE = {
    **dict.fromkeys(("controlmaster", "controlpath", "controlpersist"), "connections are kept open anyway"),
    **dict.fromkeys(("batchmode", "numberofpasswordprompts"), "nothing is ever asked on the terminal but host keys"),
    **dict.fromkeys(("requesttty", "escapechar", "sessiontype", "stdinnull", "forkafterauthentication"), "no terminal"),
    **dict.fromkeys(
        ("localforward", "remoteforward", "dynamicforward", "exitonforwardfailure", "clearallforwardings",
         "gatewayports", "permitremoteopen", "streamlocalbindmask", "streamlocalbindunlink"),
        "no ports are forwarded",
    ),
    **dict.fromkeys(("forwardx11", "forwardx11trusted", "forwardx11timeout", "xauthlocation"), "no X11"),
    **dict.fromkeys(
        ("loglevel", "logverbose", "syslogfacility", "visualhostkey", "fingerprinthash", "warnweakcrypto"), "messages"
    ),
    **dict.fromkeys(
        ("addkeystoagent", "usekeychain", "updatehostkeys", "checkhostip", "ipqos", "enableescapecommandline",
         "obscurekeystroketiming", "permitlocalcommand", "localcommand", "canonicaldomains",
         "canonicalizefallbacklocal", "canonicalizemaxdots", "canonicalizepermittedcnames", "requiredrsasize",
         "nohostauthenticationforlocalhost",
         "tunnel", "tunneldevice", "useroaming", "useprivilegedport", "rhostsrsaauthentication", "rsaauthentication",
         "protocol", "enablesshkeysign", "hostbasedauthentication", "hostbasedacceptedalgorithms", "gssapikeyexchange",
         "gssapitrustdns", "gssapirenewalforcesrekey", "proxyusefdpass", "versionaddendum"),
        "nothing here depends on it",
    ),
}  # fmt: skip
# Without effect only with this value; any other would change where or as whom we log in.
IDLE_WHEN = {
    "canonicalizehostname": {"no", "false", "none"},
    "verifyhostkeydns": {"no", "false"},
    "remotecommand": {"none"},
    "pkcs11provider": {"none"},
    "securitykeyprovider": {"internal"},
    "bindinterface": {"none"},
    "knownhostscommand": {"none"},
    "casignaturealgorithms": set[str](),
    "revokedhostkeys": {"none"},
}


@dataclass(frozen=True, slots=True)
class SshWords:
    """What a line of words said: settings in their order, and the file of -F."""

    settings: tuple[Setting, ...]
    config_file: str | None = None


def parse_words(line: str, name: str) -> SshWords:
    """Read the words of one variable; `name` is what it is called, for messages. Raises SshConfigError."""
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise SshConfigError(f"{name}: {error}: {line}") from None
    settings: list[Setting] = []
    config_file = None
    while words:
        word = words.pop(0)
        if not word.startswith("-") or word == "-":
            raise SshConfigError(f"{name}: `{word}` is no option of ssh")
        letters = word[1:]
        while letters:
            letter, letters = letters[0], letters[1:]
            if letter in FLAGS:
                keyword, value = FLAGS[letter]
                settings.append(Setting(keyword, value, f"{name} -{letter}"))
            elif letter in IDLE_FLAGS:
                continue
            else:
                value, letters = letters or (words.pop(0) if words else ""), ""
                if not value:
                    raise SshConfigError(f"{name}: -{letter} lacks its value")
                if letter == "F":
                    config_file = value
                elif letter == "o":
                    setting = parse_line(value, f"{name} -o {value}")
                    settings += [setting] if setting else []
                elif letter in WITH_VALUE:
                    settings.append(Setting(WITH_VALUE[letter], value, f"{name} -{letter}"))
                elif letter not in IDLE_WITH_VALUE:
                    raise SshConfigError(f"{name}: ssh's -{letter} cannot be honoured")
    return SshWords(tuple(settings), config_file)


def check_keyword(keyword: str, value: str, place: str, ignored: str = "") -> None:
    """Refuse a keyword that is neither honoured nor known to be without effect. Raises SshConfigError."""
    if keyword in HONOURED or keyword in IDLE:
        return
    if keyword in IDLE_WHEN and value.lower() in IDLE_WHEN[keyword]:
        return
    if ignored and matches(keyword, [word.lower() for word in ignored.split(",")]):
        return
    raise SshConfigError(f"{place}: `{keyword} {value}` cannot be honoured; remove it for this host")
