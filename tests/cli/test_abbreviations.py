"""Words of a command line as argparse takes them."""

from __future__ import annotations

import click
import pytest

from pyplay.cli.abbreviations import written_out
from pyplay.cli.playbook import command


def words(*args: str) -> list[str]:
    return list(written_out(args, command.get_params(click.Context(command))))


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        (["--lim", "web"], ["--limit", "web"]),
        (["--lim=web"], ["--limit=web"]),
        (["--list-h"], ["--list-hosts"]),
        (["--limit", "--lim"], ["--limit", "--lim"]),
        (["-e", "--lim"], ["--extra-vars", "--lim"]),
        (["-Cvl", "--lim"], ["-Cvl", "--lim"]),
        (["-lweb", "--lim", "x"], ["-lweb", "--limit", "x"]),
        (["-Cv", "--lim", "x"], ["-Cv", "--limit", "x"]),
        (["--vault-pass", "f"], ["--vault-pass-file", "f"]),
        (["--h"], ["--help"]),
        (["-i=hosts"], ["-ihosts"]),
        (["-e=a=b"], ["-ea=b"]),
        (["-C=x"], ["-C=x"]),
        (["--", "--lim"], ["--", "--lim"]),
        (["--nope", "-Z"], ["--nope", "-Z"]),
        (["-e"], ["--extra-vars"]),
        (["-i", "-C", "-C"], ["--inventory", "-C", "--check"]),
        (["-vC"], ["-vC"]),
    ],
)
def test_words(given: list[str], meant: list[str]) -> None:
    assert words(*given) == meant


@pytest.mark.parametrize("word", ["--list", "--s", "--v=1"])
def test_a_beginning_that_several_share(word: str) -> None:
    with pytest.raises(click.UsageError, match="could be any of"):
        words(word)
