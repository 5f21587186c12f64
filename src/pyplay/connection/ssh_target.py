"""From connection options, ssh's words and ssh config to what one login needs, in OpenSSH's order of precedence.

`ssh_args`, `ssh_common_args`, then port, key, user and timeout of the inventory, `ssh_extra_args`, then the files:
the order of the command line that Ansible builds, in which the first value given holds. Source: ssh(1), ssh_config(5).
"""

from __future__ import annotations

import getpass
import os
import re
import socket
from typing import TYPE_CHECKING

from pyplay.connection.ssh_config import (
    Answers,
    SshConfig,
    SshConfigError,
    expand,
    host_name,
    matches,
    unquoted,
    words_of,
)
from pyplay.connection.ssh_qos import read_class
from pyplay.connection.ssh_table import NeedsSsh
from pyplay.connection.ssh_words import SshWords, judge_keyword, parse_words
from pyplay.diagnostics.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyplay.connection.base import ConnectionOptions

KNOWN_HOSTS = "~/.ssh/known_hosts ~/.ssh/known_hosts2"
GLOBAL_KNOWN_HOSTS = "/etc/ssh/ssh_known_hosts /etc/ssh/ssh_known_hosts2"
FAMILIES = {"any": socket.AF_UNSPEC, "inet": socket.AF_INET, "inet6": socket.AF_INET6}
CHECKING = {
    "yes": "yes",
    "no": "no",
    "off": "no",
    "accept-new": "accept-new",
    "ask": "ask",
    "true": "yes",
    "false": "no",
}


@dataclass(frozen=True, slots=True)
class Jump:
    """One host of a ProxyJump chain."""

    address: str
    user: str | None
    port: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SshTarget:
    """One login, everything decided."""

    name: str  # as the inventory says it; what known_hosts is asked for is `key_name`
    address: str
    port: int
    user: str
    key_name: str
    key_port: int  # 22 with a HostKeyAlias, which stands alone in known_hosts
    checking: str  # yes, no, accept-new, ask
    known_hosts: tuple[str, ...]
    known_hosts_file: str | None
    hash_known_hosts: bool
    identities: tuple[str, ...]
    certificates: tuple[str, ...]
    identities_only: bool
    agent: str | None
    forward_agent: bool
    jumps: tuple[Jump, ...]
    proxy_command: str | None
    family: socket.AddressFamily
    bind_address: str | None
    service_class: int | None  # of the packets
    connect_timeout: float
    attempts: int
    keepalive: float
    keepalive_count: int
    tcp_keepalive: bool
    compression: bool
    public_key: bool
    password: bool
    keyboard: bool
    gssapi: bool
    gssapi_delegate: bool
    preferred: str | None
    ciphers: str | None
    macs: str | None
    kex: str | None
    host_key_algorithms: str | None
    signatures: str | None
    ca_algorithms: str | None
    rsa_size: int
    rekey: str | None
    control_path: str | None
    environment: tuple[tuple[str, str], ...]


def read_words(options: ConnectionOptions) -> SshWords:
    """Give the words of the three variables and of the inventory in ssh's order. Raises SshConfigError."""
    words = SshWords()
    words.take(parse_words(options.ssh_args, "ssh_args"))
    words.take(parse_words(options.ssh_common_args, "ssh_common_args"))
    if options.host_key_checking is False:
        words.set("StrictHostKeyChecking", "no", "host_key_checking")
    if options.port is not None:
        words.set("Port", str(options.port), "ansible_port")
    if options.private_key_file:
        words.set("IdentityFile", options.private_key_file, "ansible_ssh_private_key_file")
    if options.user:
        words.set("User", options.user, "ansible_user")
    words.set("ConnectTimeout", f"{options.timeout:g}", "timeout")
    words.take(parse_words(options.ssh_extra_args, "ssh_extra_args"))
    return words


@dataclass(frozen=True, slots=True)
class Plan:
    """What was found out before a login: `why` ssh itself must go, and `warnings` about words that nobody knows."""

    target: SshTarget
    why: str | None
    warnings: tuple[str, ...]
    answers: Answers
    words: SshWords


def plan_login(options: ConnectionOptions, config: Callable[[str | None], SshConfig]) -> Plan:
    """Decide everything about the login that `options` ask for. `config` gives the files to ask (-F or the usual ones).

    Raises SshConfigError for a word or a value that nobody could honour.
    """
    words = read_words(options)
    host = options.address or options.host
    answers = Answers()
    for setting in words.settings:
        answers.take(setting)
    why: list[str] = []
    try:
        config(words.config_file).evaluate(host, answers)
    except NeedsSsh as need:
        why.append(need.reason)
    warnings: list[str] = []
    ignored = answers.values.get("ignoreunknown", "")
    for keyword, place in answers.places.items():
        try:
            warning = judge_keyword(keyword, unquoted(answers.values.get(keyword, "")), place, ignored)
        except NeedsSsh as need:
            if not (keyword.endswith("forward") and answers.values.get("clearallforwardings", "").lower() == "yes"):
                why.append(need.reason)
        else:
            warnings += [warning] if warning else []
    reader = _Reader(host, answers)
    target = reader.target()
    why += reader.why
    return Plan(target, why[0] if why else None, tuple(warnings), answers, words)


def find_target(options: ConnectionOptions, config: Callable[[str | None], SshConfig]) -> SshTarget:
    """Decide everything about a login by asyncssh. Raises SshConfigError, and NeedsSsh where it cannot do it."""
    plan = plan_login(options, config)
    if plan.why is not None:
        raise NeedsSsh(plan.why)
    return plan.target


class _Reader:
    """Reads typed values out of what was found."""

    def __init__(self, host: str, answers: Answers) -> None:
        self._host = host
        self._answers = answers
        self._values = answers.values
        self.why: list[str] = []  # why asyncssh will not do

    def text(self, keyword: str) -> str | None:
        value = self._values.get(keyword)
        return None if value is None else unquoted(value)

    def flag(self, keyword: str, *, default: bool) -> bool:
        value = (self.text(keyword) or "").lower()
        if value in ("yes", "true") or (keyword == "pubkeyauthentication" and value in ("unbound", "host-bound")):
            return True
        if value in ("no", "false"):
            return False
        if not value:
            return default
        raise SshConfigError(f"{self._place(keyword)}: {keyword} is yes or no, not {value}")

    def number(self, keyword: str, default: float) -> float:
        value = self.text(keyword)
        if value is None or value.lower() == "none":
            return default
        try:
            return _seconds(value)
        except ValueError:
            raise SshConfigError(f"{self._place(keyword)}: {keyword} is no number: {value}") from None

    def expanded(self, text: str) -> str:
        tokens = expand(unquoted(text), self._host, self._answers)
        return _with_variables(os.path.expanduser(tokens))  # noqa: PTH111  # after the tokens

    def paths(self, keyword: str, default: str) -> tuple[str, ...]:
        text = self.text(keyword)
        found = tuple(self.expanded(word) for word in words_of(text if text is not None else default))
        return () if found == ("none",) else found

    def target(self) -> SshTarget:
        values = self._values
        user_files = self.paths("userknownhostsfile", KNOWN_HOSTS)
        checking = CHECKING.get((self.text("stricthostkeychecking") or "ask").lower())
        if checking is None:
            raise SshConfigError(
                f"{self._place('stricthostkeychecking')}: {self.text('stricthostkeychecking')} is not known"
            )
        port = self.number("port", 22)
        values.setdefault("port", f"{port:.0f}")
        address = host_name(self._host, self._answers)
        proxy = values.get("proxycommand")  # a shell line: its quotes are its own
        return SshTarget(
            name=self._host,
            address=address,
            port=int(port),
            user=self._user(),
            key_name=self.expanded(values["hostkeyalias"]) if "hostkeyalias" in values else address,
            key_port=22 if "hostkeyalias" in values else int(port),
            checking=checking,
            known_hosts=(*user_files, *self.paths("globalknownhostsfile", GLOBAL_KNOWN_HOSTS)),
            known_hosts_file=user_files[0] if user_files else None,
            hash_known_hosts=self.flag("hashknownhosts", default=False),
            identities=self._gathered("identityfile"),
            certificates=self._gathered("certificatefile"),
            identities_only=self.flag("identitiesonly", default=False),
            agent=self._agent("identityagent"),
            forward_agent=self._forwarded(),
            jumps=self._jumps(proxy),
            proxy_command=None
            if proxy is None or proxy.lower() == "none"
            else expand(proxy, self._host, self._answers),
            family=self._family(),
            bind_address=self.text("bindaddress"),
            service_class=read_class(" ".join(words_of(values.get("ipqos", ""))), self._place("ipqos")),
            connect_timeout=self.number("connecttimeout", 10.0),
            attempts=int(self.number("connectionattempts", 1)),
            keepalive=self.number("serveraliveinterval", 30.0),
            keepalive_count=int(self.number("serveralivecountmax", 3)),
            tcp_keepalive=self.flag("tcpkeepalive", default=True),
            compression=self.flag("compression", default=False),
            public_key=self.flag("pubkeyauthentication", default=True),
            password=self.flag("passwordauthentication", default=True),
            keyboard=self.flag("kbdinteractiveauthentication", default=True),
            gssapi=self.flag("gssapiauthentication", default=False),
            gssapi_delegate=self.flag("gssapidelegatecredentials", default=False),
            preferred=self.text("preferredauthentications"),
            ciphers=self.text("ciphers"),
            macs=self.text("macs"),
            kex=self.text("kexalgorithms"),
            host_key_algorithms=self.text("hostkeyalgorithms"),
            signatures=self.text("pubkeyacceptedalgorithms"),
            ca_algorithms=self.text("casignaturealgorithms"),
            rsa_size=int(self.number("requiredrsasize", 0)),
            rekey=values.get("rekeylimit"),
            control_path=self._control_path(),
            environment=self._environment(),
        )

    def _place(self, keyword: str) -> str:
        return self._answers.places.get(keyword, keyword)

    def _gathered(self, keyword: str) -> tuple[str, ...]:
        found = [self.expanded(value) for value in self._answers.lists.get(keyword, ())]
        return tuple(path for path in found if path.lower() != "none")

    def _agent(self, keyword: str) -> str | None:
        value = self.text(keyword)
        if value is None or value == "SSH_AUTH_SOCK":
            return os.environ.get("SSH_AUTH_SOCK")
        if value.lower() == "none":
            return None
        return os.environ.get(value[1:]) if value.startswith("$") and "/" not in value else self.expanded(value)

    def _forwarded(self) -> bool:
        value = self.text("forwardagent") or "no"
        if value.startswith(("$", "/", "~")):
            self.why.append(f"{self._place('forwardagent')}: ForwardAgent {value}: asyncssh forwards the agent in use")
            return False
        return self.flag("forwardagent", default=False)

    def _user(self) -> str:
        value = self.text("user")
        return _with_variables(value) if value else getpass.getuser()

    def _control_path(self) -> str | None:
        value = self.text("controlpath")
        return None if value is None or value.lower() == "none" else self.expanded(value)

    def _jumps(self, proxy: str | None) -> tuple[Jump, ...]:
        value = self.text("proxyjump")
        # ProxyCommand and ProxyJump are rivals: the one found first holds.
        keywords = list(self._values)
        if value is None or value.lower() == "none":
            return ()
        if proxy is not None and keywords.index("proxycommand") < keywords.index("proxyjump"):
            return ()
        hops = expand(value, self._host, self._answers).split(",")
        return tuple(_parse_jump(hop, self._place("proxyjump")) for hop in hops)

    def _family(self) -> socket.AddressFamily:
        value = (self.text("addressfamily") or "any").lower()
        if value not in FAMILIES:
            raise SshConfigError(f"{self._place('addressfamily')}: {value} is not known")
        return FAMILIES[value]

    def _environment(self) -> tuple[tuple[str, str], ...]:
        found: dict[str, str] = {}
        for pattern in (word for line in self._answers.lists.get("sendenv", ()) for word in words_of(line)):
            if pattern.startswith("-"):
                found = {name: value for name, value in found.items() if not matches(name, [pattern[1:]])}
            elif "*" in pattern or "?" in pattern:
                found.update(_environment_like(pattern))
            elif pattern in os.environ:
                found[pattern] = os.environ[pattern]
        for word in words_of(self._values.get("setenv", "")):
            name, _, value = word.partition("=")
            found[name] = value
        return tuple(found.items())


def _environment_like(pattern: str) -> dict[str, str]:
    """Give the environment's variables whose names fit a pattern."""
    start = re.split(r"[*?]", pattern, maxsplit=1)[0].lower()
    likely = [name for name in os.environ if name.lower().startswith(start)]  # telling this is quicker
    return {name: os.environ[name] for name in likely if matches(name, [pattern])}


def _with_variables(text: str) -> str:
    """Put in the environment's variables: `${NAME}`. Raises SshConfigError for one that is not set, as ssh does."""

    def replace(found: re.Match[str]) -> str:
        value = os.environ.get(found.group(1))
        if value is None:
            raise SshConfigError(f"the environment has no {found.group(1)} for {text}")
        return value

    return re.sub(r"\$\{(\w+)\}", replace, text)


def _parse_jump(text: str, place: str) -> Jump:
    """Read `[user@]host[:port]`, `ssh://…`, or `[address]:port` for IPv6."""
    text = text.strip().removeprefix("ssh://").rstrip("/")
    user, _, rest = text.rpartition("@")
    if rest.startswith("["):
        address, _, port = rest[1:].partition("]")
        port = port.removeprefix(":")
    elif rest.count(":") == 1:
        address, _, port = rest.partition(":")
    else:
        address, port = rest, ""
    if not address or (port and not port.isdigit()):
        raise SshConfigError(f"{place}: `{text}` is no [user@]host[:port]")
    return Jump(address, user or None, int(port) if port else None)


def _seconds(text: str) -> float:
    """Read ssh's times: `90`, `1m30s`, `2h`."""
    units = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}
    if text[-1:].lower() not in units:
        return float(text)
    total, digits = 0.0, ""
    for letter in text.lower():
        if letter in units:
            total += float(digits) * units[letter]
            digits = ""
        else:
            digits += letter
    return total
