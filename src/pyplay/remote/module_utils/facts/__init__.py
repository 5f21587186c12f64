"""Facts about the host, one collector per file; `collect` chooses which to ask."""
