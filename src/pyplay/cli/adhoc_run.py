"""The play that an ad-hoc command stands for, and its run."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from pyplay.cli.adhoc_faults import ARGUMENTS, placed, placing
from pyplay.cli.run import run_playbooks
from pyplay.diagnostics.errors import OptionsError
from pyplay.diagnostics.model import AD_HOC, Diagnostic, Origin, Severity
from pyplay.inventory.patterns import select
from pyplay.playbook.builtin import short_name
from pyplay.report.names import Choice, choose
from pyplay.report.tree import TreeReporter
from pyplay.source.splitter import parse_kv
from pyplay.source.text import Trusted
from pyplay.source.yaml import load_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyplay.cli.session import Session
    from pyplay.source.settings import Settings
    from pyplay.workers.zygote import Zygote

COMMAND_LINES = frozenset({"command", "shell", "raw", "script"})
REFUSED = frozenset({"import_playbook"})


def reporters(settings: Settings, *, one_line: bool) -> Choice:
    """Give the reporters of an ad-hoc command: its own, and with `bin_ansible_callbacks` those of playbooks."""
    shows = "oneline" if one_line else "minimal"
    if not settings.bin_ansible_callbacks:
        return Choice(shows)
    chosen = settings.stdout_callback != "default" and not one_line  # as in ansible-core
    return choose(settings.stdout_callback if chosen else shows, settings.callbacks_enabled)


def list_hosts(session: Session, pattern: str) -> str:
    """Give the text of --list-hosts."""
    pattern = _rendered(session, pattern)
    session.check_hosts(pattern)
    hosts = select(session.inventory, pattern, limit=session.options.limit, on_warning=session.warn)
    return "".join([f"  hosts ({len(hosts)}):\n", *(f"    {host.name}\n" for host in hosts)])


def run(session: Session, given: Mapping[str, Any], zygote: Zygote | None = None) -> int:
    """Run the module on the hosts and give the exit code; `zygote` as for `run_playbooks`. Raises AuthorError."""
    name = _rendered(session, given["module_name"] or session.settings.module_name)
    arguments = given["module_args"] or session.settings.module_args or ""
    given = {**given, "pattern": _rendered(session, given["pattern"]), "module_args": arguments}
    _check(name, given)
    session.check_hosts(given["pattern"])
    if not select(session.inventory, given["pattern"], limit=session.options.limit, on_warning=session.warn):
        session.warn(Diagnostic("no-hosts", "No hosts matched, nothing to do", severity=Severity.WARNING))
        return 0
    if given["tree"]:
        reporter = session.screen.reporter
        reporter.add(TreeReporter(session.screen.output, given["tree"], reporter.warn))
    session.place = lambda fault: placed(fault, arguments)
    with placing(arguments):
        plays = session.loader.load_text(_playbook(name, given), AD_HOC, basedir=session.directory)
        return run_playbooks(session, [("", plays)], zygote)


def _rendered(session: Session, text: str) -> str:
    """Give `text` with its templates rendered; only extra variables are there yet."""
    return str(session.render(Trusted(text, Origin(AD_HOC)), session.extra_vars))


def _check(name: str, given: Mapping[str, Any]) -> None:
    short = short_name(name)
    if short in REFUSED:
        fault = Diagnostic(
            "adhoc-module", f"`{name}` cannot be run on its own", Origin("<command line>"), help="write a playbook"
        )
        raise OptionsError([fault])
    if short in COMMAND_LINES and not given["module_args"]:
        fault = Diagnostic(
            "adhoc-args",
            f"no argument passed to the {short} module",
            Origin("<command line>"),
            help="give the command with -a",
        )
        raise OptionsError([fault])


def _playbook(name: str, given: Mapping[str, Any]) -> str:
    task: dict[str, Any] = {"name": name, "action": name}
    words = given["module_args"].strip()
    if words.startswith("{") and (short_name(name) not in COMMAND_LINES or _is_json(words)):
        task["args"] = json.loads(words) if _is_json(words) else load_text(given["module_args"], ARGUMENTS)
    elif words:
        if short_name(name) not in COMMAND_LINES:
            parse_kv(Trusted(given["module_args"], Origin(ARGUMENTS, 1, 1)))  # raises with the place in these words
        task["action"] = f"{name} {words}"
    if given["background"]:
        task["async"] = given["background"]
    if given["background"] and given["poll"] is not None:
        task["poll"] = given["poll"]
    if given["task_timeout"]:
        task["timeout"] = given["task_timeout"]
    play = {"name": "Ad-hoc", "hosts": given["pattern"], "gather_facts": False, "tasks": [task]}
    return json.dumps([play])


def _is_json(words: str) -> bool:
    try:
        json.loads(words)
    except ValueError:
        return False
    return True
