"""The kinds of connection, and the ways of becoming another user, by the names that playbooks give them."""

from __future__ import annotations

SSH_KINDS = frozenset({"ssh", "smart", "paramiko", "paramiko_ssh", "ansible.builtin.ssh"})
OPENSSH_KINDS = frozenset({"openssh"})
LOGIN_KINDS = SSH_KINDS | OPENSSH_KINDS
"""Connections over SSH: a login shell starts programs there."""
LOCAL_KINDS = frozenset({"local", "ansible.builtin.local"})
BECOME_METHODS = ("sudo", "su", "doas")
