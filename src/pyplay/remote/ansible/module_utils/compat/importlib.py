"""Importing by name."""

from importlib import import_module

__all__ = ["import_module"]
