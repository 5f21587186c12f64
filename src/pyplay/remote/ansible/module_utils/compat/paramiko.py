"""Paramiko, where the host has it."""

PARAMIKO_IMPORT_ERR = None
try:
    import paramiko
except ImportError as error:
    paramiko = None
    PARAMIKO_IMPORT_ERR = error
