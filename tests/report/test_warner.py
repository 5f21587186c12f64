"""Warnings, each once."""

from __future__ import annotations

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
