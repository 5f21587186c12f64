"""From variables, keywords, options and settings to the user that a task runs as."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.connection.base import BecomeOptions
from pyplay.connection.kinds import BECOME_METHODS
from pyplay.connection.login_words import check_no_option
from pyplay.workers.option_words import first, secret, text, texts
from pyplay.workers.values import number, truth

if TYPE_CHECKING:
    from pyplay.playbook.model import Task
    from pyplay.source.options import RunOptions
    from pyplay.source.settings import Settings
    from pyplay.workers.option_words import OptionWords

_PREFIXES = ("ansible.builtin.", "ansible.legacy.", "community.general.")


def may_become_unknowingly(task: Task, options: RunOptions, settings: Settings) -> bool:
    """Tell whether keyword, option or setting name a become method that is perhaps none. Costs next to nothing."""
    named = first(task.become_method, options.become_method, settings.become_method)
    return named is not None and _bare_method(str(named)) not in BECOME_METHODS


def _bare_method(name: str) -> str:
    for prefix in _PREFIXES:
        name = name.removeprefix(prefix)
    return name


def read_become(words: OptionWords, kind: str) -> BecomeOptions | None:
    """Give as whom to run over a connection of this kind, None for the user that logged in."""
    read, task, options, settings = words.variable, words.task, words.options, words.settings
    wanted = first(read("ansible_become"), words.keyword(task.become), options.become or None, settings.become)
    if not truth(wanted, "become"):
        return None
    method = _bare_method(str(first(read("ansible_become_method"), words.keyword(task.become_method),
                                     options.become_method, settings.become_method) or "sudo"))  # fmt: skip
    user = first(read("ansible_become_user", f"ansible_{method}_user"), words.keyword(task.become_user),
                  options.become_user, _of_method(words, method, "user"))  # fmt: skip
    password = read(
        "ansible_become_password", "ansible_become_pass", f"ansible_{method}_pass", f"ansible_{method}_password"
    )
    check_no_option(words.host, "user", str(user or "root"))
    return BecomeOptions(
        method=method,
        user=str(user or "root"),
        prompts=_prompts(words, method),
        timeout=_timeout(words, kind),
        password=secret(password, first(options.become_password, _of_method(words, method, "pass"))),
        exe=text(
            first(
                read("ansible_become_exe", f"ansible_{method}_exe"),
                words.keyword(task.become_exe),
                _of_method(words, method, "exe"),
            )
        ),
        flags=text(
            first(
                read("ansible_become_flags", f"ansible_{method}_flags"),
                words.keyword(task.become_flags),
                _of_method(words, method, "flags"),
            )
        ),
        chdir=text(first(read("ansible_sudo_chdir"), settings.sudo_chdir)) if method == "sudo" else None,
    )


def _prompts(words: OptionWords, method: str) -> tuple[str, ...]:
    if method != "su":
        return ()
    given = words.variable("ansible_su_prompt_l10n")
    return words.settings.su_prompt_l10n if given is None else texts(given)


def _timeout(words: OptionWords, kind: str) -> float | None:
    """Give how long becoming may take on the controller; as core, what is less than a second counts for nothing."""
    given = words.variable("ansible_local_become_success_timeout") if kind == "local" else None
    seconds = 0.0 if given is None else number(given, "ansible_local_become_success_timeout")
    return seconds if seconds >= 1 else None


def _of_method(words: OptionWords, method: str, name: str) -> Any:
    """Give the setting `name` of a become method: its own (those of sudo and su), else that of all methods."""
    own = getattr(words.settings, f"{method}_{name}", None) if method in ("sudo", "su") else None
    return own or getattr(words.settings, f"become_{name}")
