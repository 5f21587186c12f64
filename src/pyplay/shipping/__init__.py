"""From a module name to a zip, and from a zip to a call on a host."""
