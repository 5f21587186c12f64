"""ssh_config(5) as we read it, compared with what `ssh -G` says where that is there."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import asyncssh
import pytest

from pyplay.connection.base import ConnectionOptions
from pyplay.connection.ssh_algorithms import fit_algorithms, list_algorithms
from pyplay.connection.ssh_config import Answers, SshConfig, SshConfigError, expand, matches, parse_line, words_of
from pyplay.connection.ssh_table import NeedsSsh
from pyplay.connection.ssh_target import Jump, SshTarget, find_target, plan_login
from pyplay.connection.ssh_words import parse_words


def target(tmp_path: Path, text: str = "", host: str = "web1", **options: object) -> SshTarget:
    """Decide about a login with a configuration of this text."""
    file = tmp_path / "config"
    file.write_text(text)
    given = ConnectionOptions(**{"host": host, "address": host, **options})
    return find_target(given, lambda named: SshConfig([(named or str(file), True)]))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Port 22", ("port", "22")),
        ("  port = 22  ", ("port", "22")),
        ("IdentityFile=~/a b", ("identityfile", "~/a b")),
        ("# Port 22", None),
        ("", None),
    ],
)
def test_lines(line: str, expected: tuple[str, str] | None) -> None:
    setting = parse_line(line, "here")
    assert (setting and (setting.keyword, setting.value)) == expected


def test_a_line_without_a_value_is_refused() -> None:
    with pytest.raises(SshConfigError, match="here: keyword without a value"):
        parse_line("Port", "here")


@pytest.mark.parametrize(
    ("patterns", "name", "expected"),
    [
        (["*"], "h", True),
        (["web?"], "web1", True),
        (["web?"], "web12", False),
        (["*.example.com", "!db.example.com"], "web.example.com", True),
        (["*.example.com", "!db.example.com"], "db.example.com", False),
        (["!a"], "b", False),
        (["[ab]"], "a", False),
        (["[ab]"], "[ab]", True),
        (["WEB"], "web", True),
    ],
)
def test_patterns(patterns: list[str], name: str, *, expected: bool) -> None:
    assert matches(name, patterns) is expected


def test_words_keep_what_quotes_hold() -> None:
    assert words_of("a \"b c\" 'd e' # f") == ["a", "b c", "d e"]
    assert words_of("joe's") == ["joe's"]


CONFIG = """
Host web1 web2
  HostName %h.example.com
  Port 2201
  User first
Host web*
  User second
  IdentityFile ~/.ssh/one
  ServerAliveInterval 1m
Host !web1 *
  Port 99
Match host *.example.com user first
  IdentityFile /keys/%r-%p
  Compression yes
Match exec "test %h = db.example.com" host db*
  Port 3301
Match originalhost web1 !localuser nosuchuser
  ConnectTimeout 7
Host *
  IdentityFile ~/.ssh/two
  ConnectionAttempts 3
"""


def test_the_first_value_holds_and_identities_gather(tmp_path: Path) -> None:
    found = target(tmp_path, CONFIG, timeout=10)
    assert (found.address, found.port, found.user, found.attempts) == ("web1.example.com", 2201, "first", 3)
    assert [path.rpartition("/")[2] for path in found.identities] == ["one", "first-2201", "two"]
    assert found.compression
    assert found.keepalive == 60
    assert found.connect_timeout == 10  # the inventory's timeout comes before the files


@pytest.mark.parametrize("host", ["web1", "web2", "web3", "db", "other"])
@pytest.mark.skipif(not shutil.which("ssh"), reason="needs ssh")
def test_ssh_itself_agrees(tmp_path: Path, host: str) -> None:
    found = target(tmp_path, CONFIG, host=host)
    shown = subprocess.run(
        ["ssh", "-G", "-F", str(tmp_path / "config"), host], capture_output=True, text=True, check=True
    )
    lines = [line.partition(" ")[::2] for line in shown.stdout.splitlines()]
    values = dict(reversed(lines))
    assert (found.address, str(found.port), found.user) == (values["hostname"], values["port"], values["user"])
    assert len(found.identities) == len([1 for keyword, _ in lines if keyword == "identityfile"])


WHOLE = """
Include {inner}*
Host web* !web9
  HostName "%h.example.com"  # quoted, with a comment
  User 'first last'
  SendEnv LANG LC_* -LC_PAPER
Match originalhost web1,web2 !localuser nosuchuser
  SetEnv A=1 "B=two words"
  SetEnv C=3
  IdentityFile ~/.ssh/%n-%r
  UserKnownHostsFile /a "/b c" # both
Match exec "test %n = web2" host *.example.com
  ProxyJump bastion
Match all
  Port=2222
  ConnectTimeout 1m30s
  IPQoS af21 cs1
Host *
  Port 99
  RekeyLimit 1G 1h
  IdentityFile /fallback
Match final host web1.example.com
  ServerAliveInterval 17
  User late
"""


@pytest.mark.parametrize("host", ["web1", "web2", "web9", "db"])
@pytest.mark.skipif(not shutil.which("ssh"), reason="needs ssh")
def test_ssh_itself_agrees_on_every_form(tmp_path: Path, host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.setenv("LC_PAPER", "x")
    (tmp_path / "inner-1").write_text("Host db\n  Compression yes\n  ServerAliveCountMax 9\n")
    (tmp_path / "inner-2").write_text("Host db web9\n  HostKeyAlias fleet\n  ForwardAgent yes\n")
    text = WHOLE.replace("{inner}", str(tmp_path / "inner-"))
    found = target(tmp_path, text, host=host, timeout=5)
    shown = subprocess.run(
        ["ssh", "-G", "-F", str(tmp_path / "config"), host], capture_output=True, text=True, check=True
    )
    lines = [line.partition(" ")[::2] for line in shown.stdout.splitlines()]
    values = dict(reversed(lines))
    files = [value for keyword, value in lines if keyword == "identityfile"]
    assert (found.address, found.port, found.user) == (values["hostname"], int(values["port"]), values["user"])
    assert [Path(file).name for file in found.identities] == [
        expand(Path(file).name, host, answers_of(found)) for file in files
    ]
    assert found.keepalive == int(values["serveraliveinterval"]) or values["serveraliveinterval"] == "0"
    assert found.keepalive_count == int(values["serveralivecountmax"])
    assert (found.compression, found.forward_agent) == (values["compression"] == "yes", values["forwardagent"] == "yes")
    assert (found.key_name == "fleet") is (values.get("hostkeyalias") == "fleet")
    assert [jump.address for jump in found.jumps] == [values[name] for name in ("proxyjump",) if name in values]
    assert found.service_class == 0x20
    kept = values["userknownhostsfile"].split(" ", 1) if "/b c" in values["userknownhostsfile"] else None
    assert (list(found.known_hosts[:2]) == kept) is (kept is not None)
    given = dict(found.environment)
    assert (given.get("A"), given.get("C")) == (
        ("1", None) if values.get("setenv", "").startswith("A=1") else (None, None)
    )
    assert ("LANG" in given, "LC_PAPER" in given) == (host in ("web1", "web2"), False)


def answers_of(found: SshTarget) -> Answers:
    """Give what tokens are made of."""
    return Answers({"user": found.user, "hostname": found.address, "port": str(found.port)})


@pytest.mark.parametrize(
    ("text", "expected"),
    [("IPQoS lowdelay", 0x10), ("IPQoS af21 cs1", 0x20), ("IPQoS ef", 0xB8), ("IPQoS cs1 none", None), ("IPQoS 0x08", 8), ("", None)],
)  # fmt: skip
def test_classes_of_service(tmp_path: Path, text: str, expected: int | None) -> None:
    assert target(tmp_path, text).service_class == expected


def test_the_last_configuration_file_named_is_read(tmp_path: Path) -> None:
    (tmp_path / "one").write_text("Port 1\n")
    (tmp_path / "two").write_text("Port 2\n")
    found = target(tmp_path, ssh_args=f"-F {tmp_path}/one", ssh_extra_args=f"-F {tmp_path}/two")
    assert found.port == 2


def test_includes_keep_the_block_they_stand_in(tmp_path: Path) -> None:
    (tmp_path / "inner").write_text("Port 5\nHost web1\n  User inner\n")
    found = target(tmp_path, f"Host web*\n  Include {tmp_path}/inn*\n  User outer\n")
    assert (found.port, found.user) == (5, "inner")
    assert target(tmp_path, f"Host db\n  Include {tmp_path}/inner\n").port == 22


def test_the_words_come_in_the_order_of_ansibles_command_line(tmp_path: Path) -> None:
    found = target(
        tmp_path, "Host *\n User config\n Port 1\n", user="inventory", port=2,
        ssh_args="-o Port=3", ssh_common_args="-o User=common -p 4", ssh_extra_args="-l extra -o Compression=yes",
    )  # fmt: skip
    assert (found.user, found.port, found.compression) == ("common", 3, True)


def test_hosts_with_the_same_words_keep_what_is_their_own(tmp_path: Path) -> None:
    words = {"ssh_args": "-C", "ssh_common_args": "-o IdentitiesOnly=yes", "ssh_extra_args": "-4"}
    found = [target(tmp_path, "", **words, **own) for own in ({"port": 2, "user": "joe"}, {"port": 3}, {})]
    assert [(each.port, each.compression, each.identities_only) for each in found] == [
        (port, True, True) for port in (2, 3, 22)
    ]
    assert (found[0].user, found[1].user) == ("joe", found[2].user)


@pytest.mark.parametrize("pattern", ["LC_*", "lc_t*t", "L?_TEST", "*_TEST", "[C_*"])
def test_patterns_of_variables_are_those_of_ssh(tmp_path: Path, pattern: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_TEST", "a")
    monkeypatch.setenv("[C_TEST", "b")
    sent = dict(target(tmp_path, f"SendEnv {pattern}\n").environment)
    assert (
        {name for name in ("LC_TEST", "[C_TEST") if name in sent}
        == {name for name in ("LC_TEST", "[C_TEST") if matches(name, [pattern])}
        != set()
    )


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("-C -4", {"compression": "yes", "addressfamily": "inet"}),
        ("-AC", {"forwardagent": "yes", "compression": "yes"}),
        ("-p2222 -l joe", {"port": "2222", "user": "joe"}),
        ("-Cp 2222", {"compression": "yes", "port": "2222"}),
        ("-o ControlMaster=auto -o ControlPersist=60s -o 'ProxyCommand=ssh -W %h:%p b'", {"controlmaster": "auto", "controlpersist": "60s", "proxycommand": "ssh -W %h:%p b"}),
        ("-o'User joe' -J a,b", {"user": "joe", "proxyjump": "a,b"}),
        ("-vvv -qE log -T", {"requesttty": "no"}),
        ("-S none -L 1:h:2", {"controlpath": "none", "localforward": "1:h:2"}),
    ],
)  # fmt: skip
def test_command_line_words(line: str, expected: dict[str, str]) -> None:
    assert {setting.keyword: setting.value for setting in parse_words(line, "ssh_args").settings} == expected


@pytest.mark.parametrize(
    ("line", "match"),
    [
        ("-Z", "ssh_args: ssh has no option -Z"),
        ("-W a:1", "ssh's -W cannot be honoured: it forwards a stream"),
        ("host2", "`host2` is no option"),
        ("-o 'unclosed", "No closing quotation"),
        ("-J", "-J lacks its value"),
    ],
)
def test_command_line_words_that_are_refused(line: str, match: str) -> None:
    with pytest.raises(SshConfigError, match=match):
        parse_words(line, "ssh_args")


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("Compression perhaps", "compression is yes or no, not perhaps"),
        ("Port many", "port is no number"),
        ("StrictHostKeyChecking maybe", "maybe is not known"),
        ("ProxyJump a b:c", "is no .user@.host"),
        ("HostName %Z", "unknown token %Z"),
        ("AddressFamily ipx", "ipx is not known"),
        ("IPQoS gold", "gold is no class of service"),
        ("IdentityFile ${NO_SUCH_VARIABLE}/key", "the environment has no NO_SUCH_VARIABLE"),
    ],
)
def test_values_that_are_refused(tmp_path: Path, text: str, match: str) -> None:
    with pytest.raises(SshConfigError, match=match):
        target(tmp_path, text)


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("PKCS11Provider /lib/x.so", r"config:1: PKCS11Provider /lib/x.so: asyncssh opens no smart card"),
        ("SmartcardDevice /lib/x.so", r"config:1: PKCS11Provider"),
        ("ForwardAgent /some/socket", r"config:1: ForwardAgent /some/socket"),
        ("Match localnetwork 10.0.0.0/8", r"config:1: `Match localnetwork`"),
        ("RemoteForward 8080 proxy:3128", r"config:1: RemoteForward 8080 proxy:3128"),
        ("CanonicalizeHostname always", r"config:1: CanonicalizeHostname"),
    ],
)
def test_what_only_ssh_can_do(tmp_path: Path, text: str, match: str) -> None:
    with pytest.raises(NeedsSsh, match=match):
        target(tmp_path, text)


def test_a_host_key_alias_stands_without_a_port(tmp_path: Path) -> None:
    found = target(tmp_path, "HostKeyAlias fleet", port=2222)
    assert (found.key_name, found.key_port) == ("fleet", 22)
    assert target(tmp_path, port=2222).key_port == 2222


USUAL = {
    "Debian": "Host *\n SendEnv LANG LC_* COLORTERM NO_COLOR\n HashKnownHosts yes\n GSSAPIAuthentication yes\n",
    "Fedora": (
        "Match final all\n Ciphers aes256-gcm@openssh.com,chacha20-poly1305@openssh.com,aes256-ctr\n"
        " MACs hmac-sha2-256-etm@openssh.com,umac-128-etm@openssh.com,hmac-sha2-512\n"
        " KexAlgorithms mlkem768x25519-sha256,curve25519-sha256,ecdh-sha2-nistp256,diffie-hellman-group14-sha256\n"
        " GSSAPIKeyExchange no\n GSSAPIKexAlgorithms gss-curve25519-sha256-\n RequiredRSASize 2048\n"
        " PubkeyAcceptedAlgorithms ssh-ed25519,ssh-ed25519-cert-v01@openssh.com,rsa-sha2-512\n"
        " CASignatureAlgorithms ecdsa-sha2-nistp256,ssh-ed25519\n GSSAPIAuthentication yes\n ForwardX11Trusted yes\n"
    ),
    "macOS": "Host *\n SendEnv LANG LC_*\n AddKeysToAgent yes\n UseKeychain yes\n IdentityFile ~/.ssh/id_ed25519\n",
    "systemd": "Host unix/* vsock/*\n ProxyCommand x %h %p\n ProxyUseFdpass yes\nHost .host\n ProxyUseFdpass yes\n",
    "people": (
        "Host *\n ControlMaster auto\n ControlPath ~/.ssh/cm-%C\n ControlPersist 10m\n ServerAliveInterval 60\n"
        " ForwardX11 no\n LogLevel ERROR\n VisualHostKey yes\n UpdateHostKeys yes\n CheckHostIP no\n RequestTTY auto\n"
    ),
}


@pytest.mark.parametrize("text", USUAL.values(), ids=USUAL)
def test_usual_configurations_are_for_asyncssh(tmp_path: Path, text: str) -> None:
    (tmp_path / "config").write_text(text)
    plan = plan_login(ConnectionOptions(host="web1"), lambda _: SshConfig([(str(tmp_path / "config"), False)]))
    assert (plan.why, plan.warnings) == (None, ())
    for keyword, value in (
        ("Ciphers", plan.target.ciphers),
        ("MACs", plan.target.macs),
        ("KexAlgorithms", plan.target.kex),
        ("PubkeyAcceptedAlgorithms", plan.target.signatures),
    ):
        assert (fit_algorithms(keyword, value) is None) is (value is None)


@pytest.mark.parametrize(
    ("text", "fitted"),
    [
        ("aes256-ctr,none-of-ours", "aes256-ctr"),
        ("+none-of-ours,3des-cbc", "+3des-cbc"),
        ("-none-of-ours", None),
        ("^none-of-ours", None),
        ("-aes*-cbc", "-aes*-cbc"),
        (None, None),
    ],
)
def test_algorithms_that_asyncssh_lacks_are_left_out(text: str | None, fitted: str | None) -> None:
    assert fit_algorithms("Ciphers", text) == fitted


def test_a_list_of_algorithms_that_asyncssh_lacks_needs_ssh() -> None:
    with pytest.raises(NeedsSsh, match="Ciphers none-of-ours: asyncssh knows none of them"):
        fit_algorithms("Ciphers", "none-of-ours")


@pytest.mark.parametrize("text", ["aes256-ctr,aes*-ctr", "+3des-cbc", "-aes*-cbc,3des*", "^aes128-ctr,*poly1305*"])
def test_a_list_of_algorithms_comes_to_what_asyncssh_makes_of_it(text: str) -> None:
    options = asyncssh.SSHClientConnectionOptions(config=None, encryption_algs=text)
    assert [name.encode() for name in list_algorithms("Ciphers", text)] == options.encryption_algs


@pytest.mark.parametrize(
    ("keyword", "offered"),
    [
        pytest.param("KexAlgorithms", "kex_algs", id="key exchanges"),
        pytest.param("MACs", "mac_algs", id="MACs"),
        pytest.param("PubkeyAcceptedAlgorithms", "signature_algs", id="signatures"),
    ],
)
def test_the_default_of_a_list_is_asyncsshs(keyword: str, offered: str) -> None:
    options = asyncssh.SSHClientConnectionOptions(config=None, x509_trusted_certs=None)
    (first, *rest) = [name.decode() for name in dict.fromkeys(getattr(options, offered))]
    assert list_algorithms(keyword, None) == ()
    assert list_algorithms(keyword, f"+{first}") == (first, *rest)
    assert list_algorithms(keyword, f"-{first}") == tuple(rest)


def test_a_list_of_algorithms_with_nothing_left_needs_ssh() -> None:
    with pytest.raises(NeedsSsh, match=r"Ciphers -\*: it leaves nothing that asyncssh knows"):
        list_algorithms("Ciphers", "-*")


def test_forwardings_may_be_taken_back(tmp_path: Path) -> None:
    assert target(tmp_path, "LocalForward 1 h:2\nClearAllForwardings yes\n").address == "web1"


def test_unknown_words_are_warned_about_with_their_place(tmp_path: Path) -> None:
    file = tmp_path / "config"
    file.write_text("Host *\n  Frobnicate 1\n")
    options = ConnectionOptions(host="web1", ssh_extra_args="-o Blah=2")
    plan = plan_login(options, lambda _: SshConfig([(str(file), True)]))
    assert plan.why is None
    assert plan.warnings == (
        "ssh_extra_args -o Blah=2: ssh's option `blah` is not known and has no effect",
        f"{file}:2: ssh's option `frobnicate` is not known and has no effect",
    )


def test_ignored_keywords_are_ignored(tmp_path: Path) -> None:
    assert target(tmp_path, "IgnoreUnknown Fancy*,Other\nFancyThing 1\nPKCS11Provider none\nControlPath x\n").port == 22


@pytest.mark.parametrize(
    ("text", "jumps", "command"),
    [
        ("ProxyJump a@b:3,[::1]:4,c", (Jump("b", "a", 3), Jump("::1", None, 4), Jump("c", None, None)), None),
        ("ProxyJump none", (), None),
        ("ProxyCommand nc %h %p", (), "nc web1 22"),
        ("ProxyCommand none", (), None),
        ("ProxyCommand nc %h %p\nProxyJump b", (), "nc web1 22"),
        ("ProxyJump ssh://u@b:5/", (Jump("b", "u", 5),), None),
    ],
)
def test_proxies(tmp_path: Path, text: str, jumps: tuple[Jump, ...], command: str | None) -> None:
    found = target(tmp_path, text)
    assert (found.jumps, None if jumps else found.proxy_command) == (jumps, command)


def test_environment_and_known_hosts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_TEST", "1")
    text = f"SendEnv LC_TEST NOT_*\nSetEnv A=b C=d\nUserKnownHostsFile {tmp_path}/a {tmp_path}/b\nGlobalKnownHostsFile none\n"
    found = target(tmp_path, text)
    assert dict(found.environment) == {"LC_TEST": "1", "A": "b", "C": "d"}
    assert found.known_hosts == (f"{tmp_path}/a", f"{tmp_path}/b")
    assert found.known_hosts_file == f"{tmp_path}/a"


def test_tokens() -> None:
    answers = Answers(values={"hostname": "real", "port": "5", "user": "u"})
    assert expand("%h %n %p %r %%", "alias", answers) == "real alias 5 u %"


def test_host_key_checking_off(tmp_path: Path) -> None:
    assert target(tmp_path, "StrictHostKeyChecking yes", host_key_checking=False).checking == "no"
    assert target(tmp_path, "StrictHostKeyChecking accept-new").checking == "accept-new"
    assert target(tmp_path).checking == "ask"
