"""Names of facts."""


class FactNamespace:
    """Leaves names as they are."""

    def __init__(self, namespace_name):
        self.namespace_name = namespace_name

    def transform(self, name):
        """Give the name of a fact."""
        return name

    def _underscore(self, name):
        return name.replace("-", "_")


class PrefixFactNamespace(FactNamespace):
    """Puts a prefix before names."""

    def __init__(self, namespace_name, prefix=None):
        FactNamespace.__init__(self, namespace_name)
        self.prefix = prefix

    def transform(self, name):
        """Give the name of a fact."""
        return "%s%s" % (self.prefix, self._underscore(name))
