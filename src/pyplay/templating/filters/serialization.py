"""Filters to and from JSON and YAML."""

from __future__ import annotations

import json
from datetime import date, datetime
from typing import Any, cast

import yaml
from jinja2 import Undefined, pass_environment

from pyplay.inventory.trust import plain
from pyplay.templating.filters.errors import FilterError
from pyplay.templating.filters.plain import (
    is_lazy_sequence,
    is_mapping,
    note_deprecated,
    raise_undefined,
    shown,
    type_name,
)
from pyplay.templating.filters.yaml_dump import Dumper

_TAGLESS = "tagless"
_INNER = (
    *("cache_persistence", "fallback_to_str", "module_legacy_c2m", "module_legacy_m2c", "module_modern_c2m"),
    "module_modern_m2c",
)  # those of ansible-core's own use, taken by to_json as well
_MARKED = ("inventory_legacy", "legacy")
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def _json_default(value: Any) -> Any:
    """Give what JSON has for a value that is none of its own types."""
    if isinstance(value, Undefined):
        raise_undefined(value)
    if isinstance(value, (datetime, date)):
        return value.isoformat()
    if is_mapping(value):
        return dict(value)
    if is_lazy_sequence(value):
        return list(value)
    if isinstance(value, bytes):
        return value.decode("utf-8", "surrogateescape")
    raise FilterError(f"JSON has nothing for a value of type {type_name(value)}: {shown(value)}")


def to_json(
    value: Any,
    *_: Any,
    indent: int | str | None = None,
    sort_keys: Any = False,
    ensure_ascii: Any = True,
    separators: Any = None,
    skipkeys: Any = False,
    check_circular: Any = True,
    allow_nan: Any = True,
    vault_to_text: Any = True,
    preprocess_unsafe: Any = True,
    profile: Any = None,
) -> str:
    """Give a value as JSON, on one line unless `indent` is given; the options are those of Python's json module.

    `vault_to_text` and `preprocess_unsafe` are taken for the sake of older playbooks: vaulted values are always
    written decrypted and nothing is marked as unsafe, which is what a `profile` would ask for. Further positions have
    no meaning, as in core.
    """
    del vault_to_text, preprocess_unsafe
    if profile and profile not in (*_MARKED, _TAGLESS, *_INNER):
        raise FilterError(f"Unknown profile name {shown(profile)}", help=f"one of {', '.join((*_MARKED, _TAGLESS))}")
    encoder = json.JSONEncoder(
        indent=indent or None,
        sort_keys=bool(sort_keys),
        ensure_ascii=bool(ensure_ascii),
        separators=tuple(separators) if separators else None,
        skipkeys=bool(skipkeys),
        check_circular=bool(check_circular),
        allow_nan=bool(allow_nan),
        default=_json_default,
    )
    try:
        try:
            return encoder.encode(value)
        except TypeError:
            if not sort_keys:
                raise
            return encoder.encode(_with_text_keys(value))  # keys of several types cannot be compared
    except (TypeError, ValueError, RecursionError) as error:
        raise FilterError(f"{error}") from error


def _with_text_keys(value: Any) -> Any:
    """Give `value` with the keys of its mappings written as JSON writes them."""
    if is_mapping(value):
        return {_text_key(key): _with_text_keys(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_with_text_keys(item) for item in value]  # type: ignore[misc]
    return value


def _text_key(key: Any) -> Any:
    return json.dumps(key) if isinstance(key, (bool, int, float)) or key is None else key


def to_nice_json(value: Any, indent: int | str | None = 4, sort_keys: Any = True, **options: Any) -> str:  # noqa: FBT002
    """Give a value as JSON for people: indented, keys sorted. Takes the options of to_json."""
    return to_json(value, indent=indent, sort_keys=sort_keys, **options)


def from_json(value: Any, profile: Any = None, **options: Any) -> Any:
    """Give the data that a JSON text stands for; `options` are those of Python's json.loads.

    `profile` is `tagless` (None is the same) for plain data; with `legacy` and `inventory_legacy`, the form of what
    `ansible-inventory` prints, `{"__ansible_unsafe": text}` is that text. All of it is data, whatever the profile.
    """
    if not isinstance(value, (str, bytes)):
        raise FilterError(f"needs a text, not {type_name(value)}", help=_decoded_help(value))
    if profile not in (None, _TAGLESS, *_MARKED):
        raise FilterError(f"Unknown profile name {shown(profile)}", help=f"one of {', '.join((*_MARKED, _TAGLESS))}")
    try:
        found = json.loads(value, **options)
    except json.JSONDecodeError as error:
        raise FilterError(
            f"{shown(value)} is no JSON: {_lower(error.msg)} at line {error.lineno}, column {error.colno}"
        ) from error
    return plain(found) if profile in _MARKED else found


def _decoded_help(value: Any) -> str:
    return "it is data already, leave the filter away" if isinstance(value, (dict, list)) else ""


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


def to_yaml(
    value: Any,
    *_: Any,
    indent: int | None = None,
    sort_keys: Any = True,
    default_flow_style: Any = None,
    vault_behavior: str | None = "decrypt",
    **options: Any,
) -> str:
    """Give a value as YAML, the innermost collections in flow style. `options` are those of PyYAML's dump.

    They are width, canonical, default_style, explicit_start, explicit_end, line_break, encoding, version, tags.
    `vault_behavior`: vaulted values are written decrypted (`decrypt`), as `<redacted>` (`redact`), or are an error
    (`fail`); `keep_encrypted` writes those still sealed with the tag `!vault`. Positions have no meaning, as in core.
    """
    unknown = options.keys() - _YAML_OPTIONS
    if unknown:
        raise FilterError(f"there is no option {min(unknown)!r}", help=f"it has {', '.join(sorted(_YAML_OPTIONS))}")
    encoding = options.pop("encoding", None)
    dumper = Dumper.for_vaults(vault_behavior)
    try:
        text = cast("str | bytes", yaml.dump(  # pyright: ignore[reportUnknownMemberType]  # its stubs know no encoding
            value, Dumper=dumper, indent=indent, sort_keys=bool(sort_keys), default_flow_style=default_flow_style,
            allow_unicode=True, encoding=encoding, **options,
        ))  # fmt: skip
    except (yaml.YAMLError, TypeError) as error:
        raise FilterError(f"{error}") from error
    return text.decode(encoding) if isinstance(text, bytes) else text


_YAML_OPTIONS = frozenset(
    {
        "width",
        "canonical",
        "default_style",
        "explicit_start",
        "explicit_end",
        "line_break",
        "encoding",
        "version",
        "tags",
    }
)


def to_nice_yaml(value: Any, indent: int = 4, default_flow_style: Any = False, **options: Any) -> str:  # noqa: FBT002
    """Give a value as YAML for people: one item per line, indented by 4. Takes the options of to_yaml."""
    return to_yaml(value, indent=indent, default_flow_style=default_flow_style, **options)


@pass_environment
def from_yaml(environment: Any, value: Any) -> Any:
    """Give the data that a YAML text stands for; what is no text comes back as it is, which is a deprecation."""
    if not isinstance(value, (str, bytes)):
        note_deprecated(environment, "from-yaml-object", kind=type_name(value))
        return value
    try:
        return yaml.load(str(value) if isinstance(value, str) else value, Loader=_Loader)  # noqa: S506  # a safe loader
    except yaml.YAMLError as error:
        raise FilterError(f"{_yaml_fault(error)}") from error


def from_yaml_all(value: Any) -> Any:
    """Give the list of documents in a YAML text; what is no text comes back as it is, None as no documents."""
    if value is None:
        return []
    if not isinstance(value, (str, bytes)):
        return value
    try:
        return list(yaml.load_all(str(value) if isinstance(value, str) else value, Loader=_Loader))
    except yaml.YAMLError as error:
        raise FilterError(f"{_yaml_fault(error)}") from error


def _yaml_fault(error: yaml.YAMLError) -> str:
    if isinstance(error, yaml.MarkedYAMLError) and error.problem_mark is not None:
        mark = error.problem_mark
        return f"{error.problem} at line {mark.line + 1}, column {mark.column + 1} of the text"
    return str(error)
