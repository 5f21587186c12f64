"""What `pyplay module` does: finding a module as tasks find it, running it on this machine, packing it."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from pyplay.actions.registry import find_action
from pyplay.connection.base import ConnectionOptions
from pyplay.connection.open import Connector
from pyplay.diagnostics.errors import OptionsError, PlaybookError
from pyplay.playbook.builtin import RAW_OPTIONS, takes_command_line
from pyplay.shipping.build import ModuleBuilder
from pyplay.shipping.client import RunnerClient
from pyplay.shipping.result import parse_result
from pyplay.shipping.search import ModuleSearch
from pyplay.source.collections import Collections
from pyplay.source.settings import load_settings
from pyplay.source.splitter import parse_kv
from pyplay.source.text import Trusted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyplay.shipping.build import BuiltModule
    from pyplay.source.settings import Settings

FAILED = 2
_SHEBANG = b"#!/usr/bin/env python3\n"
_HERE = "localhost"


def run_module(given: Mapping[str, Any]) -> int:
    """Run the module on this machine, print its result and give 0, or 2 where it failed. Raises AuthorError."""
    settings = _settings()
    module = find_module(given, settings)
    args = read_arguments(module.name, given["words"])
    internal = {
        "_ansible_check_mode": given["check"],
        "_ansible_diff": given["diff"],
        "_ansible_verbosity": given["verbose"],
        "_ansible_module_name": module.name,
        "_ansible_version": settings.compatible_version,
        "_ansible_no_log": False,
    }
    result = asyncio.run(_call(module, {**args, **internal}, given["interpreter"]))
    sys.stdout.write(json.dumps(result, indent=4, ensure_ascii=False) + "\n")
    return FAILED if result.get("failed") else 0


def pack_module(given: Mapping[str, Any]) -> int:
    """Write the module as a file that Python runs, tell where, and give 0. Raises AuthorError."""
    module = find_module(given, _settings())
    if module.style not in ("pyplay", "python"):
        message = f"'{module.name}' is not in Python: its file is all there is of it"
        raise OptionsError.of("no-pack", message, help=f"copy {module.main.path}")
    path = Path(given["output"] or f"{module.name.rpartition('.')[2]}.pyz")
    try:
        path.write_bytes(_SHEBANG + module.zip_bytes)
        path.chmod(0o755)
    except OSError as error:
        message = f"cannot write {path}: {error.strerror}"
        raise OptionsError.of("no-pack", message, help="name another file with -o") from error
    sys.stdout.write(f"{path}\n")
    return 0


def _settings() -> Settings:
    return load_settings(os.environ, os.getcwd())  # noqa: PTH109  # plain text


def find_module(given: Mapping[str, Any], settings: Settings) -> BuiltModule:
    """Return the module that a command names, by its path or as tasks find it. Raises AuthorError."""
    directory = Path(given["playbook_dir"] or settings.playbook_dir or ".").expanduser().absolute()
    places = [part for path in given["module_path"] for part in path.split(os.pathsep)]
    collections = Collections.of(settings, [str(directory)])
    search = ModuleSearch(settings, [str(directory)], module_path=places, collections=collections)
    name: str = given["module"]
    is_path = "/" in name or (name.endswith(".py") and Path(name).is_file())
    roles = sorted(str(role) for role in directory.glob("roles/*") if (role / "library").is_dir())
    try:
        builder = ModuleBuilder(search)
        module = builder.build_file(Path(name)) if is_path else builder.build(name, roles=roles)
    except PlaybookError as error:
        if find_action(name) is None:
            raise
        raise _only_action(name) from error
    if module.half or (module.ours and find_action(name) is not None):
        raise _only_action(name)
    return module


def _only_action(name: str) -> OptionsError:
    """Give the error of a module whose work is done, or begun, on the controller."""
    message = f"'{name}' works on the controller: it cannot be run or packed by itself"
    return OptionsError.of("no-module", message, help=f"pyplay adhoc localhost -c local -m {name} runs it as a task")


def read_arguments(name: str, words: str) -> dict[str, Any]:
    """Give the arguments that `words` are for module `name`. Raises AuthorError."""
    if words.startswith("@"):
        try:
            words = Path(words[1:]).expanduser().read_text(encoding="utf-8")
        except OSError as error:
            message = f"cannot read {words[1:]}: {error.strerror}"
            raise OptionsError.of("module-args", message, help="-a @FILE takes a file of JSON") from error
        return _json_arguments(words)
    if words.lstrip().startswith("{"):
        return _json_arguments(words)
    options = RAW_OPTIONS if takes_command_line(name) else None
    return {key: str(value) for key, value in parse_kv(Trusted(words), raw_options=options).items()}


def _json_arguments(text: str) -> dict[str, Any]:
    """Give the mapping that JSON text is; what is wrapped as modules get it is taken out."""
    try:
        value = json.loads(text)
    except ValueError as error:
        raise OptionsError.of("module-args", f"the arguments are not JSON: {error}", help="-a '{\"x\": 1}'") from error
    if not isinstance(value, dict):
        raise OptionsError.of("module-args", "the arguments must be a mapping of options", help="-a '{\"x\": 1}'")
    inner = cast("dict[str, Any]", value)
    wrapped: Any = inner.get("ANSIBLE_MODULE_ARGS", inner)
    return cast("dict[str, Any]", wrapped) if isinstance(wrapped, dict) else inner


async def _call(module: BuiltModule, args: Mapping[str, Any], interpreter: str | None) -> dict[str, Any]:
    """Run the module by a Runner on this machine, as a task with `connection: local` would. Raises PyplayError."""
    connector = Connector()
    try:
        connection = await connector.open(ConnectionOptions(kind="local", host=_HERE, address=_HERE))
        runner = await RunnerClient.start(connection, None, interpreter, host=_HERE, address=_HERE)
        try:
            return parse_result(await runner.call(module, args))
        finally:
            await runner.close()
    finally:
        await connector.close()
