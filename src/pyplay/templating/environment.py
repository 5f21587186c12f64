"""The template environment: one per process, holding filters, tests, lookups and every compiled template."""

from __future__ import annotations

import codecs
import os
import re
import threading
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, cast

import jinja2
from jinja2.runtime import Macro
from jinja2.sandbox import SandboxedEnvironment
from jinja2.utils import Namespace, missing

from pyplay.diagnostics.dataclass import dataclass
from pyplay.diagnostics.deprecated import deprecated
from pyplay.source.text import origin_of
from pyplay.templating import functions
from pyplay.templating.calls import CallTable, watched
from pyplay.templating.codegen import EMBEDDED, NativeCodeGenerator, embed, may_load, parse_expression
from pyplay.templating.context import ScopeContext, ScopedTemplate, globals_of
from pyplay.templating.lazy import LazyMap
from pyplay.templating.lexer import TemplateLexer
from pyplay.templating.marks import DISK
from pyplay.templating.members import hides
from pyplay.templating.omit import OMIT
from pyplay.templating.secrets import SecretTexts
from pyplay.templating.undefined import Unchosen, Undefined
from pyplay.templating.values import concat, finish

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from jinja2 import nodes
    from jinja2.lexer import Lexer

    from pyplay.diagnostics.model import Diagnostic
    from pyplay.templating.calls import Elsewhere
    from pyplay.templating.templar import Templar

MAX_COMPILED = 20_000
MAX_TEMPLATES = 500
"""Compiled templates kept; beyond that the cache starts anew. Far more than any project has."""

ENGINE_FILTERS = {"ansible._protomatter.finalize": finish}
"""Filters that are the engine's own work: what `finalize` gives is what a variable would hold."""

_DICT_ATTRIBUTES = frozenset(dir({}))
_PATH = re.compile(r"\{\{\s*([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)\s*\}\}\n?", re.ASCII)
_WORDS = frozenset({"true", "false", "none", "True", "False", "None", "not", "and", "or", "in", "is", "if", "else"})


class State(threading.local):
    """What is going on in this thread: templates being rendered (for cycles) and the templar that includes load for."""

    def __init__(self) -> None:
        self.stack: list[tuple[int, int, str]] = []
        self.template = ""  # the innermost one
        self.sink: list[Diagnostic] | None = None  # where notices of the outermost one go
        self.templar: Templar | None = None


def _nothing(_at: str) -> None:
    """Do nothing."""


class JinjaEnvironment(SandboxedEnvironment):
    """Jinja's sandbox with native values, undefined values that chain, and includes from the search path."""

    code_generator_class = NativeCodeGenerator
    context_class = ScopeContext
    template_class = ScopedTemplate
    concat = staticmethod(concat)  # native: gives any object
    owner: TemplateEnvironment
    own_lexer: TemplateLexer
    checks_output = False
    options: Mapping[str, Any] = MappingProxyType({})

    @property
    def lexer(self) -> Lexer:
        """Give the lexer: for texts of playbooks one with raw strings."""
        return self.own_lexer

    def getattr(self, obj: Any, attribute: str) -> Any:
        """Give `obj.attribute`: attributes of Python first, then keys, as Jinja does."""
        if (type(obj) is LazyMap or type(obj) is dict) and attribute not in _DICT_ATTRIBUTES:
            mapping = cast("dict[Any, Any]", obj)
            return mapping[attribute] if attribute in mapping else self.undefined(obj=obj, name=attribute)
        return self._item(obj, attribute) if hides(cast("Any", obj), attribute) else super().getattr(obj, attribute)

    def getitem(self, obj: Any, argument: Any) -> Any:
        """Return `obj[argument]`, or the attribute of that name where there is no such key, as Jinja does."""
        try:
            return obj[argument]
        except (AttributeError, TypeError, LookupError):
            if isinstance(argument, str) and hides(obj, argument):
                return self.undefined(obj=obj, name=argument)
            return super().getitem(obj, argument)

    def _item(self, obj: Any, key: str) -> Any:
        try:
            return obj[key]
        except (AttributeError, TypeError, LookupError):
            return self.undefined(obj=obj, name=key)

    def call(self, context: Any, obj: Any, /, *args: Any, **kwargs: Any) -> Any:
        """Call a function or method, unless it or an argument is undefined: that is the result then.

        Macros and namespaces take undefined values. Source: observed in ansible-core 2.21.
        """
        if type(obj) is Undefined:
            return obj
        if not isinstance(obj, Macro) and obj is not Namespace:
            for value in (*args, *kwargs.values()) if kwargs else args:
                if type(value) is Undefined:
                    return value
        return super().call(context, obj, *args, **kwargs)

    @staticmethod
    def unchosen() -> Unchosen:
        """Give what an `if` without else gives where its condition does not hold."""
        return Unchosen("the condition of an `if` without `else` did not hold")

    @staticmethod
    def checked(value: Any) -> Any:
        """Give a value that a template file puts out. Raises UndefinedUse, called by the template's own frame."""
        if type(value) is Undefined:
            value.fail()
        return value

    def _load_template(self, name: str, globals: Any) -> jinja2.Template:  # noqa: A002  # Jinja's name
        """Give the template file that an include, import or extends names."""
        del globals
        self.owner.outside(DISK)
        templar = self.owner.state.templar
        path = templar.find_template(name) if templar is not None else None
        if path is None:
            raise jinja2.TemplateNotFound(name, f"there is no template file {name}")
        return self.owner.compile_file(path, self.options)


@dataclass(frozen=True, slots=True)
class Compiled:
    """A template ready to run. `newlines` are those at the end of its text; `loads`: it may load other templates."""

    template: ScopedTemplate
    newlines: int = 0
    loads: bool = False

    def run(self, templar: Templar) -> Any:
        """Give the native value, not yet finished: undefined members and lazy containers are in it."""
        if not self.loads:
            value = concat(self.template.open(templar))
        else:
            state = templar.environment.state
            before, state.templar = state.templar, templar
            try:
                value = concat(self.template.open(templar))
            finally:
                state.templar = before
        if self.newlines and isinstance(value, str):
            return value + "\n" * max(0, self.newlines - (len(value) - len(value.rstrip("\n"))))
        return value


@dataclass(frozen=True, slots=True)
class PathTemplate:
    """A template that is one variable, or what is under one: `{{ name.key }}`. Never reaches Jinja."""

    name: str
    keys: tuple[str, ...]
    newlines: int = 0

    def run(self, templar: Templar) -> Any:
        """Give the native value, as `Compiled.run`."""
        value = templar.variable(self.name)
        environment = templar.environment.jinja
        if value is missing:
            value = environment.undefined(name=self.name)
        for key in self.keys:
            value = environment.getattr(value, key)
        if self.newlines and isinstance(value, str) and not value.endswith("\n"):
            return value + "\n"
        return value


class TemplateEnvironment:
    """All that templates share in one process.

    `filters`, `tests` and `lookups` are functions by name, short or `ansible.builtin.` name; they may be mappings that
    find plugins when asked. `settings` gives `jinja2_extensions` and `allow_broken_conditionals`. `inventory_hostnames`
    and `read_bytes` are what lookups need of the outside (see `LookupCall`). `elsewhere` finds, by kind (filter, test),
    functions of short names that nothing else has. `secrets` collects decrypted texts.
    """

    def __init__(
        self,
        settings: Any,
        *,
        filters: Mapping[str, Callable[..., Any]] | None = None,
        tests: Mapping[str, Callable[..., Any]] | None = None,
        lookups: Mapping[str, Callable[..., Any]] | None = None,
        secrets: SecretTexts | None = None,
        inventory_hostnames: Callable[[str], list[str]] | None = None,
        read_bytes: Callable[[str], bytes] | None = None,
        elsewhere: Mapping[str, Elsewhere] | None = None,
    ) -> None:
        self.settings = settings
        self.lookups: Mapping[str, Callable[..., Any]] = lookups if lookups is not None else {}
        self.secrets = secrets if secrets is not None else SecretTexts()
        self.inventory_hostnames = inventory_hostnames
        self.read_bytes = read_bytes
        self.outside: Callable[[str], object] = _nothing  # told what is about to be looked at: `marks.DISK`, `CLOCK`
        self.state = State()
        self.told: set[str] = set()  # deprecations that this process has said, of those said once
        self.jinja = self._make_jinja(filters or {}, tests or {}, elsewhere or {})
        self._compiled: dict[str, Compiled | PathTemplate] = {}
        self._expressions: dict[tuple[str, bool], Compiled] = {}
        self._templates: dict[tuple[str, str | None, int], Compiled] = {}
        self._files: dict[tuple[str, int, int, int], jinja2.Template] = {}
        self._overlays: dict[tuple[tuple[str, Any], ...], JinjaEnvironment] = {}

    def _look(self, at: str) -> None:
        self.outside(at)

    def _make_jinja(
        self, filters: Mapping[str, Any], tests: Mapping[str, Any], elsewhere: Mapping[str, Elsewhere]
    ) -> JinjaEnvironment:
        extensions: list[str] = list(getattr(self.settings, "jinja2_extensions", None) or ())
        if extensions:
            from pyplay.templating.extensions import check_extensions  # noqa: PLC0415  # few have any

            check_extensions(extensions)
        jinja = JinjaEnvironment(
            extensions=extensions,
            undefined=Undefined,
            trim_blocks=True,
            optimized=False,
            auto_reload=False,
            cache_size=0,
        )
        jinja.owner = self
        jinja.policies["json.dumps_kwargs"] = {"sort_keys": True, "default": functions.json_default}
        jinja.own_lexer = TemplateLexer(jinja, raw=True)
        own: Any = jinja
        jinja.filters = CallTable(
            "filter", filters, {**own.filters, **ENGINE_FILTERS}, elsewhere.get("filter"), outside=self._look
        )
        jinja.tests = CallTable("test", tests, own.tests, elsewhere.get("test"), outside=self._look)
        jinja_globals = globals_of(jinja)
        jinja_globals.update(functions.GLOBALS, omit=OMIT, now=watched(functions.now, self._look))
        jinja_globals[EMBEDDED] = functions.render_constant
        return jinja

    def make_ready(self) -> None:
        """Compile the patterns that templates are read with, for all processes that are forked later.

        The codec that reads strings in them is loaded, too.
        """
        codecs.lookup("unicode-escape")
        for _ in self.jinja.own_lexer.tokeniter("{{ a[0].b | c(1.5, 'd') }}\n", None):
            pass

    def function(self, name: str) -> Any:
        """Give the global function or value `name`, Jinja's `missing` if there is none."""
        return globals_of(self.jinja).get(name, missing)

    def deprecate(self, code: str, **words: str) -> None:
        """Note that what is being rendered has the deprecated spelling `code`; see `diagnostics.deprecated`."""
        sink = self.state.sink
        if sink is None:
            return
        notice = deprecated(code, words, origin_of(self.state.template))
        if notice not in sink:
            sink.append(notice)

    @property
    def broken_conditionals(self) -> bool:
        """Tell whether conditions may be other than boolean, with a warning."""
        return bool(getattr(self.settings, "allow_broken_conditionals", False)) or self.takes_old

    @property
    def takes_old(self) -> bool:
        """Tell whether what ansible-core 2.18 took is taken, with a warning."""
        return getattr(self.settings, "compat", None) == "2.18"

    def compile_text(self, text: str) -> Compiled | PathTemplate:
        """Give the compiled template `text`, from the cache if it can. Raises jinja2.TemplateSyntaxError."""
        found = self._compiled.get(text)
        if found is None:
            if len(self._compiled) >= MAX_COMPILED:
                self._compiled.clear()
            found = self._compiled[str.__str__(text)] = self._path(text) or self._compile(self.jinja, text)
        return found

    def compile_expression(self, text: str, *, conditional: bool = False) -> Compiled:
        """Give the compiled expression `text`, in a conditional with templates in its constants rendered."""
        found = self._expressions.get((text, conditional))
        if found is None:
            if len(self._expressions) >= MAX_COMPILED:
                self._expressions.clear()
            tree = embed(parse_expression(self.jinja, text), text, everywhere=conditional)
            found = self._expressions[str.__str__(text), conditional] = self._link(self.jinja, tree, None)
        return found

    def compile_template(self, text: str, options: Mapping[str, Any], path: str | None) -> Compiled:
        """Give the template file `text`, read from `path`, compiled with Jinja's `options` (`trim_blocks`, …)."""
        environment = self._overlay(options)
        key = (text, path, id(environment))
        found = self._templates.get(key)
        if found is None:
            if len(self._templates) >= MAX_TEMPLATES:
                self._templates.clear()
            tree = embed(environment.parse(text, path, path), text, everywhere=False)
            found = self._templates[str.__str__(text), path, id(environment)] = self._link(environment, tree, path)
        return found

    def compile_file(self, path: str, options: Mapping[str, Any]) -> jinja2.Template:
        """Give the template in the file at `path`, compiled anew when the file has changed.

        `options` are those of the template that includes it. A newline at its end is no part of it: observed in core.
        """
        environment = self._overlay({**options, "keep_trailing_newline": False})
        status = os.stat(path)  # noqa: PTH116  # paths are plain strings here
        key = (path, status.st_mtime_ns, status.st_size, id(environment))
        found = self._files.get(key)
        if found is None:
            with open(path, encoding="utf-8", newline="") as stream:  # noqa: PTH123  # as above
                text = stream.read()
            tree = embed(environment.parse(text, path, path), text, everywhere=False)
            found = self._files[key] = self._link(environment, tree, path).template
        return found

    def _overlay(self, options: Mapping[str, Any]) -> JinjaEnvironment:
        key = tuple(sorted(options.items()))
        found = self._overlays.get(key)
        if found is None:
            found = self._overlays[key] = self.jinja.overlay(**options)
            found.own_lexer, found.checks_output = TemplateLexer(found, raw=False), True
            found.options = dict(options)
        return found

    def _path(self, text: str) -> PathTemplate | None:
        match = _PATH.fullmatch(text)
        if match is None:
            return None
        name, *keys = match[1].split(".")
        if name in _WORDS:
            return None
        return PathTemplate(name, tuple(keys), text.endswith("\n"))

    def _compile(self, environment: JinjaEnvironment, text: str) -> Compiled:
        tree = embed(environment.parse(text), text, everywhere=False)
        compiled = self._link(environment, tree, None)
        newlines = len(text) - len(text.rstrip("\n"))
        return Compiled(compiled.template, newlines, compiled.loads)

    def _link(self, environment: JinjaEnvironment, tree: nodes.Template, path: str | None) -> Compiled:
        code = environment.compile(tree, path, path)
        template = ScopedTemplate.from_code(environment, code, globals_of(environment))
        return Compiled(template, 0, may_load(tree))
