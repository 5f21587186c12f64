"""Imports point only downward: a package may import those after it in the order below, never those before it."""

from __future__ import annotations

import ast
import graphlib
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "pyplay"
ORDER = (
    "cli", "report", "engine", "workers", "actions", "shipping", "connection", "variables", "templating", "playbook",
    "inventory", "mirror", "content", "source", "diagnostics",
)  # fmt: skip
SEAMS = {"report.events"}  # plain values and a Protocol: the engine speaks to reporters through them
HOST_SIDE = "remote"
FROM_REMOTE = {
    "remote.bootstrap",
    "remote.module_utils.options",
    "remote.module_utils.frames",
}  # pure code that both sides share


def module_name(path: Path) -> str:
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports_of(path: Path, *, run_time_only: bool = False) -> set[str]:
    """Give the pyplay modules that `path` imports, without the leading `pyplay.`."""
    tree = ast.parse(path.read_text())
    guarded: set[ast.AST] = set()
    if run_time_only:
        for node in ast.walk(tree):
            if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
                guarded.update(child for statement in node.body for child in ast.walk(statement))
    found: set[str] = set()
    for node in ast.walk(tree):
        if node in guarded:
            continue
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.update({node.module} | {f"{node.module}.{alias.name}" for alias in node.names})
    modules = {module_name(p) for p in SOURCE.rglob("*.py")}
    return {name.removeprefix("pyplay.") for name in found if name.startswith("pyplay.")} & modules


FILES = sorted(p for p in SOURCE.rglob("*.py") if p.name != "__main__.py")


@pytest.mark.parametrize("path", FILES, ids=[module_name(p) or "pyplay" for p in FILES])
def test_imports_point_down(path: Path) -> None:
    name = module_name(path)
    package = name.split(".")[0]
    for target in imports_of(path):
        other = target.split(".")[0]
        if package == HOST_SIDE:
            assert other == HOST_SIDE, f"{name} runs on managed hosts and must not import {target}"
        elif other == HOST_SIDE:
            assert package == "shipping" or target in FROM_REMOTE, f"{name} imports host-side code: {target}"
        elif package and other != package and target not in SEAMS:
            assert ORDER.index(other) > ORDER.index(package), f"{name} imports upward: {target}"


def test_there_are_no_import_cycles() -> None:
    graph = {module_name(p): {t for t in imports_of(p, run_time_only=True) if t != module_name(p)} for p in FILES}
    try:
        tuple(graphlib.TopologicalSorter(graph).static_order())
    except graphlib.CycleError as error:
        pytest.fail(f"import cycle: {' -> '.join(error.args[1])}")


def test_every_package_has_its_place() -> None:
    packages = {p.name for p in SOURCE.iterdir() if p.is_dir() and (p / "__init__.py").exists()}
    assert packages - {HOST_SIDE} == set(ORDER)
