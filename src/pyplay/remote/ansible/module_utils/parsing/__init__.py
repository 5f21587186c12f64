"""Readers of plain values."""
