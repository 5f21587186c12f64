from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from jinja2 import StrictUndefined
from jinja2.nativetypes import NativeEnvironment

from pyplay.diagnostics.errors import TemplateError
from pyplay.inventory.layers import host_layers, merged
from pyplay.source.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Mapping

ENVIRONMENT = NativeEnvironment(undefined=StrictUndefined)


def render(template: Any, variables: Mapping[str, Any]) -> Any:
    """Stand in for the templating of a run."""
    try:
        result = ENVIRONMENT.from_string(str(template)).render(dict(variables))
        str(result)
    except Exception as error:
        raise TemplateError.of("template", str(error)) from error
    return result


HOSTS = "[web]\nw1 os=linux num=3 empty='\"\"' tags=\"{'env':'prod','role':'','n':None}\" l=\"['x','y z']\"\nw2 os=bsd num=1\nd-1\n"


def groups(load: Any, config: str, **options: Any) -> dict[str, list[str]]:
    loaded = load({"1.ini": HOSTS, "2.yml": "plugin: constructed\n" + config}, render=render, **options)
    assert not loaded.warnings, loaded.warnings
    found = loaded.inventory.groups_map()
    return {name: hosts for name, hosts in found.items() if name not in ("all", "ungrouped", "web")}


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("{key: os}", {"_linux": ["w1"], "_bsd": ["w2"]}),
        ("{key: os, prefix: os}", {"os_linux": ["w1"], "os_bsd": ["w2"]}),
        ("{key: os, prefix: os, separator: ''}", {"oslinux": ["w1"], "osbsd": ["w2"]}),
        ("{key: os, separator: '-'}", {"_linux": ["w1"], "_bsd": ["w2"]}),
        ("{key: tags, prefix: t}", {"t_env_prod": ["w1"], "t_role_": ["w1"], "t_n_None": ["w1"]}),
        ("{key: tags, prefix: t, trailing_separator: false}", {"t_env_prod": ["w1"], "t_role": ["w1"], "t_n": ["w1"]}),
        ("{key: tags, prefix: t, default_value: d}", {"t_env_prod": ["w1"], "t_role_d": ["w1"], "t_n_d": ["w1"]}),
        ("{key: l, prefix: l, parent_group: 'p_{{ os }}'}", {"l_x": ["w1"], "l_y_z": ["w1"], "p_linux": ["w1"]}),
        ("{key: empty, prefix: e}", {}),
        ("{key: empty, prefix: e, default_value: none}", {"e_none": ["w1"]}),
        ("{key: nope}", {}),
        ("{key: '[]', prefix: x}", {}),
        ("{key: '[none]', prefix: x, default_value: d}", {"x_d": ["w1", "w2", "d-1"]}),
        ("{key: \"['']\", prefix: x, default_value: d}", {"x_d": ["w1", "w2", "d-1"]}),
    ],
)
def test_keyed_groups(load: Any, options: str, expected: dict[str, list[str]]) -> None:
    assert groups(load, f"keyed_groups: [{options}]\n") == expected


def test_the_leading_separator_can_go(load: Any) -> None:
    config = "leading_separator: false\nkeyed_groups: [{key: os}, {key: tags}]\n"
    assert list(groups(load, config)) == ["linux", "env_prod", "role_", "n_None", "bsd"]


def test_conditional_groups_get_names_that_are_variable_names(load: Any) -> None:
    config = (
        "groups:\n  big: num > 2\n  in: \"'linux' in os\"\n  bad: nope\n  named-x: inventory_hostname.startswith('w')\n"
    )
    assert groups(load, config) == {"big": ["w1"], "in": ["w1"], "named_x": ["w1", "w2"]}


def test_composed_variables_are_seen_by_what_follows(load: Any) -> None:
    config = "compose:\n  sum: num + 1\n  more: sum * 2\n  bad: nope\n  lit: 5\ngroups: {four: sum == 4}\n"
    loaded = load({"1.ini": HOSTS, "2.yml": "plugin: constructed\n" + config}, render=render)
    host = loaded.inventory.hosts["w1"]
    assert {"sum": 4, "more": 8}.items() <= host.vars.items()
    assert not {"bad", "lit"} & set(host.vars)
    assert loaded.inventory.hosts_in("four") == ["w1"]
    assert not loaded.inventory.hosts["d-1"].vars


@pytest.mark.parametrize(
    "config",
    [
        "strict: true\ncompose: {bad: nope}\n",
        "strict: true\ngroups: {bad: nope}\n",
        "strict: true\nkeyed_groups: [{key: nope}]\n",
        "strict: true\nkeyed_groups: [{key: \"''\"}]\n",
        "keyed_groups: [{key: '3'}]\n",
        "strict: 'yes'\nkeyed_groups: [{prefix: a}]\n",
        "keyed_groups: [{key: os, default_value: a, trailing_separator: false}]\n",
        "keyed_groups: {key: os}\n",
    ],
)
def test_faults_of_the_configuration(load: Any, config: str) -> None:
    loaded = load({"1.ini": HOSTS, "2.yml": "plugin: constructed\n" + config}, render=render)
    assert loaded.codes == ["unparsed-inventory"]
    assert list(loaded.inventory.groups) == ["all", "ungrouped", "web"]
    assert "configures a plugin" not in loaded.warnings[0].message


@pytest.mark.parametrize(
    ("config", "codes"),
    [
        ("keyed_groups: [{prefix: a}, {key: os}]\n", []),
        ("keyed_groups: [{key: os, prefx: a}]\n", []),
        ("composed: {a: b}\nkeyed_groups: [{key: os}]\n", ["unknown-option"]),
    ],
)
def test_what_the_plugin_does_not_know_is_passed_over(load: Any, config: str, codes: list[str]) -> None:
    loaded = load({"1.ini": HOSTS, "2.yml": "plugin: constructed\n" + config}, render=render)
    assert loaded.codes == codes
    assert loaded.inventory.hosts_in("_linux") == ["w1"]


@pytest.mark.parametrize(
    ("condition", "holds"),
    [("os == 'linux'", True), ("true", True), ("false", False), ("'1'", False), ("'l'", False), ("'nope'", False)],
)
def test_conditions_of_groups_are_boolean(load: Any, condition: str, holds: Any) -> None:
    found = groups(load, f"groups: {{made: {condition}}}\n")
    assert ("made" in found) is holds


def test_extra_vars_and_vars_files_are_used_on_request(load: Any) -> None:
    files = {"1.ini": HOSTS, "group_vars/web": "v: 1\n"}
    plain = "plugin: constructed\ngroups: {a: e is defined, b: v is defined}\n"
    loaded = load({**files, "2.yml": plain}, ["1.ini", "2.yml"], render=render, extra_vars={"e": 1})
    assert "a" not in loaded.inventory.groups
    assert "b" not in loaded.inventory.groups
    config = plain + "use_extra_vars: true\nuse_vars_plugins: true\n"
    loaded = load({**files, "2.yml": config}, ["1.ini", "2.yml"], render=render, extra_vars={"e": 1})
    assert loaded.inventory.hosts_in("a") == loaded.inventory.hosts_in("b") == ["w1", "w2", "d-1"]


def test_without_templating_the_source_is_refused(load: Any) -> None:
    loaded = load({"1.ini": HOSTS, "2.yml": "plugin: constructed\n"})
    assert any("needs templating" in note for note in loaded.warnings[0].notes)


GENERATOR = """
plugin: ansible.builtin.generator
hosts:
  name: "{{ op }}-{{ app }}"
  parents:
    - name: "{{ op }}_{{ app }}"
      vars: {which: "{{ app }}"}
      parents:
        - name: "{{ op }}"
    - name: runner
layers:
  op: [build, launch]
  app: [web, api]
"""


def test_a_generator_makes_every_combination(load: Any) -> None:
    loaded = load({"g.yml": GENERATOR}, render=render)
    inventory = loaded.inventory
    assert inventory.hosts_in("runner") == ["build-web", "build-api", "launch-web", "launch-api"]
    assert inventory.hosts_in("build") == ["build-web", "build-api"]
    assert sorted(inventory.hosts_in("runner")) == sorted(inventory.hosts_in("all"))
    assert merged(host_layers(inventory, inventory.hosts["launch-api"])) == {"which": "api"}


def test_a_generator_leaves_templates_inside_of_values_to_plays(load: Any) -> None:
    text = GENERATOR.replace('{which: "{{ app }}"}', '{which: "{{ app }}", kept: {later: "{{ of_a_play }}"}}')
    found = load({"g.yml": text}, render=render).inventory
    values = merged(host_layers(found, found.hosts["launch-api"]))
    assert values == {"which": "api", "kept": {"later": "{{ of_a_play }}"}}


def test_the_setting_lets_plugins_see_extra_vars(load: Any) -> None:
    config = "plugin: generator\nhosts: {name: '{{ region }}_{{ a }}'}\nlayers: {a: [x]}\n"
    settings = Settings(inventory_use_extra_vars=True)
    loaded = load({"g.yml": config}, render=render, extra_vars={"region": "r"}, settings=settings)
    assert list(loaded.inventory.hosts) == ["r_x"]


@pytest.mark.parametrize(
    "config", ["hosts: {}\nlayers: {}\n", "hosts: {name: x}\nlayers: {a: 3}\n", "hosts: {name: x}\n", "host: 1\n"]
)
def test_faults_of_a_generator(load: Any, config: str) -> None:
    loaded = load({"g.yml": "plugin: generator\n" + config}, render=render)
    assert loaded.codes[0] == "unparsed-inventory"


@pytest.mark.parametrize(
    ("parents", "child"), [("[{}]", "x-host"), ("[{name: g, parents: [{vars: {a: 1}}]}]", "g"), ("[word]", "x-host")]
)
def test_a_parent_has_a_name(load: Any, parents: str, child: str) -> None:
    hosts = f"hosts: {{name: '{{{{ a }}}}-host', parents: {parents}}}\nlayers: {{a: [x]}}\n"
    loaded = load({"g.yml": "plugin: generator\n" + hosts}, render=render)
    assert any(f"Element {child} has a parent with no name" in note for note in loaded.warnings[0].notes)
