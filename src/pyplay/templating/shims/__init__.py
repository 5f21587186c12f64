"""What users' own filter, test and lookup plugins import from Ansible's controller side.

Plugins are written against names such as `ansible.errors` and `ansible.plugins.lookup`. Those names are answered here,
by code of ours, and only to plugin code: nothing is put into `sys.modules`. See `importer`.
"""
