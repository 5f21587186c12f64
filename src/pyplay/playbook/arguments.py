"""Which module a task runs and with which arguments, in all the ways that they may be written."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.dataclass import dataclass
from pyplay.diagnostics.late_modules import late_modules
from pyplay.diagnostics.suggest import did_you_mean
from pyplay.playbook import builtin
from pyplay.playbook.fields import describe
from pyplay.playbook.workspace import is_template
from pyplay.source.shapes import is_list, is_map
from pyplay.source.splitter import UnbalancedError, is_one_template, parse_kv, split_spans
from pyplay.source.text import SourceMap, Trusted, origin_of

with late_modules("pyplay.source.text_place"):
    from pyplay.source import text_place

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyplay.diagnostics.model import Origin
    from pyplay.playbook.workspace import Workspace

RAW = "_raw_params"
VARIABLE = "_variable_params"


@dataclass(slots=True, kw_only=True)
class ActionUse:
    """The module that a task names: its arguments raw, and where each of them stands."""

    name: str
    origin: Origin | None
    args: dict[str, Any] = field(default_factory=dict[str, Any])
    origins: dict[str, Origin] = field(default_factory=dict[str, "Origin"])
    local: bool = False
    is_value: bool = False  # named by `action` or `local_action`, whose module is looked for when the task is reached


def read_action(space: Workspace, raw: SourceMap, key: str) -> ActionUse | None:
    """Give the module that key `key` of the task `raw` names; None where it is at fault, which is noted.

    Takes `module: …`, `action: module key=value`, `action: {module: …}` and the same with `local_action`, and `args`.
    """
    value, origin = raw[key], raw.key_origins.get(key) or raw.origin
    local = key == "local_action"
    if is_value := local or key == "action":
        split = _split_action(space, key, value, origin)
        if split is None:
            return None
        name, value = split
        origin = origin_of(raw[key]) or origin
    else:
        name = key
    use = ActionUse(name=name if is_template(name) else str(name), origin=origin, local=local, is_value=is_value)
    if not _take(space, use, value) or not _take_args(space, use, raw):
        return None
    return use


def _split_action(space: Workspace, key: str, value: Any, origin: Origin | None) -> tuple[str, Any] | None:
    if isinstance(value, str) and value.strip():
        name, rest = _first_word(str(value).strip())
        return Trusted(name, origin_of(value)), Trusted(rest, origin_of(value))
    if is_map(value) and isinstance(module := value.get("module"), str):
        space.deprecate("action-mapping", origin_of(value) or origin, key=key)
        given: dict[str, Any] = value
        origins = value.key_origins if isinstance(value, SourceMap) else {}
        rest = SourceMap({k: v for k, v in given.items() if k != "module"}, origin_of(value), origins)
        _merge_args(rest)
        word, text = _first_word(module)
        name = Trusted(word, origin_of(module))
        if text:
            rest.update({k: v for k, v in parse_kv(Trusted(text, origin_of(module))).items() if k not in rest})
        return name, rest
    space.fault(
        "bad-value", f"'{key}' takes the name of a module with its arguments, not {describe(value)}", origin,
        mend="write the module's name as the key: 'module: {option: value}'",
    )  # fmt: skip
    return None


def _first_word(text: str) -> tuple[str, str]:
    """Give the name at the beginning of `text`, a template as a whole, and what follows it."""
    end = next((end for start, end in _words(text) if start == 0), 0) if text.startswith("{{") else 0
    if not end:
        end = len((text.split(maxsplit=1) or [""])[0])
    return text[:end], text[end:].strip()


def _words(text: str) -> list[tuple[int, int]]:
    try:
        return split_spans(text)
    except UnbalancedError:  # told where the arguments are read
        return []


def _merge_args(options: SourceMap) -> None:
    """Put what stands under `args` of `action: {module: …, args: {…}}` beside the options there, which win."""
    inner = options.get("args")
    if not is_map(inner):
        return
    del options["args"]
    origins = inner.key_origins if isinstance(inner, SourceMap) else {}
    for key, value in inner.items():
        if key not in options:
            options[key] = value
            if key in origins:
                options.key_origins[key] = origins[key]


def _take(space: Workspace, use: ActionUse, value: Any) -> bool:
    """Put the value beside a module's name into `use`; tells whether it could."""
    if value is None or value == "":
        return True
    if is_map(value):
        _put(use, value, getattr(value, "key_origins", {}))
        return True
    if not isinstance(value, str):
        if is_list(value):
            space.fault(
                "bad-arguments", f"module '{use.name}' takes a mapping of options, not a list",
                origin_of(value) or use.origin, mend="write 'option: value' lines without '-'",
            )  # fmt: skip
            return False
        value = Trusted(str(value).lower() if isinstance(value, bool) else str(value), use.origin)
    return _take_text(space, use, value)


def _take_text(space: Workspace, use: ActionUse, text: str) -> bool:
    free = builtin.takes_free_form(use.name)
    whole = str(text).strip()
    if not free and is_one_template(whole):
        _take_template(space, use, text)
        return True
    before = len(use.args)
    with space.noting():
        options = builtin.RAW_OPTIONS if builtin.takes_command_line(use.name) else None
        parsed = parse_kv(text, raw_options=options)
        if RAW in parsed and not free and builtin.is_builtin(use.name) and not is_template(parsed[RAW]):
            space.warn(
                "free-form", f"module '{use.name}' takes no free text: the task will fail",
                origin_of(text) or use.origin,
                label=f"'{parsed[RAW]}' is no option", length=len(whole) if "\n" not in whole else 0,
                mend="write options as 'option: value' or option=value, and quote values that hold blanks",
            )  # fmt: skip
        _put(use, parsed, parsed.key_origins)
        return True
    return len(use.args) > before


def _take_args(space: Workspace, use: ActionUse, raw: SourceMap) -> bool:
    """Put what stands under `args` into `use`, beneath what stands beside the module's name."""
    value = raw.get("args")
    if value is None:
        return True
    if is_map(value):
        given: dict[Any, Any] = value
        origins = getattr(value, "key_origins", {})
        _put(use, {k: v for k, v in given.items() if k not in use.args}, origins)
        return True
    if is_template(value):
        _take_template(space, use, value)
        return True
    origin = origin_of(value) or raw.key_origins.get("args")
    space.fault("bad-value", f"'args' takes a mapping, not {describe(value)}", origin)
    return False


def _take_template(space: Workspace, use: ActionUse, template: str) -> None:
    """Take a template that gives all options. Facts that are variables of their own make that unsafe."""
    use.args.setdefault(VARIABLE, template)
    if space.settings.inject_facts_as_vars:
        space.warn(
            "template-args",
            "a template for all options of a task is unsafe: a host's fact may take its variable's place",
            origin_of(template) or use.origin,
            mend="write the options out, or set inject_facts_as_vars = false in ansible.cfg",
        )  # fmt: skip


def _put(use: ActionUse, options: Mapping[Any, Any], origins: Mapping[Any, Origin]) -> None:
    for name, value in options.items():
        origin = origins.get(name)
        use.args[Trusted(name, origin) if is_template(name) else str(name)] = value  # set_fact renders names
        if origin is not None:
            use.origins[str(name)] = origin


def check_options(space: Workspace, use: ActionUse, known: tuple[str, ...]) -> None:
    """Note options of an include or import that it does not have."""
    for name in use.args:
        if name not in known and name not in (RAW, VARIABLE):
            origin, length = text_place.name_place(name, use.args, use.origins)
            space.fault(
                "unknown-option", f"'{use.name}' has no option '{name}'", origin or use.origin,
                length=length, mend=did_you_mean(name, known) or "variables go under 'vars'",
            )  # fmt: skip


def check_meta(space: Workspace, use: ActionUse) -> None:
    """Note a `meta` without a known action."""
    action = use.args.get(RAW)
    if is_template(action):
        return
    if action not in builtin.META_ACTIONS:
        known = builtin.META_ACTIONS
        space.fault(
            "unknown-meta", f"there is no meta action '{action}'" if action else "'meta' names no action",
            origin_of(action) or use.origin, length=len(str(action or "")),
            mend=did_you_mean(str(action), known) or f"there are {', '.join(known)}",
        )  # fmt: skip
