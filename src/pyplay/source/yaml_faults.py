"""What a YAML parser's complaint means for somebody who writes playbooks, and what would mend it.

The parsers say what they expected; the text around the place tells what the author most likely did.
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING

from pyplay.diagnostics.model import Diagnostic, Origin
from pyplay.diagnostics.patterns import late_pattern
from pyplay.source.yaml_library import yaml

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

DEPTH_MEND = "put inner parts into variables or files of their own"
_CLOSING = {"[": "]", "{": "}"}
_TEMPLATE_VALUE = late_pattern(r"(?:^\s*(?:-\s+)*|:\s+|-\s+)(\{\{.*)$")
_QUOTED_START = late_pattern(r"""(?:^\s*-\s+|:\s+)((["']).*)$""")
_NO_SPACE = late_pattern(r"^\s*(?:-\s+)?([A-Za-z_][\w.]*):(?=\S)(?!//)")
_KEY = late_pattern(r"^(\s*)(- +)?[\w.'\"-]+\s*:(?:\s|$)")


def explain(error: yaml.YAMLError, text: str, name: str, first_line: int) -> Diagnostic:
    """Give the diagnostic for what the YAML parser raised over `text`, which starts at line `first_line` of `name`."""
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    lines = text.split("\n")
    if mark is None:
        return _unreadable(error, text, name, first_line)
    beyond = mark.line >= len(lines)  # the end of a text without a newline at its end
    row, column = (len(lines) - 1, len(lines[-1])) if beyond else (mark.line, mark.column)
    place = _Place(lines, row, column, name, first_line)
    context = getattr(error, "context_mark", None)
    place.context_line = context.line if context is not None else place.row
    place.problem = f"{getattr(error, 'context', None) or ''} {getattr(error, 'problem', None) or ''}".strip()
    for check in _CHECKS:
        if found := check(place):
            return found
    return place.fault("bad-yaml", _failed(getattr(error, "problem", None) or "the text is not valid"))


def _failed(problem: str) -> str:
    """Give the message for what the parser itself says best."""
    return f"YAML parsing failed: {problem[:1].upper()}{problem[1:]}"


def unquoted_template(origin: Origin, text: str, first_line: int) -> Diagnostic:
    """Give the diagnostic for a value that starts with `{{` and is not quoted."""
    lines = text.split("\n")
    row = origin.line - first_line
    value = lines[row][origin.column - 1 :].rstrip() if 0 <= row < len(lines) else "{{ … }}"
    return _template_fault(origin, value)


class _Place:
    """Where the parser stopped, and the lines around it."""

    def __init__(self, lines: list[str], row: int, column: int, name: str, first_line: int) -> None:
        self.lines, self.row, self.column = lines, row, column
        self.name, self.first_line = name, first_line
        self.context_line = row
        self.problem = ""

    @property
    def line(self) -> str:
        return self.lines[self.row]

    def origin(self, row: int | None = None, column: int | None = None) -> Origin:
        """Give the origin at a row and column that count from 0; where the parser stopped if not given."""
        return Origin(
            self.name,
            (self.row if row is None else row) + self.first_line,
            (self.column if column is None else column) + 1,
        )

    def fault(
        self, code: str, message: str, origin: Origin | None = None, *, label: str = "", mend: str = ""
    ) -> Diagnostic:
        return Diagnostic(code, message, origin or self.origin(), label=label, help=mend)

    def rows_back(self, limit: int = 2) -> list[int]:
        """Give the row where the parser stopped and those with text before it, nearest first."""
        rows: list[int] = []
        row = self.row
        while row >= 0 and len(rows) <= limit:
            if self.lines[row].strip() and not self.lines[row].lstrip().startswith("#"):
                rows.append(row)
            row -= 1
        return rows


def _unreadable(error: yaml.YAMLError, text: str, name: str, first_line: int) -> Diagnostic:
    at = next((i for i, c in enumerate(text) if not c.isprintable() and c not in "\n\r\t\x85\ufeff"), None)
    if at is None:
        return Diagnostic("bad-yaml", _failed(str(error).split("\n")[0]), Origin(name))
    before = text[:at]
    origin = Origin(name, before.count("\n") + first_line, at - before.rfind("\n"))
    return Diagnostic(
        "control-character",
        f"control character {text[at]!r} is not allowed in YAML",
        origin,
        help="remove it, or write it as an escape in double quotes",
    )


def _tab(place: _Place) -> Diagnostic | None:
    for row in place.rows_back(1):
        line = place.lines[row]
        indent = line[: len(line) - len(line.lstrip())]
        after_dash = re.match(r"^ *-( *\t)", line)
        if "\t" in indent or after_dash:
            column = line.index("\t")
            return place.fault(
                "tab-indent",
                "YAML is indented with spaces, not with tabs",
                place.origin(row, column),
                label="a tab",
                mend="replace the tab by spaces",
            )
    return None


def _template(place: _Place) -> Diagnostic | None:
    rows = {place.row, place.context_line, *place.rows_back(1)}
    for row in sorted((r for r in rows if 0 <= r < len(place.lines)), reverse=True):
        if match := _TEMPLATE_VALUE.search(place.lines[row]):
            return _template_fault(place.origin(row, match.start(1)), match.group(1).rstrip())
    return None


def _template_fault(origin: Origin, value: str) -> Diagnostic:
    if "}}" in value and value.count("}") > value.count("{"):  # the value of a mapping in braces
        value = value[: value.index("}}") + 2]
    quote = "'" if '"' in value else '"'
    shown = f"{quote}{value}{quote}" if len(value) <= 80 else f"{quote}{{{{ … }}}}{quote}"
    return Diagnostic(
        "unquoted-template",
        "a value that starts with '{{' must be quoted: YAML takes '{' for the start of a mapping",
        origin,
        length=min(len(value), 80),
        label="not quoted",
        help=f"write {shown}",
    )


def _unclosed_quote(place: _Place) -> Diagnostic | None:
    if "quoted scalar" not in place.problem:
        return None
    if "escape" in place.problem:
        return place.fault(
            "bad-escape",
            "unknown escape in a double-quoted text",
            label="not an escape that YAML knows",
            mend="use single quotes, or write the backslash twice",
        )
    row = place.context_line
    line = place.lines[row] if row < len(place.lines) else ""
    match = _QUOTED_START.search(line)
    return place.fault(
        "unbalanced-quote",
        "a quoted text never ends",
        place.origin(row, match.start(1) if match else 0),
        label="the quote opens here",
        mend="close the quote; a quote inside single quotes is written twice ('')",
    )


def _text_after_quote(place: _Place) -> Diagnostic | None:
    """`key: "a" b`, or quotes inside quotes."""
    for row in place.rows_back(1):
        match = _QUOTED_START.search(place.lines[row])
        if not match:
            continue
        value, quote = match.group(1), match.group(2)
        end = value.find(quote, 1)
        rest = value[end + 1 :].strip() if end > 0 else ""
        if rest and not rest.startswith(("#", ",", "]", "}", ":")):
            return place.fault(
                "text-after-quote",
                "there is text after a quoted value",
                place.origin(row, match.start(1) + end),
                label="the quoted value ends here",
                mend=f"quote the whole value: {_requote(value)}",
            )
    return None


def _requote(value: str) -> str:
    value = value.rstrip()
    return f"'{value}'" if "'" not in value else '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _colon_in_value(place: _Place) -> Diagnostic | None:
    if "mapping values are not allowed" not in place.problem:
        return None
    before = place.line[: place.column]
    if re.search(r":\s+\S", before):
        start = re.search(r":\s+(\S)", before)
        value = place.line[start.start(1) :].rstrip() if start else place.line.strip()
        return place.fault(
            "colon-in-value",
            "a value that holds ': ' must be quoted, or it is read as a second key",
            label="this colon",
            mend=f"write {_requote(value)}",
        )
    return _indent(place) or place.fault(
        "bad-indent",
        "a key stands where none can: the line above has a value already, or is indented less",
        mend="indent the line like its siblings",
    )


def _no_space(place: _Place) -> Diagnostic | None:
    if "could not find expected ':'" not in place.problem:
        return None
    for row in place.rows_back(2):
        if match := _NO_SPACE.match(place.lines[row]):
            return place.fault(
                "no-space-after-colon",
                f"there is no space after '{match.group(1)}:'",
                place.origin(row, match.end() - 1),
                label="a key needs ': '",
                mend="put a space after the colon",
            )
    row = next((r for r in place.rows_back(2) if not _KEY.match(place.lines[r])), place.row)
    line = place.lines[row]
    return place.fault(
        "no-colon",
        "a line in a mapping has no ': '",
        place.origin(row, len(line) - len(line.lstrip())),
        label="neither a key nor the rest of a value",
        mend="write 'key: value', or indent the line below its key",
    )


def _indent(place: _Place) -> Diagnostic | None:
    """A key that is indented like none of the keys above it."""
    match = _KEY.match(place.line) or re.match(r"^(\s*)(- )", place.line)
    if not match:
        return None
    width = len(match.group(1))
    above: list[int] = []
    for row in range(place.row - 1, max(-1, place.row - 200), -1):
        if not (found := _KEY.match(place.lines[row])):
            continue
        left = len(found.group(1))
        inner = left + len(found.group(2) or "")
        above += [inner] if inner == left else [inner, left]
        if left == 0:
            break
    if not above or width in above:
        return None
    wanted = min(above, key=lambda other: (abs(other - width), -other))
    return place.fault(
        "bad-indent",
        f"this line is indented by {_spaces(width)}, which fits nothing above it",
        place.origin(place.row, width),
        label=f"column {width + 1}",
        mend=f"indent it by {_spaces(wanted)}" if wanted else "do not indent it",
    )


def _spaces(number: int) -> str:
    return "1 space" if number == 1 else f"{number} spaces"


def _bad_start(place: _Place) -> Diagnostic | None:
    if "cannot start any token" not in place.problem:
        return None
    character = place.line[place.column : place.column + 1]
    return place.fault(
        "bad-character",
        f"a value cannot start with '{character}'" if character else "a value cannot start here",
        mend="quote the value",
    )


def _list_in_mapping(place: _Place) -> Diagnostic | None:
    stripped = place.line.lstrip()
    if "expected key" in place.problem or "<block end>" in place.problem or "block mapping" in place.problem:
        if stripped.startswith("- "):
            return place.fault(
                "list-in-mapping",
                "a list item stands among the keys of a mapping",
                label="an item",
                mend="indent it below the key that it belongs to, or like the items above",
            )
        return place.fault(
            "bad-indent",
            "this line fits nothing above it",
            mend="indent it like its siblings above, and close open quotes",
        )
    if "block collection" in place.problem or "'-' indicator" in place.problem or "block sequence" in place.problem:
        return place.fault(
            "mapping-in-list",
            "a line that is no item stands among the items of a list",
            label="no '- '",
            mend="start it with '- ', or indent it below the item that it belongs to",
        )
    return None


def _flow(place: _Place) -> Diagnostic | None:
    if "flow" not in place.problem:
        return None
    opening = _innermost(place)
    if opening is None:
        return None
    bracket, row, column = opening
    at_end = not place.line[place.column :].strip()  # the place says nothing: the bracket does
    return place.fault(
        "unclosed-bracket",
        f"a '{bracket}' is not closed, or a ',' is missing in it",
        place.origin(row, column) if at_end else None,
        label="opened here" if at_end else "",
        mend=f"close it with '{_CLOSING[bracket]}', and quote values that hold brackets, commas or ': '",
    )


def _brackets(text: str) -> Iterator[tuple[str, int, int]]:
    """Give the brackets of `text` that YAML takes for such, with row and column from 0. Raises yaml.YAMLError."""
    kinds: dict[type[yaml.Token], str] = {
        yaml.FlowSequenceStartToken: "[",
        yaml.FlowSequenceEndToken: "]",
        yaml.FlowMappingStartToken: "{",
        yaml.FlowMappingEndToken: "}",
    }
    for token in yaml.scan(text):
        if bracket := kinds.get(type(token)):
            yield bracket, token.start_mark.line, token.start_mark.column


def _innermost(place: _Place) -> tuple[str, int, int] | None:
    """Give the bracket that is open where the parser stopped, with its row and column from 0; None if none is."""
    opened: list[tuple[str, int, int]] = []
    with suppress(yaml.YAMLError):
        for event in _brackets("\n".join(place.lines)):
            if event[1:] >= (place.row, place.column):
                break
            if event[0] in _CLOSING:
                opened.append(event)
            elif opened:
                opened.pop()
    return opened[-1] if opened else None


def _tag(place: _Place) -> Diagnostic | None:
    if "tag handle" not in place.problem and "scanning a tag" not in place.problem:
        return None
    return place.fault("unknown-tag", "this is no YAML tag", mend="quote the value if '!' is meant literally")


def _depth(place: _Place) -> Diagnostic | None:
    if "nesting depth" not in place.problem:
        return None
    return place.fault("nested-too-deep", "the text is nested too deeply", label="the reader's limit", mend=DEPTH_MEND)


_CHECKS: tuple[Callable[[_Place], Diagnostic | None], ...] = (
    _depth,
    _tab,
    _unclosed_quote,
    _template,
    _text_after_quote,
    _colon_in_value,
    _no_space,
    _bad_start,
    _tag,
    _flow,
    _indent,
    _list_in_mapping,
)
