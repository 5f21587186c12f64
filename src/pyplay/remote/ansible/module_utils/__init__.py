"""`ansible.module_utils`, written from its documented behaviour; each part travels only where it is imported."""
