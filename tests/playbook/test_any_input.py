from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from pyplay.diagnostics.errors import AuthorError
from pyplay.playbook.compile import compile_handlers, compile_play
from pyplay.playbook.keywords import KEYWORDS
from pyplay.playbook.loader import PlaybookLoader
from pyplay.source.settings import load_settings

SETTINGS = load_settings({"HOME": "/nowhere"}, "/nowhere")
NAMES = [*KEYWORDS, "debug", "command", "include_tasks", "include_role", "import_tasks", "import_role", "meta", "with_items",
         "import_playbook", "ansible.builtin.copy", "role", "wehn", "a.b.c", "file", "apply", "msg", ""]  # fmt: skip
SCALARS = (
    st.none() | st.booleans() | st.integers(-2, 99) | st.sampled_from(["all", "x=1", "{{ x }}", "a b", "", "'", "true"])
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=3),
    max_leaves=8,
)
TASKS = st.lists(st.dictionaries(st.sampled_from(NAMES), VALUES, max_size=4) | VALUES, max_size=3)
PLAYS = st.lists(
    st.fixed_dictionaries({"hosts": st.just("all")}, optional={"tasks": TASKS, "handlers": TASKS, "roles": TASKS})
    | st.dictionaries(st.sampled_from(NAMES), VALUES, max_size=5),
    max_size=3,
)


@settings(max_examples=300, deadline=None)
@given(PLAYS | VALUES)
def test_whatever_was_written_is_loaded_or_refused(playbook: Any) -> None:
    loader = PlaybookLoader(SETTINGS, render=lambda value, _: value, find_module=lambda name, _: name != "a.b.c")
    with suppress(AuthorError):
        for play in loader.load_text(json.dumps(playbook), "<test>", basedir="/nowhere"):
            compile_play(play)
            compile_handlers(play)
            for task in loader.tasks.values():
                assert loader.tasks[task.id] is task
                assert task.label
