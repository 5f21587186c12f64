"""Collections, from the command line: modules, plugins, roles and playbooks by full names, keyword and short names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import CommandLine

HOME = "collections/ansible_collections/acme/tools"
MODULE = """
    from ansible.module_utils.basic import AnsibleModule
    from ansible_collections.acme.tools.plugins.module_utils.words import WORD
    from ..module_utils.nested import near
    from ansible_collections.acme.tools.plugins.module_utils.moved import FAR

    def main():
        module = AnsibleModule(argument_spec=dict(data=dict(), more=dict()), supports_check_mode=True)
        module.exit_json(said='%s %s %s' % (WORD, near.NEAR, FAR), **module.params)

    if __name__ == '__main__':
        main()
"""
PLAIN = """
    from ansible.module_utils.basic import AnsibleModule
    module = AnsibleModule(argument_spec=dict(data=dict(), more=dict()))
    module.exit_json(which='acme.tools', **module.params)
"""
FILES = {
    f"{HOME}/meta/runtime.yml": """
        plugin_routing:
          modules:
            older: {redirect: acme.tools.teller, deprecation: {removal_version: 9.0.0, warning_text: say teller}}
            gone: {tombstone: {removal_version: 1.0.0, warning_text: it went away}}
            writer: {redirect: ansible.builtin.debug}
          module_utils:
            moved: {redirect: acme.tools.words}
          filter:
            cry: {redirect: acme.tools.shout}
            lost: {tombstone: {removal_version: 1.0.0, warning_text: cry instead}}
        action_groups:
          tellers: [teller]
        """,
    f"{HOME}/plugins/modules/teller.py": MODULE,
    f"{HOME}/plugins/modules/ping.py": PLAIN,
    f"{HOME}/plugins/modules/halved.py": PLAIN,
    f"{HOME}/plugins/action/halved.py": "",
    f"{HOME}/plugins/action/only_here.py": "",
    f"{HOME}/plugins/module_utils/words.py": "WORD = FAR = 'word'\n",
    f"{HOME}/plugins/module_utils/nested/near.py": "from ..words import WORD\nNEAR = 'near ' + WORD\n",
    f"{HOME}/plugins/filter/shout.py": """
        from ansible.errors import AnsibleFilterError
        from ansible_collections.acme.tools.plugins.module_utils.words import WORD
        class FilterModule(object):
            def filters(self):
                return {'shout': lambda v: v.upper() + WORD, 'whisper': lambda v: v.lower()}
        """,
    f"{HOME}/plugins/test/short.py": """
        class TestModule(object):
            def tests(self):
                return {'short': lambda v: len(v) < 3}
        """,
    f"{HOME}/plugins/lookup/echo.py": """
        from ansible.plugins.lookup import LookupBase
        class LookupModule(LookupBase):
            def run(self, terms, variables=None, **kwargs):
                return ['echo ' + term for term in terms]
        """,
    f"{HOME}/roles/greet/tasks/main.yml": """
        - ping:
          register: answer
        - debug: {msg: "greet {{ answer.which }} {{ ansible_collection_name }}"}
        """,
    f"{HOME}/playbooks/inner.yml": """
        - hosts: localhost
          gather_facts: false
          tasks:
            - ping:
              register: answer
            - debug: {msg: "inner {{ answer.which }}"}
            - import_role: {name: greet}
        """,
}


@pytest.fixture
def project(pyplay: CommandLine) -> CommandLine:
    pyplay.write(FILES)
    return pyplay


def test_modules_run_by_full_name_keyword_and_short_name(project: CommandLine) -> None:
    done = project.play("""
        - acme.tools.teller: {data: 1}
          register: full
        - teller: {data: 2}
          register: short
        - acme.tools.older:
          register: old
        - acme.tools.writer: {msg: by debug}
        - ping:
          register: ours
        - ping:
          collections: [acme.tools]
          register: theirs
        - action: {module: "{{ 'tel' ~ 'ler' }}"}
          register: named
        - debug:
            msg: "{{ [full.said, full.data, short.data, old.said == full.said, ours.ping, theirs.which, named.said] }}"
    """)
    assert done.code == 0, done.out + done.err
    for text in ('"word near word word"', '"1"', '"2"', "true", '"pong"', '"acme.tools"', "by debug"):
        assert text in done.out
    assert "'acme.tools.older' will be removed in version 9.0.0: say teller" in done.err


def test_plugins_go_by_full_name_and_by_short_name(project: CommandLine) -> None:
    done = project.play("""
        - debug:
            msg: "{{ ['a' | acme.tools.shout, 'A' | acme.tools.whisper, 'a' | acme.tools.cry, 'b' | shout] }}"
        - debug: {msg: "{{ ['ab' is acme.tools.short, 'abc' is short] }}"}
        - debug: {msg: "{{ [lookup('acme.tools.echo', 'x'), query('echo', 'y')] }}"}
        - debug: {msg: "with {{ item }}"}
          with_acme.tools.echo: [z]
    """)
    assert done.code == 0, done.out + done.err
    assert done.out.count('"Aword"') == 2
    for text in ('"a"', '"Bword"', "true", "false", '"echo x"', '"echo y"', "with echo z"):
        assert text in done.out


@pytest.mark.parametrize(
    ("expression", "told"),
    [
        ("'a' | acme.tools.lost", "cry instead"),
        ("'a' | acme.tools.none", "there is no filter 'acme.tools.none'"),
        ("'a' | json_query('x')", "pyplay install community.general"),
        ("lookup('community.hashi_vault.vault_read', 'x')", "install community.hashi_vault"),
    ],
)
def test_plugins_that_are_not_there_say_where_they_would_be(project: CommandLine, expression: str, told: str) -> None:
    done = project.play(f"""
        - debug: {{msg: "{{{{ {expression} }}}}"}}
    """)
    assert done.code == 2
    assert told in done.out + done.err


def test_faults_are_told_before_any_task_runs(project: CommandLine) -> None:
    done = project.play("""
        - debug: {msg: first}
        - acme.tools.gone:
        - acme.tools.tellar:
        - community.nothing.here:
        - docker_container: {name: x}
    """)
    assert done.code != 0
    assert "first" not in done.out
    assert "'acme.tools.gone' was removed in version 1.0.0: it went away" in done.err
    assert "did you mean `acme.tools.teller`?" in done.err
    assert "pyplay install community.nothing" in done.err
    assert "pyplay install community.docker" in done.err


def test_several_collections_with_one_name_are_named(project: CommandLine) -> None:
    project.write({"collections/ansible_collections/acme/more/plugins/modules/teller.py": MODULE})
    done = project.play("- teller:")
    assert "acme.more.teller, acme.tools.teller" in done.err
    assert project.play("- acme.tools.teller:").code == 0


def test_a_module_whose_other_half_is_foreign_is_refused_when_reached(project: CommandLine) -> None:
    done = project.play("""
        - acme.tools.halved:
          when: false
        - acme.tools.halved:
          ignore_errors: true
        - acme.tools.only_here:
          ignore_errors: true
    """)
    assert done.code == 0, done.out + done.err
    assert done.out.count("[ERROR]: Task failed: 'acme.tools.") == 2
    assert "needs the action plugin" in done.out


def test_a_users_own_action_is_refused_when_reached(pyplay: CommandLine) -> None:
    pyplay.write({"action_plugins/mine.py": "", "action_plugins/both.py": "", "library/both.py": PLAIN})
    done = pyplay.play("""
        - mine:
          when: false
        - mine:
          ignore_errors: true
        - both:
          ignore_errors: true
    """)
    assert done.code == 0, done.out + done.err
    assert "'mine' needs the action plugin" in done.out
    assert "'both' needs the action plugin" in done.out


def test_roles_and_playbooks_are_found_by_full_name(project: CommandLine) -> None:
    project.write(
        {
            "site.yml": """
            - hosts: localhost
              gather_facts: false
              roles: [acme.tools.greet]
            - import_playbook: acme.tools.inner
            """,
        }
    )
    done = project("site.yml")
    assert done.code == 0, done.out + done.err
    assert done.out.count('"greet acme.tools acme.tools"') == 2
    assert done.out.count('"inner acme.tools"') == 1
    assert "TASK [acme.tools.greet : debug]" in done.out
    direct = project("acme.tools.inner")
    assert '"inner acme.tools"' in direct.out


def test_module_defaults_know_all_names_of_a_module(project: CommandLine) -> None:
    project.write(
        {
            "site.yml": """
            - hosts: localhost
              gather_facts: false
              module_defaults:
                group/acme.tools.tellers: {data: group, more: group}
                acme.tools.older: {data: play, more: play}
              tasks:
                - acme.tools.teller:
                  register: one
                - teller: {}
                  module_defaults: {acme.tools.teller: {more: task}}
                  register: two
                - acme.tools.ping:
                  register: three
                - debug: {msg: "{{ [one.data ~ one.more, two.data ~ two.more, three.data is none] }}"}
            """,
        }
    )
    done = project("site.yml")
    assert done.code == 0, done.out + done.err
    for text in ('"playplay"', '"grouptask"', "true"):
        assert text in done.out


def test_module_defaults_name_what_is_there(project: CommandLine) -> None:
    done = project.play("""
        - debug: {msg: x}
          module_defaults: {acme.tools.nope: {}, group/acme.tools.nope: {}, group/aws: {}}
    """)
    assert "the collection acme.tools has no module `nope`" in done.err
    assert "there is no group of modules 'acme.tools.nope'" in done.err
    assert "aws" not in done.err.replace("group/aws: {}}", "")


@pytest.mark.parametrize(("mismatch", "code"), [("warning", 0), ("ignore", 0), ("error", 4)])
def test_a_collection_for_another_version_is_told_once(project: CommandLine, mismatch: str, code: int) -> None:
    home = "collections/ansible_collections/future/newer"
    project.write({
        f"{home}/meta/runtime.yml": "requires_ansible: '>=2.99'\n",
        f"{home}/roles/one/tasks/main.yml": "- debug: {msg: in one}\n",
        f"{home}/roles/two/tasks/main.yml": "- debug: {msg: in two}\n",
        "other.yml": """
            - hosts: localhost
              gather_facts: false
              roles: [future.newer.one]
              tasks:
                - include_role: {name: future.newer.two}
        """,
    })  # fmt: skip
    done = project("other.yml", ANSIBLE_COLLECTIONS_ON_ANSIBLE_VERSION_MISMATCH=mismatch)
    assert done.code == code
    told = (done.out + done.err).count("Collection future.newer does not support Ansible version")
    assert told == (0 if mismatch == "ignore" else 1)
