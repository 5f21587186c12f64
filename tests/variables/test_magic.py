"""Magic variables; what they say was observed in ansible-core 2.21."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from pyplay.diagnostics.errors import UndefinedError
from pyplay.source.text import Trusted
from pyplay.variables.magic import FALLBACKS, HOST_MAGIC, MAGIC

HOSTS = ["h1", "h2.example.com"]


def ready(world: Any) -> Any:
    """Give `world` with something to see for every magic variable."""
    world.options = replace(
        world.options,
        check=True,
        diff=True,
        forks=7,
        limit="h1",
        tags=("x",),
        skip_tags=("y",),
        verbosity=2,
        inventory_sources=("/inv",),
    )
    dependency = world.new_role("dep")
    outer = world.new_role("outer")
    top = world.new_role("top", dependencies=(dependency,), parents=(outer,))
    dependency.parents = (top,)
    world.play.roles.append(top)
    world.play.name = "first"
    world.task = world.new_task(
        role=top, environment=({"A": Trusted("{{ v }}")},), search_dirs=("/roles/top/tasks",), vars={"v": 1}
    )
    world.inventory.hosts["h1"].source = "/etc/inv/hosts"
    world.write("", "play", ansible_play_hosts=["h1"], ansible_play_batch=["h1"], ansible_play_hosts_all=HOSTS)
    world.write("h1", "facts", ansible_distribution="Debian", ansible_local={"x": 1}, plain=2)
    return world


ROWS: dict[str, Any] = {
    "ansible_check_mode": True,
    "ansible_collection_name": None,
    "ansible_config_file": None,
    "ansible_dependent_role_names": ["dep"],
    "ansible_diff_mode": True,
    "ansible_facts": {"distribution": "Debian", "ansible_local": {"x": 1}, "plain": 2},
    "ansible_forks": 7,
    "ansible_inventory_sources": ["/inv"],
    "ansible_limit": "h1",
    "ansible_parent_role_names": ["outer"],
    "ansible_parent_role_paths": ["/roles/outer"],
    "ansible_play_batch": ["h1"],
    "ansible_play_hosts": ["h1"],
    "ansible_play_hosts_all": HOSTS,
    "ansible_play_name": "first",
    "ansible_play_role_names": ["top"],
    "ansible_playbook_python": sys.executable,
    "ansible_role_name": "top",
    "ansible_role_names": ["dep", "top"],
    "ansible_run_tags": ["x"],
    "ansible_skip_tags": ["y"],
    "ansible_verbosity": 2,
    "environment": [{"A": 1}],
    "group_names": ["web"],
    "groups": {"all": HOSTS, "ungrouped": [], "web": HOSTS},
    "inventory_dir": "/etc/inv",
    "inventory_file": "/etc/inv/hosts",
    "inventory_hostname": "h1",
    "inventory_hostname_short": "h1",
    "play_hosts": ["h1"],
    "role_name": "top",
    "role_names": ["top"],
    "role_path": "/roles/top",
}


@pytest.mark.parametrize("name", ROWS)
def test_a_magic_variable_says(world: Any, name: str) -> None:
    assert ready(world).render(f"{{{{ {name} }}}}") == ROWS[name]


def test_every_magic_variable_has_its_row() -> None:
    assert {*MAGIC, *HOST_MAGIC} - set(ROWS) == {"ansible_search_path", "ansible_version", "hostvars", "playbook_dir"}


def test_version_directories_and_search_path(world: Any) -> None:
    ready(world)
    assert world.render("{{ ansible_version.full is version('2.21', '>=') if false else ansible_version.minor }}") == 21
    assert world.render("{{ ansible_version.string }}").startswith("2.21.")
    assert world.render("{{ playbook_dir }}") == world.basedir
    assert world.render("{{ ansible_search_path }}") == [
        "/roles/top",
        "/roles/outer",
        "/roles/top/tasks",
        world.basedir,
    ]


@pytest.mark.parametrize("name", sorted(MAGIC))
def test_nobody_hides_them(world: Any, name: str) -> None:
    ready(world).extra_vars[name] = "mine"
    assert world.render(f"{{{{ {name} }}}}") != "mine"


@pytest.mark.parametrize("name", [*HOST_MAGIC, "ansible_facts"])
def test_those_of_the_host_can_be_hidden(world: Any, name: str) -> None:
    ready(world).task.vars = {name: "mine"}
    assert world.render(f"{{{{ {name} }}}}") == "mine"


@pytest.mark.parametrize(
    "name", ["role_name", "role_path", "ansible_limit", "ansible_parent_role_names", "inventory_file"]
)
def test_what_has_no_meaning_is_undefined(world: Any, name: str) -> None:
    with pytest.raises(UndefinedError):
        world.render(f"{{{{ {name} }}}}")


def test_a_dependency_has_no_parent_that_included_it(world: Any) -> None:
    ready(world)
    dependency = world.play.roles[0].dependencies[0]
    assert world.render("{{ ansible_parent_role_names | default('none') }}", role=dependency) == "none"


def test_a_role_of_a_collection(world: Any) -> None:
    role = world.new_role("web")
    role.fqcn = "acme.tools.web"
    assert (
        world.render("{{ ansible_role_name }} {{ ansible_collection_name }} {{ role_name }}", role=role)
        == "acme.tools.web acme.tools web"
    )


def test_facts_are_injected_unless_they_say_how_to_connect(world: Any) -> None:
    world.write(
        "h1",
        "facts",
        ansible_os_family="Debian",
        ansible_host="evil",
        ansible_python_interpreter="evil",
        ansible_ssh_host_key_rsa="key",
    )
    world.inventory.hosts["h1"].own_vars()["ansible_host"] = "10.0.0.1"
    assert (
        world.render("{{ ansible_os_family }} {{ ansible_host }} {{ ansible_ssh_host_key_rsa }}")
        == "Debian 10.0.0.1 key"
    )
    assert world.render("{{ ansible_python_interpreter | default('none') }} {{ ansible_facts.host }}") == "none evil"
    world._manager, world.settings = None, world.settings.changed(inject_facts_as_vars=False)
    assert world.render("{{ ansible_os_family | default('none') }} {{ ansible_facts.os_family }}") == "none Debian"


def test_facts_are_replaced_by_name(world: Any) -> None:
    world.write("h1", "facts", ansible_a={"x": 1}, ansible_b=1)
    assert world.render("{{ ansible_facts }}") == {"a": {"x": 1}, "b": 1}
    world.write("h1", "facts", ansible_a={"y": 2})
    assert world.render("{{ ansible_facts }}") == {"a": {"y": 2}, "b": 1}


def test_facts_are_data(world: Any) -> None:
    world.write("h1", "facts", ansible_evil="{{ inventory_hostname }}")
    assert (
        world.render("{{ ansible_evil }} {{ ansible_facts.evil }}")
        == "{{ inventory_hostname }} {{ inventory_hostname }}"
    )


def test_without_a_host_the_variables_of_the_play_are_seen(world: Any) -> None:
    world.play.vars = {"p": 1}
    world.extra_vars["e"] = 2
    assert (
        world.render("{{ p }} {{ e }} {{ inventory_hostname | default('none') }} {{ groups.web | length }}", host=None)
        == "1 2 none 2"
    )


def test_a_host_that_the_inventory_does_not_have(world: Any) -> None:
    world.write("10.1.1.1", "set_facts", x=1)
    assert world.render("{{ inventory_hostname }} {{ group_names }} {{ x }}", host="10.1.1.1") == "10.1.1.1 [] 1"


def test_the_implicit_localhost_sees_group_vars_of_all(world: Any) -> None:
    world.inventory.set_group_vars("all", {"g": 1})
    assert world.render("{{ g }} {{ ansible_connection }} {{ group_names }}", host="localhost") == "1 local []"


def test_lists_of_hosts_are_lists_and_templates_change_their_own_alone(world: Any) -> None:
    ready(world)
    assert world.render("{{ 'h1' in groups['web'] }} {{ groups.web + ['x'] }}") == f"True {[*HOSTS, 'x']}"
    assert (
        world.render(
            "{% set _ = groups.web.append('x') %}{% set _ = ansible_play_hosts.append('y') %}{{ groups.web | length }}"
        )
        == 3
    )
    assert type(world.render("{{ groups }}")["web"]) is list
    assert type(world.render("{{ ansible_play_hosts }}")) is list
    assert world.render("{{ groups.web }} {{ ansible_play_hosts }}") == f"{HOSTS} ['h1']"


def test_names_are_those_that_get_finds(world: Any) -> None:
    ready(world)
    scope = world.manager.scope("h1", world.play, world.task)
    names = set(scope.names())
    assert {"inventory_hostname", "ansible_facts", "ansible_distribution", "v", "role_name", "hostvars"} <= names
    assert all(repr(scope.get(name)) != "MISSING" for name in names)
    assert repr(scope.get("ansible_nothing")) == "MISSING"


@pytest.mark.parametrize(
    ("host_vars", "fields", "expected"),
    [
        ({}, {}, "h1 h1 none none"),
        ({"ansible_host": "10.0.0.1"}, {}, "10.0.0.1 10.0.0.1 none none"),
        ({"ansible_ssh_host": "10.0.0.2", "ansible_ssh_port": 22}, {}, "10.0.0.2 10.0.0.2 none 22"),
        ({}, {"remote_user": "bob", "port": 2222}, "h1 h1 bob none"),
        ({"ansible_user": "eve"}, {"remote_user": "bob"}, "h1 h1 eve none"),
        ({}, {"remote_user": Trusted("{{ ansible_user | default('x') }}")}, "h1 h1 x none"),
        ({}, {"remote_user": Trusted("{{ 'ro' }}ot")}, "h1 h1 root none"),
    ],
)
def test_how_to_connect_is_known_where_nothing_sets_it(
    world: Any, host_vars: dict[str, Any], fields: dict[str, Any], expected: str
) -> None:
    world.inventory.hosts["h1"].own_vars().update(host_vars)
    text = "{{ ansible_host }} {{ ansible_ssh_host }} {{ ansible_user | default('none') }} {{ ansible_port | default('none') }}"
    assert world.render(text, vars={"x": 1}, **fields) == expected


@pytest.mark.parametrize(
    ("host_vars", "fields", "expected"),
    [
        ({}, {}, "ssh"),
        ({}, {"connection": "local"}, "local"),
        ({}, {"connection": "smart"}, "ssh"),
        ({"ansible_connection": "local"}, {"connection": "ssh"}, "local"),
        ({}, {"connection": Trusted("{{ ansible_connection | default('x') }}")}, "x"),
    ],
)
def test_the_kind_of_connection_is_known(
    world: Any, host_vars: dict[str, Any], fields: dict[str, Any], expected: str
) -> None:
    world.inventory.hosts["h1"].own_vars().update(host_vars)
    assert world.render("{{ ansible_connection | default('none') }}", vars={"x": 1}, **fields) == expected


@pytest.mark.parametrize(
    ("host_vars", "expected"),
    [
        ({}, "{{ typed }} {{ typed }}"),
        ({"ansible_password": "a"}, "a a"),
        ({"ansible_ssh_pass": "b"}, "b b"),
        ({"ansible_password": "a", "ansible_ssh_pass": "b"}, "a b"),
    ],
)
def test_the_password_that_was_typed_is_data(world: Any, host_vars: dict[str, Any], expected: str) -> None:
    world.options = replace(world.options, connection_password="{{ typed }}")
    world.inventory.hosts["h1"].own_vars().update(host_vars)
    assert world.render("{{ ansible_password }} {{ ansible_ssh_pass }}", vars={"typed": 1}) == expected


def test_hostvars_do_not_guess_how_to_connect(world: Any) -> None:
    assert world.render("{{ hostvars.h1.ansible_host | default('none') }}") == "none"
    assert world.render("{{ hostvars.h1.ansible_connection | default('none') }}") == "none"


def test_each_is_compared_with_ansible_core() -> None:
    case = Path(__file__).parents[1] / "parity" / "cases" / "magic" / "shown.yml"
    (task,) = yaml.safe_load(case.read_text())
    assert MAGIC.keys() | HOST_MAGIC.keys() | FALLBACKS.keys() <= task["debug"]["msg"].keys()
