"""What the default reporter and its like show, as the settings say."""

from __future__ import annotations

from dataclasses import field

from pyplay.diagnostics.dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultFormat:
    """How the values of results are written.

    `pretty`: over several lines always, never, or (None) for what is verbose anyway; in YAML, False means that nothing
    is left out or changed for reading. `yaml_width` is where YAML breaks lines, in columns.
    """

    yaml: bool = False
    pretty: bool | None = None
    indent: int = 4
    yaml_width: int = 80
    sections: bool = False  # outputs and messages as text below the values


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """The choices that a user has. Source: the options of Ansible's callback `default`."""

    format: ResultFormat = field(default_factory=ResultFormat)
    skipped: bool = True  # hosts that were skipped
    ok: bool = True  # hosts on which nothing changed
    included: bool = True  # the hosts for which a file was included
    diffs: bool = True
    failed_stderr: bool = False  # failures go to standard error
    arguments: bool = False  # those of tasks, in their banners
    custom_stats: bool = False  # what set_stats collected
    task_path_on_failure: bool = False
    check_mode_markers: bool = False
    host_start: bool = False  # a line when a host begins a task
    dry_run: bool = False  # say at the start and at the end that the run only checks
