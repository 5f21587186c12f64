"""The classic on real hosts: install, template, notify, restart; then drift, dry run, change."""

from __future__ import annotations

import shutil
import urllib.request
from pathlib import Path

import pytest

pytestmark = pytest.mark.lab
EXAMPLE = Path(__file__).parents[2] / "examples" / "nginx"
WEB = "[web]\nh1\nh2\n"


def page(address: str) -> str:
    with urllib.request.urlopen(f"http://{address}/", timeout=10) as answer:
        return answer.read().decode()


def test_nginx_from_nothing_to_a_change(lab) -> None:
    lab("reset", "h1", "h2")
    shutil.copytree(EXAMPLE, lab.directory / "nginx")
    site = str(lab.directory / "nginx" / "site.yml")
    hosts = ["-i", lab.inventory(hosts="h1 h2", extra=WEB)]

    first = lab.pyplay(*hosts, site)
    assert first.code == 0, first.out + first.err
    assert {h: c["changed"] > 3 for h, c in first.recap.items()} == {"h1": True, "h2": True}
    assert first.out.count("RUNNING HANDLER [Restart nginx]") == 1
    assert "This is h1." in page("198.18.0.11")
    assert "This is h2." in page("198.18.0.12")

    second = lab.pyplay(*hosts, site)
    assert second.code == 0, second.out
    assert [c["changed"] for c in second.recap.values()] == [0, 0]

    stamp = "stat -c %Y.%Z /etc/nginx/conf.d/site.conf; systemctl show -P ActiveEnterTimestampMonotonic nginx"
    before = lab.exec("h1", stamp)
    preview = lab.pyplay(*hosts, site, "--check", "--diff", "-e", "listen_port=8080")
    assert preview.code == 0, preview.out
    assert "-    listen 80 default_server;" in preview.out
    assert "+    listen 8080 default_server;" in preview.out
    assert lab.exec("h1", stamp) == before

    changed = lab.pyplay(*hosts, site, "-e", "listen_port=8080")
    assert changed.recap == preview.recap
    assert "This is h1." in page("198.18.0.11:8080")

    lab.exec("h2", "echo '# by hand' >> /srv/www/index.html")
    drift = lab.pyplay(*hosts, site, "-e", "listen_port=8080")
    assert {h: c["changed"] for h, c in drift.recap.items()} == {"h1": 0, "h2": 1}
    assert "by hand" not in page("198.18.0.12:8080")
