"""Options of users' plugins, as their DOCUMENTATION declares them: types, defaults, and where values may come from."""

from __future__ import annotations

import configparser
import os
from typing import TYPE_CHECKING, Any

import yaml

from pyplay.templating.context import option_variable
from pyplay.templating.filters.plain import is_listlike, shown
from pyplay.templating.shims.errors import AnsibleError, AnsibleRequiredOptionError
from pyplay.templating.shims.values import boolean

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from pyplay.templating.lookups.base import LookupCall


def _list(value: Any) -> list[Any]:
    if isinstance(value, str):
        return [unquoted(part.strip()) for part in value.split(",")]
    return list(value) if is_listlike(value) else [value]


def unquoted(text: str) -> str:
    """Give `text` without the quotes around it."""
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"" else text


_TEXTS = ("", "raw", "str", "string")


def _path(value: Any) -> str:
    return os.path.abspath(os.path.expanduser(os.path.expandvars(str(value))))  # noqa: PTH100, PTH111


def _dictionary(value: Any) -> dict[Any, Any]:
    if not isinstance(value, dict):
        raise TypeError("it must be a mapping")
    return value  # type: ignore[return-value]


_CONVERSIONS: dict[str, Callable[[Any], Any]] = {
    "bool": boolean, "boolean": boolean, "int": int, "integer": int, "float": float, "list": _list,
    "str": str, "string": str, "path": _path,
    "pathspec": lambda value: [_path(part) for part in str(value).split(os.pathsep)],
    "pathlist": lambda value: [_path(part) for part in _list(value)], "dict": _dictionary, "dictionary": _dictionary,
}  # fmt: skip


class PluginOptions:
    """The options of one call. `direct` are those given in the template; they go before all else."""

    def __init__(
        self, definitions: Mapping[str, Any], ini: Callable[[], configparser.ConfigParser | None] = lambda: None
    ) -> None:
        self.definitions = definitions
        self.direct: dict[str, Any] = {}
        self.variables: Any = {}
        self._ini = ini
        self._parsed: configparser.ConfigParser | None = None

    @classmethod
    def from_documentation(cls, documentation: Any, call: LookupCall) -> PluginOptions:
        """Give the options that a plugin's DOCUMENTATION declares; none if it is no YAML."""
        try:
            data = yaml.safe_load(documentation) if isinstance(documentation, str) else documentation
        except yaml.YAMLError:
            data = None
        definitions: Any = data.get("options") if isinstance(data, dict) else None  # type: ignore[misc]
        path: Any = getattr(call.settings, "config_file", None)
        return cls(definitions if isinstance(definitions, dict) else {}, lambda: read_ini(path))  # type: ignore[arg-type]

    def names(self) -> Iterable[str]:
        """Give the names of all options."""
        return dict.fromkeys([*(name for name in self.definitions if not name.startswith("_")), *self.direct])

    def use(self, direct: Mapping[str, Any], variables: Any) -> None:
        """Take what was given in the template, and the variables to look at."""
        self.direct = self._by_name(direct)
        self.variables = variables
        for name, definition in self.definitions.items():
            if not name.startswith("_") and definition.get("required") and self.get(name)[0] is None:
                raise AnsibleRequiredOptionError(f"the option {name} is required")

    def deprecations(self) -> Iterator[str]:
        """Give what the documentation says of deprecated options that are set, wherever that was done."""
        for name, definition in self.definitions.items():
            note: Any = definition.get("deprecated")
            if isinstance(note, dict) and self._found(name, definition, self.variables)[1] != "default":
                told: dict[str, Any] = {str(key): value for key, value in note.items()}  # type: ignore[misc]
                instead = told.get("alternatives") or told.get("alternative")
                why = f": {told['why']}" if told.get("why") else ""
                yield f"the option {name} is deprecated{why}" + (f" (instead: {instead})" if instead else "")

    def _by_name(self, direct: Mapping[str, Any]) -> dict[str, Any]:
        aliases = {alias: name for name, option in self.definitions.items() for alias in option.get("aliases") or ()}
        return {aliases.get(name, name): value for name, value in direct.items()}

    def get(self, name: str, hostvars: Any = None) -> tuple[Any, str]:
        """Give an option's value and where it came from. Raises KeyError if unknown, AnsibleError for wrong values."""
        definition: Mapping[str, Any] | None = self.definitions.get(name)
        if definition is None:
            return self.direct[name], "Direct"
        value, origin = self._found(name, definition, self.variables if hostvars is None else hostvars)
        if value is None:
            return None, origin
        value = _converted(name, value, definition)
        choices: Any = definition.get("choices")
        given = list(value) if is_listlike(value) else [value]
        if choices and not all(item in choices for item in given):
            raise AnsibleError(
                f"Invalid value {shown(value)} for the option {name}",
                help_text=f"it must be one of {', '.join(map(str, choices))}",
            )
        return value, origin

    def _found(self, name: str, definition: Mapping[str, Any], variables: Any) -> tuple[Any, str]:
        if self.direct.get(name) is not None:
            return self.direct[name], "Direct"
        for place in definition.get("vars") or ():
            value = option_variable(variables, place["name"])
            if value is not None:
                return value, f"var: {place['name']}"
        for place in reversed(definition.get("env") or ()):  # the last name wins
            if place["name"] in os.environ:
                return os.environ[place["name"]], f"env: {place['name']}"
        for place in reversed(definition.get("ini") or ()):
            value = self._from_ini(str(place["section"]), str(place["key"]))
            if value is not None:
                value = unquoted(value) if str(definition.get("type", "")).lower() in _TEXTS else value
                return value, f"ini: [{place['section']}] {place['key']}"
        return definition.get("default"), "default"

    def _from_ini(self, section: str, key: str) -> str | None:
        if self._parsed is None:
            self._parsed = self._ini() or configparser.ConfigParser()
        return self._parsed.get(section, key, fallback=None)


def read_ini(path: str | None) -> configparser.ConfigParser | None:
    """Give the contents of the configuration file at `path`, None if it cannot be read."""
    parser = configparser.ConfigParser(interpolation=None)
    try:
        parser.read(path or (), "utf-8")
    except (configparser.Error, UnicodeDecodeError):
        return None  # what is wrong in it was said when the settings were read
    return parser


def _converted(name: str, value: Any, definition: Mapping[str, Any]) -> Any:
    kind = str(definition.get("type", "raw")).lower()
    convert = _CONVERSIONS.get(kind)
    try:
        value = convert(value) if convert else value
        element = _CONVERSIONS.get(str(definition.get("elements", "")).lower())
        return [element(item) for item in value] if element and is_listlike(value) else value
    except (TypeError, ValueError) as error:
        raise AnsibleError(f"Invalid value {shown(value)} for the option {name}: it must be {kind}") from error
