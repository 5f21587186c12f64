from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

import pytest

from pyplay.cli.links import make_links


@dataclass(frozen=True)
class Done:
    """How a command ended."""

    code: int
    out: str
    err: str


class CommandLine:
    """A directory of files and the `pyplay` command in it, with an environment of its own."""

    def __init__(self, root: Path) -> None:
        self.root = root
        home = root / "home"
        home.mkdir()
        self.environ = {"HOME": str(home), "PATH": os.environ["PATH"], "LANG": "C.UTF-8"}

    def write(self, files: dict[str, str]) -> None:
        for name, text in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(dedent(text))
            if text.startswith("#!"):
                path.chmod(0o755)

    def __call__(self, *words: str, stdin: str | None = "", **environ: str) -> Done:
        """Run `pyplay` with `words`; `environ` are more variables."""
        return self._run([sys.executable, "-m", "pyplay", *words], stdin, environ)

    def called(self, name: str, *words: str, stdin: str | None = "", **environ: str) -> Done:
        """Run `pyplay` through a link called `name` in the directory `bin`, which stands first on the PATH."""
        make_links(self.root / "bin", Path(sys.executable).with_name("pyplay"), force=False)
        path = f"{self.root}/bin:{self.environ['PATH']}"
        return self._run([str(self.root / "bin" / name), *words], stdin, {"PATH": path, **environ})

    def _run(self, argv: list[str], stdin: str | None, environ: dict[str, str]) -> Done:
        done = subprocess.run(
            argv, cwd=self.root, env={**self.environ, **environ},
            input=stdin, capture_output=True, text=True, check=False, timeout=120,
        )  # fmt: skip
        return Done(done.returncode, done.stdout, done.stderr)

    def play(self, tasks: str, *words: str, stdin: str | None = "", **environ: str) -> Done:
        """Run a play on localhost with `tasks`, a YAML list."""
        lines = "".join(f"    {line}\n" for line in dedent(tasks).strip("\n").split("\n"))
        self.write({"site.yml": f"- hosts: localhost\n  gather_facts: false\n  tasks:\n{lines}"})
        return self("site.yml", *words, stdin=stdin, **environ)


@pytest.fixture
def pyplay(tmp_path: Path) -> CommandLine:
    return CommandLine(tmp_path)
