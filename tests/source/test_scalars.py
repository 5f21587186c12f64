"""What plain scalars mean."""

from __future__ import annotations

from typing import Any

import pytest

from pyplay.source import scalars
from pyplay.source.yaml_library import yaml


@pytest.mark.parametrize("word", list(scalars.COMMON))
def test_common_words_are_what_the_tables_say(word: str) -> None:
    table: dict[str, list[Any]] = yaml.SafeLoader.yaml_implicit_resolvers
    assert scalars.COMMON[word] == next(tag for tag, pattern in table[word[0]] if pattern.match(word))
