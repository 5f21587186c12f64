"""The words of `ssh_args`, `ssh_common_args` and `ssh_extra_args`: OpenSSH's command line, as settings.

What becomes of each word is said by the table in `ssh_table`; none is dropped in silence. Source: ssh(1).
"""

from __future__ import annotations

import shlex
from dataclasses import field
from functools import lru_cache

from pyplay.connection.ssh_config import Setting, SshConfigError, matches, parse_line
from pyplay.connection.ssh_table import FLAGS, WORDS, Flag, NeedsSsh, Way
from pyplay.diagnostics.dataclass import dataclass

_KEPT = frozenset("goS")  # what `ssh` is still given, though it is no setting or has no effect here


@dataclass(slots=True)
class SshWords:
    """What a line of words said: settings in their order, the file of -F, and the words that `ssh` would be given."""

    settings: list[Setting] = field(default_factory=list[Setting])
    config_file: str | None = None
    argv: list[str] = field(default_factory=list[str])

    def take(self, other: SshWords) -> None:
        """Add what other words said, after these."""
        self.settings += other.settings
        self.config_file = other.config_file or self.config_file
        self.argv += other.argv

    def set(self, keyword: str, value: str, place: str) -> None:
        """Add a setting that stands in no words; quotes keep its spaces together for ssh."""
        self.settings.append(Setting(keyword.lower(), value, place))
        self.argv += ["-o", f'{keyword}="{value}"' if " " in value else f"{keyword}={value}"]


@lru_cache(256)
def parse_words(line: str, name: str) -> SshWords:
    """Read the words of one variable; `name` is what it is called, for messages. Raises SshConfigError.

    Hosts with the same words get the same object: it is to be read only.
    """
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise SshConfigError(f"{name}: {error}: {line}") from None
    found = SshWords()
    while words:
        word = words.pop(0)
        if not word.startswith("-") or word in ("-", "--"):
            raise SshConfigError(f"{name}: `{word}` is no option of ssh")
        letters = word[1:]
        while letters:
            flag, letters = _flag(letters[0], name), letters[1:]
            value = flag.value
            if value is None:
                value, letters = letters or (words.pop(0) if words else ""), ""
                if not value:
                    raise SshConfigError(f"{name}: -{flag.letter} lacks its value")
            _take(found, flag, value, name)
    return found


def _flag(letter: str, name: str) -> Flag:
    flag = FLAGS.get(letter)
    if flag is None:
        raise SshConfigError(f"{name}: ssh has no option -{letter}")
    if flag.way is Way.REFUSED:
        raise SshConfigError(f"{name}: ssh's -{letter} cannot be honoured: {flag.how}")
    return flag


def _take(found: SshWords, flag: Flag, value: str, name: str) -> None:
    if flag.letter == "F":
        found.config_file = value
    elif flag.letter == "o":
        setting = parse_line(value, f"{name} -o {value}")
        found.settings += [setting] if setting else []
    elif flag.keyword:
        found.settings.append(Setting(flag.keyword.lower(), value, f"{name} -{flag.letter}"))
    honoured = flag.keyword and WORDS[flag.keyword.lower()].way is not Way.IDLE
    if honoured or flag.letter in _KEPT:
        found.argv += [f"-{flag.letter}"] if flag.value is not None else [f"-{flag.letter}", value]


def judge_keyword(keyword: str, value: str, place: str, ignored: str = "") -> str | None:
    """Give a warning for a keyword that is not known, None where all is well. Raises NeedsSsh for what asyncssh lacks.

    `ignored` are the patterns of IgnoreUnknown.
    """
    word = WORDS.get(keyword)
    if word is None:
        if ignored and matches(keyword, [pattern.lower() for pattern in ignored.split(",")]):
            return None
        return f"{place}: ssh's option `{keyword}` is not known and has no effect"
    if word.way is Way.SSH and value.lower() not in word.harmless:
        raise NeedsSsh(f"{place}: {word.name} {value}: {word.how}")
    return None
