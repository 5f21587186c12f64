"""A JSON Schema of playbooks for editors, made from the table of keywords.

Wherever a value may be a template, text is allowed too. Keys of tasks that are no keywords are names of modules, which
a schema cannot know completely: those that are given get the schema of their options, all others may hold anything.
Source: JSON Schema, draft 2020-12.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.playbook import keywords
from pyplay.playbook.keywords import LOOP_CONTROL, LOOP_PREFIX, ON_IMPORT_PLAYBOOK, SYNONYMS, VARS_PROMPT, Takes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyplay.playbook.keywords import Keyword

DIALECT = "https://json-schema.org/draft/2020-12/schema"
Schema = dict[str, Any]

_SCALAR = ["string", "number", "boolean", "null"]
_VARIABLE = "^[A-Za-z_][A-Za-z0-9_]*$"
_TASKS: Schema = {"type": ["array", "null"], "items": {"$ref": "#/$defs/item"}}
_KINDS: Mapping[Takes, Schema] = {
    Takes.ANY: {},
    Takes.BOOL: {"type": ["boolean", "string", "integer", "null"]},
    Takes.INT: {"type": ["integer", "string", "null"]},
    Takes.NUMBER: {"type": ["number", "string", "null"]},
    Takes.TEXT: {"type": _SCALAR},
    Takes.NAME: {"type": ["string", "object", "null"], "pattern": _VARIABLE, "propertyNames": {"pattern": _VARIABLE}},
    Takes.LIST: {"type": [*_SCALAR, "array"]},
    Takes.TEXTS: {"type": [*_SCALAR, "array"], "items": {"type": _SCALAR}},
    Takes.TAGS: {"type": [*_SCALAR, "array"], "items": {"type": _SCALAR}},
    Takes.MAP: {"type": ["object", "string", "null"]},
    Takes.MAPS: {"type": ["object", "array", "string", "null"], "items": {"type": ["object", "string", "null"]}},
    Takes.CONDITIONS: {"type": [*_SCALAR, "array"], "items": {"type": _SCALAR}},
    Takes.VARS: {"type": ["object", "null"], "propertyNames": {"pattern": _VARIABLE}},
    Takes.TASKS: _TASKS,
    Takes.ROLES: {
        "type": ["array", "null"],
        "items": {"anyOf": [{"type": "string"}, {"$ref": f"#/$defs/{keywords.ROLE}"}]},
    },
    Takes.LOOP_CONTROL: {
        "type": ["object", "null"],
        "properties": {name: {} for name in LOOP_CONTROL},
        "additionalProperties": False,
    },
}
_OPTION_TYPES = {"bool": "boolean", "int": "integer", "float": "number", "list": "array", "dict": "object"}


def playbook_schema(modules: Mapping[str, Mapping[str, Mapping[str, Any]]] | None = None) -> Schema:
    """Give the schema. `modules` are options by name of the module: type, choices, doc, as in its OPTIONS."""
    known = {name: _module(options) for name, options in (modules or {}).items()}
    return {
        "$schema": DIALECT,
        "title": "Playbook",
        "type": "array",
        "items": {"anyOf": [{"$ref": f"#/$defs/{keywords.PLAY}"}, {"$ref": "#/$defs/import_playbook"}]},
        "$defs": {
            keywords.PLAY: _object(keywords.PLAY) | {"required": ["hosts"], "additionalProperties": False},
            keywords.ROLE: _role(),
            keywords.BLOCK: _object(keywords.BLOCK) | {"required": ["block"], "additionalProperties": False},
            keywords.TASK: _task(known),
            "item": {"anyOf": [{"$ref": f"#/$defs/{keywords.BLOCK}"}, {"$ref": f"#/$defs/{keywords.TASK}"}]},
            "import_playbook": _import_playbook(),
        },
    }


def _object(kind: str) -> Schema:
    rows = dict(keywords.keywords_of(kind))
    rows.update({old: rows[name] for old, name in SYNONYMS[kind].items()})
    return {"type": "object", "properties": {name: _keyword(row) for name, row in rows.items()}}


def _keyword(row: Keyword) -> Schema:
    schema = {"description": row.doc} | _KINDS[row.takes]
    if row.name == "vars_prompt":
        options: Schema = {name: {} for name in VARS_PROMPT}
        prompt: Schema = {"type": "object", "properties": options, "required": ["name"], "additionalProperties": False}
        schema |= {"items": prompt}
    return schema


def _role() -> Schema:
    role = _object(keywords.ROLE)
    role["properties"] |= {"role": {"type": "string", "description": "The name of the role."}}
    return role | {"anyOf": [{"required": ["role"]}, {"required": ["name"]}]}


def _task(modules: Mapping[str, Schema]) -> Schema:
    """Give the schema of tasks and handlers: whatever is no keyword names a module."""
    task = _object(keywords.TASK)
    handler = _object(keywords.HANDLER)
    return {
        "type": "object",
        "properties": {**modules, **task["properties"], **handler["properties"]},
        "patternProperties": {f"^{LOOP_PREFIX}": {}},
        "not": {"required": ["block"]},
    }


def _import_playbook() -> Schema:
    block = _object(keywords.BLOCK)["properties"]
    known = {name: block.get(name, {"type": "string"}) for name in ON_IMPORT_PLAYBOOK}
    properties = known | {"ansible.builtin.import_playbook": {"type": "string"}}
    targets = [{"required": [name]} for name in ("import_playbook", "ansible.builtin.import_playbook")]
    return {"type": "object", "properties": properties, "anyOf": targets}


def _module(options: Mapping[str, Mapping[str, Any]]) -> Schema:
    properties: Schema = {}
    for name, option in options.items():
        if not name.startswith("_"):
            schema = _option(option)
            properties |= dict.fromkeys((name, *option.get("aliases", ())), schema)
    return {"type": ["object", *_SCALAR], "properties": properties}


def _option(option: Mapping[str, Any]) -> Schema:
    kind = _OPTION_TYPES.get(option.get("type", "str"))
    schema: Schema = {"type": sorted({kind, *_SCALAR})} if kind else {}
    if choices := option.get("choices"):
        schema = {"anyOf": [{"enum": list(choices)}, {"type": "string", "pattern": "\\{\\{"}]}
    return {"description": option["doc"]} | schema if option.get("doc") else schema
