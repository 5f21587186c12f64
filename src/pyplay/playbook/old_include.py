"""`include:`, which ansible-core 2.16 removed, written as what took its place (`compat = 2.18`).

Among tasks it was an import where the file's name is plain and there is no loop, else an include whose keywords the
tasks inside inherit; `include: file.yml a=1` gave them variables. Among plays it was import_playbook.
Source: the Ansible documentation of 2.9, "Including and importing".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.playbook import keywords
from pyplay.playbook.arguments import RAW, VARIABLE
from pyplay.playbook.workspace import is_template
from pyplay.source.shapes import is_map
from pyplay.source.text import SourceMap

if TYPE_CHECKING:
    from pyplay.playbook.arguments import ActionUse
    from pyplay.playbook.workspace import Workspace

_NAMES = ("file", "apply", RAW, VARIABLE)


def rewritten(space: Workspace, raw: SourceMap, use: ActionUse) -> SourceMap | None:
    """Give the task `raw`, an old include, with import_tasks or include_tasks in its place, which is warned about.

    None where it names no file.
    """
    target = use.args.get("file", use.args.get(RAW))
    if target is None:
        return None
    loops = any(key == "loop" or key.startswith(keywords.LOOP_PREFIX) for key in map(str, raw))
    name = "include_tasks" if loops or is_template(target) else "import_tasks"
    _warn(space, use, name)
    left = ("include", "ansible.builtin.include", "ansible.legacy.include", "action", "args")
    fields: dict[Any, Any] = {key: value for key, value in raw.items() if key not in left}
    inline = {key: value for key, value in use.args.items() if key not in _NAMES}
    if inline:
        outer: Any = raw.get("vars")
        fields["vars"] = SourceMap({**(outer if is_map(outer) else {}), **inline}, use.origin, use.origins)
    options = SourceMap({"file": target}, use.origin, use.origins)
    if name == "include_tasks":
        block = keywords.keywords_of(keywords.BLOCK)
        handed = [key for key in fields if key in block and key not in keywords.ON_INCLUDE]
        if handed:
            options["apply"] = SourceMap({key: fields.pop(key) for key in handed}, raw.origin, raw.key_origins)
    fields[name] = options
    origins = {**raw.key_origins, name: use.origin} if use.origin else raw.key_origins
    return SourceMap(fields, raw.origin, origins)


def _warn(space: Workspace, use: ActionUse, name: str) -> None:
    space.warn(
        "removed-include", f"'{use.name}' is no longer there; it is taken as '{name}' (compat = 2.18)", use.origin,
        length=len(use.name), mend=f"write '{name}'",
    )  # fmt: skip
