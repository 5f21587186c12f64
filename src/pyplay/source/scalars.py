"""What a plain YAML 1.1 scalar means: null, boolean, number, date, or text.

PyYAML's own tables decide, so that a value means what it means to every other YAML tool in Python.
Source: YAML 1.1 types as PyYAML's SafeLoader resolves them.
"""

from __future__ import annotations

from typing import Any

from pyplay.source.yaml_library import yaml

_TABLE: dict[str, list[tuple[str, Any]]] = yaml.SafeLoader.yaml_implicit_resolvers
_PREFIX = "tag:yaml.org,2002:"
TEXT_TAGS = frozenset({_PREFIX + "str", _PREFIX + "value"})
MERGE_TAG = _PREFIX + "merge"
FIRST_CHARACTERS = frozenset(first for first, rules in _TABLE.items() if rules)
"""Characters (and "" for the empty scalar) that a plain scalar which is not text can start with."""
COMMON: dict[str, str] = dict.fromkeys(("true", "false", "yes", "no"), _PREFIX + "bool")
"""What the tables would say of the words that most files have: their patterns need not be compiled."""


def tag_of(text: str) -> str | None:
    """Give the tag that the plain scalar `text` resolves to, None for text."""
    if text in COMMON:
        return COMMON[text]
    for tag, pattern in _TABLE.get(text[:1], ()):
        if pattern.match(text):
            return None if tag in TEXT_TAGS else tag
    return None


class ScalarReader:
    """Turns scalars that are not text into Python values; remembers those seen."""

    def __init__(self) -> None:
        self._constructor = yaml.constructor.SafeConstructor()
        self._seen: dict[tuple[str, str], Any] = {}

    def value(self, tag: str, text: str) -> Any:
        """Give the value of the scalar `text` with the full tag `tag`. Raises ValueError for text that does not fit."""
        key = (tag, text)
        if key not in self._seen:
            self._seen[key] = self._construct(tag, text)
        return self._seen[key]

    def _construct(self, tag: str, text: str) -> Any:
        make = yaml.SafeLoader.yaml_constructors.get(tag)
        if make is None:
            raise ValueError(f"{tag} is not a tag of scalars")
        try:
            return make(self._constructor, yaml.ScalarNode(tag, text))
        except (KeyError, IndexError, AttributeError, yaml.YAMLError) as error:
            raise ValueError(f"{text!r} is no {tag.removeprefix(_PREFIX)}") from error
