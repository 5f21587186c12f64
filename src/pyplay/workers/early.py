"""The zygote that is forked when a command begins."""

from __future__ import annotations

import importlib
from contextlib import suppress
from typing import TYPE_CHECKING

from pyplay.diagnostics.late_modules import late_modules
from pyplay.diagnostics.patterns import late_patterns
from pyplay.diagnostics.plain_annotations import plain_annotations
from pyplay.workers.zygote import Zygote

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyplay.workers.zygote import RunWorker

SHARED = (
    "datetime",
    "pyplay.inventory.model",
    "pyplay.playbook.workspace",
    "pyplay.shipping.search",
    "pyplay.source.settings",
    "pyplay.source.vault",
    "pyplay.templating.user_plugins",
    "pyplay.variables.store",
    "pyplay.workers.ahead_rules",
    "pyplay.workers.handover",
    "pyplay.workers.known",
    "pyplay.workers.messages",
)
"""What controller and workers are both made of, with all that it imports: loaded before they part, once for both."""


def early_zygote() -> Zygote:
    """Give a zygote that loads what workers are made of, and waits for what they work on (`handover`)."""
    load_shared()
    return Zygote(load, _unpack)


def load_shared() -> None:
    """Load what controller and workers are both made of."""
    with late_patterns():
        importlib.import_module("json")  # it does without most of its patterns
    for name in SHARED:
        importlib.import_module(name)


UNUSED = (
    *("asyncio.sslproto", "ssl"),  # asyncio's TLS
    *("inspect", "ipaddress", "locale", "random", "tempfile", "tokenize"),
)
UNUSED_FUNCTIONS = (
    *("ast.literal_eval", "hashlib.sha1", "inspect.getattr_static"),
    *("random.choice", "random.randrange", "urllib.parse.quote_from_bytes"),
)
"""What asyncio and Jinja import for what few runs ask of them: some 15 ms, OpenSSL's libraries among it."""


def load() -> None:
    """Load what workers are made of: the controller has no use for it, and goes on meanwhile.

    Jinja, asyncio and what they import have patterns that take 4 ms to compile; those that templates need are compiled
    later (`TemplateEnvironment.make_ready`). Jinja has annotations whose types take as long.
    """
    with (
        late_patterns(),
        late_modules(*UNUSED, functions=UNUSED_FUNCTIONS),
        plain_annotations(),
        suppress(ImportError, TypeError, AttributeError),  # one that wants more is imported as usual below
    ):
        for name in ("asyncio", "jinja2"):
            importlib.import_module(name)
    for name in ("pyplay.workers.founding", "pyplay.templating.plugins", "pyplay.shipping.search"):
        importlib.import_module(name)


def _unpack(descriptors: Sequence[int]) -> RunWorker:
    from pyplay.workers.founding import unpack  # noqa: PLC0415  # in the zygote alone

    return unpack(*descriptors)
