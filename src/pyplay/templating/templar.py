"""The Templar: renders values for one scope.

Only `Trusted` strings are templates. What a template gives is plain and is not looked at again, but variables that it
names are rendered when they are read, however deep. Results are native: an expression alone gives its object.
Source: Ansible 2.19, "Templating"; details observed in ansible-core 2.21.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn, cast

import jinja2
from jinja2.utils import missing

from pyplay.diagnostics.errors import PyplayError
from pyplay.diagnostics.model import Diagnostic, Severity
from pyplay.source.text import SourceList, SourceMap, Trusted, origin_of
from pyplay.source.vault import SECRET_NUMBERS, Secret, VaultText
from pyplay.templating import conditional, faults, lookup_call, text_files
from pyplay.templating.atoms import ATOMS, AtomList
from pyplay.templating.context import VarsView
from pyplay.templating.defined import defined_members
from pyplay.templating.lazy import LazyList, LazyMap
from pyplay.templating.lookups.search import find_file, search_directories
from pyplay.templating.omit import OMIT
from pyplay.templating.scope import MISSING, OverlayScope, OwnWord
from pyplay.templating.sealed import Opened, Sealed
from pyplay.templating.secrets import Word
from pyplay.templating.syntax import has_template
from pyplay.templating.undefined import Undefined, UndefinedUse
from pyplay.templating.values import UnstorableError, finish

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pyplay.templating.environment import Compiled, PathTemplate, TemplateEnvironment
    from pyplay.templating.scope import Scope

MAX_DEPTH = 80
"""Variables that need one another, at most; far below Python's own limit of frames."""

_FACT = "ansible_"
_OLD_NAMES = {"play_hosts": "play-hosts", "vars": "vars-dictionary"}
_MAPS = (dict, SourceMap)
_LISTS = (list, SourceList)


class Templar:
    """Renders values with the variables of `scope`.

    `search_path` are the directories that relative file names are searched in, nearest first; `basedir` is the
    playbook's. `subdir` is where the task's module has its files, which lookups search: `files`, `templates` or `vars`.
    `notices` collects warnings and deprecations met while rendering; whoever reports them takes them out.
    """

    __slots__ = ("basedir", "environment", "notices", "scope", "search_path", "subdir")

    def __init__(
        self,
        environment: TemplateEnvironment,
        scope: Scope,
        *,
        search_path: Sequence[str] = (),
        basedir: str = "",
        notices: list[Diagnostic] | None = None,
        subdir: str = "files",
    ) -> None:
        self.environment = environment
        self.scope = scope
        self.search_path = search_path
        self.basedir = basedir
        self.subdir = subdir
        self.notices: list[Diagnostic] = notices if notices is not None else []

    # what callers use

    def resolve(self, value: Any) -> Any:
        """Give `value` rendered all the way down, as plain containers; `omit` members are left out, `omit` alone stays.

        Strings without template syntax are given back as they are. Raises UndefinedError and TemplateError that tell
        where the template stands.
        """
        try:
            return self._deep(value)
        except jinja2.TemplateError as error:
            raise faults.template_error(error, str(value), origin_of(value), self) from error

    def resolve_defined(self, value: Any) -> Any:
        """Return `value` as `resolve` does, without the members, however deep, that are undefined.

        Raises as `resolve`; a `value` that is undefined itself is an error.
        """
        try:
            return defined_members(self.render(value))
        except jinja2.TemplateError as error:
            raise faults.template_error(error, str(value), origin_of(value), self) from error

    def evaluate(self, expression: str) -> Any:
        """Give the value of a bare expression, rendered all the way down. Raises as `resolve`.

        The caller answers for it: text that came from a host must never get here.
        """
        try:
            return finish(self.expression(expression))
        except jinja2.TemplateError as error:
            raise faults.template_error(error, expression, origin_of(expression), self) from error

    def condition(self, value: Any) -> bool:
        """Tell whether `value`, a condition or a list of them, holds. Raises as `resolve`, also for no boolean."""
        return conditional.check(self, value).holds

    def check(self, value: Any) -> conditional.Verdict:
        """Tell as `condition` does, and which condition it was that did not hold."""
        return conditional.check(self, value)

    def render_text(self, text: str, **options: Any) -> str:
        """Give what the content `text` of a template file renders to. See `text_files.render_text` for the options."""
        return text_files.render_text(self, text, **options)

    def render_native(self, text: str, **options: Any) -> Any:
        """Give what the content `text` of a template file renders to, an expression alone as its object."""
        return finish(text_files.render_native(self, text, **options))

    def lookup(self, name: str, terms: Any, options: dict[str, Any] | None = None) -> list[Any]:
        """Give what the lookup `name` makes of resolved `terms`: what `with_name` loops over. Raises TemplateError."""
        try:
            return lookup_call.run_lookup(self, name, terms, options)
        except PyplayError:
            raise
        except Exception as error:  # the edge of users' plugins
            raise faults.template_error(error, f"with_{name}", origin_of(terms), self) from error

    def with_vars(self, extra: Mapping[str, Any]) -> Templar:
        """Give a templar that sees the variables `extra`, raw, before all others."""
        return type(self)(
            self.environment,
            OverlayScope(extra, self.scope),
            search_path=self.search_path,
            basedir=self.basedir,
            notices=self.notices,
            subdir=self.subdir,
        )

    def take_notices(self) -> list[Diagnostic]:
        """Give the warnings and deprecations since the last call, each once."""
        if not self.notices:
            return []
        told = self.environment.told
        taken = [notice for notice in dict.fromkeys(self.notices) if notice.key not in told]
        told.update(notice.key for notice in taken if notice.key)
        self.notices.clear()
        return taken

    # what templates and this package use

    def render(self, value: Any) -> Any:
        """Give `value` rendered at its top: containers render their members when they are read.

        An undefined result is given as an `Undefined`, to fail when it is used.
        """
        kind = value.__class__
        if kind in ATOMS:
            return value
        if kind is Trusted:
            return self._template(value) if has_template(value) else value
        if kind in _MAPS:
            return LazyMap(self.render, value)
        if kind in _LISTS:
            return LazyList(self.render, value)
        return self._render_rare(value)

    def _render_rare(self, value: Any) -> Any:
        if isinstance(value, (LazyMap, LazyList)):
            return cast("Any", value)
        if isinstance(value, AtomList):
            return AtomList(value)  # a copy, which the template may change
        if isinstance(value, VaultText):  # as in core, what is inside is no template
            try:
                secret = value.reveal()
            except PyplayError as error:
                return Sealed(value, error)
            self.environment.secrets.add(secret)
            return Opened(str.__str__(secret), value)
        if isinstance(value, Secret):
            return self._render_secret(value)
        if isinstance(value, Trusted):
            return self._template(value) if has_template(value) else value
        if isinstance(value, SECRET_NUMBERS):
            self.environment.secrets.add(Word(value))
            return int(value) if isinstance(value, int) else float(value)
        if isinstance(value, dict):
            return LazyMap(self.render, cast("dict[Any, Any]", value))
        if isinstance(value, list):
            return LazyList(self.render, cast("list[Any]", value))
        if type(value) is tuple:
            return tuple(self.render(member) for member in cast("tuple[Any, ...]", value))
        return value

    def _render_secret(self, value: Secret) -> Any:
        """Give text of an encrypted file rendered; it and what it becomes are remembered as secrets."""
        self.environment.secrets.add(value)
        if not has_template(value):
            return value
        result = self._template(value)
        if isinstance(result, str):
            self.environment.secrets.add(result)
        return result

    def variable(self, name: str) -> Any:
        """Give the variable or global `name`, rendered at its top; Jinja's `missing` if there is none."""
        raw = self.scope.get(name)
        if name[:8] == _FACT or name in _OLD_NAMES:
            self._notice_name(name, raw)
        if raw is MISSING:
            return VarsView(self) if name == "vars" else self.environment.function(name)
        kind = raw.__class__
        if kind in ATOMS:
            return raw
        if kind is Trusted:
            return self._template(raw, name) if has_template(raw) else raw
        if kind is OwnWord:
            busy = any(label == name for _, _, label in self.environment.state.stack)
            return missing if busy else self._template(raw, name)
        return self.render(raw)

    def _notice_name(self, name: str, raw: Any) -> None:
        """Note a variable whose name is deprecated, or a fact that is a variable of its own by default alone."""
        environment = self.environment
        if name in _OLD_NAMES:
            if name == "vars" or raw is not MISSING:
                environment.deprecate(_OLD_NAMES[name])
        elif name not in environment.told and self.scope.is_injected(name):
            environment.deprecate("injected-fact", name=name, short=name.removeprefix(_FACT))

    def expression(self, expression: str, *, is_condition: bool = False) -> Any:
        """Give the value of a bare expression, rendered at its top, an `Undefined` if it is undefined."""
        try:
            compiled = self.environment.compile_expression(expression, conditional=is_condition)
        except Exception as error:  # noqa: BLE001  # Jinja's compiler runs users' extensions
            self._fail(error, expression)
        return self._run(compiled, expression, "")

    def notice_embedded(self, constant: str) -> None:
        """Note that a constant of an expression is itself a template."""
        self.notices.append(
            Diagnostic(
                "template-in-constant",
                f"the constant '{constant}' is itself a template",
                severity=Severity.WARNING,
                help="inside of {{ }} name variables directly and join texts with ~",
            )
        )

    def template_directories(self) -> list[str]:
        """Give the directories where included templates are searched, nearest first."""
        return list(dict.fromkeys(search_directories(self.search_path, self.basedir, "templates")))

    def find_template(self, name: str) -> str | None:
        """Give the path of the template file `name`, None if it is nowhere."""
        return find_file(self.search_path, self.basedir, "templates", name)

    def _deep(self, value: Any, known: dict[int, Any] | None = None) -> Any:
        """Give `value` rendered; `known` holds the containers that are: YAML's aliases are rendered once."""
        kind = value.__class__
        if kind in ATOMS:
            return value
        if kind is Trusted:
            return self._finished(value) if has_template(value) else value
        if kind in _MAPS or kind in _LISTS:
            known = {} if known is None else known
            found = known.get(id(value))
            if found is None:
                found = known[id(value)] = self._deep_members(value, known)
            return found
        return finish(self._render_rare(value))

    def _deep_members(self, value: Any, known: dict[int, Any]) -> Any:
        deep = self._deep
        if isinstance(value, dict):
            found: dict[Any, Any] = {}
            for key, member in cast("dict[Any, Any]", value).items():
                done = member if member.__class__ in ATOMS else deep(member, known)
                if done is not OMIT:
                    found[key] = done
            return found
        every = [member if member.__class__ in ATOMS else deep(member, known) for member in value]
        return [done for done in every if done is not OMIT] if OMIT in every else every

    def _finished(self, template: str) -> Any:
        try:
            return finish(self._template(template))
        except UnstorableError as error:
            self._fail(error, template)

    def _template(self, template: str, name: str = "") -> Any:
        try:
            compiled = self.environment.compile_text(template)
        except Exception as error:  # noqa: BLE001  # Jinja's compiler runs users' extensions
            self._fail(error, template)
        return self._run(compiled, template, name)

    def _run(self, compiled: Compiled | PathTemplate, template: str, name: str) -> Any:
        state = self.environment.state
        stack = state.stack
        entry = (id(self.scope), id(template), name or template)
        if entry in stack or len(stack) >= MAX_DEPTH:
            raise faults.recursion_error(_cycle(stack, entry), origin_of(template))
        if not stack:
            state.sink = self.notices
        stack.append(entry)
        around, state.template = state.template, template
        try:
            value = compiled.run(self)
        except UndefinedUse as error:
            value = error.undefined
        except PyplayError:
            raise
        except RecursionError as error:
            raise faults.recursion_error(_cycle(stack, entry), origin_of(template)) from error
        except Exception as error:  # noqa: BLE001  # expressions of users may raise anything
            self._fail(error, template)
        finally:
            stack.pop()
            state.template = around
        if isinstance(value, Undefined):
            return value.placed(template, origin_of(template))
        return value

    def _fail(self, error: Exception, template: str) -> NoReturn:
        raise faults.template_error(error, template, origin_of(template), self) from error


def _cycle(stack: list[tuple[int, int, str]], entry: tuple[int, int, str]) -> list[str]:
    """Give the names from where the circle starts to where it closes."""
    start = stack.index(entry) if entry in stack else max(0, len(stack) - 5)
    return [label for _, _, label in stack[start:]] + [entry[2]]
