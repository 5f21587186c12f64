"""The meta actions: what a playbook says to the engine itself. Conditions are evaluated here, on the newest values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyplay.diagnostics.errors import AuthorError, PlaybookError
from pyplay.diagnostics.model import Diagnostic, Severity
from pyplay.diagnostics.suggest import nearest
from pyplay.engine.outcome import author_failure, skip
from pyplay.source.text import origin_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pyplay.engine.batch import Batch
    from pyplay.engine.results import Results
    from pyplay.playbook.model import Task


def _noop(_batch: Batch, _task: Task, _hosts: Sequence[str]) -> None:
    """Do nothing."""


def _flush_handlers(batch: Batch, _task: Task, hosts: Sequence[str]) -> None:
    batch.iterator.flush(hosts)


def _refresh_inventory(batch: Batch, _task: Task, _hosts: Sequence[str]) -> None:
    batch.context.changes.refresh(batch.context.reload_inventory())


def _clear_facts(batch: Batch, _task: Task, _hosts: Sequence[str]) -> None:
    batch.context.recorder.write_all(batch.hosts, "reset", {"facts": True})


def _clear_host_errors(batch: Batch, _task: Task, _hosts: Sequence[str]) -> None:
    batch.bring_back()


def _end_batch(batch: Batch, _task: Task, _hosts: Sequence[str]) -> None:
    batch.let_go(list(batch.live))


def _end_play(batch: Batch, _task: Task, _hosts: Sequence[str]) -> None:
    batch.ended = True
    batch.let_go(list(batch.live))


def _end_host(batch: Batch, _task: Task, hosts: Sequence[str]) -> None:
    batch.let_go(hosts)
    batch.context.roll.ended.update(hosts)


def _end_role(batch: Batch, task: Task, hosts: Sequence[str]) -> None:
    if task.role is None:
        raise PlaybookError.of("end-role-outside", "meta end_role stands in no role", task.origin)
    batch.end_role(hosts, task.role)


def _reset_connection(batch: Batch, _task: Task, hosts: Sequence[str]) -> None:
    for host in hosts:
        batch.context.pool.reset_connection(host)


ONCE: dict[str, Callable[[Batch, Task, Sequence[str]], None]] = {
    "refresh_inventory": _refresh_inventory,
    "clear_facts": _clear_facts,
    "clear_host_errors": _clear_host_errors,
    "end_batch": _end_batch,
    "end_play": _end_play,
}
"""Actions that happen once for all hosts; the first host's values decide their `when`."""

EACH: dict[str, Callable[[Batch, Task, Sequence[str]], None]] = {
    "noop": _noop,
    "flush_handlers": _flush_handlers,
    "end_host": _end_host,
    "end_role": _end_role,
    "reset_connection": _reset_connection,
}
"""Actions that happen for each host whose own `when` holds."""

UNCONDITIONAL = frozenset(("noop", "refresh_inventory", "reset_connection"))
"""Actions that happen whatever `when` says, as in ansible-core, which warns of it."""


def act(
    batch: Batch, results: Results, task: Task, hosts: Sequence[str], announce: Callable[[Task, str], None]
) -> None:
    """Do what the meta task says for `hosts`; `announce` is called before one is shown to be skipped, or to fail.

    Raises PlaybookError for an action that is not known.
    """
    raw = task.args.get("_raw_params")
    name = str(batch.renderer.value(raw, hosts[0], task)).strip()
    if task.when and name in UNCONDITIONAL:
        batch.context.reporter.warn(_without_condition(name, task))
        announce(task, hosts[0])
    if name in ONCE:
        if name in UNCONDITIONAL or _chosen(batch, results, task, hosts[:1], announce):
            ONCE[name](batch, task, hosts)
            batch.context.reporter.meta_acted(name, ())
    elif name in EACH:
        chosen = hosts if name in UNCONDITIONAL else _chosen(batch, results, task, hosts, announce)
        if chosen:
            EACH[name](batch, task, chosen)
            if not task.implicit:
                batch.context.reporter.meta_acted(name, chosen)
    else:
        close = nearest(name, [*ONCE, *EACH])
        help_ = f"did you mean {close!r}?" if close else "one of " + ", ".join(sorted([*ONCE, *EACH]))
        raise PlaybookError.of(
            "unknown-meta", f"meta action is not known: {name}", origin_of(raw) or task.origin, help=help_
        )


def _without_condition(name: str, task: Task) -> Diagnostic:
    message = f"meta {name} does not heed 'when': it happens in any case"
    return Diagnostic("meta-when", message, origin_of(task.when[0]) or task.origin, severity=Severity.WARNING)


def _chosen(
    batch: Batch, results: Results, task: Task, hosts: Sequence[str], announce: Callable[[Task, str], None]
) -> Sequence[str]:
    """Give those of `hosts` whose conditions hold. The others are shown as skipped, and count nowhere."""
    if not task.when:
        return hosts
    found: list[str] = []
    for host in hosts:
        try:
            holds = batch.renderer.conditions(task.when, host, task)
        except AuthorError as error:
            announce(task, host)
            results.take(task, author_failure(task, host, error))
            continue
        if holds:
            found.append(host)
        else:
            announce(task, host)
            batch.context.reporter.host_ended(skip(task, host), action=task.resolved_action)
    return found
