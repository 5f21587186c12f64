"""Checking a module's arguments against its OPTIONS table: pure functions, used on hosts and by the controller.

A table is literal data. The keys of a table (the module's, or that of a sub-option dictionary):

- `options`: {name: option}. An option has `type` (default str), `required`, `default` (the environment variable `env`
  wins over it), `choices`, `aliases`, `elements` (type of a list's items), `suboptions` ({name: option}; rules stand
  beside it in the option), `no_log` (a secret: its value is hidden wherever the result shows it), `hidden` (left out of
  the shown arguments alone, since it may be long), `doc`. The type is one of `CONVERTERS`.
- `mutually_exclusive`, `required_together`, `required_one_of`: lists of lists of names.
- `required_if`: [name, value, names] or [name, value, names, True] (one of them is enough).
- `required_by`: {name: [names]}.
- `file_options`: true adds `FILE_OPTIONS` (owner, group, mode …).

An option whose value is null counts as not given, unless it is `nullable`: then null is a value of its own.
So does one whose value is "" where `blank_unset` says so: playbooks pass it for what they do not want.
"""

import os

STRINGS_TRUE = frozenset(("y", "yes", "on", "1", "true", "t"))
STRINGS_FALSE = frozenset(("n", "no", "off", "0", "false", "f"))

UNKNOWN = "Unsupported parameters"
"""How the message about an unknown option begins."""

FILE_OPTIONS = {
    "owner": {"type": "str", "doc": "Name or number of the user that shall own the file."},
    "group": {"type": "str", "doc": "Name or number of the group that shall own the file."},
    "mode": {"type": "raw", "doc": "Permissions: octal digits in quotes ('0644') or symbolic (u=rw,g=r)."},
    "attributes": {"type": "str", "aliases": ["attr"], "doc": "File flags as chattr takes them (+i, =A)."},
    "seuser": {"type": "str", "doc": "User part of the SELinux context; _default asks the policy."},
    "serole": {"type": "str", "doc": "Role part of the SELinux context; _default asks the policy."},
    "setype": {"type": "str", "doc": "Type part of the SELinux context; _default asks the policy."},
    "selevel": {"type": "str", "doc": "Level part of the SELinux context; _default asks the policy."},
    "unsafe_writes": {
        "type": "bool",
        "default": False,
        "env": "ANSIBLE_UNSAFE_WRITES",
        "doc": "Write in place where the file cannot be replaced atomically (a bind mount in a container).",
    },
}


class Fault:
    """One thing wrong with the arguments. `option` is its dotted name ("" for the call as a whole)."""

    __slots__ = ("code", "help", "message", "option")

    def __init__(self, code: str, option: str, message: str, help: str = "") -> None:  # noqa: A002  # as Diagnostic
        """Take a stable code, the option's dotted name, one sentence and what would mend it."""
        self.code = code
        self.option = option
        self.message = message
        self.help = help

    def __str__(self) -> str:
        return "%s (%s)" % (self.message, self.help) if self.help else self.message

    def __repr__(self) -> str:
        return "Fault(%r, %r, %r, %r)" % (self.code, self.option, self.message, self.help)


class ConversionError(ValueError):
    """A value does not fit the type that an option declares."""


def to_bool(value: object) -> bool:
    """Read a truth value: booleans, 0/1, and the words yes/no, on/off, true/false, y/n, t/f in any case."""
    if isinstance(value, bool):
        return value
    text = str(value).strip().lower() if isinstance(value, (str, int, float)) else None
    if text in STRINGS_TRUE or value == 1:
        return True
    if text in STRINGS_FALSE or value == 0:
        return False
    raise ConversionError("%r is neither true nor false" % (value,))


def _is_number(text: str) -> bool:
    digits = text[1:] if text[:1] in ("-", "+") else text
    return digits.isdecimal()


def to_int(value: object) -> int:
    """Read a whole number from a number or its text; 3.0 is whole, 3.5 and true are not."""
    if isinstance(value, bool):
        raise ConversionError("%r is not a whole number" % (value,))
    if isinstance(value, int):
        return value
    try:
        if isinstance(value, str):
            return int(value) if _is_number(value.strip()) else _whole(float(value), value)
        if isinstance(value, float):
            return _whole(value, value)
    except (ValueError, OverflowError):
        pass
    raise ConversionError("%r is not a whole number" % (value,))


def _whole(number: float, value: object) -> int:
    if number != int(number):
        raise ConversionError("%r is not a whole number" % (value,))
    return int(number)


def to_float(value: object) -> float:
    """Read a number from a number or its text."""
    if isinstance(value, float):
        return value
    if isinstance(value, (int, str)) and not isinstance(value, bool):
        try:
            return float(value)
        except ValueError:
            pass
    raise ConversionError("%r is not a number" % (value,))


def to_text(value: object) -> str:
    """Give any value as text; text stays as it is."""
    if isinstance(value, str):
        return value
    if isinstance(value, bytes):
        return value.decode("utf-8", "surrogateescape")
    return str(value)


def to_path(value: object) -> str:
    """Give text with ~ and $VARIABLES replaced, as the host knows them."""
    return os.path.expanduser(os.path.expandvars(to_text(value)))


def to_list(value: object) -> list:
    """Give a list: text is split at commas, a number becomes its only item."""
    if isinstance(value, list):
        return value
    if isinstance(value, (tuple, set, frozenset)):
        return list(value)
    if isinstance(value, str):
        return value.split(",")
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return [str(value)]
    raise ConversionError("%s is not a list" % _kind(value))


def to_dict(value: object) -> dict:
    """Give a mapping: text may be JSON, or words `key=value` parted by commas or spaces."""
    if isinstance(value, dict):
        return value
    if isinstance(value, str):
        text = value.strip()
        if text.startswith("{"):
            import ast  # noqa: PLC0415  # rarely needed on hosts
            import json  # noqa: PLC0415

            for read in (json.loads, ast.literal_eval):
                try:
                    found = read(text)
                except (ValueError, SyntaxError):
                    continue
                if isinstance(found, dict):
                    return found
            raise ConversionError("the text is neither JSON nor a literal mapping")
        if "=" in text:
            return _pairs(text)
    raise ConversionError("%s is not a mapping" % _kind(value))


def _pairs(text: str) -> dict:
    import re  # noqa: PLC0415  # it takes a host 4 ms to load

    pairs = {}
    for word in re.findall(r"""(?:[^\s,"']|"(?:\\.|[^"])*"|'(?:\\.|[^'])*')+""", text):
        key, equals, value = word.partition("=")
        if not equals:
            raise ConversionError("%r has no '='" % word)
        if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
            value = value[1:-1]
        pairs[key] = value
    return pairs


def to_json(value: object) -> str:
    """Give JSON text; text is taken to be JSON already."""
    if isinstance(value, (str, bytes)):
        return to_text(value).strip()
    if isinstance(value, (dict, list, tuple)):
        import json  # noqa: PLC0415  # rarely needed on hosts

        return json.dumps(value)
    raise ConversionError("%s is not JSON" % _kind(value))


_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40, "P": 1 << 50, "E": 1 << 60, "Z": 1 << 70}
_UNITS["Y"] = 1 << 80


def _size(value: object, letter: str, word: str) -> int:
    import re  # noqa: PLC0415  # as above

    match = re.match(r"\s*(\d+(?:\.\d*)?|\.\d+)\s*([A-Za-z]*)\s*$", to_text(value))
    if match:
        number, unit = match.groups()
        prefix = unit[:1].upper() if unit[:1].upper() in _UNITS else ""
        rest = unit[len(prefix) :]
        if rest in ("", letter, "i" + letter) or rest.lower() in (word, word + "s"):
            return round(float(number) * _UNITS[prefix])
    raise ConversionError("%r is not an amount such as 10, 5K or 1.5G%s" % (value, letter))


def to_bytes_count(value: object) -> int:
    """Read an amount of bytes: 10, 10B, 1K, 1.5 GB. Units are powers of 1024."""
    return _size(value, "B", "byte")


def to_bits_count(value: object) -> int:
    """Read an amount of bits: 10, 10b, 1Kb, 1.5 Gb. Units are powers of 1024."""
    return _size(value, "b", "bit")


def _same(value: object) -> object:
    return value


CONVERTERS = {
    "str": to_text,
    "bool": to_bool,
    "int": to_int,
    "float": to_float,
    "list": to_list,
    "dict": to_dict,
    "path": to_path,
    "raw": _same,
    "jsonarg": to_json,
    "json": to_json,
    "bytes": to_bytes_count,
    "bits": to_bits_count,
}

_TYPE_NAMES = {
    "str": "text",
    "bool": "a truth value (true or false)",
    "int": "a whole number",
    "float": "a number",
    "list": "a list",
    "dict": "a mapping",
    "path": "a path",
    "jsonarg": "JSON",
    "json": "JSON",
    "bytes": "an amount of bytes",
    "bits": "an amount of bits",
}

_NEVER_NULL = ("int", "float", "bool", "dict", "list")
"""Types whose values a list may not leave out."""


def _kind(value: object) -> str:
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, (list, tuple)):
        return "a list"
    return repr(value)


def options_of(spec: dict) -> dict:
    """Give all options of a module's table, the common file options included where it asks for them."""
    own = spec.get("options") or spec.get("suboptions") or {}
    if not spec.get("file_options"):
        return own
    merged = dict(FILE_OPTIONS)
    merged.update(own)
    return merged


def is_unset(value: object, option: dict) -> bool:
    """Tell whether `value` says that `option` is not given."""
    return bool((value is None and not option.get("nullable")) or (option.get("blank_unset") and value == ""))


def _never(value: object) -> bool:  # noqa: ARG001  # the default for "is this still a template?"
    return False


class _Check:
    """One walk over arguments: collects faults and warnings, and the secrets it passes."""

    def __init__(self, dynamic: object, complete: bool) -> None:
        self.dynamic = dynamic
        self.complete = complete
        self.faults = []
        self.warnings = []
        self.secrets = []

    def table(self, spec: dict, given: dict, where: str) -> dict:
        """Check `given` against one table and give its arguments: canonical names, converted, defaults filled."""
        options = options_of(spec)
        args = self._names(options, given, where)
        values = {}
        for name, value in args.items():
            values[name] = self._value(options[name], value, where + name)
        self._rules(spec, options, values, where)
        if self.complete:
            for name, option in options.items():
                if name not in values:
                    values[name] = self._default(option, where + name)
        return values

    def _names(self, options: dict, given: dict, where: str) -> dict:
        aliases = {}
        if not all(key in options for key in given):
            aliases = {alias: name for name, option in options.items() for alias in option.get("aliases", ())}
        args = {}
        for key, value in given.items():
            name = aliases.get(key, key)
            if name not in options:
                if not self.dynamic(key):
                    self._unknown(key, options, aliases, where)
            elif is_unset(value, options[name]):
                continue
            elif name in args:
                self.warnings.append(
                    "option %r is given twice, also as %r: the last one counts" % (where + name, where + key)
                )
                args[name] = value
            else:
                args[name] = value
        return args

    def _unknown(self, key: object, options: dict, aliases: dict, where: str) -> None:
        import difflib  # noqa: PLC0415  # only on the way to a failure

        known = sorted(name for name in options if not name.startswith("_"))
        near = difflib.get_close_matches(str(key), known + sorted(aliases), 1, 0.6)
        name = where + str(key)
        message = "%s: %s. Supported parameters include: %s." % (UNKNOWN, name, ", ".join(known))
        self.faults.append(Fault("unknown-option", name, message, "did you mean %r?" % near[0] if near else ""))

    def _default(self, option: dict, where: str) -> object:
        env = option.get("env")
        value = (os.environ.get(env) if env else None) or option.get("default")
        if value is None:
            if option.get("apply_defaults") and option.get("suboptions"):
                return self.table(option, {}, where + ".")
            return None
        return self._value(option, value, where)

    def _value(self, option: dict, value: object, where: str) -> object:
        if value is None or self.dynamic(value):
            return value
        kind = option.get("type", "str")
        if kind not in CONVERTERS:
            kinds = "type %r of option %r is none of: %s" % (kind, where, ", ".join(sorted(CONVERTERS)))
            self.faults.append(Fault("unknown-type", where, kinds, ""))
            return value
        if isinstance(value, bool) and kind == "str":
            value = _word_for(value, option.get("choices") or ())
        try:
            value = CONVERTERS[kind](value)
        except ConversionError as error:
            message = "option %r must be %s" % (where, _TYPE_NAMES[kind])
            self.faults.append(Fault("wrong-type", where, message, str(error)))
            return value
        if option.get("no_log"):
            self.secrets.extend(_texts(value))
        if kind == "list":
            value = self._items(option, value, where)
        elif kind == "dict" and option.get("suboptions"):
            value = self.table(option, value, where + ".")
        self._choice(option, value, where)
        return value

    def _items(self, option: dict, value: list, where: str) -> list:
        kind = option.get("elements")
        if kind is None:
            return value
        inner = {"type": kind}
        for key in ("suboptions", "mutually_exclusive", "required_together", "required_one_of"):
            if key in option:
                inner[key] = option[key]
        for key in ("required_if", "required_by", "apply_defaults", "no_log"):
            if key in option:
                inner[key] = option[key]
        return [self._item(inner, item, "%s[%d]" % (where, index)) for index, item in enumerate(value)]

    def _item(self, option: dict, item: object, where: str) -> object:
        """Give one item of a list. A null is no left out option here: text is empty by it, a number is none."""
        if item is None and option["type"] in ("str", "path"):
            item = ""
        elif item is None and option["type"] in _NEVER_NULL:
            self.faults.append(
                Fault("wrong-type", where, "option %r must be %s" % (where, _TYPE_NAMES[option["type"]]))
            )
        return self._value(option, item, where)

    def _choice(self, option: dict, value: object, where: str) -> None:
        choices = option.get("choices")
        if not choices:
            return
        for item in value if isinstance(value, list) else [value]:
            if item not in choices and not self.dynamic(item):
                import difflib  # noqa: PLC0415  # only on the way to a failure

                near = difflib.get_close_matches(str(item), [str(choice) for choice in choices], 1, 0.6)
                words = ", ".join(str(choice) for choice in choices)
                message = "value of %s must be one of: %s, got: %s" % (where, words, item)
                advice = "did you mean %r?" % near[0] if near else ""
                self.faults.append(Fault("bad-choice", where, message, advice))

    def _rules(self, spec: dict, options: dict, values: dict, where: str) -> None:
        """Judge what options demand of each other. A value that is not known yet may turn out not to be given."""

        def add(code: str, names: list, message: str) -> None:
            self.faults.append(Fault(code, where + names[0] if names else where.rstrip("."), message))

        def spell(names: list, glue: str = ", ") -> str:
            return glue.join(where + name for name in names)

        sure = [name for name, value in values.items() if not self.dynamic(value)]
        missing = [name for name, option in options.items() if option.get("required") and name not in values]
        if missing:
            add("missing-option", missing, "missing required arguments: %s" % spell(missing))
        for group in spec.get("mutually_exclusive", ()):
            given = [name for name in group if name in sure]
            if len(given) > 1:
                add("exclusive-options", given, "parameters are mutually exclusive: %s" % spell(given, "|"))
        for group in spec.get("required_together", ()):
            absent = [name for name in group if name not in values]
            if absent and any(name in sure for name in group):
                add(
                    "missing-option", absent, "options belong together: %s; missing: %s" % (spell(group), spell(absent))
                )
        for group in spec.get("required_one_of", ()):
            if not any(name in values for name in group):
                add("missing-option", group, "one of the following is required: %s" % spell(group))
        for name, needed in spec.get("required_by", {}).items():
            absent = [other for other in ([needed] if isinstance(needed, str) else needed) if other not in values]
            if name in sure and absent:
                add("missing-option", absent, "option %r requires: %s" % (where + name, spell(absent)))
        for rule in spec.get("required_if", ()):
            self._required_if(rule, options, values, where)

    def _required_if(self, rule: list, options: dict, values: dict, where: str) -> None:
        name, wanted, needed = rule[:3]
        actual = values.get(name, options.get(name, {}).get("default"))
        if actual != wanted or self.dynamic(actual):
            return
        absent = [other for other in needed if other not in values and options.get(other, {}).get("default") is None]
        any_of = len(rule) > 3 and rule[3]
        if absent and (not any_of or len(absent) == len(needed)):
            names = ", ".join(where + other for other in absent)
            message = "%s=%s requires %s: %s" % (where + name, wanted, "one of" if any_of else "option", names)
            self.faults.append(Fault("missing-option", where + absent[0], message))


def _word_for(value: bool, choices: object) -> object:
    """Give the choice that YAML has read as a truth value (`upgrade: yes`), if one and only one can be meant."""
    words = STRINGS_TRUE if value else STRINGS_FALSE
    meant = [choice for choice in choices if choice in words]
    return meant[0] if len(meant) == 1 else value


def _texts(value: object) -> list:
    if isinstance(value, dict):
        return [text for item in value.values() for text in _texts(item)]
    if isinstance(value, list):
        return [text for item in value for text in _texts(item)]
    if value is None or isinstance(value, bool) or value == "":
        return []
    return [str(value)]


class Validated:
    """What checking gives: `args` complete and converted, `faults`, `warnings`, and the texts of no_log options."""

    __slots__ = ("args", "faults", "secrets", "warnings")

    def __init__(self, args: dict, faults: list, warnings: list, secrets: list) -> None:
        """Take the four outcomes of a check."""
        self.args = args
        self.faults = faults
        self.warnings = warnings
        self.secrets = secrets


def validate(spec: dict, given: dict, dynamic: object = _never, complete: bool = True) -> Validated:
    """Check arguments against a module's table.

    `given` are the arguments without the internal ones (`_ansible_…`, which are left out here). `dynamic(value)` tells
    that a value is not known yet (a template), so that its type and choice are not judged: for checks before a run.
    Without `complete` no defaults are filled in.
    """
    check = _Check(dynamic, complete)
    plain = {key: value for key, value in given.items() if not str(key).startswith("_ansible_")}
    args = check.table(spec, plain, "")
    return Validated(args, check.faults, check.warnings, check.secrets)
