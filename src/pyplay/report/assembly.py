"""Reporters made by name, with what the settings say about each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.dataclass import dataclass, replace
from pyplay.report.look import Look, ResultFormat
from pyplay.report.names import FOR_PROGRAMS

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyplay.diagnostics.model import Diagnostic
    from pyplay.report.events import Reporter
    from pyplay.report.output import Output
    from pyplay.source.settings import Settings

_NO_BREAK = 1_000_000  # columns

# The modules of the reporters are imported by those who want them: most runs want one.


def look_of(settings: Settings, output: Output, *, check: bool) -> Look:
    """Give the choices that the settings make; `check`: the run is in check mode."""
    form = ResultFormat(
        yaml=settings.callback_result_format == "yaml",
        pretty=settings.callback_format_pretty,
        indent=max(1, settings.callback_result_indentation),
        yaml_width={"default": 80, "no-break": _NO_BREAK}.get(settings.callback_result_yaml_line_width, output.width),
    )
    return Look(
        format=form,
        skipped=settings.display_skipped_hosts,
        ok=settings.display_ok_hosts,
        included=settings.display_included_hosts,
        failed_stderr=settings.display_failed_stderr,
        arguments=settings.display_args_to_stdout,
        custom_stats=settings.show_custom_stats,
        task_path_on_failure=settings.show_task_path_on_failure,
        check_mode_markers=settings.check_mode_markers,
        host_start=settings.show_per_host_start,
        dry_run=check and settings.check_mode_markers,
    )


@dataclass(frozen=True, slots=True)
class Assembly:
    """Makes reporters that write to `output`; those of files tell `warn` what goes wrong."""

    output: Output
    look: Look
    settings: Settings
    warn: Callable[[Diagnostic], None]

    def beside(self, shows: str) -> Assembly:
        """Give what makes those that go with `shows`: on standard error where programs read the output of that."""
        output = self.output
        if shows not in FOR_PROGRAMS:
            return self
        aside = replace(output, out=output.err, colour=output.colour_err, exact=output.exact_err)
        return replace(self, output=aside)

    def make(self, name: str) -> Reporter:
        """Give the reporter `name`, one of `names.SHOWING` and `names.BESIDE`."""
        return getattr(self, f"_{name}")()

    def _default(self, **changes: Any) -> Reporter:
        from pyplay.report.text import TextReporter  # noqa: PLC0415

        return TextReporter(self.output, replace(self.look, **changes))

    def _yaml(self) -> Reporter:
        return self._default(format=replace(self.look.format, yaml=True))

    def _debug(self) -> Reporter:
        return self._default(format=replace(self.look.format, sections=True))

    def _unixy(self) -> Reporter:
        from pyplay.report.unixy import UnixyReporter  # noqa: PLC0415

        return UnixyReporter(self.output, self.look)

    def _dense(self) -> Reporter:
        from pyplay.report.dense import DenseReporter  # noqa: PLC0415

        return DenseReporter(self.output)

    def _skippy(self) -> Reporter:
        return self._default(skipped=False)

    def _actionable(self) -> Reporter:
        return self._default(skipped=False, ok=False)

    def _stderr(self) -> Reporter:
        return self._default(failed_stderr=True)

    def _default_without_diff(self) -> Reporter:
        return self._default(diffs=False)

    def _minimal(self) -> Reporter:
        from pyplay.report.minimal import MinimalReporter  # noqa: PLC0415

        return MinimalReporter(self.output, self.look)

    def _oneline(self) -> Reporter:
        from pyplay.report.oneline import OneLineReporter  # noqa: PLC0415

        return OneLineReporter(self.output, self.look)

    def _null(self) -> Reporter:
        from pyplay.report.quiet import QuietReporter  # noqa: PLC0415

        return QuietReporter(self.output)

    def _json(self) -> Reporter:
        from pyplay.report.json_document import JsonReporter  # noqa: PLC0415

        return JsonReporter(self.output, indent=max(1, self.settings.json_indent), custom_stats=self.look.custom_stats)

    def _jsonl(self) -> Reporter:
        from pyplay.report.json_lines import JsonLinesReporter  # noqa: PLC0415

        return JsonLinesReporter(self.output, custom_stats=self.look.custom_stats)

    def _tree(self) -> Reporter:
        from pyplay.report.tree import TreeReporter  # noqa: PLC0415

        return TreeReporter(self.output, self.settings.tree_directory, self.warn)

    def _timer(self) -> Reporter:
        from pyplay.report.timer import TimerReporter  # noqa: PLC0415

        return TimerReporter(self.output)

    def _profile_tasks(self) -> Reporter:
        from pyplay.report.profile_tasks import ProfileOptions, ProfileTasksReporter  # noqa: PLC0415

        settings = self.settings
        limit = settings.profile_tasks_output_limit
        options = ProfileOptions(
            day_time=settings.profile_tasks_datetime_format,
            limit=int(limit) if limit.isdecimal() else None,
            order=settings.profile_tasks_sort_order,
            summary_only=settings.profile_tasks_summary_only,
        )
        return ProfileTasksReporter(self.output, options)

    def _profile_roles(self) -> Reporter:
        from pyplay.report.profile_roles import ProfileRolesReporter  # noqa: PLC0415

        return ProfileRolesReporter(self.output, summary_only=self.settings.profile_roles_summary_only)

    def _junit(self) -> Reporter:
        from pyplay.report.junit import JunitOptions, JunitReporter  # noqa: PLC0415

        settings = self.settings
        options = JunitOptions(
            directory=settings.junit_output_dir,
            task_class=settings.junit_task_class,
            relative_to=settings.junit_task_relative_path,
            out_of_tree=settings.junit_replace_out_of_tree_path,
            fail_on_change=settings.junit_fail_on_change,
            fail_on_ignore=settings.junit_fail_on_ignore,
            facts=settings.junit_include_setup_tasks_in_report,
            hide_arguments=settings.junit_hide_task_arguments,
            prefix=settings.junit_test_case_prefix,
        )
        return JunitReporter(self.output, options, self.warn)
