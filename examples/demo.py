"""The demonstration behind `make demo`: three throw-away SSH hosts, `site.yml` twice; the second run changes nothing.

python examples/demo.py [--dir .demo] [--hosts 3]
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
CHANGED = re.compile(r"^\S+\s+: ok=\d+\s+changed=(\d+)\s+unreachable=(\d+)\s+failed=(\d+)", re.MULTILINE)


def play(inventory: Path, title: str) -> str:
    """Run the site on the hosts, show it, and give what was printed."""
    print(f"\n### {title}: pyplay -i {inventory} examples/site.yml --diff", flush=True)
    words = [sys.executable, "-m", "pyplay", "-i", str(inventory), str(HERE / "site.yml"), "--diff"]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    printed = ""
    for line in process.stdout or ():
        print(line, end="", flush=True)
        printed += line
    if process.wait():
        raise SystemExit(f"the run ended with {process.returncode}")
    return printed


def main() -> None:
    """Start the hosts, run twice, judge, stop the hosts."""
    parser = argparse.ArgumentParser(description="Run examples/site.yml twice on throw-away SSH hosts.")
    parser.add_argument("--dir", default=".demo", type=Path)
    parser.add_argument("--hosts", default=3, type=int)
    options = parser.parse_args()
    shutil.rmtree(options.dir, ignore_errors=True)
    words = [
        sys.executable,
        str(HERE / "embedded_hosts.py"),
        "--hosts",
        str(options.hosts),
        "--dir",
        str(options.dir),
        "--until-eof",
    ]
    hosts = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        if not hosts.stdout or hosts.stdout.readline().strip() != "ready":
            raise SystemExit("the hosts did not start")
        play(options.dir / "inventory.ini", "first run")
        again = CHANGED.findall(play(options.dir / "inventory.ini", "second run"))
    finally:
        if hosts.stdin:
            hosts.stdin.close()
        hosts.wait()
    if not again or any(figures != ("0", "0", "0") for figures in again):
        raise SystemExit("the second run changed something")
    print(f"The second run changed nothing on {len(again)} hosts. Their directories are under {options.dir}/.")


if __name__ == "__main__":
    main()
