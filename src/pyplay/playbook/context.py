"""Where a task stands: its play, role and file, and the keywords that it inherits from there."""

from __future__ import annotations

import os
from collections import ChainMap
from dataclasses import field
from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.dataclass import dataclass, replace
from pyplay.playbook.keywords import INHERITED

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyplay.diagnostics.model import Origin
    from pyplay.playbook.model import Play, Role
    from pyplay.playbook.trail import Step


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What a list of tasks is parsed in.

    `fields` are the attributes that its tasks inherit, in the form that `Task` holds. `file` is the file being read,
    `trail` the way to it, `include_dirs` the directories of the includes that led here as they were written,
    nearest first.
    """

    play: Play
    file: str
    trail: Step
    fields: Mapping[str, Any] = field(default_factory=dict[str, Any])
    role: Role | None = None
    handler: bool = False
    include_dirs: tuple[str, ...] = ()
    dynamic_roles: frozenset[int] = frozenset()  # roles that are around through a dynamic include

    def inherit(self, values: Mapping[str, Any], variables: Mapping[str, Any] | None = None) -> Context:
        """Give the context of what stands inside an object with the keywords `values` and `vars` `variables`."""
        fields = self.inherited(values)
        if variables:
            fields["block_vars"] = (*fields.get("block_vars", ()), variables)
        return replace(self, fields=fields)

    def inherited(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Give the attributes of a task in here that has the keywords `values`, as far as it inherits such."""
        fields = dict(self.fields)
        for name, value in values.items():
            row = INHERITED.get(name)
            if row is None:
                continue
            if row.name == "collections":  # a search path: the innermost is searched first
                fields[row.field] = added(value, fields.get(row.field, ()))
            elif row.adds:
                fields[row.field] = added(fields.get(row.field, ()), value)
            else:
                if isinstance(value, str) and "{{" in value:  # it may give `omit`
                    outer: Mapping[str, tuple[Any, ...]] = fields.get("outer", {})
                    around = fields.get(row.field)
                    fields["outer"] = {**outer, row.field: (around, *outer.get(row.field, ()))}
                fields[row.field] = value
        return fields

    def with_params(self, *params: Mapping[str, Any]) -> Context:
        """Give the context of tasks that a dynamic include with the variables `params` brings in."""
        given = tuple(mapping for mapping in params if mapping)
        if not given:
            return self
        return replace(self, fields={**self.fields, "include_params": (*self.fields.get("include_params", ()), *given)})

    def searching(self, collections: tuple[str, ...]) -> Context:
        """Give the context in which bare names are searched in `collections`."""
        return replace(self, fields={**self.fields, "collections": collections})

    def enter_file(self, path: str, written: str, origin: Origin | None, *, dynamic: bool = False) -> Context:
        """Give the context of the file at `path`, which was imported or included as `written` at `origin`.

        What is `dynamic` was included while the play runs: importing what is around is no cycle then.
        """
        directory = os.path.dirname(written)  # noqa: PTH120  # text as written, not a Path
        dirs = (directory, *self.include_dirs) if written else self.include_dirs
        return replace(self, file=path, trail=self.trail.to(path, origin, dynamic=dynamic), include_dirs=dirs).placed()

    def enter_role(self, role: Role, file: str) -> Context:
        """Give the context of the tasks in `file` of `role`: of `collections`, only the role's own are searched."""
        fields = {**self.fields, "role": role, "collections": role.collections}
        trail = self.trail.to(file, role.origin)
        return replace(self, role=role, fields=fields, file=file, trail=trail, include_dirs=()).placed()

    def as_handler(self) -> Context:
        """Give the context for handlers."""
        return replace(self, handler=True)

    def within_dynamic(self, origin: Origin) -> Context:
        """Give the context of what a dynamic include at `origin` brings in: using a role again inside is no cycle."""
        ids = [role.id for role in (self.role, *self.role.parents)] if self.role else []
        return replace(
            self, dynamic_roles=self.dynamic_roles.union(ids), file="", trail=self.trail.to("", origin, dynamic=True)
        )

    def placed(self) -> Context:
        """Give the context with the directories in which its tasks search files, nearest first.

        Source: observed with ansible-core as `ansible_search_path`: role, parent roles, file's directory, playbook.
        """
        roles = (self.role, *self.role.parents) if self.role else ()
        dirs = [role.path for role in roles]
        dirs += [os.path.dirname(self.file), self.play.basedir]  # noqa: PTH120
        return replace(self, fields={**self.fields, "search_dirs": tuple(dict.fromkeys(dirs))})

    def static_variables(self, extra: Mapping[str, Any]) -> Mapping[str, Any]:
        """Give the variables that are known while parsing, strongest first: for names of imports."""
        layers: list[Any] = [extra, *reversed(self.fields.get("include_params", ()))]
        layers += reversed(self.fields.get("block_vars", ()))
        roles = (self.role, *self.role.parents) if self.role else ()
        layers += [role.params for role in roles] + [role.vars for role in roles]
        layers += [self.play.file_vars, self.play.vars] + [role.defaults for role in roles]
        layers.append({"playbook_dir": self.play.basedir})
        if self.role:
            layers.append(
                {"role_path": self.role.path, "role_name": self.role.name, "ansible_role_name": self.role.fqcn}
            )
        return ChainMap(*layers)


def added(outer: tuple[Any, ...], inner: tuple[Any, ...]) -> tuple[Any, ...]:
    """Give the values of a keyword that adds up, outermost first; text that is there already is not repeated."""
    if not outer:
        return inner
    return (*outer, *(item for item in inner if not isinstance(item, str) or item not in outer))
