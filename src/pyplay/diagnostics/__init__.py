"""Diagnostics as values, and their renderings."""
