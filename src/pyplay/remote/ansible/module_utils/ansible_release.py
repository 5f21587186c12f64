"""Which ansible-core's behaviour this is: what modules compare, not who wrote this."""

__version__ = "2.21.5"
__author__ = "Ansible, Inc."
__codename__ = "pyplay"
