"""kubernetes.core: templates are rendered here; what modules on this machine read is searched as for other tasks.

On another host `src`, `kubeconfig` and `local_path` are files of that host.
Source: the documentation of kubernetes.core, k8s (`template`, `src`) and its common options.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from pyplay.actions.base import ActionFailed
from pyplay.actions.files import search
from pyplay.actions.normal import module_name
from pyplay.actions.template import rendered
from pyplay.diagnostics.dataclass import replace
from pyplay.templating.lookups.search import find_file

if TYPE_CHECKING:
    from pyplay.actions.base import ActionCall

_DEFINITIONS = ("resource_definition", "definition", "inline", "src")
_RENDERING = frozenset({
    "path", "newline_sequence", "block_start_string", "block_end_string", "variable_start_string",
    "variable_end_string", "trim_blocks", "lstrip_blocks",
})  # fmt: skip
_URLS = ("http://", "https://", "ftp://")
_HOLDERS = ("src", "kubeconfig", "kubeconfig_path")


async def run(call: ActionCall) -> dict[str, Any]:
    """Run the module with its templates rendered and its local files found. Raises ActionFailed."""
    name, args = module_name(call.task), dict(call.args)
    template = args.pop("template", None)
    if template is not None:
        args["resource_definition"] = await _definition(call, template)
    if await call.remote.is_local():
        _find_files(call, name, args)
    return await call.remote.module(name, args, main=True)


async def _definition(call: ActionCall, template: Any) -> str:
    """Give the text of all templates, as documents of one YAML text."""
    if any(call.args.get(key) is not None for key in _DEFINITIONS):
        raise ActionFailed("template is mutually exclusive with resource_definition and src")
    entries: list[Any] = cast("list[Any]", template) if isinstance(template, list) else [template]
    texts = [await _text(call, entry) for entry in entries]
    return "\n---\n".join(texts)


async def _text(call: ActionCall, entry: Any) -> str:
    options: dict[str, Any] = cast("dict[str, Any]", entry) if isinstance(entry, dict) else {"path": entry}
    path = options.get("path")
    if not isinstance(path, str):
        raise ActionFailed("template takes the path of a file, a mapping with 'path', or a list of these")
    unknown = sorted(set(options) - _RENDERING)
    if unknown:
        raise ActionFailed(f"template knows no {', '.join(unknown)}; it takes {', '.join(sorted(_RENDERING))}")
    file = search(call, "templates", path)
    given = {key: value for key, value in options.items() if key != "path"}
    content: bytes = await call.render(rendered, replace(call, args={**given, "src": path, "dest": ""}), file)
    return content.decode()


def _find_files(call: ActionCall, name: str, args: dict[str, Any]) -> None:
    """Put the places of files on this machine in place of their names; those that are not found stay as they are."""
    keys = [*_HOLDERS]
    if name.endswith("k8s_cp") and args.get("state", "to_pod") == "to_pod":
        keys.append("local_path")
    for key in keys:
        value = args.get(key)
        if not isinstance(value, str) or value.startswith(_URLS) or Path(value).is_absolute():
            continue
        found = find_file(call.search_path, call.templar.basedir, "files", value)
        if found is not None:
            args[key] = found
