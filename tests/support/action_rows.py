"""Options of actions, each with a call for which leaving it out changes the outcome.

In a call `@` is the directory that plays the host's part: it holds the file `f` ("old") and `link`, which leads to it.
"""

from __future__ import annotations

from typing import Any

from web import archive

Files = dict[str, Any]
VAULTED = "$ANSIBLE_VAULT;1.1;AES256\n3330\n"


def template(text: str, **given: Any) -> tuple[str, dict[str, Any], Files]:
    """Give a call of template, and the template."""
    return "template", {"src": "t.j2", "dest": "@/f", **given}, {"t.j2": text}


def variables(**files: str) -> tuple[str, dict[str, Any], Files]:
    """Give a call that reads all variables of a directory, and its files; `__` stands for a slash, `_` for a dot."""
    named = {f"v/{name.replace('__', '/').replace('_', '.')}": text for name, text in files.items()}
    return "include_vars", {"dir": "v"}, named


def sealed(module: str, opened: str | bytes, **given: Any) -> tuple[str, dict[str, Any], Files]:
    """Give a call that takes a vault file (the only one of its directory, for assemble), which holds `opened`."""
    return module, given, {"v/1" if module == "assemble" else "v": VAULTED, "opened": opened}


def spec(**given: Any) -> tuple[str, dict[str, Any], Files]:
    """Give a call that checks a and b, which are optional."""
    args = {"argument_spec": {"a": {}, "b": {}}, "provided_arguments": given}
    return "validate_argument_spec", args, {}


# the call; what is there (`there/f` is `@/f`); the option and its value; what is shown with it and not without it
ACTION_ROWS = [
    (template("(% if true %)yes", block_end_string="%)"), "block_start_string", "(%", "'msg'"),
    (template("{% if true |}yes{% endif |}"), "block_end_string", "|}", "b'yes'"),
    (template("[[ 1 + 1 ]]", variable_end_string="]]"), "variable_start_string", "[[", "b'2'"),
    (template("(( 1 + 1 ))", variable_start_string="(("), "variable_end_string", "))", "b'2'"),
    (template("[# c #]x", comment_end_string="#]"), "comment_start_string", "[#", "b'x'"),
    (template("{# c #]x", comment_start_string="{#"), "comment_end_string", "#]", "b'x'"),
    (template("  {% if true %}x{% endif %}"), "lstrip_blocks", True, "b'x'"),
    (template("é"), "output_encoding", "latin-1", r"b'\xe9'"),
    (template("new"), "backup", True, "backup_file"),
    (template("new", dest="@/link"), "follow", True, "'f': ('0o100644', b'new')"),
    (template("new"), "force", False, "b'old'"),
    (template("new"), "validate", "false %s", "'failed': True"),
    (variables(a_yml="a: 1", sub__b_yml="b: 2"), "depth", 1, "not: 'b': 2"),
    (variables(c_x="c: 3"), "extensions", ["x"], "'c': 3"),
    (variables(a_yml="a: 1", c_x="c: 3"), "ignore_unknown_extensions", True, "'a': 1"),
    (variables(a_yml="a: 1", b_yml="b: 2"), "files_matching", "^a", "not: 'b': 2"),
    (variables(a_yml="a: 1", b_yml="b: 2"), "ignore_files", ["b.yml"], "not: 'b': 2"),
    (spec(a=1, b=2), "mutually_exclusive", [["a", "b"]], "'failed': True"),
    (spec(a=1), "required_together", [["a", "b"]], "'failed': True"),
    (spec(), "required_one_of", [["a", "b"]], "'failed': True"),
    (spec(a="x"), "required_if", [["a", "x", ["b"]]], "'failed': True"),
    (spec(a="x"), "required_by", {"a": ["b"]}, "'failed': True"),
    (spec(a=1), "validate_args_context", {"name": "mine"}, "'mine'"),
    (sealed("copy", "text", src="v", dest="@/new"), "decrypt", False, "not: b'text'"),
    (sealed("assemble", "text", src="v", dest="@/new", remote_src=False), "decrypt", False, "not: b'text'"),
    (sealed("script", "echo text", cmd="v"), "decrypt", False, "not: 'stdout': 'text"),
    (sealed("unarchive", archive(), src="v", dest="@"), "decrypt", False, "not: 'packed'"),
    (("raw", {"_raw_params": "echo =$BASH_VERSION="}, {}), "executable", "/bin/bash", "not: =="),
    (("gather_facts", {"gather_subset": ["!all"]}, {}), "filter", ["ansible_user_id"], "not: 'ansible_machine'"),
    (("slurp", {"src": "@/f"}, {}), "armor", False, "'content': 'old'"),
    (("package", {"name": "no-such-package-at-all"}, {}), "use", "nosuchmanager", "nosuchmanager"),
    (("package", {"name": "no-such-package-at-all"}, {}), "state", "absent", "not: 'failed': True"),
    (("service", {"name": "no-such-service-at-all", "state": "started"}, {}), "use", "systemd", "systemd"),
    (("wait_for_connection", {"timeout": 5}, {}), "delay", 1, "'elapsed': 1"),
]  # fmt: skip
