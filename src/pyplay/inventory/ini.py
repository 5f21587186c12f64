"""INI inventories: sections are groups, lines are hosts, `:vars` and `:children` say more about a group.

Source: Ansible user guide, "How to build your inventory", and the documentation of the `ini` inventory plugin.
"""

from __future__ import annotations

import re

from pyplay.diagnostics.errors import InventoryError
from pyplay.diagnostics.model import Diagnostic, Origin
from pyplay.diagnostics.patterns import late_pattern
from pyplay.diagnostics.suggest import did_you_mean
from pyplay.inventory.fragment import Fragment, GroupPart
from pyplay.inventory.ranges import RangeFault, expand_host
from pyplay.inventory.values import WordFault, parse_value, split_words
from pyplay.source.text import SourceList, SourceMap, Trusted

_SECTION = late_pattern(r"\[([^:\]\s]+)(?::(\w+))?\]\s*(?:#.*)?\Z")
_GROUP_NAME = late_pattern(r"([^:\]\s#]+)\s*(?:#.*)?\Z")
_BARE = re.compile(r"[A-Za-z0-9_.\n-]*\n|(?:[ \t]*+[A-Za-z0-9_.-]++[ \t\r]*+\n)+")
"""Lines that are the name of a host and nothing else, most lines of large inventories: quickest without any blanks."""

_KINDS = ("hosts", "vars", "children")


def parse_ini(text: str, path: str) -> Fragment:
    """Give what the INI inventory `text`, read from `path`, says. Raises InventoryError with line and column."""
    return _Reader(path).read(text)


def own_copy(variables: SourceMap) -> SourceMap:
    """Give a copy of `variables` whose lists and mappings belong to one host alone."""
    copied = SourceMap(variables, variables.origin, variables.key_origins)
    for key, value in variables.items():
        if isinstance(value, SourceList | SourceMap):
            from copy import deepcopy  # noqa: PLC0415  # few variables are lists

            copied[key] = deepcopy(value)
    return copied


class _Reader:
    """Reads one text line by line. `pending` are groups that were spoken of but not yet defined."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.result = Fragment()
        self.result.group("all")
        self.result.group("ungrouped")
        self.pending: dict[str, tuple[str, Origin]] = {}
        self.pending_vars: dict[str, GroupPart] = {}
        self.parents: dict[str, list[tuple[str, Origin]]] = {}

    def read(self, text: str) -> Fragment:
        """Read all lines."""
        kind, name = "hosts", "ungrouped"
        part = self.result.group(name)
        number = position = 0
        while position < len(text):
            bare = _BARE.match(text, position) if kind == "hosts" else None
            if bare:
                self.result.add_hosts(bare[0].split(), part)
                number, position = number + bare[0].count("\n"), bare.end()
                continue
            end = text.find("\n", position)
            raw = text[position:] if end < 0 else text[position:end]
            number, position = number + 1, position + len(raw) + 1
            line = raw.strip()
            if not line or line[0] in "#;":
                continue
            section = _SECTION.match(line) if line[0] == "[" else None
            if section:
                name, kind = section[1], section[2] or "hosts"
                part = self.open_section(name, kind, self.place(number, raw, line), section)
            elif line[0] == "[" and line[-1] == "]":
                raise self.fault(
                    "ini-section",
                    f"{line} is no valid section",
                    self.place(number, raw, line),
                    length=len(line),
                    help="a section is [group], [group:vars] or [group:children], without blanks",
                )
            elif kind == "hosts":
                self.host_line(line, part, number, len(raw) - len(raw.lstrip()))
            elif kind == "vars":
                self.vars_line(line, part, number, len(raw) - len(raw.lstrip()))
            else:
                self.child_line(line, name, part, self.place(number, raw, line))
        self.check_pending()
        return self.result

    def place(self, number: int, raw: str, line: str) -> Origin:
        """Give where `line`, stripped from `raw`, starts."""
        return Origin(self.path, number, raw.index(line) + 1)

    def fault(self, code: str, message: str, origin: Origin, *, length: int = 0, help: str = "") -> InventoryError:  # noqa: A002  # the field's name
        """Give the error for one fault."""
        return InventoryError([Diagnostic(code, message, origin, length=length, help=help)])

    def open_section(self, name: str, kind: str, origin: Origin, section: re.Match[str]) -> GroupPart:
        """Start the section for the group `name`; a `:vars` section may come before its group is defined."""
        if kind not in _KINDS:
            place = Origin(origin.path, origin.line, origin.column + section.start(2))
            hint = did_you_mean(kind, _KINDS) or "sections are [group], [group:vars] and [group:children]"
            raise self.fault("ini-section", f"'{kind}' is no kind of section", place, length=len(kind), help=hint)
        if kind == "vars" and name not in self.result.groups:
            self.pending.setdefault(name, ("vars", origin))
            return self.pending_vars.setdefault(name, GroupPart(origin=origin))
        self.define(name, origin)
        return self.result.group(name)

    def define(self, name: str, origin: Origin) -> None:
        """Make the group `name` known, with what was said about it before."""
        if name in self.result.groups and name not in self.pending:
            return
        part = self.result.group(name, origin)
        self.pending.pop(name, None)
        earlier = self.pending_vars.pop(name, None)
        if earlier:
            part.vars, part.origin = earlier.vars, earlier.origin
        for parent, where in self.parents.pop(name, ()):
            self.result.group(parent).children[name] = where

    def host_line(self, line: str, group: GroupPart, number: int, indent: int) -> None:
        """Read `host[1:3]:22 key=value …`."""
        try:
            words = split_words(line)
        except WordFault as error:
            raise self.fault("ini-host", str(error), Origin(self.path, number, indent + error.column)) from error
        if not words:
            return
        first, column = words[0]
        variables = self.host_vars(words, number, indent) if len(words) > 1 else None
        add = self.result.add_host
        if "[" not in first and ":" not in first:
            add(first, group, None, variables)
            return
        names, port = self.names(first, Origin(self.path, number, indent + column))
        for name in names:
            add(name, group, port, variables)
            if variables and len(names) > 1:
                variables = own_copy(variables)

    def names(self, text: str, origin: Origin) -> tuple[list[str], int | None]:
        """Give the names of the hosts that `text` stands for, and their port."""
        if text.endswith(":"):
            raise self.fault(
                "ini-host",
                f"host name '{text}' ends in ':'",
                origin,
                length=len(text),
                help="the colon is for a port: host:22 (is this a YAML file without .yml?)",
            )
        try:
            return expand_host(text)
        except RangeFault as error:
            place = Origin(origin.path, origin.line, origin.column + max(text.find(error.text), 0))
            raise self.fault("host-range", str(error), place, length=len(error.text)) from error

    def host_vars(self, words: list[tuple[str, int]], number: int, indent: int) -> SourceMap:
        """Give the variables of the words behind the first. `key_origins` tells of the values that do not know."""
        variables = SourceMap()
        for text, column in words[1:]:
            key, equals, value = text.partition("=")
            start = indent + column
            if not equals:
                raise self.fault(
                    "ini-host",
                    f"'{text}' is no key=value",
                    Origin(self.path, number, start),
                    length=len(text),
                    help="write variables of a host as key=value, no blanks around '='; quote values with blanks",
                )
            origin = Origin(self.path, number, start + len(key) + 1)
            result = parse_value(value, origin)
            variables[key] = result
            if type(result) is not Trusted:
                variables.key_origins[key] = origin
        return variables

    def vars_line(self, line: str, group: GroupPart, number: int, indent: int) -> None:
        """Read `key = value` of a `:vars` section; all behind the `=` is the value."""
        key, equals, value = line.partition("=")
        name = key.rstrip()
        if not equals:
            raise self.fault(
                "ini-vars",
                f"'{line}' is no key=value",
                Origin(self.path, number, indent + 1),
                length=len(line),
                help="each line of a :vars section is key=value",
            )
        text = value.strip()
        origin = Origin(self.path, number, indent + len(key) + 2 + (value.index(text) if text else 0))
        group.vars[name] = parse_value(text, origin)
        group.vars.key_origins[name] = Origin(self.path, number, indent + 1)

    def child_line(self, line: str, parent: str, part: GroupPart, origin: Origin) -> None:
        """Read the name of a child group; it may be defined further down."""
        match = _GROUP_NAME.match(line)
        if not match:
            raise self.fault("ini-children", f"'{line}' is no name of a group", origin, length=len(line))
        child = match[1]
        if child in self.result.groups:
            part.children[child] = origin
        else:
            self.pending.setdefault(child, ("child", origin))
            self.parents.setdefault(child, []).append((parent, origin))

    def check_pending(self) -> None:
        """Raise for every group that was spoken of and is defined nowhere."""
        faults: list[Diagnostic] = []
        for name, (what, origin) in self.pending.items():
            known = [group for group in self.result.groups if group not in ("all", "ungrouped")]
            hint = did_you_mean(name, known) or f"add a section [{name}]"
            message = f"variables for a group '{name}' that this file does not define"
            if what == "child":
                message = f"the child group '{name}' is not defined in this file"
            faults.append(Diagnostic("undefined-group", message, origin, length=len(name), help=hint))
        if faults:
            raise InventoryError(faults)
