"""pyinfra: a hundred copies."""

from pathlib import Path

from pyinfra import host
from pyinfra.operations import files

SOURCE = Path(__file__).parent.parent / "w1" / "files" / "file0.txt"
files.directory(path=host.data.work, mode="755")
for number in range(100):
    files.put(src=str(SOURCE), dest=f"{host.data.work}/item{number}.txt", mode="644")
