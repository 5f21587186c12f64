"""pyinfra: a large file there and back."""

from pyinfra import host
from pyinfra.operations import files

files.directory(path=host.data.work, mode="755")
files.put(src=host.data.big, dest=f"{host.data.work}/big.bin", mode="644")
files.get(src=f"{host.data.work}/big.bin", dest=f"{host.data.big}.back")
