"""`hostvars`: other hosts' variables in their own context."""

from __future__ import annotations

from typing import Any

import pytest

from pyplay.diagnostics.errors import TemplateError, UndefinedError
from pyplay.source.text import Trusted
from pyplay.templating.environment import TemplateEnvironment
from pyplay.templating.filters.registry import FILTERS
from pyplay.variables.manager import VariableManager

H2 = "hostvars['h2.example.com']"


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        (f"{{{{ {H2}.x }}}}", "two"),
        (f"{{{{ {H2}['x'] }}}} {{{{ {H2}.inventory_hostname_short }}}}", "two h2"),
        (f"{{{{ {H2}.sf }}}} {{{{ {H2}.ansible_facts.f }}}} {{{{ {H2}.ansible_f }}}} {{{{ {H2}.reg.rc }}}}", "s 1 1 0"),
        (
            f"{{{{ {H2}.playvar | default('no') }}}} {{{{ {H2}.taskvar | default('no') }}}} {{{{ {H2}.ansible_play_hosts | default('no') }}}}",
            "no no no",
        ),
        (
            f"{{{{ {H2}.groups.web | length }}}} {{{{ {H2}.group_names }}}} {{{{ {H2}.playbook_dir is defined }}}}",
            "2 ['web'] True",
        ),
        (
            "{{ hostvars | list }} {{ hostvars | length }} {{ hostvars.keys() | list }}",
            "['h1', 'h2.example.com'] 2 ['h1', 'h2.example.com']",
        ),
        (
            "{{ hostvars['nohost'] is defined }} {{ hostvars['nohost'].x | default('d') }} {{ 'h1' in hostvars }} {{ 'nohost' in hostvars }}",
            "False d True False",
        ),
        ("{{ hostvars['localhost'] is defined }} {{ hostvars.localhost.ansible_connection }}", "True local"),
        (f"{{{{ {H2}.range | default('no') }}}} {{{{ {H2}.lookup | default('no') }}}}", "no no"),
        ("{% for h in hostvars %}{{ hostvars[h].inventory_hostname }};{% endfor %}", "h1;h2.example.com;"),
        ("{{ groups.web | map('extract', hostvars, 'inventory_hostname') | list }}", ["h1", "h2.example.com"]),
        (
            "{{ groups.web | map('extract', hostvars) | map(attribute='inventory_hostname') | join(',') }}",
            "h1,h2.example.com",
        ),
        (f"{{{{ {H2}.e | default('none') }}}}", "extra"),
        (
            f"{{{{ {H2}.templar | default('safe') }}}} {{{{ {H2}.local | default('safe') }}}} {{{{ hostvars.METHODS | default('safe') }}}}",
            "safe safe safe",
        ),
        (
            f"{{{{ {H2}.get('x') }}}} {{{{ hostvars.get('nohost', 'd') }}}} {{{{ {H2}['__class__'] | default('safe') }}}}",
            "two d safe",
        ),
        ("{{ hostvars.h1.asks }}", "two"),
    ],
)
def test_hostvars_give(world: Any, template: str, expected: Any) -> None:
    world.play.vars = {"playvar": 1}
    world.extra_vars["e"] = "extra"
    world.inventory.hosts["h1"].own_vars()["asks"] = Trusted(f"{{{{ {H2}.x }}}}")
    world.inventory.hosts["h2.example.com"].own_vars()["answers"] = Trusted("{{ hostvars.h1.asks }}")
    world.write("h2.example.com", "set_facts", sf="s", reg={"rc": 0})
    world.write("h2.example.com", "facts", ansible_f=1)
    world._manager = VariableManager(
        world.inventory,
        [world.play],
        world.settings,
        world.extra_vars,
        world.options,
        world.store,
        environment=TemplateEnvironment(world.settings, filters=FILTERS),
    )
    assert world.render(template, vars={"taskvar": 1, "inventory_hostname_short": "mine"}) == expected


def test_an_undefined_variable_of_another_host_is_named(world: Any) -> None:
    with pytest.raises(UndefinedError, match=r"'hostvars\['h2.example.com'\]' has no attribute 'shiny'"):
        world.render(f"{{{{ {H2}.shiny }}}}")
    with pytest.raises(UndefinedError, match="'hostvars' has no attribute 'nohost'"):
        world.render("{{ hostvars['nohost'].x }}")


def test_hosts_that_need_each_other_are_told_as_a_circle(world: Any) -> None:
    world.inventory.hosts["h1"].own_vars()["v"] = Trusted(f"{{{{ {H2}.v }}}}")
    world.inventory.hosts["h2.example.com"].own_vars()["v"] = Trusted("{{ hostvars.h1.v }}")
    with pytest.raises(TemplateError, match="in a circle"):
        world.render("{{ v }}")


def test_hosts_added_later_are_seen(world: Any) -> None:
    assert world.render("{{ hostvars | length }} {{ groups.web | length }}") == "2 2"
    world.write("h3", "inventory", add_host={"name": "h3", "groups": ["web", "new"], "vars": {"x": 3}})
    world.write("h1", "inventory", add_group={"host": "h1", "group": "os_debian", "parents": ["os"]})
    assert (
        world.render("{{ hostvars | length }} {{ hostvars.h3.x }} {{ groups.new }} {{ group_names }}")
        == "3 3 ['h3'] ['os', 'os_debian', 'web']"
    )
    assert world.render("{{ x }} {{ group_names }}", host="h3") == "3 ['new', 'web']"
