"""What template syntax looks like: enough to tell text that is a template from text that is none, without Jinja."""

from __future__ import annotations


def has_template(text: str) -> bool:
    """Tell whether `text` holds template syntax with the usual delimiters."""
    return "{" in text and ("{{" in text or "{%" in text or "{#" in text)


def is_template(value: object) -> bool:
    """Tell whether `value` is a text with template syntax; whether it is trusted is another question."""
    return isinstance(value, str) and has_template(value)
