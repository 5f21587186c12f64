"""Jinja's contexts and templates over a Templar: variables are looked up by name when a template asks for them.

Jinja's own contexts copy all variables; here only what the template itself defines is held.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, cast

import jinja2
from jinja2.runtime import Context
from jinja2.utils import missing

from pyplay.templating.scope import MISSING

if TYPE_CHECKING:
    from pyplay.templating.templar import Templar


class NameView(Mapping[str, Any]):
    """A mapping of ours that templates see: but for a mapping's methods, `view.name` is always the key `name`."""

    METHODS = frozenset({"get", "items", "keys", "values"})

    def described(self) -> str:
        """Give what messages call this mapping."""
        return "vars"


class VarsView(NameView):
    """All variables of a templar by name, rendered when they are read: what `vars` is."""

    def __init__(self, templar: Templar, local: Mapping[str, Any] | None = None) -> None:
        self.templar = templar
        self.local = local or {}

    def __getitem__(self, name: str) -> Any:
        if name in self.local:
            return self.local[name]
        if self.templar.scope.get(name) is MISSING:
            raise KeyError(name)
        return self.templar.variable(name)

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys([*self.local, *self.templar.scope.names()]))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def described(self) -> str:
        """Give what messages call this mapping: for a host `hostvars['name']`."""
        scope: Any = self.templar.scope
        host = getattr(scope, "name", None)
        return f"hostvars['{host}']" if host is not None and getattr(scope, "play", None) is None else "vars"

    def __repr__(self) -> str:
        return "<variables>"


class ScopeContext(Context):
    """The variables that one template sees: its own, then those of the templar, then the globals."""

    def __init__(  # noqa: PLR0917  # Jinja's signature
        self,
        environment: jinja2.Environment,
        parent: dict[str, Any],
        name: str | None,
        blocks: dict[str, Any],
        globals: Any = None,  # noqa: A002  # Jinja's name
        templar: Templar | None = None,
    ) -> None:
        super().__init__(environment, parent, name, blocks, globals)
        self.templar = templar

    def resolve_or_missing(self, key: str) -> Any:
        """Give the value of `key`, or Jinja's `missing`."""
        if key in self.vars:
            return self.vars[key]
        if key in self.parent:
            return self.parent[key]
        if self.templar is None:
            return globals_of(self.environment).get(key, missing)
        return self.templar.variable(key)

    def get_all(self) -> Any:
        """Give all variables as a mapping that looks them up."""
        if self.templar is None:
            return {**self.parent, **self.vars}
        return VarsView(self.templar, {**self.parent, **self.vars})

    def derived(self, locals: dict[str, Any] | None = None) -> ScopeContext:  # noqa: A002  # Jinja's name
        """Give an independent context in the same template."""
        context = derive(self.environment, self.name, {}, self.get_all(), locals)
        context.eval_ctx = self.eval_ctx
        context.blocks.update((name, list(found)) for name, found in self.blocks.items())
        return context


def derive(
    environment: jinja2.Environment, name: str | None, blocks: dict[str, Any], variables: Any, local: Any
) -> ScopeContext:
    """Give a context over `variables` (a VarsView or a dict) with the local variables `local` before them."""
    templar = variables.templar if isinstance(variables, VarsView) else None
    own: dict[str, Any] = dict(variables.local if isinstance(variables, VarsView) else variables or {})
    own.update((key, value) for key, value in cast("dict[str, Any]", local or {}).items() if value is not missing)
    return ScopeContext(environment, own, name, blocks, None, templar)


def globals_of(environment: Any) -> dict[str, Any]:
    """Give the global functions and values of a Jinja `environment`."""
    return environment.globals


class ScopedTemplate(jinja2.Template):
    """A compiled template whose contexts are `ScopeContext`s."""

    def new_context(
        self,
        vars: Any = None,  # noqa: A002  # Jinja's name
        shared: bool = False,  # noqa: FBT001, FBT002  # Jinja's signature
        locals: Mapping[str, Any] | None = None,  # noqa: A002  # Jinja's name
    ) -> ScopeContext:
        """Give the context that this template renders in."""
        del shared  # nothing is copied either way
        return derive(self.environment, self.name, self.blocks, vars, locals)

    def open(self, templar: Templar, local: dict[str, Any] | None = None) -> Iterator[Any]:
        """Render for `templar`, giving the parts one after another."""
        context = ScopeContext(self.environment, local or {}, self.name, self.blocks, None, templar)
        return cast("Iterator[Any]", self.root_render_func(context))
