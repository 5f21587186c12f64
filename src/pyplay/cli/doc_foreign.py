"""Descriptions that modules, plugins and roles of others bring along: DOCUMENTATION, documents beside them, specs.

Source: the Ansible documentation, "Module format and documentation", "Role argument validation".
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Any, cast

from pyplay.cli.doc_text import Entry

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    FindFragment = Callable[[str], "tuple[Path, str] | None"]

DOCUMENTS = (".yml", ".yaml")
_KEPT = ("type", "elements", "required", "default", "choices", "aliases")
_PARTS = ("DOCUMENTATION", "EXAMPLES", "RETURN")
_LINK = re.compile(r"\b(?:L|R)\(([^,()]*),[^()]*\)")
_MARK = re.compile(r"\b[A-Z]\(([^()]*)\)")


def foreign_entry(name: str, kind: str, path: Path, find_fragment: FindFragment) -> Entry:
    """Describe the plugin or module of others in the file `path`; one that says nothing has an empty description.

    `find_fragment` gives the file of a documentation fragment by its full name, and the part of it that is meant.
    """
    found = _parts(path)
    doc = _mapping(found.get("DOCUMENTATION"))
    options: dict[str, Any] = {}
    missing: list[str] = []
    for fragment in _words(doc.get("extends_documentation_fragment")):
        place = find_fragment(fragment)
        if place is None:
            missing.append(fragment)
        else:
            options |= _mapping(_mapping(_load(_fragment(*place))).get("options"))
    options |= _mapping(doc.get("options"))
    facts = {"file": str(path)}
    if missing:
        facts["more options"] = f"those of {', '.join(missing)}, which is not there"
    return Entry(
        name,
        kind,
        _plain(doc.get("short_description")),
        "\n".join(_plain(line) for line in _lines(doc.get("description"))),
        facts,
        _options(options),
        examples=str(found.get("EXAMPLES") or "").strip("\n"),
        returns=_mapping(found.get("RETURN")),
    )


def role_entries(name: str, file: Path) -> dict[str, Entry]:
    """Describe the entry points of a role by the specification in `file`."""
    specs = _mapping(_mapping(_load(file.read_text(encoding="utf-8"))).get("argument_specs"))
    entries: dict[str, Entry] = {}
    for point, spec in specs.items():
        told = _mapping(spec)
        text = "\n".join(_plain(line) for line in _lines(told.get("description")))
        facts = {"entry point": str(point), "file": str(file)}
        summary = _plain(told.get("short_description"))
        entries[str(point)] = Entry(name, "role", summary, text, facts, _options(_mapping(told.get("options"))))
    return entries


def _parts(path: Path) -> dict[str, Any]:
    """Give DOCUMENTATION, EXAMPLES and RETURN of a plugin: from the document beside it, else from its own text."""
    for file in (path, *(path.with_suffix(suffix) for suffix in DOCUMENTS)):
        if file.suffix in DOCUMENTS and file.is_file():
            return _mapping(_load(file.read_text(encoding="utf-8", errors="replace")))
    texts = _assigned(path)
    return {name: text if name == "EXAMPLES" else _load(text) for name, text in texts.items() if name in _PARTS}


def _assigned(path: Path, owner: str = "") -> dict[str, str]:
    """Give the texts that are assigned to names in a file of Python, those in the class `owner` where one is named."""
    try:
        body: list[ast.stmt] = ast.parse(path.read_bytes()).body
    except (OSError, SyntaxError, ValueError):
        return {}
    if owner:
        body = [each for node in body if isinstance(node, ast.ClassDef) and node.name == owner for each in node.body]
    return {
        target.id: node.value.value
        for node in body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        for target in node.targets
        if isinstance(target, ast.Name)
    }


def _fragment(path: Path, part: str) -> str:
    return _assigned(path, "ModuleDocFragment").get(part.upper(), "")


def _load(text: str) -> Any:
    import yaml  # noqa: PLC0415  # only for descriptions of others

    try:
        value: Any = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506  # safe
    except yaml.YAMLError:
        return None
    return value


def _options(options: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Give options of others in the form of ours."""
    found: dict[str, dict[str, Any]] = {}
    for name, option in options.items():
        told = dict(_mapping(option))
        text = " ".join(_plain(line) for line in _lines(told.pop("description", None)))
        inner = _options(_mapping(told.pop("suboptions", None) or told.pop("options", None)))
        kept = {key: told[key] for key in _KEPT if key in told}
        found[str(name)] = {**kept, **({"doc": text} if text else {}), **({"suboptions": inner} if inner else {})}
    return found


def _plain(text: object) -> str:
    """Give text without the marks of Ansible's documentation, such as C(x) and L(x,url)."""
    return _MARK.sub(r"\1", _LINK.sub(r"\1", str(text or ""))).strip()


def _lines(value: Any) -> list[Any]:
    return cast("list[Any]", value) if isinstance(value, list) else [value] if value else []


def _words(value: Any) -> list[str]:
    return [str(each) for each in (value.split(",") if isinstance(value, str) else _lines(value))]


def _mapping(value: Any) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}
