"""Reading the keywords of one object: each checked against the table, unknown ones explained."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.suggest import nearest
from pyplay.playbook import keywords
from pyplay.playbook.defaults import check_defaults
from pyplay.playbook.fields import describe, read_field
from pyplay.playbook.workspace import is_template
from pyplay.source.shapes import is_list, is_map
from pyplay.source.text import SourceMap, origin_of

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from pyplay.diagnostics.model import Origin
    from pyplay.playbook.context import Context
    from pyplay.playbook.workspace import Workspace

STRUCTURE = frozenset({keywords.Takes.TASKS, keywords.Takes.ROLES})
KINDS = ("play", "block", "task", "handler", "role")


def read_keywords(
    space: Workspace, raw: SourceMap, kind: str, context: Context | None = None, *, tags_later: bool = False
) -> dict[str, Any]:
    """Give the keywords of the object `raw` by name, as the model holds them.

    Keys without a value count as not there. Lists of tasks and roles are left raw; keys that `kind` does not know
    are left out. Faults are noted. Tags with templates are rendered with the static variables of `context`, or left as
    they are, `tags_later`, if it is not their time.
    """
    table = keywords.keywords_of(kind)
    synonyms = keywords.SYNONYMS[kind]
    values: dict[str, Any] = {}
    for key, value in raw.items():
        row = table.get(synonyms.get(key, key))
        if row is None or value is None:
            continue
        if row.takes in STRUCTURE:
            values[row.name] = value
            continue
        found = read_field(space, row, value, raw.key_origins.get(key), late=kind != keywords.PLAY)
        if found is None:
            continue
        if row.takes is keywords.Takes.TAGS and not tags_later and any(map(is_template, found)):
            found = _render_tags(space, found, context)
        if row.name == "module_defaults":
            check_defaults(space, found, context)
        values[row.name] = found
    return values


def _render_tags(space: Workspace, tags: tuple[Any, ...], context: Context | None) -> tuple[Any, ...]:
    variables: Mapping[str, Any] = context.static_variables(space.extra_vars) if context else space.extra_vars
    found: list[Any] = []
    for tag in tags:
        with space.noting():
            value = space.render_name(tag, variables)
            parts: list[Any] = value if is_list(value) else [value]
            found += [text for part in parts for text in (word.strip() for word in str(part).split(",")) if text]
    return tuple(found)


def unknown_keyword(space: Workspace, raw: SourceMap, key: Any, kind: str, *, known: Collection[str] = ()) -> None:
    """Note that objects of `kind` have no keyword `key`: what was meant, or where the keyword may stand."""
    origin = raw.key_origins.get(key) or raw.origin
    text = str(key)
    table: Collection[str] = known or keywords.keywords_of(kind)
    row = keywords.KEYWORDS.get(text)
    if not isinstance(key, str):
        message, mend = f"{describe(key)} is no keyword", "a key must be text; quote it if it is meant so"
    elif row is not None and text not in table:
        places = " and ".join(f"{place}s" for place in KINDS if place in row.on)
        message, mend = f"a {kind} does not take '{text}'", f"it may stand on {places}"
    else:
        message = f"unknown keyword '{text}' on a {kind}"
        match = nearest(text, table)
        mend = f"did you mean '{match}'?" if match else f"the keywords of a {kind} are listed by: pyplay doc -t keyword"
    space.fault("unknown-keyword", message, origin, length=len(text), mend=mend)


def check_keys(space: Workspace, raw: SourceMap, kind: str) -> None:
    """Note all keys of `raw` that objects of `kind` do not take."""
    table, synonyms = keywords.keywords_of(kind), keywords.SYNONYMS[kind]
    for key in raw:
        if key not in table and key not in synonyms:
            unknown_keyword(space, raw, key, kind)


def as_items(space: Workspace, value: Any, what: str, origin: Origin | None) -> list[tuple[SourceMap, Origin | None]]:
    """Give the mappings in the list `value`, each with its place; what is no list or mapping is noted."""
    if value is None:
        return []
    if not is_list(value):
        space.fault(
            "not-a-list", f"'{what}' takes a list, not {describe(value)}", origin_of(value) or origin,
            mend="start each item with '- '",
        )  # fmt: skip
        return []
    found: list[tuple[SourceMap, Origin | None]] = []
    items: list[Any] = value
    for item in items:
        if isinstance(item, SourceMap):
            found.append((item, item.origin))
        elif is_map(item):
            plain: dict[Any, Any] = item
            found.append((SourceMap(plain, origin_of(value)), origin_of(value)))
        elif item is None:
            space.warn("empty-item", f"an item of '{what}' is empty", origin_of(value) or origin, mend="remove its '-'")
        else:
            mend = "write the module's name and a colon" if what != "plays" else "a playbook is a list of plays"
            space.fault(
                "not-a-mapping", f"an item of '{what}' must be a mapping, not {describe(item)}",
                origin_of(item) or origin_of(value) or origin, mend=mend,
                length=len(item) if isinstance(item, str) and "\n" not in item else 0,
            )  # fmt: skip
    return found
