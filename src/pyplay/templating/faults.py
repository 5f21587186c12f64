"""What goes wrong in templates, as diagnostics: what, where, and what would mend it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import jinja2
from jinja2.utils import missing

from pyplay.diagnostics.errors import AuthorError, TemplateError, UndefinedError
from pyplay.diagnostics.model import Diagnostic, Origin
from pyplay.diagnostics.render import source_line
from pyplay.diagnostics.suggest import did_you_mean
from pyplay.templating.undefined import Undefined, UndefinedUse

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import TracebackType

    from pyplay.templating.templar import Templar

_NO_CALL = re.compile(r"[Nn]o (filter|test) named '([^']*)'")
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
    origin, length = _narrowed(origin, text, name)
    notes = (f"used at {used}",) if used and undefined.origin and used != undefined.origin else ()
    return UndefinedError([Diagnostic(code, undefined.message, origin, length=length, help=helps, notes=notes)])


def _members(value: Any) -> Iterable[Any]:
    """Give the names that could have been meant for something under `value`."""
    return value.keys() if isinstance(value, Mapping) else (n for n in dir(value) if not n.startswith("_"))


def template_error(error: Exception, text: str, origin: Origin | None, templar: Templar) -> AuthorError:
    """Give `error`, which came out of the template `text` at `origin`, as a diagnostic."""
    if isinstance(error, UndefinedUse):
        return undefined_error(error.undefined.placed(text, origin), templar, origin)
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
    helps = ""
    match = _NO_CALL.search(message)
    if match is not None:
        kind, name = match.groups()
        jinja = templar.environment.jinja
        table: Any = jinja.filters if kind == "filter" else jinja.tests
        code, message = f"unknown-{kind}", f"there is no {kind} '{name}'"
        helps = did_you_mean(name, sorted(set(table.known())))
        origin, length = _narrowed(origin, text, name)
        return TemplateError([Diagnostic(code, message, origin, length=length, help=helps)])
    if origin and error.filename and error.filename == origin.path:
        origin = Origin(origin.path, error.lineno)
    return TemplateError.of(
        "template-syntax", f"syntax error in template {_shown(text)}: {message}", origin, help=helps
    )


def placed_in_file(error: AuthorError, path: str, trace: TracebackType | None, shift: int) -> AuthorError:
    """Give `error` of rendering the template file at `path` with the line where it happened, found in `trace`.

    `shift` is how many lines of the file stand before what was compiled.
    """
    line = 0
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == path:
            template = trace.tb_frame.f_globals.get("__jinja_template__") or _template_of(trace)
            if template is not None:
                line = template.get_corresponding_lineno(trace.tb_lineno)
        trace = trace.tb_next
    if not line:
        return error
    place = Origin(path, line + shift)
    known = [d if d.origin and d.origin.path != path else replace(d, origin=place) for d in error.diagnostics]
    return type(error)(known)


def _template_of(trace: TracebackType) -> Any:
    """Give the template whose code the frame of `trace` runs."""
    info = trace.tb_frame.f_globals.get("debug_info")
    if info is None:
        return None
    template = object.__new__(jinja2.Template)
    template._debug_info = info  # what get_corresponding_lineno reads
    return template


def _narrowed(origin: Origin | None, text: str | None, name: str | None) -> tuple[Origin | None, int]:
    """Give the place of `name` in the source line that `origin` points into, and its length."""
    if origin is None or not name or not origin.line or (text is not None and "\n" in text.rstrip("\n")):
        return origin, 0
    line = source_line(origin)
    if line is None:
        return origin, 0
    match = re.compile(rf"(?<![\w.]){re.escape(name)}(?!\w)|(?<=\.){re.escape(name)}(?!\w)").search(
        line, max(origin.column - 1, 0)
    )
    return (Origin(origin.path, origin.line, match.start() + 1), len(name)) if match else (origin, 0)


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
