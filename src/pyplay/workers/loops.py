"""The items of a task's loop, and the variables that each item sees."""

from __future__ import annotations

import operator
from dataclasses import field
from typing import TYPE_CHECKING, Any, cast

from pyplay.diagnostics.dataclass import dataclass
from pyplay.diagnostics.errors import PlaybookError
from pyplay.playbook.fields import NAMES, invalid_name, is_variable_name
from pyplay.source.text import origin_of
from pyplay.templating.scope import MISSING
from pyplay.templating.syntax import has_template
from pyplay.workers.values import number, resolve_keyword, truth

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyplay.playbook.model import LoopControl, Task
    from pyplay.templating.templar import Templar

_SPELLED = (
    "{}: the template gives text that spells a list; it is taken as that list. "
    "One expression that gives a list, without text around it, says the same"
)


@dataclass(frozen=True, slots=True)
class Loop:
    """The items of one loop on one host, evaluated, and the rendered `loop_control`."""

    items: list[Any]
    loop_var: str = "item"
    index_var: str | None = None
    extended: bool = False
    allitems: bool = True
    warnings: list[str] = field(default_factory=list[str])

    def variables(self) -> Iterator[dict[str, Any]]:
        """Give for each item the variables it sees: the item, its index, `ansible_loop`."""
        for index, item in enumerate(self.items):
            found: dict[str, Any] = {self.loop_var: item, "ansible_loop_var": self.loop_var}
            if self.index_var:
                found["ansible_index_var"] = self.index_var
                found[self.index_var] = index
            if self.extended:
                found["ansible_loop"] = self._extended(index)
            yield found

    def _extended(self, index: int) -> dict[str, Any]:
        length = len(self.items)
        found: dict[str, Any] = {
            "index": index + 1,
            "index0": index,
            "first": index == 0,
            "last": index + 1 == length,
            "length": length,
            "revindex": length - index,
            "revindex0": length - index - 1,
        }
        if self.allitems:
            found["allitems"] = self.items
        if index:
            found["previtem"] = self.items[index - 1]
        if index + 1 < length:
            found["nextitem"] = self.items[index + 1]
        return found


def has_loop(task: Task) -> bool:
    """Tell whether `task` has `loop` or `with_X`."""
    return task.loop_with is not None or task.loop is not None


def evaluate_loop(task: Task, templar: Templar) -> Loop:
    """Give the loop of `task`. Raises PlaybookError and what rendering raises."""
    warnings: list[str] = []
    items_of = _loop_items if task.loop_with is None else _lookup_items
    items = items_of(task, templar, warnings)
    control = task.loop_control
    if control is None:
        return Loop(items, warnings=warnings + _shadowing("item", templar))
    loop_var = _name(control, templar, control.loop_var, "loop_var")
    number(resolve_keyword(templar, control.pause, "pause"), "pause")
    return Loop(
        items,
        loop_var=loop_var,
        index_var=_name(control, templar, control.index_var, "index_var") if control.index_var else None,
        extended=truth(resolve_keyword(templar, control.extended, "extended"), "extended"),
        allitems=truth(resolve_keyword(templar, control.extended_allitems, "extended_allitems"), "extended_allitems"),
        warnings=warnings + _shadowing(loop_var, templar),
    )


def _name(control: LoopControl, templar: Templar, raw: Any, keyword: str) -> str:
    name = resolve_keyword(templar, raw, keyword)
    if not is_variable_name(name):
        origin = origin_of(raw) or control.origin
        raise PlaybookError.of("loop-variable", f"Invalid '{keyword}': {invalid_name(name)}", origin, help=NAMES)
    return str(name)


def _shadowing(loop_var: str, templar: Templar) -> list[str]:
    """Warn where an outer loop's variable of the same name is hidden."""
    if templar.scope.get(loop_var) is not MISSING:
        return [
            f"the loop variable {loop_var!r} hides a variable of the same name; loop_control.loop_var names another"
        ]
    return []


def _lookup_items(task: Task, templar: Templar, warnings: list[str]) -> list[Any]:
    given, resolve = task.loop, templar.resolve_defined if _passes_over(str(task.loop_with)) else templar.resolve
    terms = resolve(given)
    if isinstance(given, list) and isinstance(terms, list):
        raws, values = cast("list[Any]", given), cast("list[Any]", terms)
        if len(raws) != len(values):
            return templar.lookup(str(task.loop_with), values)
        read = [_read(raw, value) for raw, value in zip(raws, values, strict=False)]
        texts = any(map(operator.is_not, read, values))
    else:
        read = _read(given, terms)
        texts = read is not terms
    if texts:
        warnings.append(_SPELLED.format(f"with_{task.loop_with}"))
        terms = read
    found = templar.lookup(str(task.loop_with), cast("list[Any]", terms) if isinstance(terms, list) else [terms])
    return [list(cast("tuple[Any, ...]", item)) if isinstance(item, tuple) else item for item in found]


def _passes_over(lookup: str) -> bool:
    """Whether `lookup`, in a loop, leaves out candidates that are undefined. Source: seen with ansible-core 2.21."""
    return lookup.removeprefix("ansible.builtin.").removeprefix("ansible.legacy.") == "first_found"


def _read(raw: Any, value: Any) -> Any:
    """Give what the text of a template spells, as ansible-core up to 2.18 took it; anything else as it is."""
    if isinstance(value, str) and isinstance(raw, str) and has_template(raw):
        found = _spelled(value)
        return value if found is None else found
    return value


def _loop_items(task: Task, templar: Templar, warnings: list[str]) -> list[Any]:
    found = templar.resolve(task.loop)
    if isinstance(found, (list, tuple)):
        return list(found)  # pyright: ignore[reportUnknownArgumentType]  # items are of any type
    spelled = _spelled(found) if isinstance(found, str) else None
    if isinstance(spelled, list):
        warnings.append(_SPELLED.format("loop"))
        return spelled
    listed = "write a list, or one template that gives a list"
    mend = "its items are `… | dict2items`" if isinstance(found, dict) else listed
    message = f"loop needs a list, this is a {_kind(found)}"
    raise PlaybookError.of("loop-not-list", message, origin_of(task.loop) or task.origin, help=mend)


def _spelled(text: str) -> list[Any] | dict[Any, Any] | None:
    """Give the list or mapping that `text` spells as a literal of Python or JSON, None if it spells none."""
    text = text.strip()
    if text[:1] not in ("[", "{"):
        return None
    from pyplay.workers.spelled import literal  # noqa: PLC0415  # `ast`, for what few templates give

    return literal(text)


def _kind(value: Any) -> str:
    names = {
        "dict": "mapping",
        "str": "text",
        "NoneType": "null",
        "int": "number",
        "float": "number",
        "bool": "boolean",
    }
    return next((names[k.__name__] for k in type(value).__mro__ if k.__name__ in names), type(value).__name__)
