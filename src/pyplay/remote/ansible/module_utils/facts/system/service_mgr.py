"""What starts services."""

import os

from pyplay.remote.module_utils.facts import system
from pyplay.remote.module_utils.facts.root import Root

from ..collector import BaseFactCollector


class ServiceMgrFactCollector(BaseFactCollector):
    """Tells the name of the service manager."""

    name = "service_mgr"

    @staticmethod
    def is_systemd_managed(module):
        """Tell whether systemd is this host's init."""
        return bool(module.get_bin_path("systemctl")) and os.path.isdir("/run/systemd/system")

    def collect(self, module=None, collected_facts=None):
        """Give the facts."""
        return system.service_manager(Root())
