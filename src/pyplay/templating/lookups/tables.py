"""Lookups that read one value from a CSV or ini file."""

from __future__ import annotations

import configparser
import csv
import io
import re
from typing import TYPE_CHECKING, Any

from pyplay.templating.filters.plain import shown
from pyplay.templating.lookups.base import LookupFailed
from pyplay.templating.lookups.options import as_terms, boolean, integer, split_term, warn_unknown

if TYPE_CHECKING:
    from pyplay.templating.lookups.base import LookupCall

_CSV_OPTIONS: dict[str, Any] = {
    "file": "ansible.csv", "keycol": 0, "col": 1, "delimiter": "TAB", "default": None, "encoding": "utf-8",
}  # fmt: skip
_INI_OPTIONS: dict[str, Any] = {
    "type": "ini", "file": "ansible.ini", "section": "global", "re": False, "encoding": "utf-8", "default": "",
    "case_sensitive": False, "allow_no_value": False, "interpolation": True,
}  # fmt: skip
_PROPERTIES = "java_properties"


def csvfile(terms: Any, call: LookupCall, **options: Any) -> list[Any]:
    """Give, for each key, the value in column `col` (1) of the first row that has the key in column `keycol` (0).

    Columns count from 0. `file` (ansible.csv) has columns between `delimiter`s (TAB) and is in `encoding` (utf-8).
    Without such a row: `default`, or nothing. Options may stand in the term: `'key file=x.csv delimiter=,'`.
    """
    warn_unknown(options.keys() - _CSV_OPTIONS.keys(), "csvfile", call)
    base = {**_CSV_OPTIONS, **{name: value for name, value in options.items() if name in _CSV_OPTIONS}}
    found: list[Any] = []
    for term in as_terms(terms):
        key, own = split_term(term, "csvfile", _CSV_OPTIONS)
        if not key:
            raise LookupFailed("lookup 'csvfile': a term has no key to look for")
        value = _cell(key, {**base, **own}, call)
        if value is not None:
            found.append(value)
    return found


def _cell(key: str, options: dict[str, Any], call: LookupCall) -> Any:
    delimiter = "\t" if options["delimiter"] == "TAB" else str(options["delimiter"])
    keycol, col = integer(options["keycol"], "csvfile", "keycol"), integer(options["col"], "csvfile", "col")
    contents = _contents(str(options["file"]), str(options["encoding"]), call, "csvfile")
    try:
        for row in csv.reader(io.StringIO(contents, newline=""), delimiter=delimiter):
            if keycol < len(row) and row[keycol] == key:
                if not -len(row) <= col < len(row):
                    raise LookupFailed(f"lookup 'csvfile': the row of {key!r} has no column {col}, it has {len(row)}")
                return row[col]
    except (csv.Error, TypeError) as error:
        raise LookupFailed(f"lookup 'csvfile': {options['file']}: {error}") from error
    return options["default"]


def _contents(name: str, encoding: str, call: LookupCall, lookup: str) -> str:
    data = call.read_file(call.require_file("files", name, lookup))
    try:
        return data.decode(encoding)
    except (LookupError, UnicodeDecodeError) as error:
        raise LookupFailed(
            f"lookup '{lookup}': {name}: {error}", help="name its encoding with the option encoding"
        ) from error


def ini(terms: Any, call: LookupCall, **options: Any) -> list[Any]:
    """Give the values of keys in `section` (global) of an ini `file` (ansible.ini), `default` for those not there.

    `type=properties` reads Java properties, which have no sections. `re` takes keys as regular expressions and gives
    all that match. `case_sensitive`, `allow_no_value` (keys without `=`), `interpolation` (`%(key)s`) and `encoding`
    are how it is read. Options may stand in the term: `'key section=x file=y.ini'`.
    """
    if "allow_none" in options:
        options["allow_no_value"] = options.pop("allow_none")
    warn_unknown(options.keys() - _INI_OPTIONS.keys(), "ini", call)
    base = {**_INI_OPTIONS, **{name: value for name, value in options.items() if name in _INI_OPTIONS}}
    found: list[Any] = []
    for term in as_terms(terms):
        key, own = split_term(term, "ini", {**_INI_OPTIONS, "allow_none": None})
        if "allow_none" in own:
            own["allow_no_value"] = own.pop("allow_none")
        found.extend(_values(key, {**base, **own}, call))
    return found


def _values(key: str, options: dict[str, Any], call: LookupCall) -> list[Any]:
    parser, section = _parsed(options, call), str(options["section"])
    if options["type"] == "properties":
        section = _PROPERTIES
    try:
        if boolean(options["re"], "ini", "re"):
            pattern = re.compile(key)
            return [value for name, value in parser.items(section) if pattern.match(name)]
        if not parser.has_section(section):
            known = ", ".join(parser.sections()) or "none"
            raise LookupFailed(
                f"lookup 'ini': {options['file']} has no section [{section}]", help=f"its sections: {known}"
            )
        value = parser.get(section, key, fallback=options["default"])
    except configparser.Error as error:
        raise LookupFailed(f"lookup 'ini': {options['file']}: {str(error).splitlines()[0]}") from error
    except re.error as error:
        raise LookupFailed(f"lookup 'ini': regular expression {shown(key)}: {error}") from error
    return [] if value is None else [value]


def _parsed(options: dict[str, Any], call: LookupCall) -> configparser.RawConfigParser:
    name = str(options["file"])
    if options["type"] not in ("ini", "properties"):
        raise LookupFailed(f"lookup 'ini': unknown type {shown(options['type'])}", help="ini or properties")
    contents = _contents(name, str(options["encoding"]), call, "ini")
    if options["type"] == "properties":
        contents = f"[{_PROPERTIES}]\n{contents}"
    interpolating = boolean(options["interpolation"], "ini", "interpolation")
    parser = configparser.ConfigParser(
        allow_no_value=boolean(options["allow_no_value"], "ini", "allow_no_value"),
        interpolation=configparser.BasicInterpolation() if interpolating else None,
    )
    if boolean(options["case_sensitive"], "ini", "case_sensitive"):
        parser.optionxform = str  # type: ignore[assignment,method-assign]  # as configparser documents it
    try:
        parser.read_string(contents, name)
    except configparser.Error as error:
        raise LookupFailed(f"lookup 'ini': {' '.join(str(error).split())}") from error
    return parser
