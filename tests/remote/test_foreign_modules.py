"""Modules that import `ansible.module_utils` run on hosts that have no ansible-core."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING, Any

import pytest
from hosts import PYTHONS, builder, write_module

if TYPE_CHECKING:
    from pathlib import Path

SPEC = """
from ansible.module_utils.basic import AnsibleModule


def main():
    module = AnsibleModule(
        argument_spec=dict(
            name=dict(required=True, aliases=["label"]),
            size=dict(type="int"),
            ports=dict(type="list", elements="int"),
            state=dict(choices=["here", "gone"], default="here"),
            secret=dict(no_log=True),
            owner_id=dict(),
            force=dict(type="bool", default=False),
            inner=dict(type="dict", options=dict(depth=dict(type="int", default=3), kind=dict(required=True))),
        ),
        mutually_exclusive=[["size", "ports"]],
        required_if=[["state", "gone", ["owner_id"]]],
        required_by={"size": ["secret"]},
        supports_check_mode=True,
    )
    said = "it is %s" % module.params["secret"]
    module.exit_json(changed=True, params=module.params, check=module.check_mode, said=said)


main()
"""


def call(tmp_path: Path, source: str, given: dict[str, Any], python: Path = PYTHONS[0]) -> dict[str, Any]:
    """Give the result of a module that is built and then run by hand under an interpreter without site-packages."""
    path = write_module(tmp_path / "library", "m.py", source)
    zipped = tmp_path / "m.pyz"
    zipped.write_bytes(builder(path.parent).build("m").zip_bytes)
    data = json.dumps({"ANSIBLE_MODULE_ARGS": given}).encode()
    done = subprocess.run([str(python), "-I", "-S", str(zipped)], input=data, capture_output=True, check=False)
    assert done.stdout, done.stderr.decode()
    result = json.loads(done.stdout)
    assert done.returncode == (1 if result.get("failed") else 0)
    return result


@pytest.mark.parametrize("python", PYTHONS, ids=lambda path: path.parts[-3])
def test_arguments_are_converted_and_completed(tmp_path: Path, python: Path) -> None:
    given = {"label": "x", "ports": "80,443", "force": "yes", "inner": {"kind": "a"}, "_ansible_check_mode": True}
    result = call(tmp_path, SPEC, given, python)
    params = result["params"]
    assert (params["name"], params["ports"], params["force"]) == ("x", [80, 443], True)
    assert params["inner"] == {"depth": 3, "kind": "a"}
    assert (params["state"], params["size"]) == ("here", None)
    assert result["check"] is True
    assert result["invocation"]["module_args"]["name"] == "x"


@pytest.mark.parametrize(
    ("given", "word"),
    [
        pytest.param({}, "name", id="required"),
        pytest.param({"name": "x", "nmae": 1}, "nmae", id="unknown"),
        pytest.param({"name": "x", "size": "large", "secret": "hush-hush"}, "size", id="type"),
        pytest.param({"name": "x", "ports": ["a"]}, "ports", id="elements"),
        pytest.param({"name": "x", "state": "lost"}, "lost", id="choice"),
        pytest.param({"name": "x", "state": "gone"}, "owner_id", id="required if"),
        pytest.param({"name": "x", "size": 1}, "secret", id="required by"),
        pytest.param({"name": "x", "size": 1, "ports": [], "secret": "hush-hush"}, "size|ports", id="exclusive"),
        pytest.param({"name": "x", "inner": {}}, "kind", id="required in sub-options"),
        pytest.param({"name": "x", "inner": {"kind": "a", "hue": 1}}, "inner.hue", id="unknown in sub-options"),
        pytest.param({"name": "x", "force": None}, "force", id="null where the default is no null"),
    ],
)
def test_faulty_arguments_are_named(tmp_path: Path, given: dict[str, Any], word: str) -> None:
    result = call(tmp_path, SPEC, given)
    assert result["failed"] is True
    assert word in result["msg"]


def test_secrets_leave_no_trace(tmp_path: Path) -> None:
    result = call(tmp_path, SPEC, {"name": "x", "secret": "hush-hush"})
    assert "hush-hush" not in json.dumps(result)
    assert result["said"] == "it is ********"


def test_a_module_without_check_mode_is_skipped_in_it(tmp_path: Path) -> None:
    source = SPEC.replace("supports_check_mode=True", "supports_check_mode=False")
    assert call(tmp_path, source, {"name": "x", "_ansible_check_mode": True})["skipped"] is True


FILES = """
import os
from ansible.module_utils.basic import AnsibleModule

module = AnsibleModule(dict(path=dict(type="path", required=True), text=dict()), add_file_common_args=True)
temporary = os.path.join(module.tmpdir, "new")
with open(temporary, "w") as stream:
    stream.write(module.params["text"])
before = module.sha1(module.params["path"])
module.atomic_move(temporary, module.params["path"])
changed = before != module.sha1(module.params["path"])
wanted = module.load_file_common_arguments(module.params)
diff = {}
changed = module.set_fs_attributes_if_different(wanted, changed, diff)
module.exit_json(changed=changed, path=module.params["path"], diff=diff, folder=module.tmpdir)
"""


@pytest.mark.parametrize("python", PYTHONS[:: max(1, len(PYTHONS) - 1)], ids=lambda path: path.parts[-3])
def test_files_are_replaced_with_their_attributes(tmp_path: Path, python: Path) -> None:
    target = tmp_path / "target"
    given = {"path": str(target), "text": "one", "mode": "0640"}
    first = call(tmp_path, FILES, given, python)
    assert (first["changed"], first["mode"], first["state"], first["size"]) == (True, "0640", "file", 3)
    second = call(tmp_path, FILES, given, python)
    assert (second["changed"], second["diff"]) == (False, {})
    third = call(tmp_path, FILES, {**given, "mode": "u=rw,go="}, python)
    assert third["diff"] == {"before": {"mode": "0640"}, "after": {"mode": "0600"}}
    assert target.read_text() == "one"
    assert not list(tmp_path.glob(".*"))


COMMANDS = """
from ansible.module_utils.basic import AnsibleModule

module = AnsibleModule(dict())
results = [
    module.run_command(["printf", "%s", "a b"]),
    module.run_command("cat", data="fed"),
    module.run_command("echo $HOME | tr a-z A-Z", use_unsafe_shell=True, environ_update={"HOME": "/up"}),
    module.run_command("sh -c 'echo out; echo err >&2; exit 3'"),
    module.run_command(["sh", "-c", "printf 'Password: '; sleep 30"], prompt_regex="Password:")[:1],
]
module.run_command(["sh", "-c", "echo broken >&2; exit 4"], check_rc=module.check_mode is False)
"""


def test_programs_are_run(tmp_path: Path) -> None:
    source = COMMANDS + "module.exit_json(results=results)\n"
    failed = call(tmp_path, source, {})
    assert (failed["rc"], failed["msg"], failed["stderr"]) == (4, "broken", "broken\n")
    done = call(tmp_path, source.replace("check_rc=module.check_mode is False", "check_rc=False"), {})
    assert done["results"] == [
        [0, "a b", ""],
        [0, "fed\n", ""],
        [0, "/UP\n", ""],
        [3, "out\n", "err\n"],
        [257],
    ]
