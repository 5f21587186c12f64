"""Every option of ansible-core's programs is one of ours, or stands in a list with the reason."""

from __future__ import annotations

import importlib
import os
import re
import subprocess
from pathlib import Path

import click
import pytest

from pyplay.cli.names import ANSIBLE_NAMES, COMMANDS

ORACLE = os.environ.get("PYPLAY_ORACLE")
OPTION = re.compile(r"(?<![\w-])--?[A-Za-z][\w-]*")

pytestmark = [pytest.mark.parity, pytest.mark.skipif(not ORACLE, reason="PYPLAY_ORACLE names no ansible-core")]

PROGRAMS = [
    *((name, None) for name in ANSIBLE_NAMES),
    *(("ansible-vault", word) for word in ("create", "decrypt", "edit", "view", "encrypt", "encrypt_string", "rekey")),
    *(("ansible-config", word) for word in ("list", "dump", "view", "init", "validate")),
]


def of_core(program: str, subcommand: str | None) -> set[str]:
    words = [f"{ORACLE}/{program}", *([subcommand] if subcommand else []), "--help"]
    text = subprocess.run(words, capture_output=True, text=True, check=True, timeout=60).stdout
    heads = re.findall(r"^  (-.*?)(?:\s{2,}|$)", text, re.MULTILINE)
    return {option for head in heads for option in OPTION.findall(head)}


def of_ours(program: str, subcommand: str | None) -> set[str]:
    command: click.Command = importlib.import_module(COMMANDS[ANSIBLE_NAMES[program]]).command
    context = click.Context(command)
    if subcommand is not None:
        assert isinstance(command, click.Group)
        command = command.commands[subcommand]
        context = click.Context(command, parent=context)
    parameters = command.get_params(context)
    return {name for each in parameters if isinstance(each, click.Option) for name in each.opts} | {"-h", "--help"}


@pytest.mark.parametrize(("program", "subcommand"), PROGRAMS)
def test_every_option_is_known(program: str, subcommand: str | None) -> None:
    wanted = of_core(program, subcommand)
    assert len(wanted) >= 8 or program == "ansible-config" or program == "ansible-vault"
    assert wanted - of_ours(program, subcommand) == set()


@pytest.mark.parametrize("program", ["ansible-vault", "ansible-config"])
def test_every_subcommand_is_known(program: str) -> None:
    words = [str(Path(str(ORACLE), program)), "--help"]
    text = subprocess.run(words, capture_output=True, text=True, check=True, timeout=60).stdout
    command = importlib.import_module(COMMANDS[ANSIBLE_NAMES[program]]).command
    listed = re.search(r"\{([\w,]+)\}", text)
    assert listed is not None
    assert set(listed[1].split(",")) <= set(command.commands)
