"""SELinux labels and flags of file systems: set where they differ, foretold in check mode, kept where a file is replaced."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest

from pyplay.remote.module_utils import files, flags

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.modules.conftest import RunModule

NEW = "system_u:object_r:tmp_t:s0"
POLICY = "system_u:object_r:net_conf_t:s0"
SELINUX, KEPT = "security.selinux", "user.label"


@pytest.fixture
def label(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[Path], str]:
    """Put a kernel with SELinux in the place of this one; gives what reads a file's label.

    Labels are kept in an attribute that any user may set; a file without one has that of a new file.
    """
    get, put, names = os.getxattr, os.setxattr, os.listxattr
    (tmp_path / "probe").write_text("")
    try:
        put(tmp_path / "probe", KEPT, b"x")
    except OSError:
        pytest.skip("the file system has no extended attributes")

    def read(path: str, name: str, **how: Any) -> bytes:
        if name != SELINUX:
            return get(path, name, **how)
        return get(path, KEPT, **how) if KEPT in names(path, **how) else NEW.encode() + b"\0"

    monkeypatch.setattr(os, "getxattr", read)
    monkeypatch.setattr(
        os, "setxattr", lambda path, name, value, **how: put(path, KEPT if name == SELINUX else name, value, **how)
    )
    monkeypatch.setattr(os, "listxattr", lambda path: [SELINUX if name == KEPT else name for name in names(path)])
    monkeypatch.setattr(files, "selinux_enabled", lambda: True)
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "matchpathcon").write_text(f'#!/bin/sh\n[ "$1" = -n ] && echo {POLICY}\n')
    (programs / "matchpathcon").chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    return lambda path: read(str(path), SELINUX, follow_symlinks=False).rstrip(b"\0").decode()


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        pytest.param({"seuser": "staff_u"}, "staff_u:object_r:tmp_t:s0", id="seuser"),
        pytest.param({"serole": "sysadm_r"}, "system_u:sysadm_r:tmp_t:s0", id="serole"),
        pytest.param({"setype": "etc_t"}, "system_u:object_r:etc_t:s0", id="setype"),
        pytest.param({"selevel": "s0:c1,c2"}, "system_u:object_r:tmp_t:s0:c1,c2", id="selevel"),
        pytest.param({"setype": "_default"}, POLICY, id="what the policy has"),
    ],
)
def test_a_label_is_set_where_it_differs(
    module: RunModule, label: Callable[[Path], str], tmp_path: Path, options: dict[str, str], expected: str
) -> None:
    path = tmp_path / "f"
    path.write_text("x")
    foretold = module("file", path=path, check=True, diff=True, **options)
    assert label(path) == NEW
    done = module("file", path=path, diff=True, **options)
    assert label(path) == expected == done["secontext"]
    assert done["changed"] is foretold["changed"] is True
    assert done["diff"] == foretold["diff"]
    assert done["diff"]["before"]["secontext"] == NEW.split(":", 3)
    assert module("file", path=path, **options)["changed"] is False


def test_a_file_that_is_replaced_keeps_its_label(
    module: RunModule, label: Callable[[Path], str], tmp_path: Path
) -> None:
    path = tmp_path / "f"
    path.write_text("x")
    module("file", path=path, seuser="staff_u", serole="sysadm_r", setype="etc_t", selevel="s1")
    assert module("copy", dest=path, content="new")["changed"] is True
    assert label(path) == "staff_u:sysadm_r:etc_t:s1"
    assert module("copy", dest=path, content="newer", setype="shadow_t")["secontext"] == "staff_u:sysadm_r:shadow_t:s1"


def test_without_selinux_a_label_changes_nothing(
    module: RunModule, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "selinux_enabled", lambda: False)
    (tmp_path / "f").write_text("x")
    result = module("file", path=tmp_path / "f", setype="etc_t")
    assert result["changed"] is False
    assert "secontext" not in result


@pytest.mark.parametrize(
    ("given", "letters"),
    [
        pytest.param("+d", {"d"}, id="one more"),
        pytest.param("=A", {"A"}, id="these and no other"),
        pytest.param("dA", {"d", "A"}, id="as with an equals sign"),
    ],
)
def test_flags_are_set_where_they_differ(module: RunModule, tmp_path: Path, given: str, letters: set[str]) -> None:
    path = tmp_path / "f"
    path.write_text("x")
    if flags.read_flags(str(path)) is None:
        pytest.skip("the file system has no flags")

    def shown() -> set[str]:
        return set(flags.letters(flags.read_flags(str(path)) or 0)) & {"d", "A"}

    foretold = module("file", path=path, attributes=given, check=True, diff=True)
    assert shown() == set()
    done = module("file", path=path, attributes=given, diff=True)
    assert shown() == letters
    assert done["changed"] is foretold["changed"] is True
    assert done["diff"] == foretold["diff"]
    assert module("file", path=path, attributes=given)["changed"] is False
    module("copy", dest=path, content="new", attributes=given)
    assert shown() == letters
    assert module("file", path=path, attributes="-dA")["changed"] is True
    assert shown() == set()


def test_an_unknown_flag_is_refused(module: RunModule, tmp_path: Path) -> None:
    (tmp_path / "f").write_text("x")
    assert module("file", path=tmp_path / "f", attributes="+9")["failed"] is True
