"""What templates see that the lookup `template` renders."""

from __future__ import annotations

import os
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from pyplay.diagnostics.errors import TemplateError
from pyplay.source.settings import load_settings
from pyplay.templating.file_variables import file_variables
from pyplay.templating.plugins import standard_environment
from pyplay.templating.scope import MapScope
from pyplay.templating.templar import Templar

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        pytest.param({}, "Ansible managed t.j2 '' 1", id="injected"),
        pytest.param(
            {"ansible_managed": "mine", "template_path": "mine"}, "mine t.j2 '' 1", id="managed is the user's"
        ),
        pytest.param({"more": {"template_path": "given"}}, "Ansible managed given '' 1", id="template_vars win"),
    ],
)
def test_templates_know_where_they_are(tmp_path: Path, variables: dict[str, Any], expected: str) -> None:
    text = (
        "{{ ansible_managed }} {{ template_path }} '{{ template_destpath }}' {{ (template_mtime.year > 2000) | int }}"
    )
    (tmp_path / "t.j2").write_text(text)
    environment = standard_environment(load_settings({}, str(tmp_path)))
    templar = Templar(environment, MapScope(variables), search_path=[str(tmp_path)], basedir=str(tmp_path))
    assert templar.evaluate("lookup('template', 't.j2', template_vars=more | default({}))") == expected


@pytest.mark.parametrize(
    ("setting", "expected"),
    [
        pytest.param("by {uid}: {file}", "by {owner}: {{ 1 % 0 }} %n.j2", id="fields are no templates"),
        pytest.param("%Y", "2020", id="time of the last change"),
        pytest.param("{{{{ 1 + 1 }}}}", "2", id="doubled braces are a template"),
        pytest.param("{{ 1 + 1 }}", "{ 1 + 1 }", id="others are text"),
    ],
)
def test_the_setting_ansible_managed_is_filled_in(tmp_path: Path, setting: str, expected: str) -> None:
    path = tmp_path / "{{ 1 % 0 }} %n.j2"
    path.write_text("{{ ansible_managed }}")
    os.utime(path, (1590000000, 1590000000))
    (tmp_path / "ansible.cfg").write_text(f"[defaults]\nansible_managed = {setting}\n")
    environment = standard_environment(load_settings({}, str(tmp_path)))
    templar = Templar(environment, MapScope({"name": path.name}), search_path=[str(tmp_path)], basedir=str(tmp_path))
    assert str(templar.evaluate("lookup('template', name)")) == expected.replace("{owner}", path.owner())


def test_an_unknown_field_of_ansible_managed_is_named(tmp_path: Path) -> None:
    with pytest.raises(TemplateError, match="nope"):
        file_variables(__file__, "a", "b", MapScope({}), SimpleNamespace(ansible_managed="{nope}"))
