"""What collectors of facts are made from."""


class CollectorNotFoundError(KeyError):
    """There is no collector of this name."""


class BaseFactCollector:
    """Gathers some facts; a class below it says which in `name`, and gathers them in `collect`."""

    _fact_ids = set()
    _platform = "Generic"
    name = None
    required_facts = set()

    def __init__(self, collectors=None, namespace=None):
        self.collectors = collectors or []
        self.namespace = namespace
        self.fact_ids = {self.name} | set(self._fact_ids)

    @classmethod
    def platform_match(cls, platform_info):
        """Give this class where it is for the platform, else None."""
        return cls if platform_info.get("system") == cls._platform or cls._platform == "Generic" else None

    def collect_with_namespace(self, module=None, collected_facts=None):
        """Give the facts under the names that the namespace gives them."""
        found = self.collect(module=module, collected_facts=collected_facts)
        if self.namespace is None:
            return found
        return {self.namespace.transform(name): value for name, value in found.items()}

    def collect(self, module=None, collected_facts=None):
        """Give the facts."""
        return {}
