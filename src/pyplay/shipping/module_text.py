"""What the text of a module says of itself: how it is run, and its OPTIONS."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Literal, cast

from pyplay.diagnostics.patterns import late_pattern

if TYPE_CHECKING:
    import ast
    from pathlib import Path

Style = Literal["pyplay", "python", "want_json", "json_args", "key_value", "binary"]

OURS = "pyplay.remote.module_utils"
THEIRS = "ansible.module_utils"
JSON_ARGS = b"<<INCLUDE_ANSIBLE_MODULE_JSON_ARGS>>"
LITERAL = re.compile(r"^OPTIONS = \{(?:.*?^\}|\}$)", re.MULTILINE | re.DOTALL)
PYTHON = late_pattern(r"(?:platform-)?python[0-9.]*")


def find_style(path: str | Path, source: bytes) -> Style:
    """Tell how a module's file is run, by its name and contents.

    Source: Ansible's "Developing modules": WANT_JSON, JSON argument replacement, binary modules, else key=value words.
    """
    if b"\0" in source[:8192]:
        return "binary"
    named_py = str(path).endswith(".py")
    word = named_interpreter(source)
    python = PYTHON.fullmatch(word) is not None if word else named_py
    if (python or named_py) and (OURS.encode() in source or THEIRS.encode() in source):
        return "pyplay" if OURS.encode() in source else "python"
    if JSON_ARGS in source:
        return "json_args"
    if b"WANT_JSON" in source:
        return "want_json"
    if python and b"argv" not in source:
        return "python"
    return "key_value"


def named_interpreter(source: bytes) -> str:
    """Give the program that the first line of `source` names, without its directory and `env`; empty for none."""
    if not source.startswith(b"#!"):
        return ""
    words = source.split(b"\n", 1)[0][2:].decode("utf-8", "replace").split()
    names = [word.rpartition("/")[2] for word in words if not word.startswith("-")]
    return names[1] if names[:1] == ["env"] and len(names) > 1 else names[0] if names else ""


def find_options(tree: ast.Module) -> dict[str, Any] | None:
    """Give the literal `OPTIONS` of a module, None if it has none that can be read without running it."""
    import ast  # noqa: PLC0415  # who has a tree has loaded it; who looks at text alone needs none

    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else []
        if any(isinstance(target, ast.Name) and target.id == "OPTIONS" for target in targets):
            try:
                value = ast.literal_eval(cast("ast.Assign", node).value)
            except ValueError:
                return None
            return cast("dict[str, Any]", value) if isinstance(value, dict) else None
    return None
