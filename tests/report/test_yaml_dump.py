"""Results as YAML."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
import yaml

from pyplay.report.look import ResultFormat
from pyplay.report.yaml_dump import dump_yaml


@pytest.mark.parametrize(
    ("value", "form", "expected"),
    [
        pytest.param({"a": 1, "b": ["x", {"k": []}]}, ResultFormat(), "\n    a: 1\n    b:\n    - x\n    -   k: []", id="plain"),
        pytest.param({"a": "l1  \nl2\n"}, ResultFormat(indent=2), "\n  a: |-\n    l1\n    l2", id="lines"),
        pytest.param({"a": "l1 \n\tl2\n"}, ResultFormat(pretty=False), "", id="exact"),
        pytest.param({"a": "x \x1b[2Jy\nz"}, ResultFormat(), "\n    a: |-\n        x \\x1b[2Jy\n        z", id="control characters"),
        pytest.param(
            {"cmd": "x", "stdout": "a", "stdout_lines": ["a"]}, ResultFormat(),
            "\n    cmd: x\n    stdout: a\n    stdout_lines: <omitted>", id="lines that repeat an output",
        ),
        pytest.param({"a": 10**5000 > 1, 3: "no"}, ResultFormat(), "\n    '3': 'no'\n    a: true", id="keys"),
    ],
)  # fmt: skip
def test_yaml(value: Any, form: ResultFormat, expected: str) -> None:
    if form.pretty is False:
        assert yaml.safe_load(dump_yaml(value, form)) == value
        return
    assert dump_yaml(value, form) == expected


class OddDate(dt.date):
    """A kind of date that YAML does not know."""


def test_dates_stand_as_yaml_has_them() -> None:
    value = [dt.date(2020, 1, 2), dt.datetime(2020, 1, 2, 3, 4, 5, tzinfo=dt.UTC), dt.time(3, 4), OddDate(2020, 1, 2)]
    text = dump_yaml({"msg": value}, ResultFormat(yaml=True))
    assert [line.strip() for line in text.splitlines()[2:]] == [
        "- 2020-01-02",
        "- 2020-01-02 03:04:05+00:00",
        "- 03:04:00",
        "- '2020-01-02'",
    ]
