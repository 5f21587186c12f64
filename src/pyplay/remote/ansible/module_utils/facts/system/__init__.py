"""Facts about the system."""
