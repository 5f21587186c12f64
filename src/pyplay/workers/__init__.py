"""The forked worker pool, its messages, and running one task on one host."""
