"""Jinja's contexts and templates over a Templar: variables are looked up by name when a template asks for them.

Jinja's own contexts copy all variables; here only what the template itself defines is held.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self, cast

import jinja2
from jinja2 import runtime
from jinja2.nodes import EvalContext
from jinja2.runtime import Context
from jinja2.utils import missing

from pyplay.source.reads import check_words
from pyplay.templating.scope import MISSING

if TYPE_CHECKING:
    from pyplay.templating.templar import Templar


_RUNTIME = {name: getattr(runtime, name) for name in runtime.exported}
"""What the code of templates may name."""


class NameView(Mapping[str, Any]):
    """A mapping of ours that templates see: but for a mapping's methods, `view.name` is always the key `name`."""

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


def option_variable(variables: Any, name: str) -> Any:
    """Return the variable `name` for an option of a plugin, None where it is not set, or only a host says it.

    Raises OptionsError where its value is data and must be what a user wrote.
    """
    if isinstance(variables, VarsView):
        scope = variables.templar.scope
        if scope.is_fact(name):
            return None
        check_words(name, scope.get(name))
    return variables.get(name) if variables else None


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
        # All that Jinja's own sets, but for what is seldom read: one of these is made for every template rendered.
        self.parent, self.vars, self.environment, self.name = parent, {}, environment, name
        self.exported_vars: set[str] = set()
        self.globals_keys: set[str] = set(globals or ())
        self.blocks = {key: [block] for key, block in blocks.items()} if blocks else {}
        self.templar = templar

    @cached_property
    def eval_ctx(self) -> EvalContext:
        """How the template is evaluated: whether it escapes what it puts out."""
        return EvalContext(self.environment, self.name)

    def resolve_or_missing(self, key: str) -> Any:
        """Give the value of `key`, or Jinja's `missing`."""
        if key in self.vars:
            return self.vars[key]
        if key in self.parent:
            return self.parent[key]
        if self.templar is None:
            return globals_of(self.environment).get(key, missing)
        return self.templar.variable(key)

    def resolve_or_undefined(self, key: str) -> Any:
        """Give the value of `key`, or an undefined one of that name."""
        value = self.resolve_or_missing(key)
        return self.environment.undefined(name=key) if value is missing else value

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

    @classmethod
    def from_code(cls, environment: jinja2.Environment, code: Any, globals: Any, uptodate: Any = None) -> Self:  # noqa: A002  # Jinja's
        """Run the `code` of a template, which finds there what Jinja's modules import one by one."""
        del uptodate  # whoever compiles files sees when they have changed
        namespace: dict[str, Any] = {
            **_RUNTIME, "environment": environment, "__file__": code.co_filename,
            "name": None, "blocks": {}, "debug_info": "",
        }  # fmt: skip
        exec(code, namespace)  # noqa: S102  # Jinja's compiler wrote it
        return cast("Self", cls._from_namespace(environment, namespace, globals))

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
