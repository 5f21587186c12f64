"""All lookups by short name."""

from __future__ import annotations

from pyplay.templating.late import LateFunctions

LOOKUPS = LateFunctions(
    "pyplay.templating.lookups",
    {
        "config": "config.config",
        "csvfile": "tables.csvfile",
        "dict": "loops.dictionary",
        "env": "programs.env",
        "file": "files.file",
        "fileglob": "files.fileglob",
        "first_found": "files.first_found",
        "indexed_items": "loops.indexed_items",
        "ini": "tables.ini",
        "inventory_hostnames": "variables.inventory_hostnames",
        "items": "loops.items",
        "lines": "programs.lines",
        "list": "loops.as_list",
        "nested": "loops.nested",
        "password": "password.password",
        "pipe": "programs.pipe",
        "random_choice": "loops.random_choice",
        "sequence": "sequence.sequence",
        "subelements": "loops.subelements",
        "template": "templates.template",
        "together": "loops.together",
        "unvault": "files.unvault",
        "url": "url.url",
        "varnames": "variables.varnames",
        "vars": "variables.variables",
    },
)
"""Lookup functions; their docstrings are the documentation that `pyplay doc` prints."""
