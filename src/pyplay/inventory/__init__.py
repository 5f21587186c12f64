"""Hosts, groups, their sources, and patterns."""
