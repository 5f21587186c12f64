"""Facts of hosts that were recorded as files, links and outputs of commands: one file of `hosts/` for each.

`facts` are the values that ansible-core gives for the same tree, except where a comment beside one says otherwise.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from pyplay.remote.module_utils.facts import collect
from pyplay.remote.module_utils.facts.root import Root

if TYPE_CHECKING:
    from collections.abc import Mapping

HOSTS = sorted((Path(__file__).parent / "hosts").glob("*.yml"))
KERNEL = ("Linux", "recorded.example.com", "6.1.0", "#1 SMP", "x86_64")


def recorded(top: Path, host: Mapping[str, Any]) -> Root:
    """Lay out a recorded host under `top`."""
    for name, text in host.get("files", {}).items():
        path = top / name.lstrip("/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    for name in host.get("directories", ()):
        (top / name.lstrip("/")).mkdir(parents=True, exist_ok=True)
    for name in host.get("programs", ()):
        path = top / name.lstrip("/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o755)
    for name, target in host.get("links", {}).items():
        path = top / name.lstrip("/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(target)
    kernel = os.uname_result([str(word) for word in host.get("uname", KERNEL)])
    return Root(str(top), kernel, host.get("commands"))


@pytest.mark.parametrize("path", HOSTS, ids=lambda path: path.stem)
def test_recorded_host(tmp_path: Path, path: Path) -> None:
    host = yaml.safe_load(path.read_text())
    warnings: list[str] = []
    request = collect.Request(["all"], [], 5, "/etc/ansible/facts.d", warnings.append)
    facts = collect.collect(request, recorded(tmp_path, host))
    expected = {f"ansible_{name}": value for name, value in host["facts"].items()}
    assert {name: facts.get(name, "absent") for name in expected} == expected
    assert [name for name in host.get("absent", ()) if f"ansible_{name}" in facts] == []
    assert warnings == []
