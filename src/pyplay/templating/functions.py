"""The functions of templates: lookup, query, q, now, undef."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

import jinja2

from pyplay.source.text import Trusted
from pyplay.templating.lookup_call import call_lookup
from pyplay.templating.marks import reads_clock
from pyplay.templating.undefined import Undefined

if TYPE_CHECKING:
    from pyplay.templating.context import ScopeContext


@jinja2.pass_context
def lookup(context: ScopeContext, name: str, /, *terms: Any, wantlist: bool = False, **options: Any) -> Any:
    """Call the lookup `name`; texts are joined with commas, one result stands alone, unless `wantlist`.

    Source: the Ansible documentation, "Lookups".
    """
    return call_lookup(_templar(context), name, list(terms), options, wantlist=wantlist)


@jinja2.pass_context
def query(context: ScopeContext, name: str, /, *terms: Any, **options: Any) -> Any:
    """Call the lookup `name`; always gives a list."""
    options.pop("wantlist", None)
    return call_lookup(_templar(context), name, list(terms), options, wantlist=True)


@reads_clock
def now(utc: bool = False, fmt: str | None = None) -> Any:  # noqa: FBT001, FBT002  # Ansible's signature
    """Give the time, local or `utc`, as a datetime without zone, or as text in the format `fmt`."""
    moment = dt.datetime.now(dt.UTC).replace(tzinfo=None) if utc else dt.datetime.now()  # noqa: DTZ005  # as documented
    return moment.strftime(fmt) if fmt else moment


def undef(hint: str | None = None) -> Undefined:
    """Give an undefined value; `hint` is what is said when somebody uses it."""
    return Undefined(hint or "a variable is undefined on purpose and must be set")


def json_default(value: Any) -> Any:
    """Fail for what JSON cannot hold, an undefined value by its name. Raises UndefinedUse, TypeError."""
    if isinstance(value, Undefined):
        value.fail()
    raise TypeError(f"JSON cannot hold a {type(value).__name__}")


@jinja2.pass_context
def render_constant(context: ScopeContext, text: str) -> Any:
    """Render a constant of an expression that is a template itself; it stays as it is where the settings say so."""
    templar = _templar(context)
    if not getattr(templar.environment.settings, "allow_embedded_templates", True):
        return text
    templar.notice_embedded(text)
    return templar.render(Trusted(text))


def _templar(context: ScopeContext) -> Any:
    """Give the templar of `context`; a template imported without context runs for the one that imports it."""
    owner: Any = context.environment
    return context.templar or owner.owner.state.templar


GLOBALS = {"lookup": lookup, "query": query, "q": query, "now": now, "undef": undef}
