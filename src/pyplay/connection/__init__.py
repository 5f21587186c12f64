"""Ways of starting programs on hosts, and of becoming another user there."""
