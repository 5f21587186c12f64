"""Hosts' variables and groups made from expressions: `compose`, `groups` and `keyed_groups`.

Source: the documentation of Ansible's `constructed` inventory plugin; other plugins take the same options.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.dataclass import dataclass
from pyplay.diagnostics.errors import AuthorError, InventoryError
from pyplay.diagnostics.model import Diagnostic, Origin
from pyplay.inventory.model import INVALID_IN_GROUP_NAMES
from pyplay.inventory.shapes import as_list, as_mapping
from pyplay.source.booleans import read_boolean
from pyplay.source.text import SourceList, SourceMap, Trusted, origin_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyplay.inventory.context import Render
    from pyplay.inventory.fragment import Fragment


@dataclass(frozen=True, slots=True)
class Constructor:
    """Applies the options in `config`, read from `path`, to hosts, writing what comes out into `result`.

    Without `strict`, expressions that fail are passed over.
    """

    config: Mapping[str, Any]
    path: str
    render: Render
    result: Fragment

    @property
    def strict(self) -> bool:
        """Whether a failing expression is an error."""
        return flag(self.config, "strict", default=False)

    def apply(self, host: str, variables: Mapping[str, Any]) -> None:
        """Make variables and groups for `host`, whose variables so far are `variables`. Raises AuthorError."""
        seen = dict(variables)
        composed = self.compose(host, seen)
        seen.update(composed)
        if composed:
            self.result.add_host(host, None, None, composed)
        self.conditional_groups(host, seen)
        for entry in self.entries():
            self.keyed_group(host, entry, seen)

    def compose(self, host: str, variables: Mapping[str, Any]) -> SourceMap:
        """Give the variables that `compose` makes for `host`; later ones see earlier ones."""
        made = SourceMap()
        for name, expression in self.mapping("compose").items():
            try:
                made[str(name)] = self.evaluate(expression, {**variables, **made})
            except AuthorError as error:
                self.failed(f"variable '{name}' of host '{host}'", error)
        return made

    def conditional_groups(self, host: str, variables: Mapping[str, Any]) -> None:
        """Add `host` to the groups whose condition holds for it."""
        for name, condition in self.mapping("groups").items():
            try:
                holds = condition if isinstance(condition, bool) else self.condition(condition, variables)
            except AuthorError as error:
                self.failed(f"group '{name}' for host '{host}'", error)
                continue
            if holds:
                self.result.add_host(host, self.result.group(safe_group_name(str(name))))

    def condition(self, expression: Any, variables: Mapping[str, Any]) -> bool:
        """Tell whether a condition holds. Raises AuthorError, also where its value is no boolean."""
        holds = self.evaluate(expression, variables)
        if not isinstance(holds, bool):
            raise self.fault(f"a condition must give a boolean, '{expression}' does not", origin_of(expression))
        return holds

    def keyed_group(self, host: str, entry: Mapping[str, Any], variables: Mapping[str, Any]) -> None:
        """Add `host` to the groups that the value of `key` names."""
        try:
            value = self.evaluate(entry["key"], variables)
            parent = self.template(entry.get("parent_group"), variables)
        except AuthorError as error:
            self.failed(f"keyed group of host '{host}'", error)
            return
        separator = str(entry.get("separator", "_"))
        prefix = str(entry.get("prefix") or "")
        lead = f"{prefix}{separator}" if prefix or flag(self.config, "leading_separator", default=True) else ""
        for name in self.names(host, value, entry, separator):
            self.join(host, safe_group_name(lead + name), parent)

    def names(self, host: str, value: Any, entry: Mapping[str, Any], separator: str) -> list[str]:
        """Give the names that the value of a key stands for, without prefix. Raises InventoryError for odd values."""
        pairs, items, default = as_mapping(value), as_list(value), entry.get("default_value")
        if value in (None, "") and default is not None:
            return [str(default)]
        if not value and (value is None or value == "" or pairs is not None or items is not None):
            if self.strict:
                raise self.fault(f"the key of a keyed group is empty for host '{host}'", origin_of(entry["key"]))
            return []
        if pairs is not None:
            return [self.pair(key, item, entry, separator) for key, item in pairs.items()]
        if items is not None:
            return [str(default if item in ("", None) and default is not None else item) for item in items]
        if not isinstance(value, str):
            kind = type(value).__name__
            message = f"the key of a keyed group is text, a list or a mapping; for host '{host}' it is of type {kind}"
            raise self.fault(message, origin_of(entry["key"]))
        return [value]

    def pair(self, key: Any, item: Any, entry: Mapping[str, Any], separator: str) -> str:
        """Give the name for one entry of a mapping."""
        if item in ("", None):
            if entry.get("default_value") is not None:
                return f"{key}{separator}{entry['default_value']}"
            if not flag(entry, "trailing_separator", default=True):
                return str(key)
        return f"{key}{separator}{item}"

    def join(self, host: str, name: str, parent: Any) -> None:
        """Add `host` to the group `name`, a child of `parent` if that is given."""
        self.result.add_host(host, self.result.group(name))
        if parent:
            above = safe_group_name(str(parent))
            self.result.group(above).children[name] = Origin(self.path)

    def entries(self) -> list[Mapping[str, Any]]:
        """Give the entries of `keyed_groups`, checked."""
        written: object = self.config.get("keyed_groups") or SourceList()
        entries = as_list(written)
        if entries is None:
            raise self.fault("'keyed_groups' is a list", origin_of(written))
        return [entry for each in entries if (entry := self.entry(each)) is not None]

    def entry(self, written: Any) -> Mapping[str, Any] | None:
        """Give one entry of `keyed_groups`, checked; None for one without a key, which only `strict` refuses."""
        entry = as_mapping(written)
        if entry is None or (self.strict and entry.get("key") is None):
            raise self.fault("a keyed group is a mapping with 'key'", origin_of(written))
        if entry.get("key") is None:
            return None
        if entry.get("default_value") is not None and "trailing_separator" in entry:
            raise self.fault("'default_value' and 'trailing_separator' exclude each other", origin_of(entry))
        return entry

    def mapping(self, option: str) -> Mapping[Any, Any]:
        """Give an option that is a mapping."""
        written = self.config.get(option) or SourceMap()
        value = as_mapping(written)
        if value is None:
            raise self.fault(f"'{option}' is a mapping of names to expressions", origin_of(written))
        return value

    def evaluate(self, expression: Any, variables: Mapping[str, Any], form: str = "{{{{ {0} }}}}") -> Any:
        """Give the value of a bare expression. Raises AuthorError, also for what is no text (a number in YAML)."""
        if not isinstance(expression, str):
            raise self.fault(f"an expression is text, not {expression!r}: quote it", origin_of(expression))
        return self.render(Trusted(form.format(expression), origin_of(expression)), variables)

    def template(self, value: Any, variables: Mapping[str, Any]) -> Any:
        """Give `value` rendered if it is a template."""
        return self.render(value, variables) if isinstance(value, str) and "{" in value else value

    def failed(self, what: str, error: AuthorError) -> None:
        """Raise under `strict`, else pass over."""
        if self.strict:
            origin = error.diagnostics[0].origin or Origin(self.path)
            raise self.fault(f"{what} cannot be made: {error}", origin) from error

    def fault(self, message: str, origin: Origin | None) -> InventoryError:
        """Give the error for one fault."""
        return InventoryError([Diagnostic("constructed", message, origin or Origin(self.path))])


def flag(config: Mapping[str, Any], option: str, *, default: bool) -> bool:
    """Give a boolean option in any of the spellings of booleans; what is none counts as not given."""
    meant = read_boolean(config.get(option))
    return default if meant is None else meant


def safe_group_name(name: str) -> str:
    """Give `name` with all that a variable name may not have made `_`: made groups always get such names."""
    return INVALID_IN_GROUP_NAMES.sub("_", name)
