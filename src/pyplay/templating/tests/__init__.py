"""Jinja tests, one topic per file."""
