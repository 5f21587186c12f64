"""Words of a command line as argparse takes them, rewritten for click: `--list-h`, `-i=hosts`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def written_out(args: Sequence[str], parameters: Sequence[click.Parameter]) -> Iterator[str]:
    """Give `args` with unambiguous beginnings of long options written out, and `-x=value` as `-xvalue`.

    A short option alone becomes its long one, too: click compares all names when it looks up the other.
    A word that is the value of the option before it stays as it is. Raises click's UsageError for a beginning that
    several options share. Source: the documentation of Python's argparse, "Argument abbreviations".
    """
    options = {name: each for each in parameters if isinstance(each, click.Option) for name in each.opts}
    words = iter(args)
    for word in words:
        if word == "--":
            yield word
            yield from words
            return
        word = _long(word, options) if word.startswith("--") else _short(word, options)  # noqa: PLW2901  # the word meant
        yield word
        if _wants_value(word, options):
            yield from (value for value in [next(words, None)] if value is not None)


def _long(word: str, options: dict[str, click.Option]) -> str:
    name, equals, value = word.partition("=")
    if name in options:
        return word
    matches = sorted(option for option in options if option.startswith(name))
    if len({id(options[match]) for match in matches}) > 1:
        raise click.UsageError(f"{name} could be any of {', '.join(matches)}")
    return f"{matches[0]}{equals}{value}" if matches else word


def _short(word: str, options: dict[str, click.Option]) -> str:
    option = options.get(word[:2])
    if option and len(word) == 2:
        return next((name for name in option.opts if name.startswith("--")), word)
    return word[:2] + word[3:] if option and word[2:3] == "=" and not option.is_flag and not option.count else word


def _wants_value(word: str, options: dict[str, click.Option]) -> bool:
    """Tell whether the next word is the value of `word`, an option or several short ones at once."""
    if word.startswith("--"):
        return "=" not in word and _takes_value(options.get(word))
    if not word.startswith("-"):
        return False
    for index, letter in enumerate(word[1:], 2):
        if _takes_value(options.get(f"-{letter}")):
            return index == len(word)
    return False


def _takes_value(option: click.Option | None) -> bool:
    return option is not None and not option.is_flag and not option.count
