"""Strategies: in which order the hosts of a batch get their tasks."""
