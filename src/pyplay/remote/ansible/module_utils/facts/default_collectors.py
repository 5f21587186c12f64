"""The collectors that there are: one, which gathers what the module setup gathers."""

from .collector import BaseFactCollector
from .compat import ansible_facts


class AllFactsCollector(BaseFactCollector):
    """Gathers the facts of the subsets in `subset`."""

    name = "all"
    subset = None

    def collect(self, module=None, collected_facts=None):
        """Give the facts."""
        return ansible_facts(module, self.subset) if module is not None else {}


collectors = [AllFactsCollector]
