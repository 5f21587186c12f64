"""From a session's playbooks to an exit code: the pool, the variables and the engine put together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.cli.variables import LateVariables
from pyplay.variables.codec import Codec
from pyplay.variables.log import LogWriter
from pyplay.workers.handover import Handover, hand_over
from pyplay.workers.known import Known
from pyplay.workers.pool import WorkerPool
from pyplay.workers.zygote import collect_seldom

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pyplay.cli.session import Session
    from pyplay.engine.run import Loaded
    from pyplay.playbook.model import Task
    from pyplay.workers.zygote import Zygote


def run_playbooks(session: Session, playbooks: Sequence[Loaded], early: Zygote | None = None) -> int:
    """Run the plays of `playbooks` and give the exit code. Raises AuthorError for what is found wrong on the way.

    `early` is the zygote that was forked when the command began, if there is one.
    """
    _check_settings(session)
    loader, log, terminal = session.loader, LogWriter(), session.screen.terminal
    handover = Handover(
        options=session.options,
        settings=session.settings,
        directories=session.directories,
        extra_vars=session.extra_vars,
        vault=session.vault,
        secrets=tuple(session.secrets),
        inventory=session.inventory,
        plays=loader.plays,
        roles=loader.roles,
        tasks=loader.tasks,
        interactive=terminal.interactive,
        progress=session.screen.is_live or session.settings.show_per_host_start,
    )
    codec = Codec(loader.plays.values(), loader.roles.values(), loader.tasks.values())
    known = Known(loader.tasks, loader.plays, codec, on_role=session.plugins.add_beside)
    pool = WorkerPool(known, session.secrets, terminal=terminal, progress=handover.progress)
    if early is not None and session.plugins.ran:  # perhaps there are values of classes that it cannot know
        early.close()
        early = None
    zygote = hand_over(handover, log.fd, early)
    collect_seldom()
    try:
        pool.start(zygote)
        return _walked(session, playbooks, log, pool)
    finally:
        pool.close()
        log.close()
        session.screen.close()


def _check_settings(session: Session) -> None:
    """Raise OptionsError for settings that the zygote could do nothing with."""
    _ = session.store
    if session.settings.jinja2_extensions:
        _ = session.environment


def _walked(session: Session, playbooks: Sequence[Loaded], log: LogWriter, pool: WorkerPool) -> int:
    """Check the plays and walk the hosts through them.

    What that needs here is loaded beside what the zygote loads for the workers.
    """
    from pyplay.cli.early import check_plays  # noqa: PLC0415  # as said above
    from pyplay.cli.retry_files import RetryFiles  # noqa: PLC0415
    from pyplay.cli.signals import reporting_before_the_end  # noqa: PLC0415
    from pyplay.engine.context import RunContext  # noqa: PLC0415
    from pyplay.engine.record import Recorder  # noqa: PLC0415
    from pyplay.engine.run import PlaybookRun  # noqa: PLC0415
    from pyplay.engine.stepper import Stepper  # noqa: PLC0415

    plays = [play for _, each in playbooks for play in each]
    variables = LateVariables(session, plays)
    if _shows_templates(session.loader.tasks.values()):
        variables.load()
    check_plays(session, plays, variables, run=True)
    loader, terminal = session.loader, session.screen.terminal
    context = RunContext(
        options=session.options,
        settings=session.settings,
        inventory=session.inventory,
        variables=variables,
        loader=loader,
        pool=pool,
        recorder=Recorder(session.store, log, session.store.cache),
        reporter=session.screen.reporter,
        terminal=terminal,
        stepper=Stepper(terminal, active=session.options.step),
        reload_inventory=session.load_inventory,
        encrypt=hash_answer,
        read_file=loader.read_file,
        playbook_ended=RetryFiles(session.settings, session.screen.add, session.warn).keep,
    )
    with reporting_before_the_end():
        return PlaybookRun(context).run(playbooks)


def _shows_templates(tasks: Iterable[Task]) -> bool:
    """Tell whether names that banners show are templates: then the engine is loaded before anybody waits for it."""
    from pyplay.templating.syntax import is_template  # noqa: PLC0415  # as above

    return any(is_template(task.name) for task in tasks)


def hash_answer(answer: str, prompt: Mapping[str, Any]) -> str:
    """Give the hash of an answer as the `encrypt`, `salt` and `salt_size` of its vars_prompt say."""
    import secrets  # noqa: PLC0415  # seldom asked for, and all of this brings much
    import string  # noqa: PLC0415

    from pyplay.templating.filters.passwords import password_hash  # noqa: PLC0415

    alphabet = string.ascii_letters + string.digits
    salt = prompt.get("salt") or "".join(secrets.choice(alphabet) for _ in range(int(prompt.get("salt_size") or 8)))
    return password_hash(answer, str(prompt["encrypt"]).removesuffix("_crypt"), str(salt))
