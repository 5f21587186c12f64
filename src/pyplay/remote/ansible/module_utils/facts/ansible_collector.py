"""The collector of all facts."""

from .collector import BaseFactCollector
from .default_collectors import AllFactsCollector


class AnsibleFactCollector(BaseFactCollector):
    """Gathers what its collectors gather."""

    def __init__(self, collectors=None, namespace=None, filter_spec=None):
        BaseFactCollector.__init__(self, collectors, namespace)
        self.filter_spec = filter_spec

    def collect(self, module=None, collected_facts=None):
        """Give all facts."""
        found = {}
        for collector in self.collectors:
            found.update(collector.collect_with_namespace(module=module, collected_facts=found))
        return found


def get_ansible_collector(
    all_collector_classes,
    namespace=None,
    filter_spec=None,
    gather_subset=None,
    gather_timeout=None,
    minimal_gather_subset=None,
):
    """Give a collector for these subsets."""
    collectors = []
    for kind in all_collector_classes:
        collector = kind(namespace=namespace)
        if isinstance(collector, AllFactsCollector):
            collector.subset = gather_subset
        collectors.append(collector)
    return AnsibleFactCollector(collectors, namespace, filter_spec)
