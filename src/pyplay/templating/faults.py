"""What goes wrong in templates, as diagnostics: what, where, and what would mend it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

import jinja2
from jinja2.utils import missing

from pyplay.diagnostics.dataclass import replace
from pyplay.diagnostics.errors import AuthorError, TemplateError, UndefinedError
from pyplay.diagnostics.model import Diagnostic, Origin
from pyplay.diagnostics.patterns import late_pattern
from pyplay.diagnostics.render import source_line
from pyplay.diagnostics.suggest import did_you_mean
from pyplay.source.collection_homes import home_hint
from pyplay.templating.scope import MISSING
from pyplay.templating.undefined import Undefined, UndefinedUse

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import TracebackType

    from pyplay.templating.calls import CallTable
    from pyplay.templating.templar import Templar

_NO_CALL = late_pattern(r"[Nn]o (filter|test) named '([^']*)'")
_FOREIGN = (
    (late_pattern(r"^'=' after|'end of (?:print statement|statement block)', got '='"), "'==' compares"),
    (late_pattern(r"^unexpected char '&'"), "write 'and' for '&&'"),
    (late_pattern(r"^unexpected char '!'"), "write 'not' for '!'"),
    (late_pattern(r"got '\|'$"), "write 'or' for '||'"),
)
"""Operators of other languages in a template: how Jinja's parser and ours tell of them, and what to write."""
_MAX_SHOWN = 60


def undefined_error(undefined: Undefined, templar: Templar, used: Origin | None = None) -> UndefinedError:
    """Give the error of using `undefined`; `used` is where the outermost template stands."""
    name, text = undefined.name, undefined.text
    origin = undefined.origin or used
    if undefined.owner is missing:
        code, known = "undefined-variable", templar.scope.names()
    else:
        code, known = "undefined-attribute", _members(undefined.owner)
    helps = did_you_mean(name, sorted({str(key) for key in known})) if name else ""
    if not helps and _lacks_facts(undefined, templar):
        helps = "no facts of this host are known: gather_facts or the module setup gathers them"
    origin, length = _narrowed(origin, text, name)
    notes = (f"used at {used}",) if used and undefined.origin and used != undefined.origin else ()
    return UndefinedError([Diagnostic(code, undefined.message, origin, length=length, help=helps, notes=notes)])


def _lacks_facts(undefined: Undefined, templar: Templar) -> bool:
    """Tell whether what is undefined was probably meant for a fact, and there are none at all."""
    if undefined.owner is missing:
        facts = templar.scope.get("ansible_facts")
        return str(undefined.name).startswith("ansible_") and (facts is MISSING or facts == {})
    owner: Any = undefined.owner
    return isinstance(owner, Mapping) and not owner and "ansible_facts" in (undefined.text or "")


def _members(value: Any) -> Iterable[Any]:
    """Give the names that could have been meant for something under `value`."""
    if isinstance(value, Mapping):
        return cast("Mapping[Any, Any]", value).keys()
    return (n for n in dir(value) if not n.startswith("_"))


def template_error(error: Exception, text: str, origin: Origin | None, templar: Templar) -> AuthorError:
    """Give `error`, which came out of the template `text` at `origin`, as a diagnostic."""
    if isinstance(error, UndefinedUse):
        return undefined_error(error.undefined.placed(text, origin), templar, origin)
    if isinstance(error, TemplateError):  # of finding a filter or test
        return type(error)([replace(each, origin=each.origin or origin) for each in error.diagnostics])
    if isinstance(error, jinja2.TemplateSyntaxError):
        return _syntax_error(error, text, origin, templar)
    if isinstance(error, jinja2.TemplateNotFound):
        searched = ", ".join(templar.template_directories())
        message = f"there is no template file '{error.name}'"
        return TemplateError.of("template-not-found", message, origin, help=f"searched: {searched}")
    if isinstance(error, jinja2.exceptions.SecurityError):
        return TemplateError.of("unsafe-template", f"not allowed in templates: {error}", origin)
    message = str(error) or type(error).__name__
    if not isinstance(error, jinja2.TemplateError):
        message = f"{message} ({type(error).__name__})"
    helps = str(getattr(error, "help", "") or "")
    return TemplateError.of("template-failed", f"in template {_shown(text)}: {message}", origin, help=helps)


def _syntax_error(error: jinja2.TemplateSyntaxError, text: str, origin: Origin | None, templar: Templar) -> AuthorError:
    message = error.message or "the template cannot be read"
    match = _NO_CALL.search(message)
    if match is not None:
        kind, name = match.groups()
        jinja: Any = templar.environment.jinja
        table: CallTable = jinja.filters if kind == "filter" else jinja.tests
        code, message = f"unknown-{kind}", f"there is no {kind} '{name}'"
        helps = home_hint(kind, name) or did_you_mean(name, sorted(set(table.known())))
        origin, length = _narrowed(origin, text, name)
        return TemplateError([Diagnostic(code, message, origin, length=length, help=helps)])
    if origin and error.filename and error.filename == origin.path:
        origin = Origin(origin.path, error.lineno)
    helps = next((mend for pattern, mend in _FOREIGN if pattern.search(message)), "")
    return TemplateError.of(
        "template-syntax", f"syntax error in template {_shown(text)}: {message}", origin, help=helps
    )


def line_in_file(path: str, error: BaseException) -> int:
    """Give the line of the template file at `path` where `error` came up, 0 if that is not known."""
    line = 0
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == path:
            line = _template_line(trace) or line
        trace = trace.tb_next
    return line


def placed_in_file(error: AuthorError, path: str, line: int) -> AuthorError:
    """Give `error` of rendering the template file at `path` with the line where it happened; 0 changes nothing."""
    if not line:
        return error
    place = Origin(path, line)
    known = [d if d.origin and d.origin.path != path else replace(d, origin=place) for d in error.diagnostics]
    return type(error)(known)


def _template_line(trace: TracebackType) -> int:
    """Give the line of the template that the frame of `trace` is at, 0 if it cannot be told.

    Jinja leaves in the compiled code which of its lines come from which of the template's: `1=12&3=20`.
    """
    found = 0
    for pair in str(trace.tb_frame.f_globals.get("debug_info") or "").split("&"):
        template_line, _, code_line = pair.partition("=")
        if code_line and int(code_line) <= trace.tb_lineno:
            found = int(template_line)
    return found


def _narrowed(origin: Origin | None, text: str | None, name: str | None) -> tuple[Origin | None, int]:
    """Give the place of `name` in the source that `origin` points into, and its length.

    `text` is what stands there; a block of several lines begins on the line below its origin.
    """
    if origin is None or not name or not origin.line:
        return origin, 0
    word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    line, column = origin.line, max(origin.column - 1, 0)
    lines = (text or "").rstrip("\n").split("\n")
    if len(lines) > 1:
        above = next((number for number, each in enumerate(lines) if word.search(each)), None)
        if above is None:
            return origin, 0
        line, column = line + 1 + above, 0
    source = source_line(Origin(origin.path, line))
    match = word.search(source, column) if source is not None else None
    return (Origin(origin.path, line, match.start() + 1), len(name)) if match else (origin, 0)


def recursion_error(chain: list[str], origin: Origin | None) -> AuthorError:
    """Give the error of variables that need each other: `chain` ends with the name it began with."""
    shown = " → ".join(chain)
    return TemplateError.of(
        "recursive-variable",
        f"variables refer to each other in a circle: {shown}",
        origin,
        help="a variable cannot be defined by itself; give one of them another name",
    )


def _shown(text: str) -> str:
    line = " ".join(text.split())
    return f"'{line}'" if len(line) <= _MAX_SHOWN else f"'{line[: _MAX_SHOWN - 1]}…'"
