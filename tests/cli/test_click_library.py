"""click as it is loaded here."""

from __future__ import annotations

import subprocess
import sys

SCRIPT = """
import sys
from pyplay.cli.click_library import click
assert not {"gettext", "inspect"} & sys.modules.keys()
print(click.core._("a word"), click.core.ngettext("one", "many", 2), "gettext" in sys.modules)
print(click.Option(["--x"], help="  a\\n  b").help.split(), "inspect" in sys.modules)
"""


def test_what_click_names_is_loaded_when_it_is_called() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=False)
    assert done.stdout.splitlines() == ["a word many True", "['a', 'b'] True"], done.stderr
