"""Jinja2 with trust, laziness and native types."""
