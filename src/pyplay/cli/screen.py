"""What the person at the terminal sees: reporters, the progress line, questions."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.errors import AuthorError, PyplayError
from pyplay.diagnostics.model import Diagnostic, Severity

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping

    from pyplay.cli.run_log import RunLog
    from pyplay.report.events import Fanout
    from pyplay.report.names import Choice
    from pyplay.report.output import Output
    from pyplay.report.progress import LiveLine
    from pyplay.source.options import RunOptions
    from pyplay.source.settings import Settings
    from pyplay.templating.secrets import SecretTexts
    from pyplay.workers.terminal import Terminal


class Screen:
    """Standard output and error of one command.

    `choose` gives the names of the reporters for the settings; without it they are those of playbooks. `secrets` are
    taken out of what is shown.
    """

    def __init__(
        self,
        settings: Settings,
        options: RunOptions,
        secrets: SecretTexts,
        choose: Callable[[Settings], Choice] | None = None,
    ) -> None:
        self._settings, self._options, self._choose = settings, options, choose
        self._secrets, self._mask = secrets, secrets.mask

    @cached_property
    def _choice(self) -> Choice:
        from pyplay.report.names import choose  # noqa: PLC0415  # listings have nothing to report

        settings = self._settings
        return self._choose(settings) if self._choose else choose(settings.stdout_callback, settings.callbacks_enabled)

    @cached_property
    def reporter(self) -> Fanout:
        """The reporters of this command, as one."""
        from pyplay.report.assembly import Assembly, look_of  # noqa: PLC0415  # listings have nothing to report
        from pyplay.report.events import Fanout  # noqa: PLC0415  # as above
        from pyplay.report.output import Flusher  # noqa: PLC0415  # as above

        fanout = Fanout(prepare=self._masked)

        def warn(diagnostic: Diagnostic) -> None:
            fanout.warn(diagnostic)

        look = look_of(self._settings, self.output, check=self._options.check)
        assembly = Assembly(self.output, look, self._settings, warn)
        shows = self._choice.stdout
        fanout.add(assembly.make(shows), *map(assembly.beside(shows).make, self._choice.beside))
        fanout.add(Flusher(_let_out) if self.live is None else self.live)
        for warning in self._choice.warnings:
            warn(warning)
        return fanout

    def _masked(self, value: Any) -> Any:
        """Return a value of an event without secrets, if there are any."""
        if not self._secrets:
            return value
        from pyplay.report.masking import masked_event  # noqa: PLC0415  # few runs have secrets

        return masked_event(value, self._mask)

    @cached_property
    def output(self) -> Output:
        """Where the reporters' text goes; the progress line makes room for it."""
        from pyplay.report.output import Output  # noqa: PLC0415  # as above

        return Output(
            self._logged(self._tell),
            self._logged(self._complain),
            colour=self.coloured(sys.stdout),
            colour_err=self.coloured(sys.stderr),
            exact=not sys.stdout.isatty(),
            exact_err=not sys.stderr.isatty(),
            verbosity=self._options.verbosity,
            width=_columns(),
            mask=self._mask,
            muted=_muted(self._settings),
            palette=_palette(self._settings),
            diff_context=max(0, self._settings.diff_context),
        )

    def say(self, text: str) -> None:
        """Write finished text to standard output, and into the log."""
        self._logged(self._write)(text)

    def add(self, text: str) -> None:
        """Write finished text beside what the reporters show: to standard error where programs read their output."""
        self._logged(self._complain if self._for_programs else self._write)(text)

    @property
    def _for_programs(self) -> bool:
        """Tell whether programs read what the reporters write: then all else goes to standard error."""
        from pyplay.report.names import FOR_PROGRAMS  # noqa: PLC0415  # listings have nothing to report

        return self._choice.stdout in FOR_PROGRAMS

    @contextmanager
    def keeping_faults(self) -> Generator[None]:
        """Write into the log, too, what ends the command; whoever catches it shows it."""
        try:
            yield
        except AuthorError as error:
            for diagnostic in error.diagnostics:
                self._keep(diagnostic)
            raise
        except PyplayError as error:
            self._keep(Diagnostic("error", str(error)))
            raise

    def _keep(self, diagnostic: Diagnostic) -> None:
        """Write a diagnostic into the log."""
        if self._log is not None:
            from pyplay.diagnostics.render import render_text  # noqa: PLC0415  # only where there is a fault

            self._log.add(render_text(diagnostic))

    @cached_property
    def _log(self) -> RunLog | None:
        """The log of what is shown, where the settings want one; one that cannot be written is a warning."""
        path = self._settings.log_path
        if not path:
            return None
        from pyplay.cli.run_log import RunLog  # noqa: PLC0415  # seldom wanted

        try:
            return RunLog(
                path,
                self._mask,
                on_fault=lambda error: self._tell_no_log(f"the log ends here: cannot write {path}", error),
            )
        except OSError as error:
            self._tell_no_log(f"no log is kept: cannot write {path}", error)
            return None

    def _tell_no_log(self, message: str, error: OSError) -> None:
        from pyplay.report.colour import paint  # noqa: PLC0415  # only where there is a fault
        from pyplay.report.warner import warning_text  # noqa: PLC0415  # as above

        message += f": {error.strerror}"
        fault = Diagnostic("log-path", message, severity=Severity.WARNING, help="see the setting log_path")
        text, colour = warning_text(fault), _palette(self._settings)["warn"]
        self._complain((paint(text, colour) if self.coloured(sys.stderr) else text) + "\n")

    def _logged(self, write: Callable[[str], None]) -> Callable[[str], None]:
        return write if self._log is None else self._log.along(write)

    def _tell(self, text: str) -> None:
        """Write what a reporter says: without a progress line it is let out when all that has come was told."""
        if self.live is not None:
            self.live.write(text)
        else:
            sys.stdout.write(text)

    def _write(self, text: str) -> None:
        self._tell(text)
        _let_out()

    def _complain(self, text: str) -> None:
        if self.live is None:
            _write_err(text)
            return
        with self.live.hidden():
            _write_err(text)

    @cached_property
    def live(self) -> LiveLine | None:
        """The progress line, where there is one."""
        if not self.is_live:
            return None
        from pyplay.report.progress import LiveLine  # noqa: PLC0415  # rich, only on a terminal

        return LiveLine()

    @cached_property
    def terminal(self) -> Terminal:
        """Where questions to the person go; the progress line makes room for them."""
        from pyplay.cli.terminal import QuietTerminal  # noqa: PLC0415  # listings ask nothing
        from pyplay.workers.terminal import ControllerTerminal  # noqa: PLC0415  # as above

        return ControllerTerminal(aside=self._for_programs) if self.live is None else QuietTerminal(self.live)

    def remark(self, text: str) -> None:
        """Show a line for those who want to know more: on standard error, programs read the other."""
        _write_err(f"{self._mask(text)}\n")

    def close(self) -> None:
        """Leave the terminal as it was."""
        if self.live is not None:
            self.live.close()

    @property
    def is_live(self) -> bool:
        """Tell whether a progress line is kept: on a terminal that can."""
        if not sys.stdout.isatty() or os.environ.get("TERM", "dumb") == "dumb":
            return False
        from pyplay.report.names import LIVE  # noqa: PLC0415  # as above

        return self._choice.stdout in LIVE

    def coloured(self, stream: Any) -> bool:
        """Tell whether text to `stream` is coloured: forced, forbidden, or a terminal."""
        if self._settings.force_color:
            return True
        return not self._settings.nocolor and stream.isatty()


def _muted(settings: Settings) -> frozenset[str]:
    """Give the codes and severities of the warnings that the settings turn off."""
    switches = {
        "task-warning": settings.action_warnings,
        Severity.DEPRECATION.value: settings.deprecation_warnings,
        "unsafe-config": settings.system_warnings,
    }
    return frozenset(code for code, wanted in switches.items() if not wanted)


_KINDS = {"diff-": "diff_remove", "diff+": "diff_add", "diff@": "diff_lines"}


def _palette(settings: Settings) -> Mapping[str, str]:
    """Give the colours; most runs take them as they are."""
    from pyplay.report.colour import PALETTE, palette  # noqa: PLC0415  # listings have nothing to report

    names = {kind: f"color_{_KINDS.get(kind, kind)}" for kind in PALETTE}
    named = {kind: getattr(settings, name) for kind, name in names.items() if name in settings.origins}
    return palette(named) if named else PALETTE


def _columns() -> int:
    if not sys.stdout.isatty():
        return 79
    return max(79, os.get_terminal_size(sys.stdout.fileno()).columns - 1)


def _let_out() -> None:
    sys.stdout.flush()


def _write_err(text: str) -> None:
    sys.stdout.flush()
    sys.stderr.write(text)
