"""What modules of Ansible collections import on a managed host, under the name `ansible`: our own implementation."""
