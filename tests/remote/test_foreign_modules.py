"""Modules that import `ansible.module_utils` run on hosts that have no ansible-core."""

from __future__ import annotations

import gzip
import json
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hosts import OLDEST_AND_NEWEST, PYTHONS, builder, write_module

if TYPE_CHECKING:
    from collections.abc import Iterator

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
    result = call(tmp_path, source, {"name": "x", "_ansible_check_mode": True})
    assert result["skipped"] is True
    assert "does not support check mode" in result["msg"]


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


@pytest.mark.parametrize("python", OLDEST_AND_NEWEST, ids=lambda path: path.parts[-3])
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


FAILURES = """
from ansible.module_utils.basic import AnsibleModule

module = AnsibleModule(dict(args=dict(type="raw"), program=dict()))
if module.params["program"]:
    module.get_bin_path(module.params["program"], required=True)
module.run_command(module.params["args"])
"""


@pytest.mark.parametrize(
    ("given", "rc", "cmd", "message"),
    [
        pytest.param({"args": ""}, 257, "", "Error executing command: it is empty", id="no text"),
        pytest.param({"args": []}, 257, "", "Error executing command: it is empty", id="no words"),
        pytest.param(
            {"args": [None, "no-such-program", "--password", "hush"]},
            2,
            "no-such-program --password '********'",
            "Error executing command no-such-program",
            id="no such program",
        ),
        pytest.param(
            {"args": ["~/no-such-program"]}, 2, "{home}/no-such-program", "No such file", id="shown as it was started"
        ),
        pytest.param(
            {"program": "no-such-program"},
            None,
            None,
            'Failed to find required executable "no-such-program" in paths',
            id="required",
        ),
    ],
)
def test_programs_that_cannot_be_run_are_named(
    tmp_path: Path, given: dict[str, Any], rc: int | None, cmd: str | None, message: str
) -> None:
    result = call(tmp_path, FAILURES, given)
    shown = cmd.format(home=Path.home()) if cmd else cmd
    assert (result["failed"], result.get("rc"), result.get("cmd")) == (True, rc, shown)
    assert message in result["msg"]


PATHS = """
import os
from ansible.module_utils.basic import AnsibleModule

module = AnsibleModule(dict(path=dict(), state=dict()))
module.exit_json(path=module.params["path"], state=module.params["state"])
"""


def test_results_tell_of_files_that_are_there(tmp_path: Path) -> None:
    absent = call(tmp_path, PATHS, {"path": str(tmp_path / "absent"), "state": "present"})
    assert (absent["state"], "mode" in absent) == ("present", False)
    there = call(tmp_path, PATHS, {"path": str(tmp_path), "state": "present"})
    assert (there["state"], "mode" in there) == ("directory", True)


FETCH = """
from ansible.module_utils.basic import AnsibleModule
from ansible.module_utils.urls import fetch_url, open_url, url_argument_spec
from ansible.module_utils.six.moves.urllib.error import HTTPError

module = AnsibleModule(url_argument_spec())
answer, info = fetch_url(module, module.params["url"], data=b"x=1", method="POST", headers={"X-Mark": "m"})
text = answer.read().decode()
missing, about = fetch_url(module, module.params["url"] + "missing")
try:
    open_url(module.params["url"] + "missing")
except HTTPError as error:
    code = error.code
none, refused = fetch_url(module, "http://127.0.0.1:1/")
module.exit_json(text=text, info=info, about=about, code=code, refused=refused, answered=none is not None)
"""


class Answers(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        packed = gzip.compress(b"got " + body + b" " + self.headers["X-Mark"].encode())
        self.send_response(201)
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Set-Cookie", "session=abc")
        self.send_header("X-Kind", "one")
        self.end_headers()
        self.wfile.write(packed)

    def do_GET(self) -> None:
        self.send_response(404)
        self.end_headers()
        self.wfile.write(b"not here")

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[str]:
    """Give the URL of a server on loopback."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as serving:
        threading.Thread(target=serving.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{serving.server_port}/"
        serving.shutdown()


@pytest.mark.parametrize("python", OLDEST_AND_NEWEST, ids=lambda path: path.parts[-3])
def test_urls_are_fetched(tmp_path: Path, server: str, python: Path) -> None:
    result = call(tmp_path, FETCH, {"url": server}, python)
    assert result["text"] == "got x=1 m"
    info = result["info"]
    assert (info["status"], info["x-kind"], info["cookies"]) == (201, "one", {"session": "abc"})
    assert (result["about"]["status"], result["about"]["body"]) == (404, "not here")
    assert result["code"] == 404
    assert result["answered"] is False
    assert result["refused"]["status"] == -1


PARTS = (
    "api", "ansible_release", "basic", "common.arg_spec", "common.collections", "common.dict_transformations", "common.file",
    "common.json", "common.locale", "common.network", "common.parameters", "common.process", "common.respawn",
    "common.sys_info", "common.text.converters", "common.text.formatters", "common.validation", "common.warnings",
    "common.yaml", "compat.datetime", "compat.importlib", "compat.paramiko", "compat.selectors", "compat.typing",
    "compat.version", "connection", "datatag", "distro", "errors", "facts.ansible_collector", "facts.collector",
    "facts.compat", "facts.default_collectors", "facts.namespace", "facts.packages", "facts.system.distribution",
    "facts.system.selinux", "facts.system.service_mgr", "facts.timeout", "facts.utils", "json_utils", "parsing.convert_bool", "pycompat24",
    "service", "six", "six.moves", "six.moves.configparser", "six.moves.http_client", "six.moves.urllib.parse",
    "splitter", "urls", "yumdnf",
)  # fmt: skip


USED = """
from ansible.module_utils import six

quoted = six.moves.urllib.parse.quote("a b")
ansible.module_utils.basic.AnsibleModule({}).exit_json(quoted=quoted, reader=six.moves.configparser.ConfigParser.__name__)
"""


@pytest.mark.parametrize("python", OLDEST_AND_NEWEST, ids=lambda path: path.parts[-3])
def test_every_part_can_be_imported(tmp_path: Path, python: Path) -> None:
    imports = "".join(f"import ansible.module_utils.{part}\n" for part in PARTS)
    result = call(tmp_path, imports + USED, {}, python)
    assert (result["quoted"], result["reader"]) == ("a%20b", "ConfigParser")


def test_only_what_is_imported_travels(tmp_path: Path) -> None:
    path = write_module(tmp_path / "library", "m.py", "from ansible.module_utils.parsing.convert_bool import boolean\n")
    names = {part.name for part in builder(path.parent).build("m").parts}
    assert "ansible.module_utils.parsing.convert_bool" in names
    assert not names & {"ansible.module_utils.basic", "ansible.module_utils.urls"}


VERSIONS = """
from ansible.module_utils.basic import AnsibleModule
from ansible.module_utils.compat.version import LooseVersion, StrictVersion

module = AnsibleModule({})
module.exit_json(
    loose=[LooseVersion("1.10") > "1.9", LooseVersion("2.0-rc1") < LooseVersion("2.0-rc2"), str(LooseVersion("v1.2"))],
    strict=[StrictVersion("1.2") == "1.2.0", StrictVersion("1.2a1") < "1.2", str(StrictVersion("1.2.0"))],
)
"""


def test_versions_compare(tmp_path: Path) -> None:
    result = call(tmp_path, VERSIONS, {})
    assert result["loose"] == [True, True, "v1.2"]
    assert result["strict"] == [True, True, "1.2"]


FACTS = """
from ansible.module_utils import basic
from ansible.module_utils.facts import ansible_collector, default_collectors
from ansible.module_utils.facts.compat import ansible_facts
from ansible.module_utils.facts.packages import CLIMgr, get_all_pkg_managers
from ansible.module_utils.facts.utils import get_file_content, get_file_lines, get_mount_size


class Sh(CLIMgr):
    CLI = "sh"

    def list_installed(self):
        return ["a 1", "a 2"]

    def get_package_details(self, package):
        return dict(zip(("name", "version"), package.split()))


module = basic.AnsibleModule({})
manager = get_all_pkg_managers()["sh"]
collector = ansible_collector.get_ansible_collector(default_collectors.collectors, gather_subset=["!all", "!min", "python"])
module.exit_json(
    some=sorted(ansible_facts(module, ["!all", "!min", "distribution"])),
    collected=sorted(collector.collect(module=module)),
    there=manager.is_available(),
    packages=manager.get_packages(),
    lines=get_file_lines("/proc/self/comm"),
    missing=get_file_content("/nowhere", "none"),
    size=get_mount_size("/")["size_total"] > 0,
    star=basic.is_executable("/bin/sh"),
)
"""


@pytest.mark.parametrize("python", OLDEST_AND_NEWEST, ids=lambda path: path.parts[-3])
def test_facts_are_there_for_modules(tmp_path: Path, python: Path) -> None:
    result = call(tmp_path, FACTS, {}, python)
    assert {"distribution", "os_family"} <= set(result["some"])
    assert "hostname" not in result["some"]
    assert "python" in result["collected"]
    assert result["there"] is True
    assert [about["version"] for about in result["packages"]["a"]] == ["1", "2"]
    assert (len(result["lines"]), result["missing"], result["size"], result["star"]) == (1, "none", True, True)


TAKEN_FROM_BASIC = """
AVAILABLE_HASH_ALGORITHMS AnsibleFallbackNotFound BOOLEANS_TRUE FILE_ATTRIBUTES FILE_COMMON_ARGUMENTS _load_params
env_fallback get_all_subclasses get_bin_path get_distribution get_platform human_to_bytes is_executable is_iterable json
json_dict_bytes_to_unicode jsonify load_platform_subclass missing_required_lib os re remove_values sanitize_keys shutil
signal string_types subprocess sys tempfile time to_bytes to_native to_text traceback
"""


def test_basic_offers_what_old_modules_take_from_it(tmp_path: Path) -> None:
    names = ", ".join(TAKEN_FROM_BASIC.split())
    call(
        tmp_path,
        f"from ansible.module_utils.basic import AnsibleModule, {names}\nAnsibleModule({{}}).exit_json()\n",
        {},
    )


FAILING = """
from ansible.module_utils.basic import AnsibleModule

module = AnsibleModule({})
try:
    open("/nowhere/at/all")
except OSError as error:
    module.fail_json("it failed: %s" % error.strerror, exception="a trace", known=1)
"""


@pytest.mark.parametrize(("verbosity", "told"), [(0, False), (3, True)])
def test_a_traceback_is_told_to_who_wants_it(tmp_path: Path, verbosity: int, *, told: bool) -> None:
    result = call(tmp_path, FAILING, {"_ansible_verbosity": verbosity})
    assert (result["msg"], result["known"], "exception" in result) == ("it failed: No such file or directory", 1, told)
