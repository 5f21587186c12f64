"""Rendering what the controller itself evaluates: names, tags, `when` of meta, run_once, throttle, serial."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.errors import AuthorError, PlaybookError
from pyplay.playbook.model import TaskKind
from pyplay.source.text import Trusted, origin_of
from pyplay.templating.omit import OMIT
from pyplay.templating.syntax import is_template
from pyplay.workers.values import KEYWORD, number, truth

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pyplay.engine.context import Variables
    from pyplay.playbook.model import Play, Task

_EXPRESSION = re.compile(r"(\{\{.*?\}\})", re.DOTALL)


class Renderer:
    """Renders raw values of one play for a host, or for no host: then extra vars and the play's vars are seen."""

    def __init__(self, variables: Variables, play: Play) -> None:
        self._variables, self._play = variables, play

    def value(self, raw: Any, host: str | None = None, task: Task | None = None) -> Any:
        """Give `raw` rendered. What holds no template costs nothing. Raises TemplateError."""
        if raw is None or isinstance(raw, (bool, int, float)) or (isinstance(raw, str) and not is_template(raw)):
            return raw
        return self._variables.templar(host, self._play, task).resolve(raw)

    def flag(self, raw: Any, keyword: str, host: str | None = None, task: Task | None = None) -> bool:
        """Give a boolean keyword rendered; unset is false. Raises PlaybookError for what is no boolean."""
        if raw is None or isinstance(raw, bool):
            return bool(raw)
        return truth(self.keyword(raw, keyword, host, task), keyword, origin_of(raw) or self._play.origin)

    def may_be_set(self, task: Task, keyword: str, host: str, *, default: bool) -> bool:
        """Give a flag of `task`; one that cannot be rendered, as it may name the loop's item, counts as set."""
        raw = getattr(task, keyword)
        if raw is None:
            return default
        try:
            return self.flag(raw, keyword, host, task)
        except AuthorError:
            return True

    def number(self, raw: Any, keyword: str, host: str | None = None, task: Task | None = None) -> float:
        """Give a number rendered; unset is 0. Raises PlaybookError for what is no number."""
        if raw is None or isinstance(raw, (int, float)):
            return float(raw or 0)
        return number(self.keyword(raw, keyword, host, task) or 0, keyword, origin_of(raw) or self._play.origin)

    def whole(self, raw: Any, keyword: str, host: str, task: Task) -> int:
        """Give a whole number rendered, omit as 0. Raises AuthorError for what is none."""
        lead = f"Failed to convert the {keyword} value to an integer:"
        try:
            value = self.value(raw, host, task)
            return 0 if value is OMIT else int(value)
        except AuthorError as error:
            raise error.led(lead) from error
        except (TypeError, ValueError) as error:
            raise PlaybookError.of("not-number", f"{lead} {error}", origin_of(raw) or task.origin) from error

    def keyword(self, raw: Any, keyword: str, host: str | None = None, task: Task | None = None) -> Any:
        """Give a keyword's value rendered. Raises AuthorError, its message led by the keyword."""
        try:
            return self.value(raw, host, task)
        except AuthorError as error:
            raise error.led(KEYWORD.format(keyword)) from error

    def conditions(self, when: Iterable[Any], host: str, task: Task) -> bool:
        """Tell whether every condition holds on `host`. Raises TemplateError."""
        conditions = list(when)
        if not conditions:
            return True
        templar = self._variables.templar(host, self._play, task)
        return all(templar.condition(condition) for condition in conditions)

    def tags(self, task: Task) -> list[str]:
        """Give the task's tags: templates rendered, lists flattened, texts with commas split."""
        return [tag for raw in task.tags for tag in self.tag_names(raw, task)]

    def tag_names(self, raw: Any, task: Task | None = None) -> list[str]:
        """Give the tags that one entry of `tags` names."""
        try:
            value = self.value(raw, None, task)
        except AuthorError:
            value = raw  # a tag that needs a host's variables selects nothing, as written
        return [tag for name in flattened(value) for part in str(name).split(",") if (tag := part.strip())]

    def label(self, task: Task, host: str, item_vars: Mapping[str, Any]) -> Any:
        """Give what stands for a loop's item: its rendered label, else the item; None outside of loops."""
        item = item_vars.get(str(item_vars.get("ansible_loop_var", "item")))
        raw = task.loop_control.label if task.loop_control is not None else None
        if raw is None:
            return item
        try:
            return self._variables.templar(host, self._play, task).with_vars(item_vars).resolve(raw)
        except AuthorError:
            return item

    def name(self, task: Task, host: str | None) -> str:
        """Return the name that banners show: the role's in front, templates rendered as far as they can be.

        What cannot be rendered is told in its place. Source: observed with ansible-core 2.21.
        """
        text = task.name
        if text is not None and task.kind is not TaskKind.META and is_template(text):
            try:
                value = self.value(text, host, task)
            except AuthorError:
                value = self._in_parts(text, host, task)
            text = "" if value is None or value is OMIT else str(value)
        text = (text or "").strip() or unnamed(task)
        return task.titled(text)

    def _in_parts(self, text: str, host: str | None, task: Task) -> str:
        """Return `text` with its expressions rendered one by one, what is wrong with one in its place."""
        shown: list[str] = []
        faults = 0
        for part in _EXPRESSION.split(text):
            try:
                shown.append(str(self.value(Trusted(part, origin_of(text)), host, task)))
            except AuthorError as error:
                faults += 1
                shown.append(f"<< error {faults} - {error.diagnostics[0].message} >>")
        return "".join(shown)

    def play_name(self) -> str:
        """Give the play's name rendered, its hosts where it has none. Raises TemplateError."""
        raw = self._play.name if self._play.name is not None else self._play.hosts
        return ",".join(map(str, flattened(self.keyword(raw, "name")))).strip()


def unnamed(task: Task) -> str:
    """Give what stands for a missing name: the action, with the role that it includes as written."""
    if task.kind is TaskKind.INCLUDE_ROLE:
        return f"{task.action} : {task.args.get('name', task.args.get('role', ''))}"
    return task.action


def flattened(value: Any) -> list[Any]:
    """Give the values of nested lists in one list; nothing for None."""
    if isinstance(value, (list, tuple, set)):
        parts = list[Any](value)  # pyright: ignore[reportUnknownArgumentType]  # values are of any type
        return [inner for part in parts for inner in flattened(part)]
    return [] if value is None else [value]
