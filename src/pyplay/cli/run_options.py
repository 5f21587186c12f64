"""From the words of the command line and the settings to the options of a run."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from pyplay.cli.passwords import read_password
from pyplay.diagnostics.dataclass import dataclass
from pyplay.source.options import RunOptions
from pyplay.source.settings import SETTINGS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pyplay.source.settings import Settings
    from pyplay.templating.secrets import SecretTexts


@dataclass(frozen=True, slots=True)
class Words:
    """The values of the command line, as click gives them."""

    given: Mapping[str, Any]

    def __getattr__(self, name: str) -> Any:
        """Give the option `name`, None where the command has no such option."""
        return self.given.get(name)


def run_options(words: Words, settings: Settings, extra_vars: Mapping[str, Any], secrets: SecretTexts) -> RunOptions:
    """Give the options of the run: the command line's words, else what the settings say.

    Asks for the passwords that are to be asked for; they are added to `secrets`. Raises OptionsError.
    """
    tags = _tags(words.tags) or tuple(settings.tags_run)
    skip_tags = _tags(words.skip_tags) or tuple(settings.tags_skip)
    return RunOptions(
        check=bool(words.check),
        diff=bool(words.diff or settings.diff_always),
        forks=words.forks or settings.forks,
        limit=words.limit,
        tags=tags or (("all", "never") if words.list_tags and not skip_tags else ("all",)),
        skip_tags=skip_tags,
        extra_vars=extra_vars,
        inventory_sources=tuple(words.inventory or _existing(settings)),
        connection=words.connection,
        user=words.user,
        private_key_file=words.private_key,
        timeout=words.timeout,
        ssh_common_args=words.ssh_common_args or "",
        ssh_extra_args=words.ssh_extra_args or "",
        become=bool(words.become),
        become_user=words.become_user,
        become_method=words.become_method,
        force_handlers=bool(words.force_handlers),
        flush_cache=bool(words.flush_cache),
        start_at_task=words.start_at_task,
        step=bool(words.step),
        verbosity=max(words.verbose or 0, settings.verbosity),
        module_path=tuple(part for path in words.module_path or () for part in path.split(os.pathsep)),
        **_passwords(words, settings, secrets),
    )


def _passwords(words: Words, settings: Settings, secrets: SecretTexts) -> dict[str, str | None]:
    """Ask for what the options want asked; sudo's password is the login's where only Enter is pressed."""
    login_file = words.connection_password_file or settings.connection_password_file
    become_file = words.become_password_file or settings.become_password_file
    asks_login = bool(words.ask_pass or settings.ask_pass) and not login_file
    login = read_password(asks_login, login_file, "SSH password: ")
    prompt = f"BECOME password{'[defaults to SSH password]' if asks_login else ''}: "
    become = read_password(bool(words.ask_become_pass or settings.become_ask_pass), become_file, prompt)
    settled = (getattr(settings, row.name) for row in SETTINGS if row.secret)
    for text in (login, become, *settled):
        if text:
            secrets.add(text)
    return {"connection_password": login, "become_password": login if become == "" else become}


def _existing(settings: Settings) -> Sequence[str]:
    """Give the inventory sources of the settings; the default one only where it is there."""
    if "inventory" in settings.origins:
        return settings.inventory
    return [source for source in settings.inventory if os.path.exists(source)]  # noqa: PTH110  # plain text


def _tags(words: Sequence[str] | None) -> tuple[str, ...]:
    """Give the tags that an option names. One without a name selects what has a tag of no name: nothing, as in core."""
    return tuple(tag.strip() for word in words or () for tag in word.split(","))
