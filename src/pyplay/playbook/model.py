"""Plays, blocks, tasks and roles as values, untemplated, with inheritance already resolved.

The parser fills these from the keyword table (`keywords.py`). A keyword that a task inherits (become, connection,
environment …) is resolved when the task is made: task over blocks, inner to outer, over role over play. So a task
carries everything that it needs, and nobody walks up a chain at run time. None means "not set anywhere": the option,
setting or documented default decides.

Values are raw: `Trusted` strings may be templates. Source: the Ansible documentation, "Playbook keywords".
"""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyplay.diagnostics.model import Origin


class TaskKind(StrEnum):
    """What the engine does with a task."""

    TASK = "task"
    HANDLER = "handler"
    META = "meta"
    INCLUDE_TASKS = "include_tasks"
    INCLUDE_ROLE = "include_role"


@dataclass(slots=True, kw_only=True)
class LoopControl:
    """`loop_control` of a task; values may be templates."""

    loop_var: str = "item"
    index_var: str | None = None
    label: Any = None
    pause: Any = 0
    extended: Any = False
    extended_allitems: Any = True
    break_when: tuple[Any, ...] = ()
    origin: Origin | None = None


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class Role:
    """One use of a role in a play: its variables and where its files are.

    `name` is as written, without the collection; `fqcn` has the collection in front and is what is shown.

    Two uses with the same name and parameters share `identity`; the second one is skipped on hosts that completed the
    first, unless `allow_duplicates`. `parents` are the roles that depend on or include this one, nearest first.
    """

    id: int
    name: str
    fqcn: str
    path: str
    identity: Any
    defaults: Mapping[str, Any] = field(default_factory=dict[str, Any])
    vars: Mapping[str, Any] = field(default_factory=dict[str, Any])
    params: Mapping[str, Any] = field(default_factory=dict[str, Any])
    dependencies: tuple[Role, ...] = ()
    parents: tuple[Role, ...] = ()
    allow_duplicates: bool = False
    public: bool = True
    collections: tuple[str, ...] = ()
    handlers: list[Block] = field(default_factory=list["Block"])
    tasks: list[Block] = field(default_factory=list["Block"])
    imported: bool = False  # by import_role or include_role: its tasks stand there, not among the play's roles
    origin: Origin | None = None


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class Task:
    """One task or handler. `id` is unique within a run and is what travels to workers.

    `args` are the module's raw arguments; free-form text stands under `_raw_params`. `action` is the name as written,
    `resolved_action` its full name (`ansible.builtin.copy`). `when`, `tags`, `environment` are inherited, outermost
    first. `block_vars` are the `vars` of the enclosing blocks and static imports, outermost first; `include_params`
    those of the dynamic includes that brought the task here (precedence level 21), outermost first. `outer` are, by
    attribute, the values around that a template which gives `omit` inherits.
    """

    id: int
    play_id: int
    action: str
    resolved_action: str
    origin: Origin
    kind: TaskKind = TaskKind.TASK
    name: str | None = None
    args: Mapping[str, Any] = field(default_factory=dict[str, Any])
    arg_origins: Mapping[str, Origin] = field(default_factory=dict[str, "Origin"])
    role: Role | None = None
    implicit: bool = False  # put in by compile (flush points, end of role), never printed
    # variables
    vars: Mapping[str, Any] = field(default_factory=dict[str, Any])
    block_vars: tuple[Mapping[str, Any], ...] = ()
    include_params: tuple[Mapping[str, Any], ...] = ()
    # conditions and loops
    when: tuple[Any, ...] = ()
    loop: Any = None  # raw value of `loop`, or the terms of `with_X`
    loop_with: str | None = None  # X of `with_X`; None for `loop`
    loop_control: LoopControl | None = None
    until: tuple[Any, ...] = ()
    retries: Any = None
    delay: Any = 5
    register: Any = None
    changed_when: tuple[Any, ...] = ()
    failed_when: tuple[Any, ...] = ()
    tags: tuple[Any, ...] = ()
    notify: tuple[Any, ...] = ()
    listen: tuple[Any, ...] = ()
    # where and as whom
    connection: Any = None
    port: Any = None
    remote_user: Any = None
    become: Any = None
    become_user: Any = None
    become_method: Any = None
    become_exe: Any = None
    become_flags: Any = None
    delegate_to: Any = None
    delegate_facts: Any = None
    environment: tuple[Any, ...] = ()
    collections: tuple[str, ...] = ()
    module_defaults: tuple[Any, ...] = ()
    # how
    any_errors_fatal: Any = None
    ignore_errors: Any = None
    ignore_unreachable: Any = None
    run_once: Any = None
    throttle: Any = None
    timeout: Any = None
    check_mode: Any = None
    diff: Any = None
    no_log: Any = None
    debugger: Any = None
    async_seconds: Any = None
    poll: Any = None
    outer: Mapping[str, tuple[Any, ...]] = field(
        default_factory=dict[str, tuple[Any, ...]]
    )  # for `omit`, nearest first
    # includes
    apply: Mapping[str, Any] | None = None  # `apply` of include_tasks / include_role, raw keywords
    search_dirs: tuple[str, ...] = ()  # where relative files are searched, nearest first (without files|templates|vars)

    @property
    def label(self) -> str:
        """Give the untemplated name that messages use: `role : name`, or the action where there is no name."""
        return self.titled(self.name or self.action)

    def titled(self, text: str) -> str:
        """Give `text` with the role's name in front, as names are shown.

        An `include_role` goes without. Source: observed with ansible-core 2.21.
        """
        if self.role is None or self.kind is TaskKind.INCLUDE_ROLE:
            return text
        return f"{self.role.fqcn} : {text}"


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class Block:
    """Tasks that stand or fall together. An implicit block is a plain list of tasks that the compiler wrapped."""

    tasks: list[Task | Block] = field(default_factory=list["Task | Block"])
    rescue: list[Task | Block] = field(default_factory=list["Task | Block"])
    always: list[Task | Block] = field(default_factory=list["Task | Block"])
    name: str | None = None
    implicit: bool = True
    role: Role | None = None
    ends_role: bool = False  # the last block of a role: hosts that pass it have completed the role
    origin: Origin | None = None

    @property
    def guarded(self) -> bool:
        """Tell whether a failure inside does something else than leave the play."""
        return bool(self.rescue or self.always)


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class Play:
    """One play, untemplated. `path` is the playbook's file, `basedir` its directory."""

    id: int
    path: str
    basedir: str
    origin: Origin
    name: str | None = None
    hosts: Any = None
    roles: list[Role] = field(default_factory=list[Role])
    pre_tasks: list[Block] = field(default_factory=list[Block])
    tasks: list[Block] = field(default_factory=list[Block])
    post_tasks: list[Block] = field(default_factory=list[Block])
    handlers: list[Block] = field(default_factory=list[Block])
    vars: Mapping[str, Any] = field(default_factory=dict[str, Any])
    vars_files: tuple[Any, ...] = ()
    file_vars: Mapping[str, Any] = field(default_factory=dict[str, Any])  # what vars_files say without a host
    vars_prompt: tuple[Mapping[str, Any], ...] = ()
    gather_facts: Any = None
    gather_subset: Any = None
    gather_timeout: Any = None
    fact_path: Any = None
    serial: tuple[Any, ...] = ()
    max_fail_percentage: Any = None
    any_errors_fatal: Any = None
    strategy: Any = None
    order: Any = None
    force_handlers: Any = None
    collections: tuple[str, ...] = ()
    tags: tuple[Any, ...] = ()
    keywords: Mapping[str, Any] = field(default_factory=dict[str, Any])  # the play's own inheritable keywords, raw
    validate_argspec: Any = None
    flush_points: tuple[Task, ...] = ()  # the implicit tasks after pre_tasks, after tasks, after post_tasks
