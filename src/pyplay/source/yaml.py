"""YAML with origins: every string, list and mapping knows where a user wrote it.

libyaml's parser gives the events where PyYAML was built with it, PyYAML's own otherwise; the values are built here.
Strings become `Trusted`, mappings `SourceMap`, lists `SourceList`; other scalars are what PyYAML's safe loader makes of
them (YAML 1.1). `!unsafe` keeps strings plain, `!vault` seals them. Source: the Ansible documentation, "YAML syntax".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.deprecated import YAML_TAGS, deprecated
from pyplay.diagnostics.errors import PlaybookError
from pyplay.diagnostics.late_modules import late_modules
from pyplay.diagnostics.model import Diagnostic, Origin, Severity
from pyplay.diagnostics.suggest import did_you_mean
from pyplay.source import scalars
from pyplay.source.shapes import is_list, is_map
from pyplay.source.text import SourceList, SourceMap, Trusted
from pyplay.source.vault import Secret, VaultText, as_secret, is_vault_text
from pyplay.source.yaml_library import yaml

with late_modules("pyplay.source.yaml_faults"):
    from pyplay.source import yaml_faults

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from typing import Literal

    from pyplay.source.vault import VaultSecrets

    OnWarning = Callable[[Diagnostic], None]
    Duplicates = Literal["warn", "error", "ignore"]

PARSER: Any = getattr(getattr(yaml, "cyaml", None), "CParser", yaml.SafeLoader)
"""What gives the events: libyaml, or PyYAML's own parser where libyaml is not there."""

_YAML = "tag:yaml.org,2002:"
_UNSEEN: Any = object()
_new: Any = tuple.__new__  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
_LOCAL_TAGS = ("!unsafe", "!vault", "!vault-encrypted")
_MAPPING_TAGS, _LIST_TAGS = ("map", "set"), ("seq", "omap", "pairs")
_SCALAR_TAGS = ("str", "int", "float", "bool", "null", "timestamp", "binary")
_STANDARD_TAGS = (*_SCALAR_TAGS, *_MAPPING_TAGS, *_LIST_TAGS)


def load_file(
    path: str | Path,
    *,
    vault: VaultSecrets | None = None,
    on_warning: OnWarning | None = None,
    duplicates: Duplicates = "warn",
) -> Any:
    """Give the one document of the YAML or JSON file at `path`, None if it is empty.

    A file that is encrypted as a whole is decrypted with `vault`; all its strings are `Secret` then. Raises
    PlaybookError for a file that cannot be read, decrypted or parsed.
    """
    name = str(path)
    text, secret = read_text(name, vault=vault)
    return load_text(text, name, vault=vault, on_warning=on_warning, duplicates=duplicates, secret=secret)


def read_text(path: str, *, vault: VaultSecrets | None = None) -> tuple[str, bool]:
    """Give the text of the file at `path` and whether it was encrypted. Raises PlaybookError."""
    try:
        with open(path, "rb") as file:  # noqa: PTH123  # plain text
            data = file.read()
    except OSError as error:
        reason = error.strerror or str(error)
        raise PlaybookError.of("unreadable-file", f"cannot read {path}: {reason}", Origin(path)) from error
    secret = is_vault_text(data)
    if secret:
        data = VaultText(data.decode("ascii", "replace"), Origin(path, 1, 1), vault).reveal_bytes()
    try:
        return data.decode("utf-8-sig"), secret
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8-sig", "replace")
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        raise PlaybookError.of(
            "not-utf8",
            "the file is not UTF-8 text",
            Origin(path, line, column),
            label=f"byte 0x{data[error.start]:02x}",
            help="save the file as UTF-8",
        ) from error


def load_text(
    text: str,
    name: str,
    *,
    line: int = 1,
    vault: VaultSecrets | None = None,
    on_warning: OnWarning | None = None,
    duplicates: Duplicates = "warn",
    secret: bool = False,
    trusted: bool = True,
) -> Any:
    """Give the one document in `text`, None if it holds none; origins are in file `name`, counted from `line`.

    With `trusted` false strings stay plain `str` (text that no user wrote). Raises PlaybookError for text that is not
    YAML, or that holds several documents.
    """
    builder = _Builder(text, name, line, vault, on_warning, duplicates, secret=secret, trusted=trusted)
    documents = builder.documents()
    if len(documents) > 1:
        raise PlaybookError.of(
            "several-documents",
            "the file holds several YAML documents, one is wanted",
            builder.starts[1],
            label="the second one starts here",
            help="remove the '---' between them, or put them into files of their own",
        )
    return documents[0] if documents else None


class _Builder:
    """Builds values from the events of one text."""

    def __init__(  # noqa: PLR0917  # made in this file alone
        self,
        text: str,
        name: str,
        line: int,
        vault: VaultSecrets | None,
        on_warning: OnWarning | None,
        duplicates: Duplicates,
        *,
        secret: bool = False,
        trusted: bool = True,
    ) -> None:
        self.text, self.name, self.first_line = text, name, line
        self.vault, self.on_warning, self.duplicates = vault, on_warning, duplicates
        self.make_text: Any = Secret if secret else Trusted
        self.secret = secret
        self.plain = not trusted
        self.scalars = scalars.ScalarReader()
        self.plain_keys: dict[str, Any] = {}  # what plain keys mean, by their text
        self.anchors: dict[str, Any] = {}
        self.open_anchors: set[str] = set()
        self.starts: list[Origin] = []

    def documents(self) -> list[Any]:
        """Give the values of all documents; where each starts is left in `starts`."""
        try:
            return self._documents()
        except yaml.YAMLError as error:
            if self.text.lstrip()[:1] in ("{", "["):
                import json  # noqa: PLC0415  # only where YAML would not do

                try:
                    return [self._from_json(json.loads(self.text))]
                except (ValueError, RecursionError):
                    pass  # then it was meant as YAML
            raise PlaybookError([yaml_faults.explain(error, self.text, self.name, self.first_line)]) from error
        except RecursionError as error:
            message, mend = "the text is nested too deeply", yaml_faults.DEPTH_MEND
            raise PlaybookError.of("nested-too-deep", message, self._where_it_stopped(), help=mend) from error

    def _where_it_stopped(self) -> Origin:
        """Give the place that comes next in the text, the file where the parser cannot go on."""
        try:
            return self._origin(self.next())
        except (yaml.YAMLError, RecursionError):
            return Origin(self.name)

    def _documents(self) -> list[Any]:
        parser = PARSER(self.text)
        self.next = parser.get_event
        values: list[Any] = []
        while True:
            event = self.next()
            kind = event.__class__
            if kind is yaml.StreamEndEvent:
                return values
            if kind is yaml.DocumentStartEvent:
                self.anchors.clear()
                event = self.next()
                self.starts.append(self._origin(event))
                values.append(self._value(event, plain=self.plain))
                self.next()  # the end of the document

    def _from_json(self, value: Any) -> Any:
        """Give what JSON that is not YAML holds, with the file as the origin of everything."""
        origin = Origin(self.name)
        if isinstance(value, str):
            return value if self.plain else self.make_text(value, origin)
        if is_list(value):
            return SourceList(map(self._from_json, value), origin)
        if is_map(value):
            return SourceMap({key: self._from_json(item) for key, item in value.items()}, origin)
        return value

    def _origin(self, event: Any) -> Origin:
        mark = event.start_mark
        return _new(Origin, (self.name, mark.line + self.first_line, mark.column + 1))  # hot: one for each text

    def _fault(self, code: str, message: str, event: Any, **more: Any) -> PlaybookError:
        return PlaybookError.of(code, message, self._origin(event), **more)

    # values

    def _value(self, event: Any, *, plain: bool) -> Any:
        kind = event.__class__
        if kind is yaml.ScalarEvent:
            value = self._scalar(event, plain=plain)
            if event.anchor:
                self.anchors[event.anchor] = value
            return value
        if kind is yaml.AliasEvent:
            return self._alias(event)
        tag = event.tag
        if tag is not None and tag != "!":
            return self._tagged_container(event, tag, plain=plain)
        return self._mapping(event, plain=plain) if kind is yaml.MappingStartEvent else self._list(event, plain=plain)

    def _scalar(self, event: Any, *, plain: bool) -> Any:
        text: str = event.value
        tag = event.tag
        if tag is None or tag == "!":
            if event.implicit[0] and tag is None and text[:1] in scalars.FIRST_CHARACTERS:
                resolved = scalars.tag_of(text)
                if resolved is not None and resolved != scalars.MERGE_TAG:
                    return self._typed(event, resolved)
            if plain:
                return text
            mark = event.start_mark
            return self.make_text(text, _new(Origin, (self.name, mark.line + self.first_line, mark.column + 1)))
        if tag == "!unsafe":
            return text
        if tag in ("!vault", "!vault-encrypted"):
            if tag != "!vault":
                self._deprecate_tag(event, tag)
            return VaultText(text, self._origin(event), self.vault)
        if tag == _YAML + "str":
            return text if plain else self.make_text(text, self._origin(event))
        if tag.removeprefix(_YAML) not in _STANDARD_TAGS:
            raise self._unknown_tag(event, tag)
        self._fit(event, tag, _SCALAR_TAGS, "a single value")
        return self._typed(event, tag)

    def _typed(self, event: Any, tag: str) -> Any:
        try:
            value = self.scalars.value(tag, event.value)
            return as_secret(value) if self.secret else value
        except ValueError as error:
            kind = tag.removeprefix(_YAML)
            raise self._fault(
                "bad-scalar",
                f"'{event.value}' is read as {kind}, and is none",
                event,
                length=len(event.value),
                help="quote it if it is meant as text",
            ) from error

    def _alias(self, event: Any) -> Any:
        if event.anchor in self.open_anchors:
            raise self._fault("recursive-anchor", f"anchor '{event.anchor}' stands inside itself", event)
        try:
            return self.anchors[event.anchor]
        except KeyError:
            raise self._fault(
                "unknown-anchor",
                f"there is no anchor '{event.anchor}' before this alias",
                event,
                length=len(event.anchor) + 1,
                help=did_you_mean(event.anchor, self.anchors) or "quote the text if '*' is meant literally",
            ) from None

    def _tagged_container(self, event: Any, tag: str, *, plain: bool) -> Any:
        if tag == "!unsafe":
            plain = True
        elif tag.removeprefix(_YAML) not in _STANDARD_TAGS:
            raise self._unknown_tag(event, tag)
        keyed = event.__class__ is yaml.MappingStartEvent
        if tag != "!unsafe":
            self._fit(event, tag, _MAPPING_TAGS if keyed else _LIST_TAGS, "a mapping" if keyed else "a list")
        value: Any = self._mapping(event, plain=plain) if keyed else self._list(event, plain=plain)
        kind = tag.removeprefix(_YAML)
        if kind == "set":
            return set(value)
        if kind in ("omap", "pairs"):
            self._deprecate_tag(event, f"!!{kind}")
            pairs: list[Any] = [pair for item in value if is_map(item) for pair in item.items()]
            return SourceList(map(list, pairs), value.origin) if kind == "pairs" else SourceMap(pairs, value.origin)
        return value

    def _fit(self, event: Any, tag: str, fitting: tuple[str, ...], what: str) -> None:
        """Raise PlaybookError for a standard tag that says something else than what it stands before: `what`."""
        if tag.removeprefix(_YAML) not in fitting:
            shown = tag.replace(_YAML, "!!")
            message, mend = f"tag '{shown}' stands before {what}", "take the tag out, or write what it says"
            raise self._fault("wrong-tag", message, event, length=len(shown), help=mend)

    def _deprecate_tag(self, event: Any, tag: str) -> None:
        if self.on_warning:
            self.on_warning(
                deprecated("yaml-tag", {"tag": tag, "instead": YAML_TAGS[tag]}, self._origin(event), len(tag))
            )

    def _unknown_tag(self, event: Any, tag: str) -> PlaybookError:
        shown = tag.replace(_YAML, "!!")
        return self._fault(
            "unknown-tag",
            f"unknown YAML tag '{shown}'",
            event,
            length=len(shown),
            help=did_you_mean(shown, _LOCAL_TAGS) or "quote the text if '!' is meant literally",
        )

    def _list(self, event: Any, *, plain: bool) -> SourceList:
        result = SourceList((), self._origin(event))
        anchor = event.anchor
        if anchor:
            self.anchors[anchor] = result
            self.open_anchors.add(anchor)
        add, take, value = result.append, self.next, self._value
        while True:
            item = take()
            if type(item) is yaml.SequenceEndEvent:
                break
            add(value(item, plain=plain))
        self.open_anchors.discard(anchor)
        return result

    def _mapping(self, event: Any, *, plain: bool) -> SourceMap:
        origins: dict[Any, Origin] = {}
        result = SourceMap((), self._origin(event), origins)
        anchor = event.anchor
        if anchor:
            self.anchors[anchor] = result
            self.open_anchors.add(anchor)
        merges: list[SourceMap] = []
        take, value, scalar, known = self.next, self._value, self._scalar, self.plain_keys
        name, first_line = self.name, self.first_line
        while True:
            key_event = take()
            kind = key_event.__class__
            if kind is yaml.MappingEndEvent:
                break
            if kind is not yaml.ScalarEvent and kind is not yaml.AliasEvent:
                raise self._container_as_key(event, key_event)
            key = _UNSEEN
            if kind is yaml.ScalarEvent and key_event.implicit[0]:
                if key_event.value == "<<":
                    merges += self._merged(key_event, plain=plain)
                    continue
                key = known.get(key_event.value, _UNSEEN)
            if key is _UNSEEN or key_event.anchor:
                key = self._key(key_event)
                if kind is yaml.ScalarEvent and key_event.implicit[0]:
                    known[key_event.value] = key
            if key in origins:
                self._duplicate(key, key_event, origins[key])
            mark = key_event.start_mark
            origins[key] = _new(Origin, (name, mark.line + first_line, mark.column + 1))
            item = take()
            if item.__class__ is yaml.ScalarEvent and not item.anchor:
                result[key] = scalar(item, plain=plain)
            else:
                result[key] = value(item, plain=plain)
        if merges:
            self._merge(result, merges)
        self.open_anchors.discard(anchor)
        return result

    def _key(self, event: Any) -> Any:
        key = self._value(event, plain=True)
        if type(key) is str or isinstance(key, (int, float)) or key is None:
            return key
        if isinstance(key, str):
            return str(key)
        try:
            hash(key)
        except TypeError:
            raise self._fault("unusable-key", "a list or mapping cannot be a key", event) from None
        return key

    def _container_as_key(self, event: Any, key: Any) -> PlaybookError:
        flow = getattr(event, "flow_style", False)
        starts: Any = key.start_mark
        if flow and type(key) is yaml.MappingStartEvent and starts.index == event.start_mark.index + 1:
            return PlaybookError([yaml_faults.unquoted_template(self._origin(event), self.text, self.first_line)])
        origin = self._origin(key)
        source = self.text.split("\n")[origin.line - self.first_line]
        if source[origin.column - 1 :].startswith("{{"):
            return PlaybookError([yaml_faults.unquoted_template(origin, self.text, self.first_line)])
        return self._fault("unusable-key", "a list or mapping cannot be a key", key)

    def _duplicate(self, key: Any, event: Any, first: Origin) -> None:
        if self.duplicates == "ignore":
            return
        fault = Diagnostic(
            "duplicate-key",
            f"key '{key}' is given twice in this mapping; the last one counts",
            self._origin(event),
            length=len(str(key)),
            label="the last one",
            notes=(f"the first one stands at {first}",),
            severity=Severity.WARNING,
        )
        if self.duplicates == "error":
            raise PlaybookError(
                [Diagnostic(fault.code, f"key '{key}' is given twice", fault.origin, fault.length, notes=fault.notes)]
            )
        if self.on_warning:
            self.on_warning(fault)

    def _merged(self, event: Any, *, plain: bool) -> list[SourceMap]:
        """Give the mappings that the merge key at `event` names, strongest first. Source: yaml.org/type/merge.html."""
        value = self._value(self.next(), plain=plain)
        maps: list[Any] = (
            [value] if isinstance(value, SourceMap) else value if isinstance(value, SourceList) else [None]
        )
        if not all(isinstance(item, SourceMap) for item in maps):
            raise self._fault("bad-merge", "'<<' takes a mapping or a list of mappings", event, length=2)
        return maps

    @staticmethod
    def _merge(result: SourceMap, merges: list[SourceMap]) -> None:
        own, own_origins = dict(result), dict(result.key_origins)
        result.clear()
        result.key_origins.clear()
        for merged in reversed(merges):
            result.update(merged)
            result.key_origins.update(merged.key_origins)
        result.update(own)
        result.key_origins.update(own_origins)
