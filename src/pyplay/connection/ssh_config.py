"""ssh_config(5): files read once, evaluated per host. Source: the man page of OpenSSH 9; where we differ is said there.

The first value found for a keyword holds; `IdentityFile`, `CertificateFile` and `SendEnv` gather all.
`Match canonical` never holds: where names are canonicalised, `ssh` itself is asked to connect.
"""

from __future__ import annotations

import getpass
import glob
import hashlib
import os
import re
import shlex
import socket
import subprocess
from dataclasses import field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

from pyplay.connection.ssh_table import ALIASES, NeedsSsh
from pyplay.diagnostics.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

GATHERED = frozenset({"identityfile", "certificatefile", "sendenv"})
USER_CONFIG = "~/.ssh/config"
SYSTEM_CONFIG = "/etc/ssh/ssh_config"
MAX_DEPTH = 16
_SPECIAL = frozenset("\"'#")


class SshConfigError(ValueError):
    """A line of a configuration cannot be used; the text says which and why."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One line: keyword in lower case, its value as written, and where it stands."""

    keyword: str
    value: str
    place: str


@dataclass(frozen=True, slots=True)
class Block:
    """Settings under one `Host` or `Match` line (`conditions` all have to hold), or before the first."""

    kind: str  # "", "host", "match"
    words: tuple[str, ...]
    outer: tuple[Block, ...] = ()
    place: str = ""
    settings: list[Setting] = field(default_factory=list[Setting])


@dataclass(slots=True)
class Answers:
    """What was found for one host so far."""

    values: dict[str, str] = field(default_factory=dict[str, str])
    lists: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    places: dict[str, str] = field(default_factory=dict[str, str])

    def take(self, setting: Setting) -> None:
        """Let a setting hold if none did before it."""
        if setting.keyword in GATHERED:
            values = self.lists.setdefault(setting.keyword, [])
            if setting.value not in values:
                values.append(setting.value)
        elif setting.keyword not in self.values:
            self.values[setting.keyword] = setting.value
        self.places.setdefault(setting.keyword, setting.place)


def parse_line(line: str, place: str) -> Setting | None:
    """Give the setting of one line (`Keyword value` or `Keyword=value`), None for comments and empty lines."""
    found = re.match(r"\s*([A-Za-z0-9]+)(?:\s*=\s*|\s+)(.*?)\s*$", line)
    if line.strip() == "" or line.lstrip().startswith("#"):
        return None
    if found is None:
        raise SshConfigError(f"{place}: keyword without a value: {line.strip()}")
    keyword = found.group(1).lower()
    return Setting(ALIASES.get(keyword, keyword), found.group(2), place)


def words_of(value: str) -> list[str]:
    """Give the words of a value; quotes keep spaces together, a word that begins with `#` ends it."""
    if not _SPECIAL.intersection(value):
        return value.split()
    try:
        return _split(value, "\"'")
    except ValueError:  # an apostrophe that quotes nothing
        return _split(value.replace('"', ""), "")


def _split(value: str, quotes: str) -> list[str]:
    lexer = shlex.shlex(value, posix=True, punctuation_chars=False)
    lexer.whitespace_split = True
    lexer.commenters = "#"
    lexer.quotes = quotes
    lexer.escape = ""
    return list(lexer)


def unquoted(value: str) -> str:
    """Give a value of one word without its quotes and without a comment behind it."""
    if value[:1] in ('"', "'"):
        return next(iter(words_of(value)), "")
    return re.split(r"\s#", value, maxsplit=1)[0].rstrip() if "#" in value else value


def read_blocks(path: str, *, user: bool) -> list[Block]:
    """Read a file with all that it includes; a file that is not there has no blocks. Raises SshConfigError."""
    return list(_read(Path(path).expanduser(), user=user, outer=(), depth=0))


def _read(path: Path, *, user: bool, outer: tuple[Block, ...], depth: int) -> Iterator[Block]:
    if depth > MAX_DEPTH:
        raise SshConfigError(f"{path}: includes go too deep")
    try:
        lines = path.read_text("utf-8", "surrogateescape").splitlines()
    except (FileNotFoundError, PermissionError):
        return
    block = Block("", (), outer)
    for number, line in enumerate(lines, 1):
        setting = parse_line(line, f"{path}:{number}")
        if setting is None:
            continue
        if setting.keyword in ("host", "match"):
            yield block
            block = Block(setting.keyword, tuple(words_of(setting.value)), outer, setting.place)
        elif setting.keyword == "include":
            yield block
            for name in words_of(setting.value):
                for inner in _included(name, path, user=user):
                    yield from _read(inner, user=user, outer=(*outer, block), depth=depth + 1)
            block = Block(block.kind, block.words, outer, block.place)
        else:
            block.settings.append(setting)
    yield block


def _included(name: str, path: Path, *, user: bool) -> list[Path]:
    """Give the files of an Include: relative ones are beside the user's or the system's configuration."""
    wanted = Path(os.path.expandvars(name)).expanduser()
    if not wanted.is_absolute():
        wanted = (Path("~/.ssh").expanduser() if user else path.parent) / wanted
    return [Path(found) for found in sorted(glob.glob(str(wanted)))]  # noqa: PTH207  # the pattern may be absolute


class SshConfig:
    """The configuration files of one worker."""

    def __init__(self, files: Sequence[tuple[str, bool]] | None = None) -> None:
        """Take (path, is the user's) pairs; None: `~/.ssh/config` and `/etc/ssh/ssh_config`."""
        chosen = files if files is not None else ((USER_CONFIG, True), (SYSTEM_CONFIG, False))
        self._blocks = [block for path, user in chosen for block in read_blocks(path, user=user)]

    def evaluate(self, host: str, answers: Answers) -> Answers:
        """Add to `answers` what the files say of `host`, the name as the inventory gives it."""
        for final in (False, True):
            asked_final = False
            for block in self._blocks:
                asked_final = asked_final or "final" in block.words
                if all(_holds(each, host, answers, final=final) for each in (*block.outer, block)):
                    for setting in block.settings:
                        answers.take(setting)
            if not asked_final:
                break
        return answers


class SshConfigs:
    """The configurations of one worker, each file read once."""

    def __init__(self) -> None:
        self._read: dict[str | None, SshConfig] = {}

    def get(self, file: str | None) -> SshConfig:
        """Give the configuration of -F `file` (`none`: nothing), None: of the usual files. Raises SshConfigError."""
        found = self._read.get(file)
        if found is None:
            files = None if file is None else ([] if file == "none" else [(file, True)])
            found = self._read[file] = SshConfig(files)
        return found


def _holds(block: Block, host: str, answers: Answers, *, final: bool) -> bool:
    if block.kind == "":
        return True
    if block.kind == "host":
        return matches(host, block.words)
    return _match(block, host, answers, final=final)


def matches(name: str, patterns: Sequence[str]) -> bool:
    """Tell whether one of the patterns (`*`, `?`) fits and none that begins with `!` does."""
    found = False
    for pattern in patterns:
        if pattern.startswith("!"):
            if fnmatchcase(name.lower(), _plain(pattern[1:])):
                return False
        elif fnmatchcase(name.lower(), _plain(pattern)):
            found = True
    return found


def _plain(pattern: str) -> str:
    """Make brackets mean themselves: ssh's patterns know `*` and `?` alone."""
    return pattern.lower().replace("[", "[[]")


def _match(block: Block, host: str, answers: Answers, *, final: bool) -> bool:
    """Evaluate the criteria of a Match line. Raises NeedsSsh for those that only ssh knows."""
    values = answers.values
    local = getpass.getuser()
    subjects: dict[str, Callable[[], str]] = {
        "host": lambda: host_name(host, answers),
        "originalhost": lambda: host,
        "user": lambda: unquoted(values.get("user", local)),
        "localuser": lambda: local,
        "tagged": lambda: unquoted(values.get("tag", "")),
    }
    rest = list(block.words)
    while rest:
        criterion = rest.pop(0)
        negated = criterion.startswith("!")
        name, equals, value = criterion.lstrip("!").partition("=")
        name = name.lower()
        if name in ("all", "final", "canonical"):
            held = name == "all" or (name == "final" and final)
        else:
            argument = value if equals else (rest.pop(0) if rest else "")
            if name == "exec":
                held = _runs(expand(argument, host, answers))
            elif name in subjects:
                held = matches(subjects[name](), argument.split(","))
            else:
                raise NeedsSsh(f"{block.place}: `Match {name}`")
        if held is negated:
            return False
    return True


def _runs(command: str) -> bool:
    return (
        subprocess.run(
            ["/bin/sh", "-c", command], stdin=subprocess.DEVNULL, capture_output=True, check=False
        ).returncode
        == 0
    )


def host_name(host: str, answers: Answers) -> str:
    """Give the name that HostName makes of `host`; it may hold the tokens %h and %% alone."""
    name = unquoted(answers.values.get("hostname", host))
    unknown = re.search(r"%(?![h%]).?", name.replace("%%", ""))
    if unknown and "hostname" in answers.values:
        raise SshConfigError(f"unknown token {unknown.group()} in HostName {name}")
    return name.replace("%h", host).replace("%%", "%") if "hostname" in answers.values else name


_IN_TOKENS = frozenset({"port", "user", "proxyjump", "hostkeyalias"})


def expand(text: str, host: str, answers: Answers) -> str:
    """Replace the tokens of ssh_config(5) in `text`. Raises SshConfigError for one that is not known."""
    if "%" not in text:
        return text
    values = {keyword: unquoted(value) for keyword, value in answers.values.items() if keyword in _IN_TOKENS}
    local = getpass.getuser()
    name = host_name(host, answers)
    port, user, jump = values.get("port", "22"), values.get("user", local), values.get("proxyjump", "")
    whole = hashlib.sha1(f"{socket.gethostname()}{name}{port}{user}{jump}".encode(), usedforsecurity=False)
    tokens = {
        "%": "%",
        "C": whole.hexdigest(),
        "h": name,
        "n": host,
        "k": values.get("hostkeyalias", host),
        "p": port,
        "r": user,
        "u": local,
        "d": str(Path.home()),
        "i": str(os.getuid()),
        "l": socket.gethostname(),
        "L": socket.gethostname().split(".")[0],
        "j": jump,
    }

    def replace(found: re.Match[str]) -> str:
        token = found.group(1)
        if token not in tokens:
            raise SshConfigError(f"unknown token %{token} in {text}")
        return tokens[token]

    return re.sub(r"%(.?)", replace, text)
