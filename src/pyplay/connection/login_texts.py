"""What is said of logins that fail, whoever speaks SSH."""

TOO_MANY = "Too many authentication failures"
"""How a server says that more keys were offered than it looks at (MaxAuthTries)."""

FEWER_KEYS = "name the right key with ansible_ssh_private_key_file, or offer fewer with IdentitiesOnly=yes"
