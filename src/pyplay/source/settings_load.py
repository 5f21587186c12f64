"""Reading settings: which ansible.cfg counts, which of a setting's names wins, what its text means."""

from __future__ import annotations

import os
from dataclasses import field
from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.dataclass import dataclass
from pyplay.diagnostics.deprecated import SETTINGS, deprecated
from pyplay.diagnostics.errors import OptionsError
from pyplay.diagnostics.model import Diagnostic, Origin, Severity
from pyplay.diagnostics.patterns import late_pattern
from pyplay.diagnostics.suggest import did_you_mean
from pyplay.source.booleans import read_boolean
from pyplay.source.ownership import anybody_may_write, other_owner
from pyplay.source.paths import exists, is_dir, is_file
from pyplay.source.setting import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pyplay.source.setting import Setting

OWN_SECTION = "pyplay"
_MACRO = late_pattern(r"\{\{\s*(CWD|ANSIBLE_HOME)\s*\}\}")
_VERSION = late_pattern(r"\d{1,4}\.\d{1,4}\.\d{1,4}")
_VARIABLE = late_pattern(r"\$(?:\{(\w+)\}|(\w+))")


class InvalidValueError(ValueError):
    """`text`, which is written at `source` (a variable, or `[section] key`), does not fit its setting."""

    def __init__(self, source: str, expected: str, text: str, help_: str = "") -> None:
        self.source, self.text, self.help = source, text, help_
        super().__init__(f"{source} must be {expected}, not '{text}'")


@dataclass(slots=True)
class Found:
    """What reading gave: `values` by name, and for those that are no default where they came from.

    `idle` are the sources of what was set to something else than the default and changes nothing.
    """

    values: dict[str, Any] = field(default_factory=dict[str, Any])
    origins: dict[str, str] = field(default_factory=dict[str, str])
    config_file: str | None = None
    warnings: tuple[Diagnostic, ...] = ()
    idle: tuple[str, ...] = ()


def read_settings(table: Sequence[Setting], environ: Mapping[str, str], cwd: str, *, whole: bool = True) -> Found:
    """Give the values of all settings in `table`. Raises OptionsError with every fault found.

    A `whole` table has all that may stand in the section that is ours alone: other names there are faults.
    """
    path, warnings = find_config(environ, cwd)
    config = read_config(path) if path else {}
    found = Found(config_file=path)
    faults: list[Diagnostic] = []
    idle: list[str] = []
    reader = _Reader(environ, cwd, path)
    for row in table:
        try:
            value, source = _choose(row, environ, config, reader)
        except InvalidValueError as error:
            faults.append(_invalid(row, error, path))
            continue
        found.values[row.name] = value
        if source:
            found.origins[row.name] = source
            if row.idle and value != row.default:
                idle.append(source)
                if row.unmet:
                    warnings.append(_without_effect(row, source, path))
        if row.name == "home":
            reader.home = value
    if whole:
        faults += _unknown_own(table, config, path)
    if faults:
        raise OptionsError(faults)
    warnings += _deprecated_settings(environ, config, path)
    found.warnings, found.idle = tuple(warnings), tuple(idle)
    return found


def find_config(environ: Mapping[str, str], cwd: str) -> tuple[str | None, list[Diagnostic]]:
    """Give the ansible.cfg that counts, None if there is none, and warnings about files passed over.

    Source: Ansible's documentation, "The configuration file": ANSIBLE_CONFIG, ./ (unless anybody may write there),
    ~/.ansible.cfg, /etc/ansible/ansible.cfg. None but the first, which somebody named, is taken if anybody may write
    to the file itself; of one in ./ that belongs to another user there is a warning.
    """
    warnings: list[Diagnostic] = []
    candidates: list[str] = []
    home = _home(environ)
    if named := environ.get("PYPLAY_CONFIG") or environ.get("ANSIBLE_CONFIG"):
        named = os.path.join(cwd, _expand_user(named, home))  # noqa: PTH118  # text, not a Path
        named = os.path.join(named, "ansible.cfg") if is_dir(named) else named  # noqa: PTH118  # plain text
        candidates.append(named)
    local = os.path.join(cwd, "ansible.cfg")  # noqa: PTH118  # as above
    if anybody_may_write(cwd):
        if exists(local) and local not in candidates:
            warnings.append(_passed_over(local, cwd))
    else:
        candidates.append(local)
    candidates += [_expand_user("~/.ansible.cfg", home), "/etc/ansible/ansible.cfg"]
    for candidate in candidates:
        if not is_file(candidate) or not os.access(candidate, os.R_OK):
            continue
        if candidate != named:
            if anybody_may_write(candidate):
                warnings.append(_passed_over(candidate, candidate))
                continue
            owner = candidate == local and (other_owner(local, environ) or other_owner(cwd, environ))
            if owner:
                warnings.append(_of_another(local, owner))
        return os.path.abspath(candidate), warnings  # noqa: PTH100  # links stay as the user wrote them
    return None, warnings


def _of_another(path: str, owner: str) -> Diagnostic:
    return Diagnostic(
        "foreign-config",
        f"{path} is in the hands of another user, {owner}, who decides with it what runs here",
        Origin(path),
        help=f"name the file if that is meant: ANSIBLE_CONFIG={path}",
        severity=Severity.WARNING,
    )


def _passed_over(path: str, directory: str) -> Diagnostic:
    return Diagnostic(
        "unsafe-config",
        f"{path} is not used: anybody may write to {'it' if path == directory else directory}",
        Origin(path),
        help=f"take the write permission of others away (chmod o-w {directory}), or name the file in ANSIBLE_CONFIG",
        severity=Severity.WARNING,
    )


def _without_effect(row: Setting, source: str, path: str | None) -> Diagnostic:
    place, length = _place(source, path)
    return Diagnostic(
        "setting-without-effect",
        f"{source} changes nothing: {row.idle}",
        place,
        length=length,
        severity=Severity.WARNING,
    )


def _deprecated_settings(
    environ: Mapping[str, str], config: Mapping[str, Mapping[str, str]], path: str | None
) -> Iterator[Diagnostic]:
    """Give a warning for each deprecated setting that is set, whether we have a use for it or not."""
    for old in SETTINGS.values():
        section = config.get(old.section, {})
        sources = [name for name in old.env if name in environ]
        sources += [f"[{old.section}] {key}" for key in old.keys if key in section]
        for source in sources[:1]:
            place, length = _place(source, path)
            yield deprecated("setting", {"name": source, "instead": old.instead}, place, length)


def _invalid(row: Setting, error: InvalidValueError, path: str | None) -> Diagnostic:
    from pyplay.source.setting_names import ansible_name  # noqa: PLC0415  # where something is wrong only

    place, length = _place(error.source, path)
    remark = "within a line ';' begins a comment, '#' does not" if place and " #" in error.text else ""
    return Diagnostic(
        "bad-setting",
        f"the setting {ansible_name(row)} has an invalid value: {error}",
        place,
        length=length,
        help=error.help or remark,
    )


def _place(source: str, path: str | None) -> tuple[Origin | None, int]:
    """Give where `[section] key` stands in the file, and the length of the key; None for a variable."""
    if path is None or not source.startswith("["):
        return None, 0
    from pyplay.source.config_places import find_key  # noqa: PLC0415  # where something is wrong only

    section, _, key = source[1:].partition("] ")
    return find_key(path, section, key)


def read_config(path: str) -> dict[str, dict[str, str]]:
    """Give section → key → text of the ini file at `path`; keys are lower case. Raises OptionsError."""
    import configparser  # noqa: PLC0415  # only where there is a file

    parser = configparser.RawConfigParser(inline_comment_prefixes=(";",))
    try:
        with open(path, encoding="utf-8-sig") as file:  # noqa: PTH123  # plain text
            parser.read_string(file.read())
    except (configparser.Error, UnicodeDecodeError) as error:
        line = getattr(error, "lineno", None) or next((n for n, _ in getattr(error, "errors", ())), 0)
        twice, reason = "", str(error).split("\n")[0]
        if isinstance(error, configparser.DuplicateOptionError):  # as in ansible-core, no file to go by
            twice = f"'{error.option}'"
        elif isinstance(error, configparser.DuplicateSectionError):
            twice = f"[{error.section}]"
        message = (
            f"{twice} is given twice in this configuration file" if twice else "this configuration file is no ini file"
        )
        raise OptionsError.of(
            "bad-config", message, Origin(path, line), label="" if twice else reason, help="keep one" if twice else ""
        ) from error
    except OSError as error:
        raise OptionsError.of("bad-config", f"cannot read {path}: {error.strerror}", Origin(path)) from error
    return {section: dict(parser.items(section)) for section in parser.sections()}


def _choose(
    row: Setting, environ: Mapping[str, str], config: Mapping[str, Mapping[str, str]], reader: _Reader
) -> tuple[Any, str]:
    if config or not environ.keys().isdisjoint((row.own_env, *row.env)):  # most are named nowhere
        for source, text, in_file in _texts(row, environ, config):
            return reader.read(row, text, source, in_file=in_file), source
    return reader.default(row), ""


def _texts(
    row: Setting, environ: Mapping[str, str], config: Mapping[str, Mapping[str, str]]
) -> Iterator[tuple[str, str, bool]]:
    """Yield what is written for a setting, strongest first: where, the text, whether it stands in the file."""
    if row.own:
        if row.own_env in environ:
            yield row.own_env, environ[row.own_env], False
        if (text := config.get(OWN_SECTION, {}).get(row.name)) is not None:
            yield f"[{OWN_SECTION}] {row.name}", text, True
    for name in reversed(row.env):  # as in Ansible's configuration, the last name wins
        if name in environ:
            yield name, "1" if name == "NO_COLOR" and environ[name] else environ[name], False
    for section, key in reversed(row.ini):
        if (text := config.get(section, {}).get(key)) is not None:
            yield f"[{section}] {key}", text, True


def _unknown_own(
    table: Sequence[Setting], config: Mapping[str, Mapping[str, str]], path: str | None
) -> Iterator[Diagnostic]:
    """Yield the faults in the section that is ours alone; unknown names elsewhere may be meant for others."""
    known = [row.name for row in table]
    for key in config.get(OWN_SECTION, {}):
        if key not in known:
            place, length = _place(f"[{OWN_SECTION}] {key}", path)
            message = f"[{OWN_SECTION}] has no setting '{key}'"
            yield Diagnostic("unknown-setting", message, place, length=length, help=did_you_mean(key, known))


class _Reader:
    """Turns texts into values: booleans, numbers, lists, and paths relative to where they were written."""

    def __init__(self, environ: Mapping[str, str], cwd: str, config_file: str | None) -> None:
        self.environ, self.cwd = environ, cwd
        self.file_dir = os.path.dirname(config_file) if config_file else cwd  # noqa: PTH120  # plain text
        self.user_home = _home(environ)
        self.home = ""

    def default(self, row: Setting) -> Any:
        """Give the default of a setting, paths made absolute."""
        if row.kind in (Kind.PATHS, Kind.PATH_LIST) and row.default:
            return tuple(self._path(path, self.cwd) for path in row.default)
        if row.kind is Kind.PATH and row.default is not None:
            return self._path(row.default, self.cwd)
        return row.default

    def read(self, row: Setting, text: str, source: str, *, in_file: bool) -> Any:
        """Give what `text` from `source` means for a setting. Raises InvalidValueError."""
        text = self._macros(text.strip())
        if in_file and row.kind not in (Kind.LIST, Kind.PATH_LIST):
            text = _unquoted(text)
        base = self.file_dir if in_file else self.cwd
        kind = row.kind
        if kind is Kind.BOOL:
            return self._bool(text, source)
        if kind in (Kind.INT, Kind.FLOAT):
            return self._number(row, text, source)
        if kind is Kind.VERSION:
            return self._version(row, text, source)
        if kind is Kind.CHOICE:
            return self._choice(row, text, source)
        if kind is Kind.LIST:
            return tuple(part for part in (_unquoted(word.strip()) for word in text.split(",")) if part)
        if kind is Kind.PATHS:
            return tuple(self._path(part.strip(), base) for part in text.split(":") if part.strip())
        if kind is Kind.PATH_LIST:
            return tuple(self._path(_unquoted(part.strip()), base) for part in text.split(",") if part.strip())
        if kind is Kind.PATH:
            return self._path(text, base) if text else row.default
        return None if text == "" and row.default is None else text

    @staticmethod
    def _bool(text: str, source: str) -> bool:
        meant = read_boolean(text or "no")
        if meant is not None:
            return meant
        raise InvalidValueError(source, "yes or no", text)

    @staticmethod
    def _version(row: Setting, text: str, source: str) -> str:
        if text and not _VERSION.fullmatch(text):
            raise InvalidValueError(source, "a version of three numbers, such as 2.21.5", text)
        return text or row.default

    @staticmethod
    def _number(row: Setting, text: str, source: str) -> Any:
        if not text or text.lower() == "none":
            return row.default
        try:
            value = float(text)
        except ValueError:
            raise InvalidValueError(source, "a number", text) from None
        if row.kind is Kind.FLOAT:
            return value
        if value != int(value):
            raise InvalidValueError(source, "a whole number", text)
        return int(value)

    @staticmethod
    def _choice(row: Setting, text: str, source: str) -> str | None:
        if not text and row.default is None:
            return None
        for choice in row.choices:
            if choice == text.lower():
                return choice
        hint = did_you_mean(text, row.choices)
        raise InvalidValueError(source, f"one of {', '.join(row.choices)}", text, hint)

    def _macros(self, text: str) -> str:
        if "{{" not in text:
            return text
        text = text.replace("{{ANSIBLE_HOME}}", self.home)  # the defaults
        values = {"CWD": self.cwd, "ANSIBLE_HOME": self.home}
        return _MACRO.sub(lambda match: values[match.group(1)], text)

    def _path(self, text: str, base: str) -> str:
        text = self._macros(text)
        if "$" in text:
            text = _VARIABLE.sub(lambda m: self.environ.get(m.group(1) or m.group(2), m.group()), text)
        return os.path.normpath(os.path.join(base, _expand_user(text, self.user_home)))  # noqa: PTH118  # plain text


def _unquoted(text: str) -> str:
    """Give `text` without the quotes around it."""
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"" else text


def _expand_user(text: str, home: str) -> str:
    """Give `text` with `~` replaced by `home`, `~user` by that user's home."""
    if text == "~" or text.startswith("~/"):
        return home.rstrip("/") + text[1:] or "/"
    return os.path.expanduser(text) if text.startswith("~") else text  # noqa: PTH111  # plain text


def _home(environ: Mapping[str, str]) -> str:
    """Give the user's home: HOME, else what the user database says, else (a user unknown to it) `/`."""
    if named := environ.get("HOME"):
        return named
    import pwd  # noqa: PLC0415  # services and cron jobs only

    try:
        return pwd.getpwuid(os.getuid()).pw_dir
    except KeyError:
        return "/"
