"""What an engine is: a program on the controller that starts other programs in a container, a root or a pod.

One file per family (`docker`, `podman`, `kubectl` …): the names that inventories use, the variables and settings that
Ansible documents for its plugin of that name, and the words that go before a program's own.
"""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from pyplay.diagnostics.dataclass import dataclass
from pyplay.source.setting import Kind, Setting

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

PRIVATE = "{private}"
"""In the environment of an entry: the path of its private file."""

ROOT = "root"


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What is to be entered: `address` is the container, pod or directory; `options` are those that somebody set."""

    address: str
    user: str | None = None
    options: Mapping[str, str] = field(default_factory=dict[str, str])
    pty: bool = False  # the program wants a terminal

    def flag(self, name: str) -> bool:
        """Tell whether a boolean option is on."""
        return self.options.get(name) == "true"

    def valued(self, **words: str) -> list[str]:
        """Give `--word=value` for each of these options that is set; the keyword is the option, its value the word."""
        return [f"{word}={self.options[name]}" for name, word in words.items() if self.options.get(name)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """How a target is entered: the words before a program's own, and variables for the engine itself.

    `private` is a file that the engine alone can read, for secrets; PRIVATE in the environment is its path.
    """

    words: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict[str, str])
    private: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """One engine. `hosts` and `users` are variables that name target and user before `ansible_host`, `ansible_user` do.

    `shells` are variables that name the shell inside.
    `options` are read from variables, then as settings; the last name that is set wins; `mappings`
    are those of them that hold names and values. Without `takes_user` nobody is
    named to it. `default_user` is who programs run as then, where that is known: nobody needs to become that user.
    """

    name: str
    names: frozenset[str]
    entry: Callable[[Target], Entry]
    hosts: tuple[str, ...] = ()
    users: tuple[str, ...] = ()
    shells: tuple[str, ...] = ()
    options: tuple[Setting, ...] = ()
    mappings: frozenset[str] = frozenset()
    takes_user: bool = True
    default_user: str | None = None


def option(
    name: str, variables: str, doc: str, *, env: str = "", ini: str = "", kind: Kind = Kind.TEXT, secret: bool = False
) -> Setting:
    """Give an option of an engine. `variables`, `env` and `ini` (`section.key`) hold names separated by blanks."""
    return Setting(
        name,
        kind,
        None,
        doc,
        env=tuple(env.split()),
        ini=tuple((section, key) for section, _, key in (word.partition(".") for word in ini.split())),
        variables=tuple(variables.split()),
        own=False,
        secret=secret,
    )
