"""`pyplay doc`: keywords of playbooks, modules, filters, tests and lookups described; a schema for editors."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Any, cast

import click

from pyplay.cli import options as o
from pyplay.cli.about import version_option
from pyplay.cli.names import Program
from pyplay.diagnostics.errors import OptionsError
from pyplay.diagnostics.suggest import did_you_mean
from pyplay.playbook.builtin import short_name

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from pyplay.cli.doc_files import DocFiles
    from pyplay.cli.doc_text import Entry

BUILTIN_NAME = "ansible.builtin"
_PATHS = ("module_path", "roles_path")
OWN_KINDS = ("module", "keyword", "filter", "test", "lookup")
FILE_KINDS = (
    *("become", "cache", "callback", "cliconf", "connection", "httpapi", "inventory", "netconf", "role", "shell"),
    *("strategy", "vars"),
)
"""Of these, what users and collections have is described; what is built in has its page in the documentation."""
SNIPPETS = ("module", "lookup", "inventory")
JINJA_PAGE = "https://jinja.palletsprojects.com/en/stable/templates/"
SHOW = (
    o.option(
        "-t",
        "--type",
        "kind",
        type=click.Choice((*OWN_KINDS, *FILE_KINDS)),
        default="module",
        help="What is described.",
    ),
    o.option("-l", "--list", "as_list", is_flag=True, help="One line for each; names of collections choose."),
    o.option("-F", "--list_files", "as_files", is_flag=True, help="As --list, with files instead of summaries."),
    o.option("-s", "--snippet", is_flag=True, help="A task, or a call, with all options to begin with."),
    o.option("-j", "--json", "as_json", is_flag=True, help="JSON for programs."),
    o.option("-e", "--entry-point", metavar="NAME", default="main", help="Entry point of roles."),
    o.option("--schema", is_flag=True, help="A JSON Schema of playbooks for editors."),
)
WHERE = (
    o.option("-M", "--module-path", multiple=True, metavar="PATH", help="More directories to find modules in."),
    o.option("-r", "--roles-path", multiple=True, metavar="PATH", help="More directories to find roles in."),
    o.option("--playbook-dir", metavar="DIRECTORY", help="Find library, plugins, roles, collections beside it."),
)
REFUSED = (
    o.option("--metadata-dump", is_flag=True, help="Refused: it is for the making of Ansible's own pages."),
    o.option("--no-fail-on-errors", is_flag=True, help="Refused, as --metadata-dump."),
)


@click.command(cls=o.Command, context_settings={"help_option_names": ["-h", "--help"]})
@o.shared(SHOW, WHERE, REFUSED, o.COMMON)
@version_option
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.pass_context
def command(context: click.Context, **given: Any) -> int:
    """Describe what playbooks are made of; without names, all of its kind."""
    if given["metadata_dump"] or given["no_fail_on_errors"]:
        mend = "pyplay doc --list --json tells what there is"
        raise OptionsError.of("metadata-dump", "the dump of all metadata is for Ansible's own pages", help=mend)
    if sum(given[name] for name in ("as_list", "as_files", "snippet", "schema")) > 1:
        raise click.UsageError("--list, --list_files, --snippet and --schema exclude each other")
    if given["schema"]:
        sys.stdout.write(json.dumps(_schema(), indent=2) + "\n")
        return 0
    files = _files(given)
    sys.stdout.write(_listing(files, given) if given["as_list"] or given["as_files"] else _text(context, files, given))
    return 0


def _files(given: Mapping[str, Any]) -> DocFiles:
    from pyplay.cli.doc_files import DocFiles  # noqa: PLC0415  # --help needs none of it
    from pyplay.source.settings import load_settings  # noqa: PLC0415  # as above

    settings = load_settings(os.environ, os.getcwd())  # noqa: PTH109  # plain text
    directory = os.path.abspath(os.path.expanduser(given["playbook_dir"] or settings.playbook_dir or ""))  # noqa: PTH100, PTH111
    split = {name: [part for path in given[name] for part in path.split(os.pathsep)] for name in _PATHS}
    return DocFiles(settings, directory, **split)


def _listing(files: DocFiles, given: Mapping[str, Any]) -> str:
    """Give the text of --list and --list_files."""
    from pyplay.cli.doc_text import filed, listed  # noqa: PLC0415  # --help needs none of it

    kind, names = given["kind"], given["names"]
    paths = {name: path for name, path in files.paths(kind).items() if _is_chosen(name, names)}
    if given["as_files"]:
        return json.dumps(paths, indent=4, default=str) + "\n" if given["as_json"] else filed(paths)
    own = _own(kind)
    point, all_own = given["entry_point"], BUILTIN_NAME in names
    entries = {name: own[name] for name in own if name not in paths and (all_own or _is_chosen(name, names))}
    entries |= {name: entry for name, path in paths.items() if (entry := files.entry(kind, name, path, point))}
    if given["as_json"]:
        return json.dumps({name: entry.summary for name, entry in entries.items()}, indent=2) + "\n"
    return listed(entries)


def _own(kind: str) -> Mapping[str, Entry]:
    """Give the descriptions of what is ours, nothing for kinds whose pages are the documentation's."""
    return _entries(kind) if kind in OWN_KINDS else {}


def _is_chosen(name: str, names: Collection[str]) -> bool:
    """Tell whether `names`, those of things, collections or namespaces, choose `name`."""
    return not names or any(name == each or name.startswith(f"{each}.") for each in map(short_name, names))


def _text(context: click.Context, files: DocFiles, given: Mapping[str, Any]) -> str:
    """Give the descriptions that are asked for, as text, snippets or JSON."""
    from pyplay.cli.doc_text import rendered, snippet  # noqa: PLC0415  # --help needs none of it

    kind = given["kind"]
    if given["snippet"] and kind not in SNIPPETS:
        raise OptionsError.of("no-snippet", f"there are no snippets of a {kind}", help=f"of {', '.join(SNIPPETS)}")
    entries = _described(files, kind, given["names"], given["entry_point"])
    if given["snippet"]:
        return "\n".join(map(snippet, entries.values()))
    if given["as_json"]:
        as_core = (context.find_object(Program) or Program()).is_ansible
        data = {name: entry.as_core_data() if as_core else entry.as_data() for name, entry in entries.items()}
        return json.dumps(data, indent=4 if as_core else 2, default=str) + "\n"
    return "\n".join(map(rendered, entries.values()))


def _described(files: DocFiles, kind: str, names: Collection[str], point: str) -> Mapping[str, Entry]:
    """Give the entries by `names`, in that order; all that are ours without names. Raises OptionsError."""
    own = _own(kind)
    if not names:
        return own
    paths = files.paths(kind)
    found: dict[str, Entry] = {}
    for written in names:
        name = written if written in paths else short_name(written)
        path = paths.get(name)
        if path is None and name not in own:
            raise OptionsError.of("no-doc", f"there is no {kind} '{name}'", help=_mend(name, kind, {**own, **paths}))
        entry = own[name] if path is None else files.entry(kind, name, path, point)
        if entry is None:
            raise OptionsError.of("no-doc", f"the {kind} '{name}' describes no entry point '{point}'")
        found[name] = entry
    return found


def _mend(name: str, kind: str, entries: Mapping[str, Any]) -> str:
    """Tell where `name`, which is no `kind` of ours, is described: as another kind, by Jinja, under a similar name."""
    if kind in FILE_KINDS:
        return did_you_mean(name, entries) or f"what is built in has its page; pyplay doc -t {kind} -l tells the others"
    for other in OWN_KINDS:
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
    """Give the short names of the modules, actions and statements that describe themselves."""
    from pyplay.actions.registry import ACTIONS  # noqa: PLC0415  # --help needs none of it
    from pyplay.playbook.builtin import BUILTIN  # noqa: PLC0415  # as above
    from pyplay.playbook.statements import STATEMENTS  # noqa: PLC0415  # as above
    from pyplay.shipping.search import builtin_directory  # noqa: PLC0415  # as above

    shipped = {path.stem for path in builtin_directory().glob("*.py")}
    return sorted(BUILTIN & (shipped | ACTIONS.keys() | STATEMENTS.keys()))


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
    if name in ACTIONS and not described.exists():
        described = Path(pyplay.actions.__path__[0]) / f"{ACTIONS[name]}.py"
    return module_entry(name, described, merged, options_in(merged))


def _schema() -> dict[str, Any]:
    from pyplay.playbook.schema import playbook_schema  # noqa: PLC0415  # --help needs none of it

    modules: dict[str, Any] = {}
    for name, entry in _entries("module").items():
        if name == "import_playbook":  # takes the place of a play, not of a task
            continue
        modules[name] = modules[f"ansible.builtin.{name}"] = entry.options
    return playbook_schema(modules)
