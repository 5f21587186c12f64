"""pyplay: an agentless push configuration manager that speaks Ansible's language."""
