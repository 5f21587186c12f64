"""The reporter `junit`: each task on each host as a test case, in an XML file that CI servers read."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape, quoteattr

from pyplay.diagnostics.dataclass import dataclass
from pyplay.diagnostics.model import Diagnostic, Severity
from pyplay.report.arguments import arguments_text
from pyplay.report.blame import why
from pyplay.report.dump import dump
from pyplay.report.events import Reporter, TaskStart
from pyplay.report.places import line_of
from pyplay.report.shown import CENSORED, censored, clean, printable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pyplay.report.events import HostStats, PlayStart
    from pyplay.report.output import Output
    from pyplay.workers.messages import TaskResult

_GATHERING = frozenset({"ansible.builtin.setup", "ansible.builtin.gather_facts"})


@dataclass(frozen=True, slots=True, kw_only=True)
class JunitOptions:
    """What is reported and how. Source: the options of Ansible's callback `junit`."""

    directory: str
    task_class: bool = False  # the class of a test is its file, not its line
    relative_to: str | None = None  # paths are relative to this directory
    out_of_tree: str | None = None  # stands for the directory of files outside of it
    fail_on_change: bool = False
    fail_on_ignore: bool = False
    facts: bool = True  # tasks that gather facts count, too
    hide_arguments: bool = False
    prefix: str = ""  # only tasks whose name begins like this


@dataclass(slots=True)
class _Case:
    """One test case. `body` is the element that says how it went, as XML."""

    classname: str
    name: str
    seconds: float
    outcome: str
    body: str


class JunitReporter(Reporter):
    """Keeps the cases, as the text that is written when the run ends; what cannot be written is told to `warn`."""

    def __init__(self, output: Output, options: JunitOptions, warn: Callable[[Diagnostic], None]) -> None:
        self._output, self._options, self._warn = output, options, warn
        self._suite, self._play = "playbook", ""
        self._task = TaskStart(name="")
        self._began = 0.0
        self._tasks: dict[int, tuple[TaskStart, float]] = {}
        self._cases: list[_Case] = []

    def run_started(self, playbooks: Sequence[str]) -> None:
        """Take the name of the playbook: the suite has it."""
        if playbooks:
            self._suite = os.path.splitext(os.path.basename(playbooks[0]))[0]  # noqa: PTH119, PTH122  # plain text

    def play_started(self, play: PlayStart) -> None:
        """Take the play's name: those of its tests begin with it."""
        self._play = play.name
        self._tasks.clear()

    def task_started(self, task: TaskStart) -> None:
        """Take the time."""
        self._task, self._began = task, time.monotonic()
        self._tasks.setdefault(task.id, (task, self._began))

    def included(self, path: str, hosts: Sequence[str], label: Any) -> None:
        """Keep a case for the inclusion on each host, and one that names the file."""
        del label
        for host in hosts:
            self._keep(self._task, self._began, host, "ok", _output_element(dump({"changed": False})))
        text = f"{path}: [{', '.join(hosts)}]"
        self._keep(self._task, self._began, "include", "ok", _output_element(text))

    def host_ended(self, result: TaskResult, *, action: str) -> None:
        """Keep a case for the task on the host."""
        if action in _GATHERING and not self._options.facts:
            return
        task, began = self._tasks.get(result.task_id, (self._task, self._began))
        outcome, body = self._outcome(result, action)
        self._keep(task, began, result.host, outcome, body)

    def _outcome(self, result: TaskResult, action: str) -> tuple[str, str]:
        values = censored(result.result, private=result.private)
        if result.skipped:
            reason = "" if result.private else str(values.get("skip_reason") or values.get("msg") or "")
            return "skipped", f"<skipped>{_text(reason or 'skipped')}</skipped>"
        shown = dump(clean(values, verbosity=self._output.verbosity, action=action), indent=1)
        if (result.failed or result.unreachable) and (not result.ignored or self._options.fail_on_ignore):
            message = CENSORED if result.private else why(result.result)
            return "error", f'<error message={_attribute(message)} type="error">{_text(shown)}</error>'
        if result.changed and self._options.fail_on_change:
            return "failure", f'<failure message="changed" type="failure">{_text(shown)}</failure>'
        return "ok", _output_element(shown)

    def _keep(self, task: TaskStart, began: float, host: str, outcome: str, body: str) -> None:
        if not task.name.rpartition(" : ")[2].startswith(self._options.prefix):
            return
        arguments = "" if self._options.hide_arguments else arguments_text(task)
        name = f"[{host}] {self._play}: {task.name} {arguments}".rstrip()
        self._cases.append(_Case(self._classname(task), name, time.monotonic() - began, outcome, body))

    def _classname(self, task: TaskStart) -> str:
        options = self._options
        path = line_of(task.path)
        if options.relative_to:
            path = os.path.relpath(path, os.path.expanduser(options.relative_to))  # noqa: PTH111  # plain text
            if options.out_of_tree is not None and path.startswith(os.pardir + os.sep):
                path = options.out_of_tree + os.path.basename(path)  # noqa: PTH119  # plain text
        return os.path.splitext(path.rpartition(":")[0])[0] if options.task_class else path  # noqa: PTH122  # plain text

    def run_ended(self, stats: Mapping[str, HostStats], custom: Mapping[str, Any]) -> None:
        """Write the file: its name is the playbook's with the time."""
        del stats, custom
        directory = os.path.expanduser(self._options.directory)  # noqa: PTH111  # plain text
        path = os.path.join(directory, f"{self._suite}-{time.time()}.xml")  # noqa: PTH118  # plain text
        try:
            os.makedirs(directory, exist_ok=True)  # noqa: PTH103  # plain text
            with open(path, "w", encoding="utf-8") as stream:  # noqa: PTH123  # plain text
                stream.writelines(self._output.mask(line) for line in self._document())
        except OSError as error:
            text = f"no test report is written to {path}: {error.strerror or error}"
            help_ = "name a directory that can be written with JUNIT_OUTPUT_DIR"
            self._warn(Diagnostic("junit", text, severity=Severity.WARNING, help=help_))

    def _document(self) -> Sequence[str]:
        cases = self._cases
        count = {kind: sum(case.outcome == kind for case in cases) for kind in ("error", "failure", "skipped")}
        seconds = sum(case.seconds for case in cases)
        common = f'disabled="0" errors="{count["error"]}" failures="{count["failure"]}"'
        figures = f'tests="{len(cases)}" time="{seconds:.6f}"'
        suite = f'<testsuite {common} name={_attribute(self._suite)} skipped="{count["skipped"]}" {figures}>'
        return [
            '<?xml version="1.0" encoding="utf-8"?>\n',
            f"<testsuites {common} {figures}>\n\t{suite}\n",
            *map(_element, cases),
            "\t</testsuite>\n</testsuites>\n",
        ]


def _element(case: _Case) -> str:
    head = f'classname={_attribute(case.classname)} name={_attribute(case.name)} time="{case.seconds:.6f}"'
    return f"\t\t<testcase {head}>\n\t\t\t{case.body}\n\t\t</testcase>\n"


def _output_element(text: str) -> str:
    return f"<system-out>{_text(text)}</system-out>"


def _attribute(text: str) -> str:
    return quoteattr(printable(text), {"\n": "&#10;", "\t": "&#9;"})


def _text(text: str) -> str:
    return escape(printable(text))
