"""pyinfra: the least that it can do on a host."""

from pyinfra.operations import server

server.shell(commands=["true"])
