"""From variables and settings to what decides a connection through an engine (containers, pods, chroots)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pyplay.connection.base import ConnectionOptions
from pyplay.connection.engines import ALL, ENGINES, mend_for
from pyplay.connection.login_words import check_no_option
from pyplay.diagnostics.errors import OptionsError
from pyplay.diagnostics.suggest import did_you_mean
from pyplay.source.setting import Kind
from pyplay.source.text import origin_of
from pyplay.workers.option_words import text
from pyplay.workers.values import number, truth

if TYPE_CHECKING:
    from pyplay.diagnostics.model import Origin
    from pyplay.source.setting import Setting
    from pyplay.workers.engine_settings import EngineSettings
    from pyplay.workers.option_words import OptionWords

OTHERS = ("ssh", "openssh", "local")


def engine_name(kind: str, host: str, origin: Origin | None) -> str:
    """Give the name of the engine that `kind` means. Raises OptionsError for a connection that there is not."""
    engine = ENGINES.get(kind)
    if engine is not None:
        return engine.name
    known = sorted((*OTHERS, *(engine.name for engine in ALL)))
    mend = mend_for(kind) or did_you_mean(kind, known) or f"there are {', '.join(known)}"
    raise OptionsError.of("connection-unknown", f"{host}: connection {kind!r} is not supported", origin, help=mend)


def read_engine(
    words: OptionWords, kind: str, known: EngineSettings, *, shell: str, user: Any, timeout: float
) -> ConnectionOptions:
    """Give the options of a connection through the engine `kind`.

    `shell`, `user` and `timeout` hold where no variable or setting of the engine itself says otherwise.
    Raises OptionsError for settings that do not fit, PlaybookError for such variables.
    """
    engine = ENGINES[kind]
    settings = known.of(engine)
    found: dict[str, str] = {}
    for row in engine.options:
        value = words.variable(*row.variables)
        value = settings.get(row.name) if value is None else value
        if value is not None:
            found[row.name] = _mapping(row, value) if row.name in engine.mappings else _as_text(row, value)
    if "timeout" in found:
        timeout = number(found.pop("timeout"), "timeout")
    named = words.variable(*engine.users) if engine.users else None
    address = str(words.variable("ansible_host", *engine.hosts) or words.host)
    login = text(user if named is None else named) if engine.takes_user else None
    check_no_option(words.host, "address", address)
    check_no_option(words.host, "user", login)
    return ConnectionOptions(
        kind=kind,
        host=words.host,
        address=address,
        user=login,
        timeout=timeout,
        shell_executable=str((words.variable(*engine.shells) if engine.shells else None) or shell),
        engine_options=tuple(found.items()),
    )


def _as_text(row: Setting, value: Any) -> str:
    if row.kind is Kind.BOOL:
        return str(truth(value, row.variables[0])).lower()
    return str(value)


def _mapping(row: Setting, value: Any) -> str:
    if not isinstance(value, Mapping):
        message = f"{row.variables[0]} is not a mapping of names to values: {value!r}"
        raise OptionsError.of("not-mapping", message, origin_of(value))
    return json.dumps(value, sort_keys=True)
