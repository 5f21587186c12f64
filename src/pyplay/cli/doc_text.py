"""What `pyplay doc` prints: keywords from their table, plugins from their docstrings, modules from their OPTIONS."""

from __future__ import annotations

import ast
import inspect
from dataclasses import asdict, field
from textwrap import fill, indent, shorten
from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.dataclass import dataclass
from pyplay.playbook import keywords

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from pyplay.playbook.keywords import Keyword

WIDTH = 100
_HIDDEN = "_"  # options that begin so pass between the halves of a module


@dataclass(frozen=True, slots=True)
class Entry:
    """The description of one keyword, plugin, module or role. `options` are as in a module's OPTIONS.

    `examples` is YAML text, `returns` what is returned by name, as Ansible's documentation has them.
    """

    name: str
    kind: str
    summary: str
    text: str = ""
    facts: Mapping[str, str] = field(default_factory=dict[str, str])
    options: Mapping[str, Mapping[str, Any]] = field(default_factory=dict[str, "Mapping[str, Any]"])
    examples: str = ""
    returns: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def as_data(self) -> dict[str, Any]:
        """Give the description for programs."""
        return {key: value for key, value in asdict(self).items() if value or key == "summary"}

    def as_core_data(self) -> dict[str, Any]:
        """Give the description in the form of `ansible-doc --json`, as observed with ansible-core 2.21."""
        options = {name: _core_option(option) for name, option in self.options.items()}
        doc = {
            "description": [line for line in (self.text or self.summary).splitlines() if line.strip()],
            "options": options,
            "plugin_name": self.name,
            "short_description": self.summary,
        }
        file = self.facts.get("file")
        examples = self.examples or None
        return {
            "doc": {**doc, **({"filename": file} if file else {})},
            "examples": examples,
            "metadata": None,
            "return": dict(self.returns) or None,
        }


def _core_option(option: Mapping[str, Any]) -> dict[str, Any]:
    told = {key: value for key, value in option.items() if key not in ("doc", "suboptions")}
    below: Mapping[str, Mapping[str, Any]] = option.get("suboptions") or {}
    inner = {name: _core_option(each) for name, each in below.items()}
    return {"description": [str(option.get("doc", ""))], **told, **({"suboptions": inner} if inner else {})}


def keyword_entry(row: Keyword) -> Entry:
    """Describe a keyword of playbooks."""
    facts = {
        "takes": str(row.takes),
        "stands on": ", ".join(sorted(row.on)),
        "templates are rendered": str(row.when),
        "inherited by what is inside": "no" if not row.inherited else "adds up" if row.adds else "yes",
    }
    return Entry(row.name, "keyword", row.doc, facts=facts)


def keyword_entries() -> dict[str, Entry]:
    """Give the descriptions of all keywords by name."""
    return {row.name: keyword_entry(row) for row in sorted(keywords.TABLE, key=lambda row: row.name)}


def function_entry(name: str, kind: str, function: Callable[..., Any]) -> Entry:
    """Describe a filter, test or lookup by the docstring of its function and its parameters."""
    summary, _, text = (inspect.getdoc(function) or "").partition("\n")
    facts = {"called as": _call(name, kind, function)}
    return Entry(name, kind, summary, text.strip(), facts)


def _call(name: str, kind: str, function: Callable[..., Any]) -> str:
    try:
        given = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):  # written in C
        given = []
    shown = [_parameter(each) for each in given[(2 if kind == "lookup" else 1) :]]
    words = ", ".join(word for word in shown if word)
    if kind == "lookup":
        return f"lookup('{name}', term, …{', ' if words else ''}{words})"
    return f"value {'|' if kind == 'filter' else 'is'} {name}{f'({words})' if words else ''}"


def _parameter(parameter: inspect.Parameter) -> str:
    if parameter.name.startswith(_HIDDEN):
        return ""
    if parameter.kind in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD):
        return "…"
    default = parameter.default
    return parameter.name if default is inspect.Parameter.empty else f"{parameter.name}={default!r}"


def module_entry(name: str, path: Path, table: Mapping[str, Any], options: Mapping[str, Mapping[str, Any]]) -> Entry:
    """Describe a module by its `table`, whose options are `options`, and its `doc`, else the docstring of the file."""
    summary, _, text = (table.get("doc") or _docstring(path)).removeprefix(f"{name}: ").partition("\n")
    facts = {
        "check mode": str(table.get("check_mode", "none")),
        "shows differences": "yes" if table.get("diff") else "no",
        "platforms": str(table.get("platforms", "")),
    }
    shown = {key: option for key, option in options.items() if not key.startswith(_HIDDEN)}
    return Entry(
        name,
        "module",
        summary[:1].upper() + summary[1:],
        text.strip(),
        {key: fact for key, fact in facts.items() if fact},
        shown,
    )


def _docstring(path: Path) -> str:
    try:
        return ast.get_docstring(ast.parse(path.read_bytes())) or ""
    except (OSError, SyntaxError, ValueError):
        return ""


def rendered(entry: Entry) -> str:
    """Give the description as text."""
    parts = [f"{entry.name} ({entry.kind})", _wrapped(entry.summary)]
    if entry.text:
        parts.append("\n" + indent(entry.text, "  "))
    if entry.facts:
        parts.append("")
        parts += [f"  {name}: {fact}" for name, fact in entry.facts.items()]
    if entry.options:
        parts += ["", "OPTIONS (= is required)", *_options(entry.options, "  ")]
    if entry.examples:
        parts += ["", "EXAMPLES", indent(entry.examples, "  ")]
    return "\n".join(parts) + "\n"


def snippet(entry: Entry) -> str:
    """Give a task, or a call, to begin with: all options, each with what it is."""
    if "called as" in entry.facts:
        return f"{entry.facts['called as']}\n"
    if entry.kind == "inventory":
        lines = [f"plugin: {entry.name}"]
        lead = ""
    else:
        lines = [f"- name: {entry.summary}", f"  {entry.name}:"]
        lead = " " * 6
    for name in sorted(entry.options, key=lambda each: (not entry.options[each].get("required"), each)):
        option = entry.options[name]
        told = f"{'(required) ' if option.get('required') else ''}{option.get('doc', '')}".strip()
        lines.append(f"{lead}{name + ':':<22} # {shorten(told, 70)}" if told else f"{lead}{name}:")
    return "\n".join(lines) + "\n"


def filed(paths: Mapping[str, Path]) -> str:
    """Give one line per name: its file."""
    width = max(map(len, paths), default=0)
    return "".join(f"{name:<{width}}  {path}\n" for name, path in paths.items())


def _wrapped(text: str, lead: str = "  ") -> str:
    return fill(text, WIDTH, initial_indent=lead, subsequent_indent=lead)


def _options(options: Mapping[str, Mapping[str, Any]], lead: str) -> Iterable[str]:
    for name in sorted(options):
        option = options[name]
        yield f"{lead}{'=' if option.get('required') else '-'} {name}: {_type(option)}"
        if option.get("doc"):
            yield _wrapped(str(option["doc"]), lead + "    ")
        for key in ("choices", "aliases"):
            if option.get(key):
                yield f"{lead}    {key}: {', '.join(map(str, option[key]))}"
        if option.get("default") is not None:
            yield f"{lead}    default: {option['default']}"
        yield from _options(option.get("suboptions") or {}, lead + "    ")


def _type(option: Mapping[str, Any]) -> str:
    kind = str(option.get("type", "str"))
    return f"{kind} of {option['elements']}" if option.get("elements") else kind


def listed(entries: Mapping[str, Entry]) -> str:
    """Give one line per description: its name and what it does."""
    width = max(map(len, entries), default=0)
    return "".join(f"{name:<{width}}  {entry.summary}".rstrip() + "\n" for name, entry in entries.items())
