"""The reporter `json`: the whole run as one JSON document, at its end."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.dataclass import dataclass
from pyplay.report.clock import utc_now
from pyplay.report.dump import document
from pyplay.report.quiet import QuietReporter
from pyplay.report.records import custom_records, play_record, result_record, stats_record, task_record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from pyplay.report.events import HostStats, PlayStart, TaskStart
    from pyplay.report.output import Output
    from pyplay.workers.messages import TaskResult


@dataclass(slots=True)
class _Task:
    start: TaskStart
    duration: dict[str, str]
    hosts: dict[str, str] = field(default_factory=dict[str, str])  # the results, as JSON already


@dataclass(slots=True)
class _Play:
    start: PlayStart
    number: int
    duration: dict[str, str]
    tasks: dict[int, _Task] = field(default_factory=dict[int, _Task])


class JsonReporter(QuietReporter):
    """Keeps each result as the text that it will be written as, and writes all of it when the run ends.

    So a run holds its report's size in memory, not a tree of objects many times as large.
    """

    def __init__(self, output: Output, *, indent: int = 4, custom_stats: bool = False) -> None:
        super().__init__(output)
        self._indent, self._custom_stats = indent, custom_stats
        self._plays: list[_Play] = []
        self._task: _Task | None = None

    def play_started(self, play: PlayStart) -> None:
        """Begin the play's entry."""
        self._plays.append(_Play(play, len(self._plays) + 1, {"start": utc_now()}))
        self._task = None

    def task_started(self, task: TaskStart) -> None:
        """Begin the task's entry; one that hosts come to at different times has one entry."""
        super().task_started(task)
        tasks = self._plays[-1].tasks
        self._task = tasks.setdefault(task.id, _Task(task, {"start": utc_now()}))

    def host_ended(self, result: TaskResult, *, action: str) -> None:
        """Keep the host's result."""
        super().host_ended(result, action=action)
        self._keep(result.task_id, result.host, result.result, private=result.private)

    def included(self, path: str, hosts: Sequence[str], label: Any) -> None:
        """Keep that the task was done on the hosts for which it included a file."""
        del path, label
        for host in hosts:
            self._keep(None, host, {"changed": False}, private=False)

    def _keep(self, task_id: int | None, host: str, result: Mapping[str, Any], *, private: bool) -> None:
        task = self._task if task_id is None else self._plays[-1].tasks.get(task_id, self._task)
        if task is None:
            return
        record = result_record(result, task.start.action, private=private, verbosity=self.output.verbosity)
        task.hosts[host] = document(record, indent=self._indent)
        task.duration["end"] = self._plays[-1].duration["end"] = utc_now()

    def run_ended(self, stats: Mapping[str, HostStats], custom: Mapping[str, Any]) -> None:
        """Write the document."""
        records = {**custom_records(custom, shown=self._custom_stats), "stats": stats_record(stats)}
        entries = {key: [document(value, indent=self._indent)] for key, value in records.items()}
        for piece in self._object([*entries.items(), ("plays", self._array(map(self._play, self._plays)))]):
            self.output.out(self.output.mask(piece))
        self.output.out("\n")

    def _play(self, play: _Play) -> Iterator[str]:
        record = document(play_record(play.start, play.number, play.duration), indent=self._indent)
        tasks = self._array(map(self._one_task, play.tasks.values()))
        return self._object([("play", [record]), ("tasks", tasks)])

    def _one_task(self, task: _Task) -> Iterator[str]:
        record = document(task_record(task.start, task.duration), indent=self._indent)
        hosts = self._object([(host, [task.hosts[host]]) for host in sorted(task.hosts)])
        return self._object([("hosts", hosts), ("task", [record])])

    def _object(self, entries: Sequence[tuple[str, Iterable[str]]]) -> Iterator[str]:
        """Give a JSON object in pieces, of keys and values that are JSON in pieces of whole lines."""
        return self._bracketed("{}", ((f"{document(key)}: ", value) for key, value in sorted(entries, key=_key)))

    def _array(self, values: Iterable[Iterable[str]]) -> Iterator[str]:
        return self._bracketed("[]", (("", value) for value in values))

    def _bracketed(self, brackets: str, entries: Iterable[tuple[str, Iterable[str]]]) -> Iterator[str]:
        blanks, separator = " " * self._indent, "\n"
        yield brackets[0]
        for key, value in entries:
            yield f"{separator}{blanks}{key}"
            separator = ",\n"
            for piece in value:
                yield piece.replace("\n", f"\n{blanks}")  # no text of JSON holds a newline as such
        yield "\n" * (separator != "\n") + brackets[1]


def _key(entry: tuple[str, Any]) -> str:
    return entry[0]
