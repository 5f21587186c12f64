"""The distribution."""

from pyplay.remote.module_utils.facts import distribution
from pyplay.remote.module_utils.facts.root import Root

from ..collector import BaseFactCollector


class DistributionFactCollector(BaseFactCollector):
    """Tells name, version, release and family."""

    name = "distribution"

    def collect(self, module=None, collected_facts=None):
        """Give the facts."""
        return distribution.collect(Root())
