"""Filters, one topic per file."""
