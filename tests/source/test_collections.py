"""Where collections are found, and what their routes say."""

from __future__ import annotations

from textwrap import dedent
from typing import TYPE_CHECKING

import pytest

from pyplay.diagnostics.errors import PlaybookError
from pyplay.source import collection_homes as homes
from pyplay.source.collections import Collections, owner_of, split_name
from pyplay.source.settings import load_settings

if TYPE_CHECKING:
    from pathlib import Path

RUNTIME = """
    plugin_routing:
      modules:
        old: {redirect: acme.tools.new, deprecation: {removal_version: 9.0.0, warning_text: say new}}
        gone: {tombstone: {removal_date: 2024-01-01, warning_text: use new}}
        here: {redirect: ansible.builtin.copy}
        away: {redirect: other.place.away}
        ring: {redirect: acme.tools.gnir}
        gnir: {redirect: acme.tools.ring}
    action_groups:
      small: [new, other.place.away]
      large: [metadata: {extend_group: small}, sub.inner]
"""


def make(root: Path, name: str = "acme.tools", runtime: str = RUNTIME) -> Path:
    home = root / "ansible_collections" / name.replace(".", "/")
    for path in ("plugins/modules/new.py", "plugins/modules/sub/inner.py", "plugins/filter/shout.py"):
        (home / path).parent.mkdir(parents=True, exist_ok=True)
        (home / path).write_text("")
    (home / "plugins" / "modules" / "new.yml").write_text("DOCUMENTATION: {}")
    (home / "meta").mkdir(exist_ok=True)
    (home / "meta" / "runtime.yml").write_text(dedent(runtime))
    return home


@pytest.fixture
def installed(tmp_path: Path) -> Collections:
    make(tmp_path)
    return Collections([str(tmp_path / "ansible_collections")])


def test_plugins_have_names_and_files(installed: Collections) -> None:
    collection = installed.find("acme.tools")
    assert collection is not None
    assert sorted(collection.plugins("modules")) == ["new", "sub.inner"]
    assert collection.plugins("modules")["new"].endswith("plugins/modules/new.py")
    assert collection.directory("roles") == f"{collection.path}/roles"
    assert installed.find("acme.none") is None
    assert installed.holders("filter", "shout") == ["acme.tools.shout"]


@pytest.mark.parametrize(
    ("name", "target", "there"),
    [
        ("acme.tools.new", "acme.tools.new", True),
        ("acme.tools.sub.inner", "acme.tools.sub.inner", True),
        ("acme.tools.old", "acme.tools.new", True),
        ("acme.tools.here", "ansible.builtin.copy", False),
        ("acme.tools.away", "other.place.away", False),
    ],
)
def test_routes_lead_to_where_plugins_are(installed: Collections, name: str, target: str, *, there: bool) -> None:
    found = installed.resolve("modules", name)
    assert found is not None
    assert (found.name, bool(found.path)) == (target, there)


def test_what_is_not_there_is_not_found(installed: Collections) -> None:
    assert installed.resolve("modules", "acme.tools.none") is None
    assert installed.resolve("modules", "acme.none.new") is None


def test_deprecations_and_removals_say_the_collections_text(installed: Collections) -> None:
    found = installed.resolve("modules", "acme.tools.old")
    assert found is not None
    assert found.notices[0].message == "'acme.tools.old' will be removed in version 9.0.0: say new"
    with pytest.raises(PlaybookError, match=r"'acme.tools.gone' was removed after 2024-01-01: use new"):
        installed.resolve("modules", "acme.tools.gone")
    with pytest.raises(PlaybookError, match="circle"):
        installed.resolve("modules", "acme.tools.ring")


def test_groups_have_the_members_of_those_that_they_extend(installed: Collections) -> None:
    assert installed.group_members("acme.tools.small") == {"acme.tools.new", "other.place.away"}
    assert installed.group_members("acme.tools.large") == {"acme.tools.sub.inner", "acme.tools.new", "other.place.away"}
    assert installed.group_members("acme.tools.none") is None


def test_beside_the_playbook_goes_first(tmp_path: Path) -> None:
    make(tmp_path / "home" / ".ansible" / "collections")
    project = tmp_path / "project"
    own = make(project / "collections")
    settings = load_settings({"HOME": str(tmp_path / "home")}, str(tmp_path))
    found = Collections.of(settings)
    first = found.find("acme.tools")
    assert first is not None
    assert first.path.startswith(str(tmp_path / "home"))
    found.add_beside(str(project))
    second = found.find("acme.tools")
    assert second is not None
    assert second.path == str(own)


def test_a_broken_runtime_file_is_named(tmp_path: Path) -> None:
    make(tmp_path, runtime="a: [")
    with pytest.raises(PlaybookError, match=r"the collection acme.tools cannot be used") as caught:
        Collections([str(tmp_path / "ansible_collections")]).resolve("modules", "acme.tools.new")
    origin = caught.value.diagnostics[0].origin
    assert origin is not None
    assert origin.path.endswith("meta/runtime.yml")


def test_names() -> None:
    assert split_name("a.b.c.d") == ("a.b", "c.d")
    assert split_name("site.yml") is None
    assert split_name("a.b") is None
    assert owner_of("/x/ansible_collections/a/b/playbooks/p.yml") == "a.b"
    assert owner_of("/x/a/b/playbooks/p.yml") is None


def test_homes_of_short_names() -> None:
    assert homes.full_name("modules", "ufw") == "community.general.ufw"
    assert homes.full_name("filter", "ipaddr") == "ansible.utils.ipaddr"
    assert homes.full_name("lookup", "nothing") is None
    assert "community.docker" in homes.home_hint("modules", "docker_container")
    assert homes.home_hint("filter", "ansible.builtin.nope") == ""
