"""Helpers that modules share."""
