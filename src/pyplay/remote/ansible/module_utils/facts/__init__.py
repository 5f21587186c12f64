"""Facts, for modules that need some of them."""

from .compat import ansible_facts, get_all_facts

__all__ = ["ansible_facts", "get_all_facts"]
