"""Which hosts templates see, and who goes on, after failures: as in ansible-core."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from projects import differences, needs_oracle, run_both

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.parity, needs_oracle]

THREE = "".join(f"{host} ansible_connection=local\n" for host in "abc")
FAIL = {"name": "fails", "fail": {"msg": "x"}, "when": "inventory_hostname == 'b'"}
ALL_FAIL = {"name": "all fail", "fail": {"msg": "x"}}


def show(name: str) -> dict[str, Any]:
    return {"name": name, "debug": {"msg": ["{{ ansible_play_hosts }}", "{{ ansible_play_batch }}"]}}


FLOWS: dict[str, list[Any]] = {
    "failed": [FAIL, show("after")],
    "always": [{"block": [FAIL, show("in")], "always": [show("always")]}, show("after")],
    "cleared in always": [
        {"block": [FAIL], "always": [show("always"), {"meta": "clear_host_errors"}, show("cleared")]},
        show("after"),
    ],
    "cleared": [FAIL, {"meta": "clear_host_errors"}, show("after")],
    "rescued, then failed": [{"block": [FAIL], "rescue": [show("rescue"), FAIL], "always": [show("always")]}],
    "end_play in always": [{"block": [FAIL], "always": [show("always"), {"meta": "end_play"}, show("no")]}],
    "end_play in always of all": [{"block": [ALL_FAIL], "always": [show("always"), {"meta": "end_play"}]}],
    "end_batch": [FAIL, {"meta": "end_batch"}, show("no")],
    "missing include": [
        {"block": [{"include_tasks": "nope.yml"}], "rescue": [show("rescue")]},
        show("after"),
    ],
    "missing import in an include": [{"block": [{"include_tasks": "inc.yml"}], "rescue": [show("rescue")]}],
    "missing import in a role": [{"block": [{"include_role": {"name": "r"}}], "rescue": [show("rescue")]}],
    "missing role in an include": [{"block": [{"include_tasks": "inc2.yml"}], "rescue": [show("rescue")]}],
    "failure in an include": [
        {"block": [{"include_tasks": "fails.yml"}], "always": [{"meta": "clear_host_errors"}, show("always")]},
        show("after"),
    ],
    "unconditional meta": [
        {"meta": meta, "when": False} for meta in ("noop", "refresh_inventory", "reset_connection", "clear_facts")
    ],
}


@pytest.mark.parametrize("forced", [True, False], ids=["forced", "plain"])
@pytest.mark.parametrize("flow", FLOWS.values(), ids=FLOWS.keys())
def test_flow(flow: list[Any], tmp_path: Path, *, forced: bool) -> None:
    missing = any("rescue" in task and "fails" not in str(task) for task in flow)  # else the run ends in silence there
    first = {
        "hosts": "all",
        "gather_facts": False,
        "force_handlers": forced,
        "handlers": [show("h")],
        "tasks": [{"command": "true", "notify": "h"}, *flow],
    }
    files = {
        "inventory.ini": THREE,
        "inc.yml": [{"import_tasks": "nope.yml"}],
        "inc2.yml": [{"import_role": {"name": "nope"}}],
        "fails.yml": [FAIL, show("inside")],
        "roles/r/tasks/main.yml": [{"import_tasks": "nope.yml"}],
        "site.yml": [first] if missing else [first, {"hosts": "all", "gather_facts": False, "tasks": [show("second")]}],
    }
    assert not differences(*without_banners_of_meta(*run_both(files, tmp_path)))


def without_banners_of_meta(*outcomes: Any) -> Any:
    """Return the outcomes without banners that stand alone: ansible-core shows one for each host that acts."""
    for outcome in outcomes:
        outcome.tasks = [(name, seen) for name, seen in outcome.tasks if seen or not name.endswith("TASK meta")]
    return outcomes


def test_names_of_tasks(tmp_path: Path) -> None:
    names = [
        "T {{ nope }} x", "{{ nope.a.b }} {{ inventory_hostname }} {{ nope2 }}", "  sp {{ inventory_hostname }}  ", "  sp  ",
        "{{ '  x  ' }}", "", "{{ '' }}", "T {{ nope | upper }}", "T {{ item }}", "T {{ none }}", "{{ none }}",
        "T {{ undef('hint me') }}", "T {{ [1, 2] }} {{ {'a': 1} }}",
    ]  # fmt: skip
    tasks = [{"name": name, "debug": {"msg": "x"}} for name in names]
    tasks += [{"name": "M {{ inventory_hostname }}", "meta": "clear_facts"}]
    site = [{"name": "  P  ", "hosts": "all", "gather_facts": False, "tasks": tasks}]
    assert not differences(*run_both({"site.yml": site}, tmp_path))
