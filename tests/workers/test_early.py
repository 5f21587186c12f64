"""The zygote that is forked when a command begins: what it has loaded."""

from __future__ import annotations

import subprocess
import sys

SCRIPT = """
import re._compiler
from pyplay.workers import early
early.load()
from pyplay.templating.environment import TemplateEnvironment
from pyplay.source.settings import Settings
environment = TemplateEnvironment(Settings())
environment.make_ready()
compiled = []
compile_ = re._compiler.compile
re._compiler.compile = lambda text, flags=0: compiled.append(text) or compile_(text, flags)
environment.compile_text("{{ a[0].b ~ 'c' }}")
print(compiled)
import jinja2
print(jinja2.Environment().from_string("{{ 'see www.example.com'|urlize }}").render())
"""


def test_the_first_template_compiles_no_pattern_and_others_are_compiled_when_used() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=False)
    link = '<a href="https://www.example.com" rel="noopener">www.example.com</a>'
    assert done.stdout.splitlines() == ["[]", f"see {link}"], done.stderr
