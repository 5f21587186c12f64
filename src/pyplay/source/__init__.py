"""Text a user wrote: YAML with origins, trust, vault, settings."""
