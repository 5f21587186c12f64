"""Warnings, each once."""

from __future__ import annotations

import json

from pyplay.diagnostics.model import Diagnostic, Origin, Severity
from pyplay.report.output import Output
from pyplay.report.warner import Warner


def test_warnings_go_to_standard_error_once() -> None:
    out: list[str] = []
    err: list[str] = []
    warner = Warner(Output(out.append, err.append))
    for _ in range(2):
        warner.warn(Diagnostic("w", "beware", Origin("<x>"), severity=Severity.WARNING))
    assert out == []
    assert len(err) == 1
    assert err[0].startswith("[WARNING]: beware\n")


def test_line_ends_of_other_systems_are_no_control_characters() -> None:
    err: list[str] = []
    Warner(Output(err.append, err.append)).warn(Diagnostic("w", "a\r\nb\rc", severity=Severity.WARNING))
    assert "a\nb\\x0dc" in "".join(err)


def test_what_no_terminal_reads_is_not_changed() -> None:
    err: list[str] = []
    output = Output(err.append, err.append, exact_err=True)
    Warner(output).warn(Diagnostic("w", "a\r\nb\rc\x1b[1m\udcff", severity=Severity.WARNING))
    assert "a\nb\rc\x1b[1m\\xff" in "".join(err)
    assert output.safe("a\r\nb\rc\x1b[1m") == "a\nb\\x0dc\\x1b[1m"


def test_what_is_escaped_within_json_is_still_json() -> None:
    given = {"a": "\x1b\x7f\x85\u202e"}
    shown = Output(str, str).safe(json.dumps(given, ensure_ascii=False))
    assert shown.isprintable()
    assert json.loads(shown) == given


def test_values_of_many_hosts_are_one_warning_for_each_place() -> None:
    err: list[str] = []
    warner = Warner(Output(err.append, err.append))
    for number in range(1000):
        for line in (7, 8):
            warner.of_result(
                {"deprecations": [{"code": "bool-coercion", "msg": f"'h{number}'", "origin": f"/s.yml:{line}:3"}]},
                "/s.yml:1:1",
                private=False,
            )
    shown = "".join(err)
    assert shown.count("[DEPRECATION WARNING]: ") == 2
    assert "/s.yml:7:3" in shown
    assert "/s.yml:8:3" in shown
