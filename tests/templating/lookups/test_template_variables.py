"""What templates see that the lookup `template` renders."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pyplay.source.settings import load_settings
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
