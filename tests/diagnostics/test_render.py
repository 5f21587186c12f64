from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from pyplay.diagnostics.model import Diagnostic, Origin, Severity
from pyplay.diagnostics.render import escape, render_json, render_text

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "site.yml").write_text("- hosts: all\n      mode: 644\n\tname: 日本 x\n" + "x" * 300 + "\n")
    return "site.yml"


def test_a_diagnostic_shows_the_line_and_a_caret(source: str) -> None:
    fault = Diagnostic(
        "decimal-mode",
        "file mode is read as a decimal number",
        Origin(source, 2, 13),
        length=3,
        label="means 0o1204",
        help="quote it: '0644'",
        severity=Severity.WARNING,
    )
    assert render_text(fault).splitlines() == [
        "warning[decimal-mode]: file mode is read as a decimal number",
        "  --> site.yml:2:13",
        "  |",
        "2 |       mode: 644",
        "  |             ^^^ means 0o1204",
        "  = help: quote it: '0644'",
    ]


def test_tabs_and_wide_characters_keep_the_caret_below_its_text(source: str) -> None:
    lines = render_text(Diagnostic("x", "m", Origin(source, 3, 8), length=2)).splitlines()
    assert lines[3] == "3 |     name: 日本 x"
    assert lines[4] == "  |           ^^^^"


def test_long_lines_are_cut_around_the_caret(source: str) -> None:
    lines = render_text(Diagnostic("x", "m", Origin(source, 4, 200), length=3)).splitlines()
    assert all(len(line) < 200 for line in lines)
    assert lines[3].startswith("4 | …")
    assert lines[4].index("^") == 4 + 1 + 40


@pytest.mark.parametrize(
    ("origin", "place"),
    [
        (None, None),
        (Origin("<command line>"), " --> <command line>"),
        (Origin("gone.yml", 3, 1), " --> gone.yml:3:1"),
        (Origin("gone.yml", 3), " --> gone.yml:3"),
    ],
)
def test_without_a_readable_source_only_the_place_is_shown(origin: Origin | None, place: str | None) -> None:
    lines = render_text(Diagnostic("c", "m", origin, label="why")).splitlines()
    assert lines[0] == "error[c]: m"
    assert not any("^" in line for line in lines)
    assert place is None or place in lines[1]


def test_control_characters_reach_no_terminal() -> None:
    assert escape("a\x1b[31mb\u202ec") == r"a\x1b[31mb\u202ec"
    assert "\x1b" not in render_text(Diagnostic("c", "bad \x1b[0m", label="\x07", help="\x9b"))


def test_ciphertext_and_hidden_lines_are_not_shown(tmp_path: Path) -> None:
    vaulted = tmp_path / "v.yml"
    vaulted.write_text("$ANSIBLE_VAULT;1.1;AES256\n6162\n")
    assert "ANSIBLE_VAULT" not in render_text(Diagnostic("c", "m", Origin(str(vaulted), 1, 1)))
    vaulted.write_text("password: hunter2\n")
    assert "hunter2" not in render_text(Diagnostic("c", "m", Origin(str(vaulted), 1, 1)), show_source=False)


def test_colour_changes_nothing_but_colour(source: str) -> None:
    fault = Diagnostic("c", "m", Origin(source, 2, 13), length=3, label="l", help="h", notes=("n",))
    assert re.sub(r"\x1b\[[0-9;]*m", "", render_text(fault, color=True)) == render_text(fault)


def test_json_has_what_is_known(source: str) -> None:
    fault = Diagnostic("c", "m", Origin(source, 2, 13), length=3, notes=("n",))
    assert json.loads(render_json(fault)) == {
        "code": "c",
        "severity": "error",
        "message": "m",
        "path": "site.yml",
        "line": 2,
        "column": 13,
        "length": 3,
        "notes": ["n"],
    }
