"""What filters say when they refuse: the words that conditions in the field look for."""

from __future__ import annotations

from typing import Any

import pytest

from pyplay.templating.filters.errors import FilterError
from pyplay.templating.filters.registry import FILTERS


@pytest.mark.parametrize(
    ("name", "args", "options", "words"),
    [
        ("hash", ["a", "nope"], {}, "unsupported hash type 'nope'"),
        ("combine", ["a", {}], {}, "expected dicts but got str"),
        ("strftime", ["%Y", "x"], {}, "Invalid value for epoch value"),
        ("regex_replace", ["aa", "a", "b"], {"mandatory_count": 1}, "1 times, but matches 2 times"),
        ("regex_escape", ["a"], {"re_type": "posix_extended"}, "Regex type (posix_extended) not yet implemented"),
        ("password_hash", ["a"], {"salt_size": [9]}, "salt_size must be an integer"),
        ("password_hash", ["a"], {"salt": "a b"}, "invalid characters in salt"),
        ("password_hash", ["a", "bcrypt"], {"salt": "abc"}, "invalid salt size supplied (3), expected 22"),
        ("rekey_on_member", [[{"a": 1}], "a"], {"duplicates": ["x"]}, "has unknown value"),
        ("to_json", [[1]], {"profile": "haha"}, "Unknown profile name"),
        ("combine", [{}], {"foo": 1}, "the only valid keyword arguments"),
        ("regex_escape", ["a"], {"re_type": "haha"}, "Invalid regex type (haha)"),
        ("random", [{"a": 1}], {}, "can only be used on sequences"),
        ("random", [[1]], {"start": 1}, "start and step can only be used"),
        ("to_uuid", ["a"], {"namespace": "x"}, "Invalid value"),
        ("comment", ["a", "nope"], {}, "Invalid style"),
        ("subelements", [1, "a"], {}, "must be a list of dicts"),
        ("subelements", [[{"a": 1}], 1], {}, "must be a list or a string"),
        ("subelements", [[{"a": 1}], "b"], {}, "could not find 'b'"),
        ("subelements", [[{"a": 1}], "a"], {}, "should point to a list"),
        ("subelements", [[{"a": 1}], "a.b"], {}, "should point to a dictionary"),
        ("dict2items", [[1]], {}, "requires a dictionary"),
        ("items2dict", [1], {}, "requires a list of dictionaries"),
        ("items2dict", [[1]], {}, "requires a list of dictionaries"),
        ("path_join", [1], {}, "expects string or sequence"),
        ("commonpath", [1], {}, "expects a sequence"),
        ("log", ["x"], {}, "can only be used on numbers"),
        ("pow", ["x", 2], {}, "can only be used on numbers"),
        ("root", ["x"], {}, "can only be used on numbers"),
        ("human_readable", ["x"], {}, "failed on bad input"),
        ("human_to_bytes", ["x"], {}, "can't interpret 'x'"),
        (
            "rekey_on_member",
            [[{"a": 1}], "a"],
            {"duplicates": "x"},
            "duplicates parameter to rekey_on_member has unknown value",
        ),
        ("rekey_on_member", [1, "a"], {}, "not a valid list"),
        ("rekey_on_member", [[1], "a"], {}, "is not a valid dict"),
        ("rekey_on_member", [[{"a": 1}], "b"], {}, "was not found"),
        ("rekey_on_member", [[{"a": 1}, {"a": 1}], "a"], {}, "is not unique"),
        ("password_hash", ["a", "nope"], {}, "does not support 'nope'"),
    ],
)
def test_a_fault_has_the_words_by_which_it_is_known(
    name: str, args: list[Any], options: dict[str, Any], words: str
) -> None:
    with pytest.raises(FilterError) as caught:
        FILTERS[name](*args, **options)
    assert words in str(caught.value)
