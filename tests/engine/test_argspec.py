"""`validate_argspec`: which specification a play is checked against, and what is told where there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pyplay.diagnostics.errors import PlaybookError
from pyplay.diagnostics.model import Origin
from pyplay.engine.argspec import argspec_task
from pyplay.playbook.model import Play, Task
from pyplay.source import yaml
from pyplay.templating.omit import OMIT

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

SPECS = "argument_specs:\n  a play:\n    options: {x: {type: int}}\n  other:\n    options: {}\n  empty: {}\n"


class Maker:
    """Makes tasks as the loader does."""

    def make_task(self, play: Play, action: str, args: Mapping[str, Any], **fields: Any) -> Task:
        return Task(
            id=1, play_id=play.id, action=action, resolved_action=action, origin=play.origin, args=args, **fields
        )


class Rendered:
    """Renders every value to what a table gives for it."""

    def __init__(self, **values: Any) -> None:
        self.values = values

    def value(self, raw: Any) -> Any:
        return self.values.get(raw, raw) if isinstance(raw, str) else raw

    def keyword(self, raw: Any, keyword: str) -> Any:
        assert keyword in ("name", "validate_argspec")
        return self.value(raw)


def check(directory: Path, keyword: Any, *, suffix: str = ".meta.yml", **more: Any) -> Task | None:
    path = directory / "site.yml"
    path.with_suffix(suffix).write_text(SPECS)
    values: dict[str, Any] = {"name": "a play", "keywords": {"become": True}, **more}
    play = Play(
        id=1, path=str(path), basedir=str(directory), origin=Origin(str(path), 1, 1), validate_argspec=keyword, **values
    )
    renderer: Any = Rendered(omitted=OMIT, off=False, by_name=True)
    loader: Any = Maker()
    return argspec_task(play, renderer, loader, yaml.load_file)


@pytest.mark.parametrize("keyword", [None, False, "", "omitted", "off"])
def test_a_play_that_asks_for_no_check_gets_none(tmp_path: Path, keyword: Any) -> None:
    assert check(tmp_path, keyword) is None


@pytest.mark.parametrize(
    ("keyword", "options"), [(True, {"x": {"type": "int"}}), ("by_name", {"x": {"type": "int"}}), ("other", {})]
)
def test_the_specification_goes_by_the_play_or_by_the_keyword(tmp_path: Path, keyword: Any, options: Any) -> None:
    task = check(tmp_path, keyword)
    assert task
    assert task.args["argument_spec"] == options
    assert task.args["validate_args_context"]["type"] == "play"
    assert task.become is True


@pytest.mark.parametrize(("tags", "expected"), [((), ("always",)), (("t",), ("t",))])
def test_it_is_always_wanted_unless_the_play_has_tags(tmp_path: Path, tags: Any, expected: Any) -> None:
    task = check(tmp_path, "by_name", tags=tags)
    assert task
    assert task.tags == expected


@pytest.mark.parametrize("suffix", [".meta.yml", ".meta.yaml", ".meta.json", ".meta"])
def test_the_file_may_have_any_of_its_names(tmp_path: Path, suffix: str) -> None:
    assert check(tmp_path, "by_name", suffix=suffix)


@pytest.mark.parametrize(
    ("keyword", "more", "said"),
    [
        (3, {}, "takes true, false or a name"),
        (True, {"name": None}, "A play name is required"),
        ("othr", {}, "did you mean 'other'"),
        ("empty", {}, "No argument spec named 'empty' in "),
        (True, {"suffix": ".other.yml"}, "site.meta.yaml"),
        (True, {"suffix": ".other.yml"}, "the playbook has no meta file"),
    ],
)
def test_what_is_missing_is_named(tmp_path: Path, keyword: Any, more: dict[str, Any], said: str) -> None:
    with pytest.raises(PlaybookError) as caught:
        check(tmp_path, keyword, **more)
    (fault,) = caught.value.diagnostics
    assert said in f"{fault.message} {fault.help}"
