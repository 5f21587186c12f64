"""Inventory plugins of collections, written as people write them for Ansible, are loaded and run."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import CommandLine

HOME = "collections/ansible_collections/acme/cloud"
PLUGIN = '''
    DOCUMENTATION = r"""
    name: machines
    extends_documentation_fragment: [constructed, inventory_cache, acme.cloud.region]
    options:
      plugin: {required: true, choices: [acme.cloud.machines]}
      count: {type: int, default: 1}
    """
    from ansible.errors import AnsibleParserError
    from ansible.plugins.inventory import BaseInventoryPlugin, Cacheable, Constructable

    class InventoryModule(BaseInventoryPlugin, Constructable, Cacheable):
        NAME = "acme.cloud.machines"

        def verify_file(self, path):
            return super().verify_file(path) and path.endswith(("cloud.yml", "cloud.yaml"))

        def parse(self, inventory, loader, path, cache=True):
            super().parse(inventory, loader, path, cache=cache)
            self._read_config_data(path)
            key = self.get_cache_key(path)
            if cache and self.get_option("cache"):
                self._cache[key] = {}
            if self.get_option("count") > 9:
                raise AnsibleParserError("too many machines")
            group = inventory.add_group("made-here")
            for number in range(self.get_option("count")):
                name = "m%d" % number
                inventory.add_host(name, group=group)
                inventory.set_variable(name, "number", number)
                inventory.set_variable(name, "region", self.get_option("region"))
                variables = inventory.get_host(name).get_vars()
                strict = self.get_option("strict")
                self._set_composite_vars(self.get_option("compose"), variables, name, strict=strict)
                self._add_host_to_composed_groups(self.get_option("groups"), {}, name, strict=strict)
                self._add_host_to_keyed_groups(self.get_option("keyed_groups"), {}, name, strict=strict)
'''
FRAGMENT = '''
    class ModuleDocFragment(object):
        DOCUMENTATION = r"""
        options:
          region: {default: north}
        """
'''
CONFIG = """
    plugin: acme.cloud.machines
    count: 2
    compose: {double: number * 2}
    groups: {odd: number == 1}
    keyed_groups: [{key: region, prefix: in}]
"""


@pytest.fixture
def project(pyplay: CommandLine) -> CommandLine:
    pyplay.write(
        {
            f"{HOME}/plugins/inventory/machines.py": PLUGIN,
            f"{HOME}/plugins/doc_fragments/region.py": FRAGMENT,
            "cloud.yml": CONFIG,
            "site.yml": """
            - hosts: all
              gather_facts: false
              connection: local
              tasks:
                - debug: {msg: "{{ inventory_hostname }} {{ double }} {{ region }} {{ group_names | join(',') }}"}
            """,
        }
    )
    return pyplay


def test_hosts_groups_and_variables_come_from_the_plugin(project: CommandLine) -> None:
    done = project("-i", "cloud.yml", "site.yml")
    assert done.code == 0, done.out + done.err
    groups = "in_north,made-here"
    assert f'"m0 0 north {groups}"' in done.out
    assert f'"m1 2 north {groups},odd"' in done.out


def test_what_a_plugin_says_is_wrong_is_told(project: CommandLine) -> None:
    project.write({"cloud.yml": "plugin: acme.cloud.machines\ncount: 10\n"})
    assert "too many machines" in project("-i", "cloud.yml", "site.yml").err


def test_a_plugin_that_cannot_be_loaded_is_told(project: CommandLine) -> None:
    project.write({f"{HOME}/plugins/inventory/machines.py": "import nothing_of_this_name\n"})
    assert "nothing_of_this_name" in project("-i", "cloud.yml", "site.yml").err


CACHING = '''
    DOCUMENTATION = """
    name: kept
    extends_documentation_fragment: [inventory_cache]
    options:
      plugin: {required: true}
    """
    from ansible.plugins.inventory import BaseInventoryPlugin, Cacheable

    class InventoryModule(BaseInventoryPlugin, Cacheable):
        NAME = "kept"

        def parse(self, inventory, loader, path, cache=True):
            super().parse(inventory, loader, path)
            self._read_config_data(path)
            self.display.vvv("looking")
            key, wanted = self.get_cache_key(path), self.get_option("cache")
            hosts = None
            if wanted and cache:
                try:
                    hosts = self._cache[key]
                except KeyError:
                    pass
            if hosts is None:
                with open("asked", "a") as stream:
                    stream.write("x")
                hosts = ["h%d" % len(open("asked").read())]
                if wanted:
                    self._cache[key] = hosts
            for host in hosts:
                inventory.add_host(host)
'''


@pytest.mark.parametrize("place", ["inventory_plugins", "elsewhere"])
def test_what_a_users_own_plugin_found_is_kept_between_runs(pyplay: CommandLine, place: str) -> None:
    config = "[defaults]\ninventory_plugins = elsewhere\n[inventory]\nenable_plugins = kept\n"
    cache = {"ANSIBLE_INVENTORY_CACHE_PLUGIN": "jsonfile", "ANSIBLE_INVENTORY_CACHE_CONNECTION": "kept"}
    pyplay.write({f"{place}/kept.py": CACHING, "kept.yml": "plugin: kept\n", "ansible.cfg": config})

    def hosts(*words: str, **environ: str) -> str:
        done = pyplay("inventory", "-i", "kept.yml", "--graph", *words, **{**cache, **environ})
        assert done.err == ""
        return done.out.split("--")[-1].strip()

    assert [hosts(), hosts()] == ["h1", "h2"]  # nobody wanted it kept
    on = {"ANSIBLE_INVENTORY_CACHE": "yes"}
    assert [hosts(**on), hosts(**on), hosts(PYPLAY_INVENTORY_CACHE="1")] == ["h3", "h3", "h3"]
    assert hosts("--flush-cache", **on) == "h4"
    (file,) = (pyplay.root / "kept").iterdir()
    assert file.name.startswith("ansible_inventory_s1_kept_")
    assert '[\\"h4\\"]' in file.read_text()
    assert hosts(**on, ANSIBLE_CACHE_PLUGIN_TIMEOUT="1000") == "h4"
    os.utime(file, (1, 1))
    assert hosts(**on) == "h5"


def test_other_inventory_caches_are_warned_of(pyplay: CommandLine) -> None:
    pyplay.write({"inventory_plugins/kept.py": CACHING, "kept.yml": "plugin: kept\n"})
    on = {"ANSIBLE_INVENTORY_CACHE": "yes", "ANSIBLE_INVENTORY_ENABLED": "kept"}
    done = pyplay("inventory", "-i", "kept.yml", "--graph", **on, ANSIBLE_CACHE_PLUGIN="community.general.redis")
    assert ("h1" in done.out, "no cache_plugin 'redis'" in done.err) == (True, True)
    done = pyplay("inventory", "-i", "kept.yml", "--graph", **on, ANSIBLE_CACHE_PLUGIN="jsonfile")
    assert "needs a directory" in done.err


TOUCHING = """
    from ansible.plugins.inventory import BaseInventoryPlugin

    class InventoryModule(BaseInventoryPlugin):
        NAME = "touching"

        def parse(self, inventory, loader, path, cache=True):
            super().parse(inventory, loader, path)
            hosts = inventory.hosts
            hosts["a"].set_variable("size", 1)
            inventory.get_host("b").vars["size"] = 2
            hosts["c"].vars.update(size=3)
            hosts["c"].vars.setdefault("x", 9)
            hosts["d"].vars.setdefault("size", 4)
            inventory.add_host("own")
            hosts["own"].set_variable("size", len(hosts))
            inventory.set_variable("own", "like", hosts["a"].vars)
            assert list(hosts) == ["a", "b", "c", "d", "own"] and "a" in hosts and "no" not in hosts
            assert hosts.get("no") is None and hosts["a"].get_vars()["size"] == 1
            assert [host.name for host in hosts.values()] == list(hosts)
"""


def test_what_a_plugin_says_of_hosts_of_earlier_sources_is_kept(pyplay: CommandLine) -> None:
    plugin, hosts = "inventory_plugins/touching.py", "a\nb size=0\nc x=1\nd\n"
    pyplay.write({plugin: TOUCHING, "a.ini": hosts, "b.yml": "plugin: touching\n"})
    settings = {"ANSIBLE_INVENTORY_ENABLED": "touching,ini", "ANSIBLE_INVENTORY_PLUGINS": "inventory_plugins"}
    outcome = pyplay("inventory", "-i", "a.ini", "-i", "b.yml", "--list", **settings)
    found = json.loads(outcome.out)["_meta"]["hostvars"]
    assert {name: values["size"] for name, values in found.items()} == {"a": 1, "b": 2, "c": 3, "d": 4, "own": 5}
    assert found["c"]["x"] == 1
    assert found["own"]["like"] == {"size": 1}
    pyplay.write({"site.yml": "- hosts: own\n  tasks:\n    - debug: {var: like}\n  gather_facts: false\n"})
    assert '"size": 1' in pyplay("-i", "a.ini", "-i", "b.yml", "site.yml", **settings).out
