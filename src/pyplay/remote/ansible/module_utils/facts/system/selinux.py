"""SELinux."""

from pyplay.remote.module_utils.facts import system
from pyplay.remote.module_utils.facts.root import Root

from ..collector import BaseFactCollector


class SelinuxFactCollector(BaseFactCollector):
    """Tells status, mode and policy."""

    name = "selinux"

    def collect(self, module=None, collected_facts=None):
        """Give the facts."""
        return system.selinux(Root())
