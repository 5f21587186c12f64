"""`pyplay doc`: keywords of playbooks, modules, filters, tests and lookups described; a schema for editors."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any, cast

import click

from pyplay.cli import options as o
from pyplay.cli.about import version_option
from pyplay.diagnostics.errors import OptionsError
from pyplay.diagnostics.suggest import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from pyplay.cli.doc_text import Entry

KINDS = ("module", "keyword", "filter", "test", "lookup")
JINJA_PAGE = "https://jinja.palletsprojects.com/en/stable/templates/"
SHOW = (
    click.option("-t", "--type", "kind", type=click.Choice(KINDS), default="module", help="What is described."),
    click.option("-l", "--list", "as_list", is_flag=True, help="One line for each that there is."),
    click.option("-j", "--json", "as_json", is_flag=True, help="JSON for programs."),
    click.option("--schema", is_flag=True, help="A JSON Schema of playbooks for editors."),
)


@click.command(cls=o.Command, context_settings={"help_option_names": ["-h", "--help"]})
@o.shared(SHOW, o.COMMON)
@version_option
@click.argument("names", nargs=-1, metavar="[NAME]...")
def command(**given: Any) -> int:
    """Describe what playbooks are made of; without names, all of its kind."""
    if given["schema"]:
        sys.stdout.write(json.dumps(_schema(), indent=2) + "\n")
        return 0
    entries = _chosen(_entries(given["kind"]), given["names"], given["kind"])
    sys.stdout.write(_shown(entries, as_list=given["as_list"], as_json=given["as_json"]))
    return 0


def _shown(entries: Mapping[str, Entry], *, as_list: bool, as_json: bool) -> str:
    from pyplay.cli.doc_text import listed, rendered  # noqa: PLC0415  # --help needs none of it

    if as_json:
        data = {name: entry.summary if as_list else entry.as_data() for name, entry in entries.items()}
        return json.dumps(data, indent=2, default=str) + "\n"
    return listed(entries.values()) if as_list else "\n".join(map(rendered, entries.values()))


def _chosen(entries: Mapping[str, Entry], names: tuple[str, ...], kind: str) -> Mapping[str, Entry]:
    """Give the entries by `names`, in that order; all without names. Raises OptionsError."""
    from pyplay.playbook.builtin import short_name  # noqa: PLC0415  # --help needs none of it

    found: dict[str, Entry] = {}
    for name in map(short_name, names):
        if name not in entries:
            raise OptionsError.of("no-doc", f"there is no {kind} '{name}'", help=_mend(name, kind, entries))
        found[name] = entries[name]
    return found if names else entries


def _mend(name: str, kind: str, entries: Mapping[str, Entry]) -> str:
    """Tell where `name`, which is no `kind` of ours, is described: as another kind, by Jinja, under a similar name."""
    for other in KINDS:
        if other != kind and name in _names(other):
            return f"there is a {other} of this name: pyplay doc -t {other} {name}"
    for other in ("test", "filter") if kind == "test" else ("filter", "test"):
        if name in _jinja_names(other):
            return f"a {other} of Jinja: {JINJA_PAGE}#jinja-{other}s.{name}"
    return did_you_mean(name, entries)


def _names(kind: str) -> Collection[str]:
    if kind == "module":
        return _modules()
    return _entries(kind) if kind == "keyword" else _functions(kind)


def _jinja_names(kind: str) -> Collection[str]:
    from jinja2 import Environment  # noqa: PLC0415  # only for names that are not ours

    plain = Environment(autoescape=False)  # noqa: S701  # renders nothing
    return cast("dict[str, object]", plain.filters if kind == "filter" else plain.tests)  # pyright: ignore[reportUnknownMemberType]  # Jinja's own type is partial


def _entries(kind: str) -> Mapping[str, Entry]:
    from pyplay.cli import doc_text  # noqa: PLC0415  # --help needs none of it

    if kind == "keyword":
        return doc_text.keyword_entries()
    if kind == "module":
        return {name: _module(name) for name in _modules()}
    functions = _functions(kind)
    return {name: doc_text.function_entry(name, kind, functions[name]) for name in sorted(functions)}


def _functions(kind: str) -> Mapping[str, Any]:
    from pyplay.templating.filters.registry import FILTERS  # noqa: PLC0415  # heavy
    from pyplay.templating.lookups.registry import LOOKUPS  # noqa: PLC0415  # heavy
    from pyplay.templating.tests.registry import TESTS  # noqa: PLC0415  # heavy

    return {"filter": FILTERS, "test": TESTS, "lookup": LOOKUPS}[kind]


def _modules() -> list[str]:
    """Give the short names of the modules and actions that describe themselves."""
    from pyplay.actions.registry import ACTIONS  # noqa: PLC0415  # --help needs none of it
    from pyplay.playbook.builtin import BUILTIN  # noqa: PLC0415  # as above
    from pyplay.shipping.search import builtin_directory  # noqa: PLC0415  # as above

    shipped = {path.stem for path in builtin_directory().glob("*.py")}
    return sorted((BUILTIN & shipped) | (BUILTIN & ACTIONS.keys()))


def _module(name: str) -> Entry:
    from pathlib import Path  # noqa: PLC0415  # as above

    import pyplay.actions  # noqa: PLC0415  # as above
    from pyplay.actions.registry import ACTIONS  # noqa: PLC0415  # as above
    from pyplay.actions.spec import options_in  # noqa: PLC0415  # as above
    from pyplay.actions.tables import action_table, read_table  # noqa: PLC0415  # as above
    from pyplay.cli.doc_text import module_entry  # noqa: PLC0415  # as above
    from pyplay.shipping.search import builtin_directory  # noqa: PLC0415  # as above

    own = action_table(name) or {}
    shipped = builtin_directory() / f"{own.get('extends', name)}.py"
    table = read_table(shipped) or {}
    merged = {**table, **own, "options": {**table.get("options", {}), **own.get("options", {})}}
    described = builtin_directory() / f"{name}.py"
    if not described.exists():
        described = Path(pyplay.actions.__path__[0]) / f"{ACTIONS[name]}.py"
    return module_entry(name, described, merged, options_in(merged))


def _schema() -> dict[str, Any]:
    from pyplay.playbook.schema import playbook_schema  # noqa: PLC0415  # --help needs none of it

    modules: dict[str, Any] = {}
    for name, entry in _entries("module").items():
        modules[name] = modules[f"ansible.builtin.{name}"] = entry.options
    return playbook_schema(modules)
