"""All facts in one call."""

import re

from pyplay.remote.module_utils.facts import collect


def get_all_facts(module):
    """Give the facts of the subsets that the module's option `gather_subset` names, without ansible_ before them."""
    return ansible_facts(module, module.params.get("gather_subset"))


def ansible_facts(module, gather_subset=None):
    """Give facts without ansible_ before their names; by default all but those of facter and ohai."""
    subset = gather_subset or module.params.get("gather_subset") or ["all", "!facter", "!ohai"]
    timeout = module.params.get("gather_timeout") or 10
    path = module.params.get("fact_path") or "/etc/ansible/facts.d"
    found = collect.collect(collect.Request(list(subset), [], timeout, path, module.warn))
    return {re.sub("^ansible_", "", name): value for name, value in found.items()}
