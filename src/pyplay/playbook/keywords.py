"""The one table of keywords: what each takes, where it may stand, whether tasks inherit it. It drives the parser.

Source: the Ansible documentation, "Playbook keywords".
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from pyplay.diagnostics.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping


class Takes(StrEnum):
    """What the value of a keyword is. A template may stand for every kind but those that the parser itself reads."""

    ANY = "any"
    BOOL = "boolean"
    INT = "integer"
    NUMBER = "number"
    TEXT = "text"
    NAME = "variable name"
    LIST = "list"
    TEXTS = "list of texts"
    TAGS = "tags"
    MAP = "mapping"
    MAPS = "mapping or list of mappings"
    CONDITIONS = "conditions"
    VARS = "variables"
    TASKS = "list of tasks"
    ROLES = "list of roles"
    LOOP_CONTROL = "loop control"


class When(StrEnum):
    """When a template in a keyword's value is rendered."""

    PARSE = "while parsing"
    PLAY = "at the start of the play"
    TASK = "for each host and task"
    ITEM = "for each loop item"
    RESULT = "with the result"
    NEVER = "never"


PLAY, ROLE, BLOCK, TASK, HANDLER = "play", "role", "block", "task", "handler"
TASKS = frozenset({TASK, HANDLER})
COMMON = frozenset({PLAY, ROLE, BLOCK, TASK, HANDLER})
BELOW_PLAY = frozenset({ROLE, BLOCK, TASK, HANDLER})


@dataclass(frozen=True, slots=True)
class Keyword:
    """One keyword. `on` are the objects that take it; `field` is the attribute of `Task` or `Play` that holds it.

    `inherited` keywords hold for all tasks inside; `adds` says that values of outer objects stay and inner ones are
    put behind them, otherwise the innermost one wins.
    """

    name: str
    takes: Takes
    on: frozenset[str]
    when: When
    doc: str
    inherited: bool = False
    adds: bool = False
    field: str = ""


def _row(
    name: str,
    takes: Takes,
    on: frozenset[str],
    when: When,
    doc: str,
    *,
    inherited: bool = False,
    adds: bool = False,
    field: str = "",
) -> Keyword:
    return Keyword(name, takes, on, when, doc, inherited, adds, field or name)


def _inherited(name: str, takes: Takes, doc: str, *, on: frozenset[str] = COMMON, when: When = When.ITEM) -> Keyword:
    return Keyword(name, takes, on, when, doc, inherited=True, field=name)


_ON_PLAY = frozenset({PLAY})

TABLE: tuple[Keyword, ...] = (
    _row("action", Takes.ANY, TASKS, When.ITEM, "The module to run with its arguments, in the long form."),
    _inherited("any_errors_fatal", Takes.BOOL, "A failure on one host ends the play on all hosts.", when=When.TASK),
    _row("args", Takes.ANY, TASKS, When.ITEM, "More arguments for the module; those beside its name win."),
    _row(
        "async",
        Takes.INT,
        TASKS,
        When.ITEM,
        "Seconds that the task may go on in the background.",
        field="async_seconds",
    ),
    _row("always", Takes.TASKS, frozenset({BLOCK}), When.NEVER, "Tasks that run after the block however it ended."),
    _inherited("become", Takes.BOOL, "Whether to become another user."),
    _inherited("become_exe", Takes.TEXT, "The program that becomes another user."),
    _inherited("become_flags", Takes.TEXT, "Options of the program that becomes another user."),
    _inherited("become_method", Takes.TEXT, "How to become another user: sudo, su, …"),
    _inherited("become_user", Takes.TEXT, "The user to become."),
    _row("block", Takes.TASKS, frozenset({BLOCK}), When.NEVER, "Tasks that stand or fall together."),
    _row("changed_when", Takes.CONDITIONS, TASKS, When.RESULT, "Conditions under which the task counts as changed."),
    _inherited("check_mode", Takes.BOOL, "Whether the task runs in check mode, whatever the run does."),
    _row(
        "collections",
        Takes.TEXTS,
        COMMON,
        When.NEVER,
        "Collections searched for short names.",
        inherited=True,
        adds=True,
    ),
    _inherited("connection", Takes.TEXT, "How the host is reached: ssh, local, …"),
    _inherited(
        "debugger",
        Takes.TEXT,
        "When the debugger starts: always, never, on_failed, on_unreachable, on_skipped.",
        when=When.TASK,
    ),
    _row("delay", Takes.NUMBER, TASKS, When.ITEM, "Seconds between two attempts of `until`."),
    _inherited("delegate_facts", Takes.BOOL, "Facts belong to the host that the task is delegated to.", on=BELOW_PLAY),
    _inherited("delegate_to", Takes.TEXT, "The host to run on in place of the one the task is for.", on=BELOW_PLAY),
    _inherited("diff", Takes.BOOL, "Whether differences are shown, whatever the run does."),
    _row(
        "environment",
        Takes.MAPS,
        COMMON,
        When.ITEM,
        "Environment variables of the module.",
        inherited=True,
        adds=True,
    ),
    _row("fact_path", Takes.TEXT, _ON_PLAY, When.PLAY, "Directory of local facts on the hosts."),
    _row("failed_when", Takes.CONDITIONS, TASKS, When.RESULT, "Conditions under which the task counts as failed."),
    _row("force_handlers", Takes.BOOL, _ON_PLAY, When.PLAY, "Notified handlers run on failed hosts, too."),
    _row("gather_facts", Takes.BOOL, _ON_PLAY, When.PLAY, "Whether facts are gathered before the first task."),
    _row("gather_subset", Takes.LIST, _ON_PLAY, When.PLAY, "Which facts are gathered."),
    _row("gather_timeout", Takes.INT, _ON_PLAY, When.PLAY, "Seconds that one fact collector may take."),
    _row("handlers", Takes.TASKS, _ON_PLAY, When.NEVER, "Tasks that run when they are notified."),
    _row("hosts", Takes.TEXTS, _ON_PLAY, When.PLAY, "Patterns of the hosts that the play is for."),
    _inherited("ignore_errors", Takes.BOOL, "A failure is shown and the host goes on."),
    _inherited("ignore_unreachable", Takes.BOOL, "A host that cannot be reached goes on."),
    _row("listen", Takes.TEXTS, frozenset({HANDLER}), When.NEVER, "Topics that notify this handler."),
    _row("local_action", Takes.ANY, TASKS, When.ITEM, "As `action`, delegated to localhost."),
    _row("loop", Takes.ANY, TASKS, When.TASK, "A list; the task runs once for each of its items."),
    _row(
        "loop_control",
        Takes.LOOP_CONTROL,
        TASKS,
        When.TASK,
        "How the loop goes: loop_var, index_var, label, pause, extended, break_when.",
    ),
    _row(
        "max_fail_percentage",
        Takes.NUMBER,
        _ON_PLAY,
        When.PLAY,
        "The play ends if more hosts of a batch than this failed.",
    ),
    _row("module_defaults", Takes.MAPS, COMMON, When.ITEM, "Default arguments of modules.", inherited=True, adds=True),
    _row("name", Takes.TEXT, COMMON, When.TASK, "What is shown for it."),
    _inherited("no_log", Takes.BOOL, "Arguments and results are shown nowhere."),
    _row(
        "notify",
        Takes.TEXTS,
        frozenset({BLOCK, TASK, HANDLER}),
        When.RESULT,
        "Handlers to run if the task changes something.",
        inherited=True,
    ),
    _row(
        "order",
        Takes.TEXT,
        _ON_PLAY,
        When.PLAY,
        "Order of the hosts: inventory, sorted, reverse_sorted, reverse_inventory, shuffle.",
    ),
    _row("poll", Takes.INT, TASKS, When.ITEM, "Seconds between two looks at an async task; 0 goes on at once."),
    _inherited("port", Takes.INT, "The port to connect to."),
    _row("post_tasks", Takes.TASKS, _ON_PLAY, When.NEVER, "Tasks after the handlers of `tasks`."),
    _row("pre_tasks", Takes.TASKS, _ON_PLAY, When.NEVER, "Tasks before the roles."),
    _row(
        "register",
        Takes.NAME,
        TASKS,
        When.NEVER,
        "Variable that keeps the result, or a mapping of variables to expressions over `_task.result`.",
    ),
    _inherited("remote_user", Takes.TEXT, "The user to log in as."),
    _row("rescue", Takes.TASKS, frozenset({BLOCK}), When.NEVER, "Tasks that run if one of the block failed."),
    _row("retries", Takes.INT, TASKS, When.ITEM, "How often `until` tries again."),
    _row("roles", Takes.ROLES, _ON_PLAY, When.NEVER, "Roles that run between `pre_tasks` and `tasks`."),
    _inherited(
        "run_once",
        Takes.BOOL,
        "The task runs on one host of the batch, its result holds for all.",
        when=When.TASK,
    ),
    _row(
        "serial",
        Takes.LIST,
        _ON_PLAY,
        When.PLAY,
        "How many hosts (numbers, percentages) go through the play at a time.",
    ),
    _row(
        "strategy",
        Takes.TEXT,
        _ON_PLAY,
        When.PLAY,
        "How hosts go through the tasks: linear, free, host_pinned, debug.",
    ),
    _row(
        "tags",
        Takes.TAGS,
        COMMON,
        When.PARSE,
        "Words by which tasks are chosen with --tags and --skip-tags.",
        inherited=True,
        adds=True,
    ),
    _row("tasks", Takes.TASKS, _ON_PLAY, When.NEVER, "The tasks of the play."),
    _inherited("throttle", Takes.INT, "How many hosts run the task at the same time, at most.", when=When.TASK),
    _inherited("timeout", Takes.NUMBER, "Seconds that the task may take."),
    _row("until", Takes.CONDITIONS, TASKS, When.RESULT, "Conditions; the task is tried again until they hold."),
    _row(
        "validate_argspec",
        Takes.ANY,
        _ON_PLAY,
        When.PLAY,
        "Whether variables are checked against the playbook's argument specification.",
    ),
    _row("vars", Takes.VARS, COMMON, When.ITEM, "Variables."),
    _row(
        "vars_files",
        Takes.LIST,
        _ON_PLAY,
        When.PLAY,
        "Files of variables; a list inside the list takes the first that exists.",
    ),
    _row("vars_prompt", Takes.MAPS, _ON_PLAY, When.PLAY, "Variables that are asked for."),
    _row("when", Takes.CONDITIONS, BELOW_PLAY, When.ITEM, "Conditions under which it runs.", inherited=True, adds=True),
)

KEYWORDS: Mapping[str, Keyword] = {row.name: row for row in TABLE}

SYNONYMS: Mapping[str, Mapping[str, str]] = {PLAY: {"user": "remote_user"}, ROLE: {}, BLOCK: {}, TASK: {}, HANDLER: {}}
"""Older spellings that are still taken, by object."""

LOOP_CONTROL = ("loop_var", "index_var", "label", "pause", "extended", "extended_allitems", "break_when")
VARS_PROMPT = ("name", "prompt", "private", "encrypt", "confirm", "default", "salt", "salt_size", "unsafe")
LOOP_PREFIX = "with_"

ON_INCLUDE = frozenset({
    "action", "args", "collections", "debugger", "ignore_errors", "loop", "loop_control", "name", "no_log", "register",
    "run_once", "tags", "timeout", "vars", "when", "listen", "local_action",
})  # fmt: skip
"""Keywords that may stand on include_tasks and include_role themselves; others go under `apply`."""

ON_IMPORT_PLAYBOOK = ("import_playbook", "name", "vars", "tags", "when")

INHERITED: Mapping[str, Keyword] = {row.name: row for row in TABLE if row.inherited}


def keywords_of(kind: str) -> Mapping[str, Keyword]:
    """Give the keywords that objects of `kind` (play, role, block, task, handler) take."""
    return _BY_KIND[kind]


_BY_KIND: Mapping[str, Mapping[str, Keyword]] = {
    kind: {row.name: row for row in TABLE if kind in row.on} for kind in (PLAY, ROLE, BLOCK, TASK, HANDLER)
}
