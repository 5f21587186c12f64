"""Playbooks and plays: from files to the model, imported playbooks expanded."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.cycles import arrows, places
from pyplay.diagnostics.model import Origin
from pyplay.diagnostics.suggest import did_you_mean
from pyplay.playbook import keywords
from pyplay.playbook.arguments import RAW
from pyplay.playbook.builtin import short_name
from pyplay.playbook.context import Context, added
from pyplay.playbook.fields import describe, is_variable_name
from pyplay.playbook.model import Block, Play, Task, TaskKind
from pyplay.playbook.objects import as_items, check_keys, read_keywords, unknown_keyword
from pyplay.playbook.search import find_playbook
from pyplay.playbook.trail import Step
from pyplay.playbook.vars_files import FileVars
from pyplay.playbook.workspace import is_template, similar_file
from pyplay.source.collections import owner_of
from pyplay.source.shapes import is_list, is_map
from pyplay.source.text import SourceMap, origin_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyplay.playbook.roleparse import RoleParser
    from pyplay.playbook.taskparse import TaskParser
    from pyplay.playbook.workspace import Workspace

SECTIONS = ("pre_tasks", "tasks", "post_tasks", "handlers")
IMPORTED = ("roles", "pre_tasks", "post_tasks", "tasks", "handlers")
"""In which order imported roles follow each other: their variables are the play's, the last one wins. Source: observed
with ansible-core 2.21."""
PLAY_FIELDS = (
    "gather_facts", "gather_subset", "gather_timeout", "fact_path", "max_fail_percentage", "any_errors_fatal",
    "strategy", "order", "force_handlers", "validate_argspec",
)  # fmt: skip
ORDERS = ("inventory", "sorted", "reverse_sorted", "reverse_inventory", "shuffle")
FLUSHES = 3
NOTHING: Mapping[str, Any] = {}


class PlayParser:
    """Parses playbooks. `tasks` and `roles` parse what plays hold."""

    def __init__(self, space: Workspace, tasks: TaskParser, roles: RoleParser) -> None:
        self.space, self.tasks, self.roles = space, tasks, roles

    def parse_file(
        self, path: str, values: Mapping[str, Any] = NOTHING, variables: Mapping[str, Any] = NOTHING,
        chain: Step | None = None,
    ) -> list[Play]:  # fmt: skip
        """Give the plays of the playbook at `path`; `values` (when, tags) and `variables` are those of its imports."""
        with self.space.noting():
            return self.parse_plays(self.space.read(path), path, values=values, variables=variables, chain=chain)
        return []

    def parse_plays(
        self, raw: Any, path: str, *, basedir: str | None = None, values: Mapping[str, Any] = NOTHING,
        variables: Mapping[str, Any] = NOTHING, chain: Step | None = None,
    ) -> list[Play]:  # fmt: skip
        """Give the plays of the playbook that holds `raw`; its files are found from `basedir`, by default beside it."""
        start = origin_of(raw) or Origin(path, 1, 1)
        if not is_list(raw):
            what = "an empty file" if raw is None else describe(raw)
            self.space.fault(
                "not-a-playbook", f"a playbook is a list of plays, not {what}", start,
                mend="start each play with '- hosts: …'",
            )  # fmt: skip
            return []
        if not raw:
            self.space.fault("not-a-playbook", "this playbook holds no play", start, mend="add '- hosts: …'")
        basedir = basedir or os.path.dirname(os.path.abspath(path))  # noqa: PTH100, PTH120  # links stay as written
        self.space.collections.add_beside(basedir)
        plays: list[Play] = []
        for item, _ in as_items(self.space, raw, "plays", start):
            key = next((k for k in item if short_name(str(k)) in ("import_playbook", "include")), None)
            if key is not None and short_name(str(key)) == "include":
                self._old_include(item, key)
            if key is not None:
                plays += self._import(item, key, path, values, variables, chain or Step(path))
            else:
                plays.append(self._play(item, path, basedir, values, variables))
        return plays

    def _old_include(self, raw: SourceMap, key: str) -> None:
        """Tell that `include` among plays is gone: a fault, or a warning where old spellings are taken."""
        origin, mend = raw.key_origins.get(key) or raw.origin, "write 'import_playbook'"
        if self.space.takes_old:
            message = f"'{key}' is no longer there; it is taken as 'import_playbook' (compat = 2.18)"
            self.space.warn("removed-include", message, origin, length=len(key), mend=mend)
        else:
            self.space.fault("removed-include", f"'{key}' is no longer there", origin, length=len(key), mend=mend)

    def _import(  # noqa: PLR0917  # all of them are handed on
        self, raw: SourceMap, key: str, path: str, values: Mapping[str, Any], variables: Mapping[str, Any],
        chain: Step,
    ) -> list[Play]:  # fmt: skip
        for other in raw:
            if other == key or other in keywords.ON_IMPORT_PLAYBOOK:
                continue
            if other in keywords.keywords_of(keywords.BLOCK):
                self.space.warn(
                    "no-effect", f"'{other}' has no effect on '{key}'", raw.key_origins.get(other), length=len(other),
                    mend="write it on the plays that are imported",
                )  # fmt: skip
            else:
                unknown_keyword(self.space, raw, other, "import_playbook", known=keywords.ON_IMPORT_PLAYBOOK)
        own = read_keywords(self.space, raw, keywords.BLOCK)
        written = raw[key]
        origin = origin_of(written) or raw.key_origins.get(key) or raw.origin
        if not isinstance(written, str) or not written.strip():
            self.space.fault("no-target", "'import_playbook' does not say what to import", origin)
            return []
        given: dict[str, Any] = {**variables, **(own.get("vars") or {})}
        with self.space.noting():
            name = self._file_name(written, given, path)
            target = find_playbook(self.space, name, os.path.dirname(path))  # noqa: PTH120
            if not self.space.existing(target):
                self.space.fault(
                    "missing-file", f"there is no playbook '{name}'", origin, length=len(written),
                    mend=similar_file(target), notes=[f"searched: {target}"],
                )  # fmt: skip
                return []
            if (around := chain.round_to(target, origin)) is not None:
                self.space.fault(
                    "import-cycle", f"these playbooks import each other: {arrows(around.names)}", origin,
                    notes=places(around.names, around.origins),
                )  # fmt: skip
                return []
            inner = {
                name: added(values.get(name, ()), own.get(name, ()))
                for name in ("when", "tags") if name in values or name in own
            }  # fmt: skip
            return self.parse_file(target, inner, given, chain.to(target, origin))
        return []

    def _file_name(self, written: str, variables: Mapping[str, Any], path: str) -> str:
        scope = {"playbook_dir": os.path.dirname(path), **variables, **self.space.extra_vars}  # noqa: PTH120
        return str(self.space.render_name(written, scope)).strip()

    # one play

    def _play(
        self, raw: SourceMap, path: str, basedir: str, values: Mapping[str, Any], variables: Mapping[str, Any]
    ) -> Play:
        check_keys(self.space, raw, keywords.PLAY)
        play = Play(id=self.space.new_id(), path=path, basedir=basedir, origin=raw.origin or Origin(path))
        self.space.plays[play.id] = play
        start = Context(play=play, file=path, trail=Step(path))
        own = read_keywords(self.space, raw, keywords.PLAY, start)
        for name in ("when", "tags"):
            if name in values:
                own[name] = added(values[name], own.get(name, ()))
        if "user" in raw and "remote_user" in raw:
            self.space.fault(
                "two-users", "'user' is the old name of 'remote_user', and both are given", raw.key_origins.get("user"),
                length=4, mend="remove one of them",
            )  # fmt: skip
        if owner := owner_of(path):
            own["collections"] = (owner, *(name for name in own.get("collections", ()) if name != owner))
        self._fill(play, raw, own, variables)
        context = start.inherit(own).placed()
        self._parts(play, raw, context)
        play.flush_points = tuple(self._flush(play) for _ in range(FLUSHES))
        return play

    def _parts(self, play: Play, raw: SourceMap, context: Context) -> None:
        """Parse roles and sections. The roles that they import come after the play's own, in core's order."""
        own = self.roles.parse_roles(raw.get("roles"), context, raw.key_origins.get("roles"))
        imported = {"roles": play.roles}
        for section in SECTIONS:
            play.roles = imported[section] = []
            inner = context.as_handler() if section == "handlers" else context
            found = self.tasks.parse_list(raw.get(section), inner, section, raw.key_origins.get(section))
            setattr(play, section, [Block(tasks=found, origin=raw.key_origins.get(section))] if found else [])
        play.roles = own + [role for section in IMPORTED for role in imported[section]]

    def _fill(self, play: Play, raw: SourceMap, own: dict[str, Any], variables: Mapping[str, Any]) -> None:
        play.name = own.get("name")
        play.hosts = self._hosts(raw, own)
        play.vars = _merged(own.get("vars"), variables)
        play.vars_files = own.get("vars_files", ())
        if play.vars_files:
            known = {**play.vars, "playbook_dir": play.basedir, **self.space.extra_vars}
            play.file_vars = FileVars(self.space, play.vars_files, play.basedir, known)
        play.vars_prompt = self._prompts(own.get("vars_prompt", ()), raw)
        play.serial = own.get("serial", ())
        play.tags = own.get("tags", ())
        play.collections = own.get("collections", ())
        for name in PLAY_FIELDS:
            setattr(play, name, own.get(name))
        play.keywords = {name: value for name, value in own.items() if name in keywords.INHERITED}
        self._check_order(own.get("order"), raw)

    def _hosts(self, raw: SourceMap, own: dict[str, Any]) -> Any:
        if "hosts" not in raw:
            modules = [
                key
                for key in raw
                if key in keywords.keywords_of(keywords.TASK) and key not in keywords.keywords_of(keywords.PLAY)
            ]
            mend = "this looks like a task: put it under 'tasks' of a play" if modules else "add 'hosts: …' to it"
            self.space.fault("no-hosts", "this play does not say which hosts it is for", raw.origin, mend=mend)
            return ()
        if raw["hosts"] is not None and "hosts" not in own:
            return ()  # at fault, and noted
        patterns: tuple[Any, ...] = own.get("hosts", ())
        given = raw["hosts"] if is_list(raw["hosts"]) else [raw["hosts"]]
        for pattern in given:
            if not isinstance(pattern, str) and raw["hosts"] is not None:
                self.space.fault(
                    "bad-value", f"'hosts' takes patterns of hosts, not {describe(pattern)}",
                    origin_of(pattern) or raw.key_origins.get("hosts"),
                    mend="quote a name that YAML takes for a number or a truth value",
                )  # fmt: skip
                return ()
        if not any(str(pattern).strip() for pattern in patterns):
            self.space.fault(
                "no-hosts",
                "'hosts' is empty",
                raw.key_origins.get("hosts"),
                length=5,
                mend="name a group, a host, or 'all'",
            )
        return patterns[0] if len(patterns) == 1 else list(patterns)

    def _check_order(self, order: Any, raw: SourceMap) -> None:
        if order is not None and not is_template(order) and order not in ORDERS:
            self.space.fault(
                "bad-value", f"'order' takes {', '.join(ORDERS)}, not '{order}'", raw.key_origins.get("order"),
                length=5, mend=did_you_mean(str(order), ORDERS),
            )  # fmt: skip

    def _prompts(self, prompts: tuple[Any, ...], raw: SourceMap) -> tuple[Mapping[str, Any], ...]:
        found: list[Mapping[str, Any]] = []
        for prompt in prompts:
            if not is_map(prompt) or not is_variable_name(prompt.get("name")):
                origin = origin_of(prompt) or raw.key_origins.get("vars_prompt")
                self.space.fault("bad-value", "an item of 'vars_prompt' needs the 'name' of a variable", origin)
                continue
            options: dict[Any, Any] = prompt
            origins = prompt.key_origins if isinstance(prompt, SourceMap) else {}
            for key in options:
                if key not in keywords.VARS_PROMPT:
                    self.space.fault(
                        "unknown-option", f"'vars_prompt' has no option '{key}'", origins.get(key),
                        length=len(str(key)),
                        mend=did_you_mean(str(key), keywords.VARS_PROMPT),
                    )  # fmt: skip
            found.append(options)
        return tuple(found)

    def _flush(self, play: Play) -> Task:
        return self.make_task(
            play, "ansible.builtin.meta", {RAW: "flush_handlers"}, kind=TaskKind.META, implicit=True, tags=("always",)
        )

    def make_task(self, play: Play, action: str, args: Mapping[str, Any], **fields: Any) -> Task:
        """Give a task that no user wrote, for `play`, numbered and known like all others."""
        task = Task(
            id=self.space.new_id(), play_id=play.id, action=action, resolved_action=action, origin=play.origin,
            args=args, search_dirs=(play.basedir,), **fields,
        )  # fmt: skip
        self.space.tasks[task.id] = task
        return task


def _merged(own: Mapping[str, Any] | None, stronger: Mapping[str, Any]) -> Mapping[str, Any]:
    """Give the variables of a play with those of its imports over them."""
    if not stronger:
        return own or {}
    origins = dict(getattr(own, "key_origins", {})) | dict(getattr(stronger, "key_origins", {}))
    return SourceMap({**(own or {}), **stronger}, origin_of(own), origins)
