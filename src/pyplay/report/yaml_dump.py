"""Values as YAML text that is easy to read."""

from __future__ import annotations

from functools import cache
from textwrap import indent as indented
from typing import TYPE_CHECKING, Any

import yaml

from pyplay.report.dump import writable
from pyplay.report.shown import printable

if TYPE_CHECKING:
    from pyplay.report.look import ResultFormat

_EXACT_INDENT = 2
_yaml: Any = yaml  # its stubs leave the types of dumping open


def dump_yaml(value: Any, form: ResultFormat) -> str:
    """Give `value` as indented YAML, after a newline.

    Unless `pretty` is False, text of several lines stands as such, without blanks at the ends of its lines, which YAML
    could only show escaped, and lines that repeat an output are left out.
    """
    exact = form.pretty is False
    text: str = _yaml.dump(
        writable(value) if exact else _without_lines(writable(value)),
        Dumper=_dumper(exact=exact),
        indent=_EXACT_INDENT if exact else form.indent,
        width=form.yaml_width,
        allow_unicode=True,
        default_flow_style=False,
    )
    return "\n" + indented(text.removesuffix("\n").removesuffix("\n..."), " " * form.indent)


def _without_lines(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    twice = [key for key in ("stdout", "stderr") if key in value and f"{key}_lines" in value and "cmd" in value]
    return {**value, **{f"{key}_lines": "<omitted>" for key in twice}}  # pyright: ignore[reportUnknownVariableType]  # any mapping


@cache
def _dumper(*, exact: bool) -> type[yaml.SafeDumper]:
    base: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)  # libyaml's, where PyYAML was built with it
    kind: Any = type("ResultDumper", (base,), {"ignore_aliases": lambda self, data: True})  # noqa: ARG005  # pyright: ignore[reportUnknownLambdaType]  # as PyYAML calls it
    kind.add_representer(str, _exact_text if exact else _block_text)
    return kind


def _block_text(dumper: Any, text: str) -> yaml.Node:
    text = _encodable(text)
    if "\n" not in text:
        return dumper.represent_str(text)
    lines = (line.rstrip() for line in printable(text).expandtabs().splitlines())
    return dumper.represent_scalar("tag:yaml.org,2002:str", "\n".join(lines).rstrip(), style="|")


def _exact_text(dumper: Any, text: str) -> yaml.Node:
    """Give text of several lines as such where YAML can show it so; else the emitter quotes it."""
    return dumper.represent_scalar("tag:yaml.org,2002:str", _encodable(text), style="|" if "\n" in text else None)


def _encodable(text: str) -> str:
    """Return `text` with escapes for halves of surrogate pairs, which libyaml cannot write."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()
