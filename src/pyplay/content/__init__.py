"""Roles and collections: what a project wants, where it comes from, and how it is installed."""
