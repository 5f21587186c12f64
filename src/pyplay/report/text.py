"""The default reporter: what an `ansible-playbook` user knows, line for line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.model import Diagnostic, Origin, Severity
from pyplay.diagnostics.render import render_text
from pyplay.report.format import CENSORED, CENSORED_ITEM, banner, clean, diff_text, dump, excerpt, paint, printable
from pyplay.workers.messages import JobState

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pyplay.report.events import HostStats
    from pyplay.workers.messages import ItemResult, JobReport, TaskResult


class TextReporter:
    """Writes the run as text.

    `out` and `err` take finished text (with newline) for standard output and error; `mask` removes secrets from what is
    shown; `width` is the number of columns banners fill; `verbosity` counts -v.
    """

    def __init__(
        self,
        out: Callable[[str], object],
        err: Callable[[str], object],
        *,
        colour: bool = False,
        colour_err: bool = False,
        verbosity: int = 0,
        width: int = 79,
        mask: Callable[[str], str] = str,
        display_skipped: bool = True,
        display_ok: bool = True,
    ) -> None:
        self._out, self._err = out, err
        self._colour, self._colour_err = colour, colour_err
        self._verbosity, self._width, self._mask = verbosity, width, mask
        self._display_skipped, self._display_ok = display_skipped, display_ok
        self._warned: set[tuple[str, str]] = set()
        self._blamed: set[str] = set()
        self._task_name = ""
        self._task_path = ""
        self._pending = ""
        self._items_shown: set[str] = set()

    # -- the run -------------------------------------------------------------------------------------------------

    def run_started(self, playbooks: Sequence[str]) -> None:
        """Name the playbooks at -vv."""
        if self._verbosity >= 2:
            for playbook in playbooks:
                self._line(f"\n{banner(printable(f'PLAYBOOK: {playbook}'), self._width)}")

    def play_started(self, name: str, hosts: Sequence[str]) -> None:
        """Write the play's banner."""
        del hosts
        self._line(f"\n{banner(printable(f'PLAY [{name}]') if name else 'PLAY', self._width)}")

    def no_hosts_matched(self) -> None:
        """Say that the play is skipped."""
        self._line("skipping: no hosts matched", "skip")

    def no_hosts_remaining(self) -> None:
        """Say that no host is left."""
        self._line(f"\n{banner('NO MORE HOSTS LEFT', self._width)}")

    def task_started(self, name: str, *, handler: bool, path: str, check_mode: bool) -> None:
        """Prepare the task's banner; it is written with the first line that follows."""
        del check_mode
        self._task_name, self._task_path = name, path
        self._blamed.clear()
        self._items_shown.clear()
        kind = "RUNNING HANDLER" if handler else "TASK"
        self._pending = f"\n{banner(printable(f'{kind} [{name}]'), self._width)}"
        if self._verbosity >= 2 and path:
            self._pending += f"\ntask path: {path.rpartition(':')[0]}"
        if self._display_skipped and self._display_ok:
            self._flush_banner()

    def host_started(self, host: str) -> None:
        """Nothing is written when a host begins."""

    def included(self, path: str, hosts: Sequence[str], label: Any) -> None:
        """Name the included file and its hosts."""
        text = printable(f"included: {path} for {', '.join(hosts)}")
        self._line(f"{text} => (item={self._shown(label)})" if label is not None else text, "skip")

    def run_ended(self, stats: Mapping[str, HostStats], custom: Mapping[str, Any]) -> None:
        """Write the recap, one line per host in order of name."""
        self._line(f"\n{banner('PLAY RECAP', self._width)}")
        for host in sorted(stats):
            self._line(self._recap(host, stats[host]))
        self._line("")
        if custom:
            self._line(f"{banner('CUSTOM STATS:', self._width)}")
            for name in sorted(custom):
                self._line(printable(f"\t{'RUN' if name == '_run' else name}: {dump(custom[name])}"))
            self._line("")

    def _recap(self, host: str, s: HostStats) -> str:
        colour = "error" if s.failed or s.unreachable else "changed" if s.changed else "ok"
        counts = (("ok", s.ok, "ok"), ("changed", s.changed, "changed"), ("unreachable", s.unreachable, "unreachable"),
                  ("failed", s.failed, "error"), ("skipped", s.skipped, "skip"), ("rescued", s.rescued, "ok"),
                  ("ignored", s.ignored, "warn"))  # fmt: skip
        figures = " ".join(self._painted(f"{name}={n:<4}", tint) if n else f"{name}={n:<4}" for name, n, tint in counts)
        shown = printable(host)
        return f"{self._painted(shown, colour)}{' ' * (26 - len(shown))} : {figures}"

    # -- results -------------------------------------------------------------------------------------------------

    def item_ended(self, item: ItemResult, *, action: str) -> None:
        """Write the line of a loop item, or of an `until` attempt that failed."""
        host = _hosts(item)
        result = item.result
        if item.retry:
            left = int(result.get("retries") or 0) - int(result.get("attempts") or 0)
            text = f"FAILED - RETRYING: [{host}]: {self._task_name} ({left} retries left)."
            self._line(text + self._attempted(item), "verbose")
            return
        self._items_shown.add(item.host)
        self._show_warnings(result)
        label = CENSORED_ITEM if item.private else self._shown(_label(item))
        shown = _without_item(result) if item.label is not None and not self._verbosity else result
        shown = {"censored": CENSORED, "changed": bool(result.get("changed"))} if item.private else shown
        if result.get("unreachable"):
            self._blame(item.private, result)
            self._line(f"fatal: [{host}]: UNREACHABLE! => (item={label}) => {self._json(shown, action)}", "unreachable")
        elif result.get("failed"):
            self._blame(item.private, result)
            self._line(f"failed: [{host}] (item={label}) => {self._json(shown, action)}", "error")
        elif result.get("skipped"):
            if self._display_skipped:
                self._line(f"skipping: [{host}] => (item={label}) {self._dumped(shown, action, always=False)}", "skip")
        else:
            self._show_diff(result, private=item.private)
            word = "changed" if result.get("changed") else "ok"
            if word == "changed" or self._display_ok:
                always = not item.private and _verbose(result)
                self._line(f"{word}: [{host}] => (item={label}){self._dumped(shown, action, always=always)}", word)

    def _attempted(self, item: ItemResult) -> str:
        """Give what came of an attempt, where that is shown: of debug and its like always, else from -vvv on."""
        result = item.result
        if self._verbosity < 3 and (item.private or not _verbose(result)):
            return ""
        if item.private:
            kept = {key: result[key] for key in ("attempts", "retries") if key in result}
            result = {**kept, "censored": CENSORED, "changed": bool(result.get("changed"))}
        return f"Result was: {self._json(result, '', pretty=True)}"

    def job_asked(self, report: JobReport) -> None:
        """Write how a task in the background stands."""
        line = f"ASYNC {report.state.name} on {printable(report.host)}: jid={printable(report.job)}"
        if report.state is JobState.POLL:
            line += f" started={report.started} finished={report.finished}"
        self._line(line, "verbose" if report.state is not JobState.FAILED else "error")

    def host_ended(self, result: TaskResult, *, action: str) -> None:
        """Write the line of a host's result; of a loop only what its items did not say."""
        host = _hosts(result)
        shown = {"censored": CENSORED, "changed": result.changed} if result.private else result.result
        items_said_it = result.looped and result.host in self._items_shown
        if not items_said_it:
            self._show_warnings(result.result)
        if result.unreachable and not items_said_it:
            self._blame(result.private, result.result)
            self._line(f"fatal: [{host}]: UNREACHABLE! => {self._json(shown, action)}", "unreachable")
        elif result.failed:
            if items_said_it and _failed_items(result.result) and _is_debug(action) and not result.private:
                self._line(f"fatal: [{host}]: FAILED! => {self._json(shown, action)}", "error")  # as core
            elif not items_said_it or not _failed_items(result.result):
                self._blame(result.private, result.result)
                self._line(f"fatal: [{host}]: FAILED! => {self._json(shown, action)}", "error")
        elif result.skipped:
            if self._display_skipped:
                rest = {key: value for key, value in shown.items() if key != "results"} if result.looped else shown
                self._line(f"skipping: [{host}]{self._dumped(rest, action, always=False)}", "skip")
        elif not items_said_it and not result.includes:
            self._ok(host, result, shown, action)
        if result.ignored:
            self._line("...ignoring", "skip")

    def _ok(self, host: str, result: TaskResult, shown: Mapping[str, Any], action: str) -> None:
        if result.diff:
            self._show_diff(result.result, private=result.private)
        word = "changed" if result.changed else "ok"
        if word == "changed" or self._display_ok:
            always = not result.private and _verbose(result.result)
            self._line(f"{word}: [{host}]{self._dumped(shown, action, always=always)}", word)

    # -- warnings and errors -------------------------------------------------------------------------------------

    def warn(self, diagnostic: Diagnostic) -> None:
        """Write a warning to standard error, once per message and place."""
        key = (diagnostic.message, str(diagnostic.origin or ""))
        if key in self._warned:
            return
        self._warned.add(key)
        deprecated = diagnostic.severity is Severity.DEPRECATION
        text = f"[{'DEPRECATION WARNING' if deprecated else 'WARNING'}]: {diagnostic.message}"
        below = render_text(diagnostic).split("\n")[diagnostic.message.count("\n") + 1 :]
        text = "\n".join([text, *below])
        self._err(paint(self._safe(text), "deprecate" if deprecated else "warn", on=self._colour_err) + "\n")

    def _show_warnings(self, result: Mapping[str, Any]) -> None:
        origin = _origin(self._task_path)
        for text in result.get("warnings") or ():
            self.warn(Diagnostic("task-warning", str(text), origin, severity=Severity.WARNING))
        for entry in result.get("deprecations") or ():
            text = entry.get("msg") if isinstance(entry, dict) else entry  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]  # any JSON-like value
            self.warn(Diagnostic("task-deprecation", str(text), origin, severity=Severity.DEPRECATION))  # pyright: ignore[reportUnknownArgumentType]  # as above

    def _blame(self, private: bool, result: Mapping[str, Any]) -> None:  # noqa: FBT001  # the one fact that matters here
        """Show once per task and message where the failing task stands."""
        message = "" if private else _why(result)
        if message in self._blamed or not self._task_path:
            return
        self._blamed.add(message)
        first = printable(message.strip().split("\n", 1)[0])
        where = excerpt(_origin(str(result.get("_ansible_origin") or self._task_path)))
        head = f"[ERROR]: Task failed: {first.removeprefix('Task failed: ')}" if first else "[ERROR]: Task failed."
        self._line(f"{head}\n{where}" if where else head, "error")

    # -- pieces --------------------------------------------------------------------------------------------------

    def _show_diff(self, result: Mapping[str, Any], *, private: bool) -> None:
        if private or not result.get("diff") or not result.get("changed"):
            return
        text = diff_text(result["diff"], colour=self._colour)
        if text:
            self._flush_banner()
            self._out(self._mask(text))

    def _dumped(self, result: Mapping[str, Any], action: str, *, always: bool) -> str:
        if not always and self._verbosity < 1:
            return ""
        return f" => {self._json(result, action, pretty=always)}"

    def _json(self, result: Mapping[str, Any], action: str, *, pretty: bool | None = None) -> str:
        if pretty is None:
            pretty = bool(result.get("_ansible_verbose_always"))
        shown = clean(result, verbosity=self._verbosity, action=action)
        return printable(dump(shown, indent=4 if pretty or self._verbosity > 2 else None))

    def _shown(self, value: Any) -> str:
        return printable(str(value))

    def _painted(self, text: str, colour: str) -> str:
        return paint(text, colour, on=self._colour)

    def _safe(self, text: str) -> str:
        return self._mask(printable(text))

    def _flush_banner(self) -> None:
        if self._pending:
            self._out(self._mask(self._pending) + "\n")
            self._pending = ""

    def _line(self, text: str, colour: str = "") -> None:
        self._flush_banner()
        text = self._mask(text)
        self._out((paint(text, colour, on=True) if colour and self._colour else text) + "\n")


def _hosts(result: ItemResult | TaskResult) -> str:
    delegate, address = result.delegate, result.delegate_address
    if not delegate or delegate == result.host:
        return printable(result.host)
    shown = f"{delegate}({address})" if address and address != delegate else delegate
    return printable(f"{result.host} -> {shown}")


def _label(item: ItemResult) -> Any:
    if item.label is not None:
        return item.label
    return item.result.get(str(item.result.get("ansible_loop_var", "item")))


def _without_item(result: Mapping[str, Any]) -> dict[str, Any]:
    """Give the result without the loop's variables: a label is set to keep the item out of sight."""
    hidden = {str(result.get("ansible_loop_var", "item")), "ansible_loop", "ansible_loop_var"}
    return {key: value for key, value in result.items() if key not in hidden and key != "invocation"}


def _why(result: Mapping[str, Any]) -> str:
    """Give why a result failed: the module's message does not say so where failed_when decided."""
    if result.get("failed_when_result") is True:
        return "failed_when is true"
    return str(result.get("msg") or "")


def _failed_items(result: Mapping[str, Any]) -> bool:
    return any(item.get("failed") for item in result.get("results") or ())


def _is_debug(action: str) -> bool:
    return action.rpartition(".")[2] == "debug"


def _verbose(result: Mapping[str, Any]) -> bool:
    return bool(result.get("_ansible_verbose_always"))


def _origin(path: str) -> Origin | None:
    """Give the origin that `file:line:column` spells."""
    file, _, rest = path.partition(":")
    parts = path.rsplit(":", 2)
    if len(parts) == 3 and parts[1].isdigit() and parts[2].isdigit():
        return Origin(parts[0], int(parts[1]), int(parts[2]))
    return Origin(file, int(rest)) if rest.isdigit() else Origin(path) if path else None
