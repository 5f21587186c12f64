"""Users' plugins, written as people write them for Ansible, work unchanged and see the shims; nobody else does."""

from __future__ import annotations

import os
import sys
import textwrap
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from pyplay.diagnostics.errors import TemplateError
from pyplay.source.settings import load_settings
from pyplay.source.text import Trusted
from pyplay.templating.plugins import standard_environment
from pyplay.templating.scope import MapScope
from pyplay.templating.shims.importer import Importer
from pyplay.templating.shims.table import contents_table
from pyplay.templating.templar import Templar
from pyplay.templating.user_plugins import UserPlugins

if TYPE_CHECKING:
    from pathlib import Path

    from pyplay.diagnostics.model import Diagnostic

FILTER = """
    from __future__ import absolute_import, division, print_function
    __metaclass__ = type

    import ansible.errors
    from ansible.errors import AnsibleError, AnsibleFilterError
    from ansible.module_utils._text import to_native, to_text
    from ansible.module_utils.six import string_types, iteritems
    from ansible.module_utils.common.collections import is_sequence, Mapping
    from ansible.plugins.filter.core import combine, FilterModule as Core
    from ansible.utils.display import Display
    from ansible.module_utils.parsing.convert_bool import boolean
    try:
        import not_there_at_all
        HAS = True
    except ImportError:
        HAS = False

    display = Display()

    def shout(value, mark='!'):
        if not isinstance(value, string_types):
            raise AnsibleFilterError('shout wants text, not %s' % to_native(type(value)))
        display.vvv('shouting')
        return value.upper() + mark

    def warned(value):
        from ansible.module_utils.common.text.converters import to_bytes
        display.warning('careful')
        return to_text(to_bytes(value))

    def merged(value, other):
        return combine(value, other, recursive=True)

    class FilterModule(object):
        def filters(self):
            return {'shout': shout, 'warned': warned, 'merged': merged, 'flag': lambda v: boolean(v, strict=False),
                    'b64encode': lambda v: 'mine', 'core': lambda v: len(Core().filters()) > 50, 'has': lambda v: HAS}
"""

TEST = """
    from ansible import errors
    def is_palindrome(value):
        if not isinstance(value, str):
            raise errors.AnsibleFilterError('no text')
        return value == value[::-1]

    class TestModule(object):
        def tests(self):
            return {'palindrome': is_palindrome}
"""

LOOKUP = """
    DOCUMENTATION = '''
    name: greet
    options:
      greeting:
        description: what to say
        default: hello
        env: [{name: GREETING}]
        vars: [{name: my_greeting}]
        ini: [{section: greet, key: greeting}]
      times: {type: int, default: 1}
      names: {type: list, elements: str}
      loud: {type: bool, default: false, aliases: [shouting]}
      size: {choices: [small, big], default: small}
      tone: {default: mild, deprecated: {why: nobody hears it, alternatives: use loud}}
      hue: {env: [{name: HUE}], deprecated: {why: as tone}}
    '''
    from ansible.errors import AnsibleError, AnsibleLookupError
    from ansible.plugins.lookup import LookupBase
    from ansible.utils.display import Display

    display = Display()

    class LookupModule(LookupBase):
        def run(self, terms, variables=None, **kwargs):
            self.set_options(var_options=variables, direct=kwargs)
            display.debug('greeting')
            found = []
            for term in terms:
                if term == 'nobody':
                    raise AnsibleLookupError('there is nobody')
                if term == 'file':
                    path = self.find_file_in_search_path(variables, 'files', 'name.txt')
                    contents, show = self._loader._get_file_contents(path)
                    term = contents.decode().strip()
                if term == 'var':
                    term = self._templar.template(variables['who'])
                text = ' '.join([self.get_option('greeting')] * self.get_option('times') + [str(term)])
                found.append(text.upper() if self.get_option('loud') else text)
            self.get_option('size')
            return found
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for kind, text in (("filter", FILTER), ("test", TEST), ("lookup", LOOKUP)):
        directory = tmp_path / f"{kind}_plugins"
        directory.mkdir()
        (directory / ("greet.py" if kind == "lookup" else "mine.py")).write_text(textwrap.dedent(text))
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "name.txt").write_text("Ann\n")
    return tmp_path


class World:
    """A templar over a project's plugins, and the warnings that came up."""

    def __init__(self, project: Path, settings: Any = None, **variables: Any) -> None:
        self.warnings: list[Diagnostic] = []
        self.plugins = UserPlugins(settings, on_warning=self.warnings.append)
        self.plugins.add_beside(str(project))
        self.plugins.add_configured()
        environment = standard_environment(
            settings, filters=self.plugins.filters, tests=self.plugins.tests, lookups=self.plugins.lookups
        )
        self.templar = Templar(environment, MapScope(variables), search_path=[str(project)], basedir=str(project))

    def __call__(self, expression: str) -> Any:
        return self.templar.evaluate(expression)


@pytest.mark.parametrize(("expression", "expected"), [
    ("'a' | shout", "A!"),
    ("'a' | shout(mark='?')", "A?"),
    ("{'a': {'b': 1}} | merged({'a': {'c': 2}})", {"a": {"b": 1, "c": 2}}),
    ("'yes' | flag", True),
    ("'x' | b64encode", "mine"),
    ("'x' | ansible.builtin.b64encode", "eA=="),
    ("'x' | core", True),
    ("'x' | has", False),
    ("'anna' is palindrome", True),
    ("lookup('greet', 'Bob')", "hello Bob"),
    ("lookup('greet', 'Bob', greeting='hi', times=2)", "hi hi Bob"),
    ("lookup('greet', 'Bob', times='2')", "hello hello Bob"),
    ("lookup('greet', 'Bob', shouting=true)", "HELLO BOB"),
    ("query('greet', 'Bob', 'Ann')", ["hello Bob", "hello Ann"]),
    ("lookup('greet', 'file')", "hello Ann"),
    ("lookup('greet', 'var')", "hello world"),
])  # fmt: skip
def test_plugins_work(project: Path, expression: str, expected: Any) -> None:
    assert World(project, who=Trusted("{{ 'wor' ~ 'ld' }}"))(expression) == expected


@pytest.mark.parametrize(("expression", "message"), [
    ("42 | shout", "shout wants text"),
    ("42 is palindrome", "no text"),
    ("lookup('greet', 'nobody')", "there is nobody"),
    ("lookup('greet', 'x', size='huge')", "size"),
    ("lookup('greet', 'x', times='many')", "times"),
])  # fmt: skip
def test_errors_of_plugins_are_errors_of_the_template(project: Path, expression: str, message: str) -> None:
    with pytest.raises(TemplateError, match=message):
        World(project)(expression)


def test_options_come_from_variables_environment_and_ini(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = project / "ansible.cfg"
    config.write_text("[greet]\ngreeting = from ini\n")
    settings = SimpleNamespace(config_file=str(config))
    assert World(project, settings)("lookup('greet', 'x')") == "from ini x"
    monkeypatch.setenv("GREETING", "from env")
    assert World(project, settings)("lookup('greet', 'x')") == "from env x"
    assert World(project, settings, my_greeting="from var")("lookup('greet', 'x')") == "from var x"


def test_display_warnings_become_diagnostics(project: Path) -> None:
    world = World(project)
    assert world("'x' | warned") == "x"
    assert [warning.message for warning in world.warnings] == ["careful"]


def test_deprecated_options_that_are_set_are_told(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    world = World(project)
    assert world("lookup('greet', 'x')") == "hello x"
    assert not world.templar.take_notices()
    world("lookup('greet', 'x', tone='harsh')")
    monkeypatch.setenv("HUE", "red")
    world("lookup('greet', 'x')")
    assert [notice.message for notice in world.templar.take_notices()] == [
        "the option tone is deprecated: nobody hears it (instead: use loud)", "the option hue is deprecated: as tone",
    ]  # fmt: skip


def test_plugins_may_ask_for_the_variables_of_a_template(project: Path) -> None:
    importer = Importer(contents_table())
    path = project / "vars.py"
    path.write_text("from ansible.template import generate_ansible_template_vars as made\n")
    found = importer.load(str(path), "vars").made("name.txt", str(project / "files" / "name.txt"), "/there")
    assert (found["template_path"], found["template_destpath"]) == ("name.txt", "/there")
    assert found["ansible_managed"] == "Ansible managed"


def test_nothing_is_left_in_sys_modules(project: Path) -> None:
    before = {name for name in sys.modules if name.partition(".")[0] in {"ansible", "ansible_collections"}}
    World(project)("'a' | shout")
    after = {name for name in sys.modules if name.partition(".")[0] in {"ansible", "ansible_collections"}}
    assert after == before


def test_lookups_are_loaded_when_first_called(project: Path) -> None:
    (project / "lookup_plugins" / "broken.py").write_text("1/0\n")
    world = World(project)
    assert world("lookup('greet', 'x')") == "hello x"
    with pytest.raises(TemplateError, match="division by zero"):
        world("lookup('broken', 'x')")


def test_a_broken_file_is_a_warning_with_its_place(project: Path) -> None:
    path = project / "filter_plugins" / "aaa.py"
    path.write_text("import os\n\nfrom ansible.nothing import x\n")
    (project / "filter_plugins" / "bbb.py").write_text("def f(:\n")
    (project / "filter_plugins" / "ccc.py").write_text("x = 1\n")
    world = World(project)
    assert world("'a' | shout") == "A!"
    assert [(str(w.origin), w.code) for w in world.warnings] == [
        (f"{path}:3", "broken-plugin"),
        (f"{project}/filter_plugins/bbb.py:1", "broken-plugin"),
        (f"{project}/filter_plugins/ccc.py", "broken-plugin"),
    ]
    assert "Skipping filter plugin 'aaa': " in world.warnings[0].message
    assert "ansible.nothing" in world.warnings[0].message


def test_roles_may_be_added_while_running(project: Path) -> None:
    role = project / "roles" / "r" / "filter_plugins"
    role.mkdir(parents=True)
    (role / "more.py").write_text(
        "class FilterModule:\n    def filters(self):\n        return {'late': lambda v: 'late ' + v}\n"
    )
    world = World(project)
    with pytest.raises(TemplateError):
        world("'x' | late")
    world.plugins.add_beside(str(project / "roles" / "r"))
    assert world("'x' | late") == "late x"


def test_the_first_directory_wins_and_settings_come_last(
    project: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    other = tmp_path_factory.mktemp("other")
    (other / "x.py").write_text(
        "class FilterModule:\n    def filters(self):\n        return {'shout': len, 'size': len}\n"
    )
    world = World(project, SimpleNamespace(filter_plugins=(str(other),), test_plugins=(), lookup_plugins=()))
    assert world("'abc' | shout") == "ABC!"
    assert world("'abc' | size") == 3


def test_module_utils_and_collections_of_the_user(project: Path) -> None:
    (project / "module_utils").mkdir()
    (project / "module_utils" / "mine.py").write_text(
        "from ansible.module_utils.six import PY3\nNAME = 'utils' if PY3 else ''\n"
    )
    collection = project / "collections" / "ansible_collections" / "acme" / "tools" / "plugins" / "module_utils"
    collection.mkdir(parents=True)
    (collection / "helper.py").write_text("from ansible.errors import AnsibleError\nfrom .other import WORD\n")
    (collection / "other.py").write_text("WORD = 'collection'\n")
    (project / "filter_plugins" / "uses.py").write_text(
        "from ansible.module_utils.mine import NAME\n"
        "from ansible_collections.acme.tools.plugins.module_utils.helper import WORD\n"
        "import ansible_collections.acme.tools.plugins.module_utils.other as other\n"
        "class FilterModule:\n    def filters(self):\n        return {'names': lambda v: [NAME, WORD, other.WORD]}\n"
    )
    settings = SimpleNamespace(
        collections_path=(str(project / "collections"),),
        collections_scan_sys_path=False,
        collections_on_ansible_version_mismatch="ignore",
        compatible_version="2.21.5",
    )
    assert World(project, settings)("1 | names") == ["utils", "collection", "collection"]


def test_undefined_arguments_reach_only_those_that_want_them(project: Path) -> None:
    (project / "filter_plugins" / "marks.py").write_text(
        "from ansible.template import accept_args_markers\n"
        "from jinja2.runtime import Undefined\n"
        "@accept_args_markers\n"
        "def there(v):\n    return not isinstance(v, Undefined)\n"
        "class FilterModule:\n    def filters(self):\n        return {'there': there}\n"
    )
    world = World(project)
    assert world("nope | there") is False
    with pytest.raises(TemplateError):
        world("nope | shout")


def test_every_shim_can_be_imported(project: Path) -> None:

    table = contents_table(load_settings({"HOME": "/root"}, os.sep))
    importer = Importer(table)
    assert all(importer.module(name).__name__ == name for name in table)
    path = project / "all.py"
    path.write_text(
        "from ansible import constants as C\n"
        "import ansible.module_utils.six.moves.urllib.parse as parse\n"
        "from ansible.module_utils.six.moves import range, zip_longest\n"
        "from ansible.module_utils.six.moves.urllib.parse import quote\n"
        "from ansible.plugins.loader import lookup_loader\n"
        "from ansible.module_utils.compat.version import LooseVersion\n"
        "from ansible.errors import *\n"
        "RESULT = (C.DEFAULT_TIMEOUT, parse.quote(' '), LooseVersion('1.10') > LooseVersion('1.9'), AnsibleError)\n"
    )
    module = importer.load(str(path), "all")
    assert module.RESULT[:3] == (10, "%20", True)
