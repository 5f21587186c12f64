"""What is raised where a role or collection cannot be read, had or installed."""

from __future__ import annotations

from pyplay.diagnostics.errors import AuthorError


class ContentError(AuthorError):
    """A role or collection, or the file that asks for it, is at fault."""


class NotThereError(ContentError):
    """A source answered that it does not have what was asked for: the next source may."""
