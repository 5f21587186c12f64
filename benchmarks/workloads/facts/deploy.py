"""pyinfra: the facts that ansible's minimum and this tool's `setup` have in common."""

from pyinfra import host
from pyinfra.facts import hardware, server

FACTS = (server.Hostname, server.Kernel, server.Os, server.OsRelease, server.Arch, server.Date, server.Mounts,
         server.LinuxDistribution, server.Users, hardware.Cpus, hardware.Memory, hardware.BlockDevices,
         hardware.NetworkDevices)  # fmt: skip
for fact in FACTS:
    host.get_fact(fact)
