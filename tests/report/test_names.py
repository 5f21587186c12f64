"""Which reporters the names of callbacks mean."""

from __future__ import annotations

import pytest

from pyplay.report.assembly import Assembly
from pyplay.report.look import Look
from pyplay.report.names import BESIDE, LIVE, SHOWING, choose
from pyplay.report.output import Output
from pyplay.source.settings import Settings


@pytest.mark.parametrize(
    ("stdout", "enabled", "shows", "beside"),
    [
        pytest.param("default", (), "default", (), id="nothing set"),
        pytest.param("ansible.builtin.minimal", (), "minimal", (), id="full name"),
        pytest.param("ansible.posix.json", (), "json", (), id="of a collection"),
        pytest.param("community.general.yaml", (), "yaml", (), id="one that was removed there"),
        pytest.param("default", ("tree", "ansible.builtin.tree"), "default", ("tree",), id="named twice"),
        pytest.param("tree", (), "null", ("tree",), id="beside alone"),
        pytest.param("default", ("default",), "default", (), id="what is shown anyway"),
    ],
)
def test_names_short_and_full(stdout: str, enabled: tuple[str, ...], shows: str, beside: tuple[str, ...]) -> None:
    choice = choose(stdout, enabled)
    old = ["deprecation"] if "tree" in beside else []
    assert (choice.stdout, choice.beside) == (shows, beside)
    assert [warning.severity.value for warning in choice.warnings] == old


@pytest.mark.parametrize("name", ["nothing", "foo.bar.json", "awx_display", "community.general.selective"])
def test_a_callback_of_others_for_standard_output_is_one_warning(name: str) -> None:
    choice = choose(name, ())
    assert choice.stdout == "default"
    assert [name in warning.message for warning in choice.warnings] == [True]


@pytest.mark.parametrize("name", ["ara_default", "community.general.slack", "mail", "logstash", "foo.bar.tree"])
def test_an_enabled_callback_of_others_is_one_warning(name: str) -> None:
    choice = choose("default", (name, "timer", name))
    assert choice.beside == ("timer",)
    assert [name in warning.message for warning in choice.warnings] == [True]


def test_a_reporter_that_shows_alone_goes_with_no_other() -> None:
    choice = choose("default", ("json",))
    assert choice.beside == ()
    assert "stdout_callback = json" in str(choice.warnings[0].help)


@pytest.mark.parametrize("name", sorted(SHOWING | BESIDE))
def test_every_name_can_be_made(name: str) -> None:
    output = Output(str, str)
    assert Assembly(output, Look(), Settings(), lambda _: None).make(name)


def test_only_what_shows_a_run_has_a_progress_line() -> None:
    assert LIVE < SHOWING
