"""Plays, blocks, tasks, roles: keyword tables, parser, compile."""
