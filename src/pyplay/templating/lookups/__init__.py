"""Lookups, one per file."""
