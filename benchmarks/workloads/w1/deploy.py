"""pyinfra: the thirty tasks of W1 (stat and set_fact have no counterpart: a shell line and nothing)."""

from pathlib import Path

from pyinfra import host
from pyinfra.operations import files, server

HERE = Path(__file__).parent
WORK = host.data.work
for number in range(10):
    files.directory(name=f"directory {number}", path=f"{WORK}/dir{number}", mode="755")
for number in range(8):
    source = HERE / "files" / f"file{number % 2}.txt"
    files.put(name=f"copy {number}", src=str(source), dest=f"{WORK}/dir{number}/copied.txt", mode="644")
for number in range(4):
    files.template(
        name=f"template {number}",
        src=str(HERE / "templates" / "page.j2"),
        dest=f"{WORK}/dir{number}/page.txt",
        mode="644",
        greeting="hello",
        inventory_hostname=host.name,
        number=number,
    )
for number in range(4):
    files.line(name=f"line {number}", path=f"{WORK}/lines.conf", line=f"setting{number}={number}")
for number in range(2):
    server.shell(name=f"command {number}", commands=[f"echo {number}"])
server.shell(name="stat", commands=[f"stat {WORK}/lines.conf"])
