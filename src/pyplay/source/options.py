"""What the command line asked for, as one frozen value handed down from `cli`."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """Options of one run. None means "not given": the keyword, setting or documented default decides."""

    check: bool = False
    diff: bool = False
    forks: int = 50
    limit: str | None = None
    tags: tuple[str, ...] = ("all",)
    skip_tags: tuple[str, ...] = ()
    extra_vars: Mapping[str, Any] = field(default_factory=dict[str, Any])
    inventory_sources: tuple[str, ...] = ()
    connection: str | None = None
    user: str | None = None
    private_key_file: str | None = None
    timeout: float | None = None
    ssh_common_args: str = ""
    ssh_extra_args: str = ""
    become: bool = False
    become_user: str | None = None
    become_method: str | None = None
    connection_password: str | None = None
    become_password: str | None = None
    force_handlers: bool = False
    flush_cache: bool = False
    start_at_task: str | None = None
    step: bool = False
    verbosity: int = 0
    module_path: tuple[str, ...] = ()
