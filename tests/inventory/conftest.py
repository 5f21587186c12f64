from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pyplay.inventory.load import load_inventory
from pyplay.source.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from pyplay.diagnostics.model import Diagnostic
    from pyplay.inventory.model import Inventory


class Loaded:
    """An inventory with the warnings that loading it gave."""

    def __init__(self, inventory: Inventory, warnings: list[Diagnostic]) -> None:
        self.inventory, self.warnings = inventory, warnings

    @property
    def codes(self) -> list[str]:
        return [warning.code for warning in self.warnings]


@pytest.fixture
def load(tmp_path: Path) -> Callable[..., Loaded]:
    """Write `files` (path → text), then load `sources` (default: all files given)."""

    def run(
        files: dict[str, str], sources: Sequence[str] | None = None, *, settings: Settings | None = None, **options: Any
    ) -> Loaded:
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            if text.startswith("#!"):
                path.chmod(0o755)
        warnings: list[Diagnostic] = []
        inventory = load_inventory(
            list(files) if sources is None else sources,
            settings or Settings(),
            basedir=str(tmp_path),
            on_warning=warnings.append,
            **options,
        )
        return Loaded(inventory, warnings)

    return run
