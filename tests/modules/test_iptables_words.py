"""The words of a rule."""

from __future__ import annotations

from typing import Any

import pytest

from pyplay.remote.module_utils.options import validate


@pytest.mark.parametrize(("options", "extension"), [
    ({"comment": "why"}, "comment"),
    ({"destination_ports": ["80", "443"]}, "multiport"),
    ({"ctstate": ["NEW"]}, "conntrack"),
    ({"limit": "2/s"}, "limit"),
])  # fmt: skip
def test_an_extension_is_loaded_once(load: Any, options: dict[str, Any], extension: str) -> None:
    iptables = load("iptables")
    for match in ([], [extension]):
        args = validate(iptables.OPTIONS, {"chain": "INPUT", "match": match, **options}).args
        words = iptables.words_of(args, "ipv4")
        assert words.count(extension) == 1
        assert words[words.index(extension) - 1] == "-m"
